"""Exact triangulations in Python integers: the constrained Delaunay property, and the faces common
to all such triangulations.

A triangulation with all constraints as edges is a constrained Delaunay one if each other edge is
locally so: the circle of one of its triangles does not contain the other's far corner. For more
than three corners on a circle there are several; merged over such edges all have the same faces.
"""


def orient(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def incircle(a, b, c, d):
    """Above 0 if d lies inside the circle through the counterclockwise a, b, c; 0 on it."""
    rows = [(p[0] - d[0], p[1] - d[1]) for p in (a, b, c)]
    (ax, ay), (bx, by), (cx, cy) = rows
    a, b, c = (x * x + y * y for x, y in rows)
    return a * (bx * cy - by * cx) + b * (cx * ay - cy * ax) + c * (ax * by - ay * bx)


def read_mesh(mesh):
    """Returns (triangles, constraints) of a mesh, as places; asserts that its records are
    consistent.
    """

    from shared.mesh.triangulation import TRIANGLE_END

    def place(v):
        return int(mesh.x[v]), int(mesh.y[v])

    triangles, fixed = [], set()
    for t in range(0, int(mesh.counts[TRIANGLE_END]), 4):
        if mesh.corners[t] < 0:
            continue
        corners = [int(mesh.corners[t + i]) for i in range(3)]
        for i, v in enumerate(corners):
            w, twin = corners[(i + 1) % 3], int(mesh.twins[t + i])
            assert mesh.twins[twin] == t + i and mesh.corners[twin] == w
            assert (mesh.owners[t + i] != 0) == (mesh.owners[twin] != 0)
            assert mesh.corners[mesh.starts[v]] == v
            if mesh.owners[t + i] != 0:
                fixed.add(frozenset((place(v), place(w))))
        if 0 not in corners:
            triangles.append(tuple(map(place, corners)))
    return triangles, fixed


def points_of(mesh):
    """The places of all vertices."""
    from shared.mesh.triangulation import FREE, VERTEX_END

    used = [v for v in range(1, int(mesh.counts[VERTEX_END])) if mesh.uses[v] != FREE]
    return {(int(mesh.x[v]), int(mesh.y[v])) for v in used}


def hull_area2(points):
    """Twice the area of the convex hull."""
    ring, points = [], sorted(points)
    for half in (points, points[::-1]):
        chain = []
        for p in half:
            while len(chain) > 1 and orient(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        ring += chain[:-1]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))


def apexes(triangles):
    """The third corner of each directed edge's triangle."""
    return {(t[i], t[i - 2]): t[i - 1] for t in triangles for i in range(3)}


def problems(points, triangles, fixed):
    """Yields the faults of a triangulation of a set of points with fixed edges."""
    apex, found = apexes(triangles), []
    if any(orient(*t) <= 0 for t in triangles) or len(apex) != 3 * len(triangles):
        found.append("a triangle is flat, or lies on another")
    if sum(orient(*t) for t in triangles) != hull_area2(points):
        found.append("they do not cover the hull once")
    if triangles and {p for t in triangles for p in t} != set(points):
        found.append("their corners are not the points")
    for (p, q), r in apex.items():
        other = apex.get((q, p))
        if other and frozenset((p, q)) not in fixed and incircle(p, q, r, other) > 0:
            found.append(f"edge {p} {q} is not locally Delaunay")
    if triangles:
        found += [
            f"constraint {edge} is no edge"
            for edge in fixed
            if tuple(edge) not in apex and tuple(edge)[::-1] not in apex
        ]
    return found


def faces(triangles, fixed):
    """Returns the faces common to all such triangulations, each from its least corner,
    counterclockwise.
    """
    apex = apexes(triangles)
    merged = {
        (p, q)
        for (p, q), r in apex.items()
        if (q, p) in apex and frozenset((p, q)) not in fixed and incircle(p, q, r, apex[q, p]) == 0
    }
    seen, found = set(merged), []
    for edge in apex:
        face, (p, q) = [], edge
        while (p, q) not in seen:
            seen.add((p, q))
            face.append(p)
            p, q = q, apex[p, q]
            while (p, q) in merged:
                q = apex[q, p]
        if face:
            i = face.index(min(face))
            found.append(tuple(face[i:] + face[:i]))
    return sorted(found)
