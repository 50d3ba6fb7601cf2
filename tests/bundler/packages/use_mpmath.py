"""Numbers of any precision: contexts as classes, functions registered by decorators."""

import mpmath
from mpmath import findroot, iv, matrix, mp, mpc, mpf, quad, zeta
from mpmath.libmp import to_str

mp.dps = 30
print(mp.pi, mpf(1) / 3, mpmath.sqrt(2), zeta(3), +mpmath.e)
print(quad(lambda x: mpmath.exp(-(x**2)), [-mp.inf, mp.inf]), findroot(mpmath.cos, 1.5))
print(mpmath.det(matrix([[1, 2], [3, 4]])), mpmath.lu_solve(matrix([[2, 0], [0, 4]]), [1, 2]).T)
print(
    mpc(1, 2) ** 2,
    mpmath.gamma(mpf("0.5")) ** 2,
    mpmath.identify(mp.phi),
    mpmath.polyroots([1, 0, -4]),
)
print(iv.mpf([1, 2]) * 3, mpmath.nsum(lambda n: 1 / n**2, [1, mp.inf]), mpmath.fp.pi, repr(mpf(2)))
print(
    mpmath.hyp2f1(1, 2, 3, 0.25), to_str(mpf(0.5)._mpf_, 5), type(mp).__mro__[0], mpmath.airyai(1)
)
with mpmath.workdps(5):
    print(mp, mpmath.besselj(0, 1))
mpmath.findroot(lambda x: x**2 + 1, 1.0)
