"""A state machine that adds methods to its model by name; extensions of it combined."""

from enum import Enum

from transitions import Machine, MachineError
from transitions.extensions import HierarchicalMachine, MachineFactory
from transitions.extensions.states import Tags, Timeout, add_state_features


class Phase(Enum):
    READ = 0
    THINK = 1
    WRITE = 2


class Bot:
    def __init__(self):
        self.log = []

    def on_enter_THINK(self, event):
        self.log.append(f"thinking of {event.kwargs.get('what')}")

    def may_write(self, event):
        return len(self.log) > 1


bot = Bot()
machine = Machine(bot, states=Phase, initial=Phase.READ, send_event=True, auto_transitions=False)
machine.add_transition("think", [Phase.READ, Phase.THINK], Phase.THINK)
machine.add_transition(
    "write", Phase.THINK, Phase.WRITE, conditions="may_write", after=lambda e: print(e.event.name)
)
print(
    bot.think(what="a"),
    bot.write(),
    bot.think(what="b"),
    bot.write(),
    bot.state,
    bot.log,
    bot.is_WRITE(),
)
print(
    machine.get_triggers(Phase.READ),
    type(machine).__mro__[0],
    MachineFactory.get_predefined(nested=True),
)


@add_state_features(Tags, Timeout)
class Tagged(Machine):
    pass


tagged = Tagged(states=[{"name": "A", "tags": ["good"]}, "B"], initial="A")
nested = HierarchicalMachine(
    states=["x", {"name": "y", "children": ["1", "2"], "initial": "2"}], initial="x"
)
print(tagged.get_state("A").is_good, nested.to_y(), nested.state, nested.is_y(allow_substates=True))
try:
    bot.think()
except MachineError as error:
    print(type(error), error)
bot.go()
