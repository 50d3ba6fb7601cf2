"""Classes written by exec: validators, converters, slots, frozen ones, pickled ones."""

import pickle

import attr
from attrs import asdict, define, evolve, field, frozen, validators


@define(order=True)
class Pod:
    x: int = field(converter=int)
    y: int = field(default=0, validator=validators.instance_of(int))
    tags: list[str] = field(factory=list, repr=False, order=False)


@frozen
class Move:
    thrust: int = field()

    @thrust.validator
    def _check(self, attribute, value):
        if not 0 <= value <= 100:
            raise ValueError(f"{attribute.name} is {value}")


pod = Pod("3", tags=["a"])
print(pod, evolve(pod, y=7), asdict(pod), Pod(1) < pod, hash(Move(5)) == hash(Move(5)))
print(pickle.loads(pickle.dumps(pod)) == pod, [a.name for a in attr.fields(Pod)])
print(Pod.__module__, Pod.__qualname__, Pod.__init__.__qualname__, Pod.__slots__)
for action in (lambda: setattr(Move(1), "thrust", 2), lambda: Pod(1, "y"), lambda: Pod("z")):
    try:
        action()
    except (attr.exceptions.FrozenInstanceError, TypeError, ValueError) as error:
        print(type(error), error.args[:1])
Move(101)
