"""The definitions that the bundler adds to a bundle, for what modules do that one file does not;
only those that are used.
"""

MODULE_VIEW = "ModuleView"
LOAD_ONCE = "load_once"
NAMED = "named"

TEMPLATES = {
    MODULE_VIEW: '''class {name}(types.ModuleType):
    """A module as a value: its attributes are names of this file, read when they are asked for."""

    def __init__(self, name, names):
        super().__init__(name)
        self.__dict__["__flat__"] = names

    def __getattr__(self, attribute):
        try:
            return globals()[self.__flat__[attribute]]
        except KeyError:
            message = f"module {{self.__name__!r}} has no attribute {{attribute!r}}"
            raise AttributeError(message) from None

    def __setattr__(self, attribute, value):
        if attribute in self.__flat__:
            globals()[self.__flat__[attribute]] = value
        else:
            super().__setattr__(attribute, value)

    def __delattr__(self, attribute):
        if attribute in self.__flat__:
            del globals()[self.__flat__[attribute]]
        else:
            super().__delattr__(attribute)

    def __dir__(self):
        return [name for name, flat in self.__flat__.items() if flat in globals()]
''',
    LOAD_ONCE: '''def {name}(body):
    """A module that runs at its first import; one that raised runs again at the next."""
    started = False

    def load():
        nonlocal started
        if not started:
            started = True
            try:
                body()
            except BaseException:
                started = False
                raise

    return load
''',
    NAMED: '''def {name}(name):
    """Decorator: the name of a function or class in its own module; this file has another."""

    def rename(thing):
        thing.__name__ = thing.__qualname__ = name
        return thing

    return rename
''',
}


class Helpers:
    """The helpers of a bundle. Every one has its name reserved; `name` marks it as used."""

    def __init__(self, linker, liveness):
        self.live = liveness
        self.views = [entity for entity in liveness.entities if entity.kind == "view"]
        self.types = linker.external(("types", None)) if self.views else None
        if self.views:
            liveness.entities[self.types] = True
        self.entities = {name: linker.helper(name) for name in TEMPLATES}
        liveness.entities.update(dict.fromkeys(self.entities.values(), True))
        self.used = set()

    def name(self, helper):
        """What a helper is called in this bundle, which from now on needs it."""
        self.used.add(helper)
        return self.entities[helper].flat

    def texts(self):
        """The definitions that are needed, and the modules that are values."""
        views = [self._view(entity) for entity in self.views]
        texts = [
            template.format(name=self.entities[helper].flat)
            for helper, template in TEMPLATES.items()
            if helper in self.used
        ]
        return [*texts, "\n".join(views)] if views else texts

    def _view(self, entity):
        members = self.live.members(entity.module)
        names = {name: member.flat for name, member in members.items()}
        return f"{entity.flat} = {self.name(MODULE_VIEW)}({entity.module.name!r}, {names!r})"
