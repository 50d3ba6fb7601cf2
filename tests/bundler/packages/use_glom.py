"""Paths into nested data as expressions; the errors draw the target and the specification."""

import glom as package
from glom import (
    A,
    Assign,
    Coalesce,
    Fill,
    GlomError,
    Iter,
    Match,
    Merge,
    PathAccessError,
    S,
    T,
    glom,
)

state = {"units": [{"at": {"x": 3}, "hp": 5}, {"at": {"x": 4}, "hp": 0}], "turn": 7}
print(
    glom(state, "units.0.at.x"), glom(state, ("units", ["at.x"])), glom(state, T["units"][1]["hp"])
)
print(glom(state, {"turn": "turn", "alive": ("units", Iter().filter("hp").map("hp").all())}))
print(
    glom(state, Coalesce("nothing", "turn")), T["a"].b(1), glom({}, Assign("a.b", 1, missing=dict))
)
print(
    glom([{"a": 1}, {"b": 2}], Merge()), glom(state, (S(t="turn"), "units", [S.t])), Fill({"x": T})
)
print(glom({"id": 3}, Match({"id": int})), repr(A.x), package.__name__, glom.__module__)
for spec in ("units.5.at", "turn.x", {"a": ("units", ["mp"])}):
    try:
        glom(state, spec)
    except PathAccessError as error:
        print(type(error), error.get_message(), isinstance(error, GlomError))
glom({"id": "x"}, Match({"id": int}))
