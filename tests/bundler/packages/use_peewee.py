"""One module of 8,000 lines: models made by a metaclass, fields as descriptors, SQL in memory."""

import peewee
from peewee import (
    CharField,
    ForeignKeyField,
    IntegerField,
    IntegrityError,
    Model,
    SqliteDatabase,
    fn,
)

db = SqliteDatabase(":memory:")


class Base(Model):
    class Meta:
        database = db


class Bot(Base):
    name = CharField(unique=True)


class Game(Base):
    winner = ForeignKeyField(Bot, backref="wins")
    turns = IntegerField(default=0)


db.connect()
db.create_tables([Bot, Game])
first, second = Bot.create(name="greedy"), Bot.create(name="random")
Game.insert_many([{"winner": first, "turns": 10}, {"winner": second, "turns": 5}]).execute()
Game.create(winner=first, turns=20)
query = (
    Bot.select(Bot.name, fn.COUNT(Game.id).alias("n"), fn.AVG(Game.turns).alias("turns"))
    .join(Game)
    .group_by(Bot.name)
    .order_by(Bot.name)
)
print(query.sql(), [(row.name, row.n, row.turns) for row in query], first.wins.count())
print(Game.update(turns=Game.turns + 1).where(Game.turns > 9).execute(), Bot._meta.table_name, Game)
print(
    [g.turns for g in Game.select().order_by(Game.turns.desc())], Game.winner, repr(first), Bot.name
)
try:
    with db.atomic():
        Bot.create(name="greedy")
except IntegrityError as error:
    print(type(error), error, peewee.IntegrityError.__module__)
Bot.get(Bot.name == "nobody")
