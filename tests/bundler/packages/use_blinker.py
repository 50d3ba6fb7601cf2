"""Signals: a registry by name, weak references to receivers."""

import blinker
from blinker import ANY, NamedSignal, signal


class Board:
    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__}>"

    def on_move(self, sender, **values):
        return "board", sender, sorted(values.items())


moved = signal("moved", doc="a piece moved")
board = Board()
moved.connect(board.on_move)


@moved.connect_via("white")
def only_white(sender, **values):
    return "white only"


print(moved is signal("moved"), isinstance(moved, NamedSignal), moved.__doc__)
print(sorted(str(result) for _, result in moved.send("white", square="e4")))
print([result for _, result in moved.send("black")], moved.has_receivers_for(ANY))
with moved.muted():
    print(moved.send("white"))
del board
print(len(list(moved.receivers_for("black"))), blinker.signal("other").receivers, ANY)
