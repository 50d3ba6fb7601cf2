"""Queries built from operators; storages and middlewares as classes, a file beside the program."""

from tinydb import Query, TinyDB, where
from tinydb.middlewares import CachingMiddleware
from tinydb.operations import delete, increment
from tinydb.storages import JSONStorage, MemoryStorage

db = TinyDB(storage=MemoryStorage)
Bot = Query()
db.insert_multiple({"name": name, "score": score} for name, score in [("a", 3), ("b", 5), ("c", 8)])
print(
    db.search((Bot.score > 3) & ~(Bot.name == "c")), db.get(where("name").matches("[cd]")), len(db)
)
print(db.update(increment("score"), Bot.name.one_of(["a", "c"])), db.all(), Bot.score > 3)
games = db.table("games", cache_size=2)
games.insert({"winner": {"name": "a"}})
games.update(delete("nothing"), Bot.nothing.exists())
print(games.all(), sorted(db.tables()), games.contains(Bot.winner.name == "a"), games.name)
with TinyDB("games.json", storage=CachingMiddleware(JSONStorage), indent=1) as stored:
    print(stored.upsert({"id": 1, "map": "x"}, Bot.id == 1), stored.truncate())
print(open("games.json").read(), type(db.storage), type(db.get(doc_id=1)).__mro__[:2])
db.search(Query() == 3)
