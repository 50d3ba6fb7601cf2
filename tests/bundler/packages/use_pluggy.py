"""Plugins: hooks found by inspecting classes and modules, the program itself one of them."""

import sys

import pluggy

spec, impl = pluggy.HookspecMarker("arena"), pluggy.HookimplMarker("arena")


class Specs:
    @spec
    def choose(self, state):
        """A move for the state."""

    @spec(firstresult=True)
    def name(self):
        """The first name."""


class Greedy:
    @impl
    def choose(self, state):
        return max(state)

    @impl(tryfirst=True)
    def name(self):
        return type(self).__name__


class Wrapper:
    @impl(wrapper=True)
    def choose(self, state):
        return sorted((yield), key=str) + ["wrapped"]


@impl
def choose(state):
    return f"module {sum(state)}"


manager = pluggy.PluginManager("arena")
manager.add_hookspecs(Specs)
manager.register(Greedy(), name="greedy")
manager.register(Wrapper())
manager.register(sys.modules[__name__], name="program")
print(manager.hook.choose(state=[3, 1]), manager.hook.name(), manager.has_plugin("program"))
print(manager.list_name_plugin()[0][0], len(manager.get_hookcallers(manager.get_plugin("program"))))
manager.unregister(name="greedy")
print(manager.hook.choose(state=[1]), manager.hook.name(), pluggy.PluginManager.__module__)
manager.check_pending()


class Wrong:
    @impl
    def choose(self, states):
        return 1


manager.register(Wrong(), name="wrong")
