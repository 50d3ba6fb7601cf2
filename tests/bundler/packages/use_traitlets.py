"""Descriptors, a metaclass, observers, configuration by class name; names imported from strings."""

from traitlets import Bool, CInt, Enum, HasTraits, Instance, Int, List, TraitError, Unicode, default
from traitlets import link, observe, validate
from traitlets.config import Config, Configurable, SingletonConfigurable
from traitlets.utils.importstring import import_item


class Pod(HasTraits):
    speed = CInt(0)
    name = Unicode()
    mode = Enum(["fast", "slow"], default_value="fast")
    target = Instance("collections.OrderedDict", args=())
    path = List(Int())

    @default("name")
    def _default_name(self):
        return f"{type(self).__name__} of {type(self).__module__}"

    @observe("speed")
    def _changed(self, change):
        print(change["name"], change["old"], change["new"], change["type"])

    @validate("speed")
    def _valid(self, proposal):
        return min(proposal["value"], 100)


class Search(Configurable):
    depth = Int(2, help="plies").tag(config=True)
    fast = Bool(False).tag(config=True)


class Arena(SingletonConfigurable):
    pass


first, second = Pod(speed="30"), Pod()
first.speed = 400
link((first, "mode"), (second, "mode"))
second.mode = "slow"
print(
    first.name,
    first.mode,
    first.target,
    sorted(Pod.class_trait_names())[:3],
    first.trait_values(type=None)["path"],
)
config = Config()
config.Search.depth = 5
print(
    Search(config=config).depth,
    config,
    Arena.instance() is Arena.instance(),
    Search.class_get_help(),
)
print(
    import_item("traitlets.config.Config") is Config,
    Pod.class_traits()["speed"].info(),
)
for name, value in [("mode", "odd"), ("path", ["x"]), ("target", 3), ("speed", "z")]:
    try:
        setattr(first, name, value)
    except TraitError as error:
        print(type(error), error)
first.name = 3
