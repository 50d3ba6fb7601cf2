"""Caches as mappings and as decorators, with keys made of arguments."""

import cachetools
from cachetools import LFUCache, LRUCache, TTLCache, cached, cachedmethod
from cachetools.func import lru_cache
from cachetools.keys import hashkey

now = [0]
lru, ttl = LRUCache(maxsize=2), TTLCache(maxsize=3, ttl=5, timer=lambda: now[0])
for key in "abac":
    lru[key] = key.upper()
ttl["k"] = 1
now[0] = 6
print(lru, "k" in ttl, ttl.currsize, cachetools.Cache.__mro__[1:3])
calls = []


@cached(cache=LFUCache(maxsize=8), key=lambda n, verbose=False: hashkey(n), info=True)
def square(n, verbose=False):
    """The square."""
    calls.append(n)
    return n * n


@lru_cache(maxsize=4)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Maps:
    def __init__(self):
        self.cache = {}

    @cachedmethod(lambda self: self.cache)
    def load(self, name):
        return f"map {name}"


maps = Maps()
print(square(3), square(3, verbose=True), calls, square.cache_info(), square.__doc__)
print(fib(20), fib.cache_info(), maps.load("a"), list(maps.cache.values()))
lru["a"], lru["b"]
