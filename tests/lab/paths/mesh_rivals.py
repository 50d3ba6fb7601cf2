"""Constrained Delaunay triangulations by J. R. Shewchuk's `triangle`: [CPU microseconds] of each
round, as JSON.

    python mesh_rivals.py ROUNDS < [[[x, y], ..], ..]

Run by a Python that has the package; `meshes.py` beside it writes the input. Flags: a graph of
segments (p), the whole convex hull kept (c), as in a mesh of ours.
"""

import json
import sys
import time

import numpy as np
import triangle


def main(rounds):
    vertices, segments = [], []
    for ring in json.load(sys.stdin):
        n, first = len(ring), len(vertices)
        vertices += ring
        segments += [(first + i, first + (i + 1) % n) for i in range(n)]
    graph = {"vertices": np.array(vertices, float), "segments": np.array(segments)}
    times = []
    for _ in range(int(rounds)):
        began = time.process_time_ns()
        found = triangle.triangulate(graph, "pc")
        times.append((time.process_time_ns() - began) / 1e3)
    json.dump({"triangulate": times, "triangles": len(found["triangles"])}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
