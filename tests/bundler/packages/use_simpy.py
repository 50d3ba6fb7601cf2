"""Processes as generators over events; the package binds its classes by descriptors."""

import simpy
from simpy.util import start_delayed


def car(env, name, station, log):
    with station.request() as request:
        outcome = yield request | env.timeout(2)
        log.append((env.now, name, "served" if request in outcome else "gave up"))
        if request in outcome:
            yield env.timeout(3)


def breakdown(env, victim):
    yield env.timeout(4)
    victim.interrupt("flat tyre")


def long_trip(env):
    try:
        yield env.timeout(100)
    except simpy.Interrupt as interrupt:
        return f"{interrupt.cause} at {env.now}"


env, log = simpy.Environment(initial_time=1), []
station, store = simpy.Resource(env, capacity=1), simpy.PriorityStore(env)
for i in range(3):
    start_delayed(env, car(env, f"car {i}", station, log), delay=i + 1)
trip = env.process(long_trip(env))
env.process(breakdown(env, trip))
store.put(simpy.PriorityItem(2, "late")), store.put(simpy.PriorityItem(1, "early"))
print(env.run(until=trip), log, station.count, [item.item for item in store.items])
env.run()
print(log, env.now, simpy.Environment.timeout, type(env.event()), [m for m in simpy.__all__][:4])


def broken(env):
    yield 3


env.process(broken(env))
env.run()
