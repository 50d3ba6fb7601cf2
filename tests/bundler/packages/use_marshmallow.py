"""A registry of classes by name, metaclasses, decorators that mark methods."""

from dataclasses import dataclass
from datetime import date

from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_load, pre_load, validate
from marshmallow import validates, class_registry


@dataclass
class Bot:
    name: str
    born: date = None


class BotSchema(Schema):
    name = fields.String(required=True, validate=validate.Length(min=2))
    born = fields.Date(data_key="birth")

    class Meta:
        unknown = EXCLUDE

    @pre_load
    def strip(self, data, **_):
        return {**data, "name": data.get("name", "").strip()}

    @post_load
    def make(self, data, **_):
        return Bot(**data)

    @validates("name")
    def no_digits(self, value, data_key):
        if any(c.isdigit() for c in value):
            raise ValidationError(f"{data_key} has digits")


class TeamSchema(Schema):
    bots = fields.List(fields.Nested("BotSchema"))
    best = fields.Method("find_best")
    parent = fields.Nested(lambda: TeamSchema(only=("best",)))

    def find_best(self, team):
        return max(bot.name for bot in team["bots"])


team = TeamSchema().load({"bots": [{"name": " ab ", "birth": "2024-02-03", "z": 1}]})
print(team, TeamSchema().dump(team), class_registry.get_class("BotSchema"))
for data in ({"bots": [{"name": "a"}, {"name": "b2", "birth": "x"}]}, {"team": 1}, []):
    print(TeamSchema().validate(data))
print(TeamSchema.from_dict({"x": fields.Int()}), BotSchema(), BotSchema().fields["born"].__class__)
TeamSchema().load({"bots": 3})
