"""Constrained Delaunay triangulations by J. R. Shewchuk's `triangle` or by CGAL: [CPU microseconds]
of each round, as JSON.

    python mesh_rivals.py triangle|CGAL ROUNDS < [[[x, y], ..], ..]

Run by a Python that has the package; `meshes.py` beside it writes the input. Flags of `triangle`: a
graph of segments (p), the whole convex hull kept (c), as in a mesh of ours. CGAL is called from
Python for each point and each segment.
"""

import json
import sys
import time


def by_triangle(vertices, segments):
    """Returns a function that triangulates."""
    import numpy as np
    import triangle

    graph = {"vertices": np.array(vertices, float), "segments": np.array(segments)}
    return lambda: len(triangle.triangulate(graph, "pc")["triangles"])


def by_cgal(vertices, segments):
    from CGAL.CGAL_Kernel import Point_2
    from CGAL.CGAL_Triangulation_2 import Constrained_Delaunay_triangulation_2

    points = [Point_2(*place) for place in vertices]

    def triangulate():
        mesh = Constrained_Delaunay_triangulation_2()
        handles = [mesh.insert(point) for point in points]
        for i, j in segments:
            mesh.insert_constraint(handles[i], handles[j])
        return mesh.number_of_faces()

    return triangulate


def main(package, rounds):
    vertices, segments = [], []
    for ring in json.load(sys.stdin):
        n, first = len(ring), len(vertices)
        vertices += ring
        segments += [(first + i, first + (i + 1) % n) for i in range(n)]
    triangulate = {"triangle": by_triangle, "CGAL": by_cgal}[package](vertices, segments)
    times = []
    for _ in range(int(rounds)):
        began = time.process_time_ns()
        n_triangles = triangulate()
        times.append((time.process_time_ns() - began) / 1e3)
    json.dump({"triangulate": times, "triangles": n_triangles}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
