"""Dates: recurrence rules, a parser, zones; submodules imported on first use by __getattr__."""

import datetime
import pickle

import dateutil.utils
from dateutil import parser, relativedelta, rrule, tz
from dateutil.easter import easter
from dateutil.relativedelta import FR

start = datetime.datetime(2024, 1, 31, 10)
print(start + relativedelta.relativedelta(months=+1, weekday=FR(-1)), easter(2024))
print(relativedelta.relativedelta(datetime.date(2024, 3, 1), datetime.date(2023, 1, 15)))
print(list(rrule.rrule(rrule.MONTHLY, count=3, byweekday=rrule.MO(1), dtstart=start)))
print(rrule.rrulestr("FREQ=DAILY;INTERVAL=2;COUNT=3", dtstart=start)[-1], dateutil.utils.__name__)
print(parser.parse("Thu Sep 25 2003 10:36:28"), parser.parse("5 Jan 2004 3pm", fuzzy=True), tz.UTC)
print(tz.tzoffset("X", 3600).utcoffset(start), parser.isoparse("2024-02-03T04:05:06Z"), tz.tzutc())
print(pickle.loads(pickle.dumps(tz.tzoffset(None, -60))), tz.tzoffset is type(tz.tzoffset(None, 1)))
print(
    tz.tzstr("EST5EDT").utcoffset(start), type(parser.parserinfo()), FR(2), rrule.rrule.__mro__[1]
)
parser.parse("not a date at all")
