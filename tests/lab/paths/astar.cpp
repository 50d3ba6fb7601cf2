// A plain A* on a grid of Moving AI, for comparing speeds: a binary heap of the library's, generation stamps instead of
// clearing, larger g first among equal f.
//
//     paths ROUNDS TIMED_US IN_TURN < WIDTH HEIGHT ROWS... N (X Y X Y)...
//
// So many queries are asked in turn, again and again until TIMED_US have passed. Prints for each query its length and
// the CPU microseconds of one of those it was asked with, the least of so many rounds.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

struct Node { double g; uint32_t generation; bool closed; int32_t parent; };
struct Entry {
    double f, g;
    int32_t cell;
    bool operator<(const Entry& other) const { return f > other.f || (f == other.f && g < other.g); }
};

int width, height, stride;
std::vector<uint8_t> is_free;
std::vector<Node> nodes;
std::vector<int32_t> path;
uint32_t generation = 0;
const double ROOT = std::sqrt(2.0);

double octile(int cell, int goal) {
    int dx = std::abs(cell % stride - goal % stride), dy = std::abs(cell / stride - goal / stride);
    return std::max(dx, dy) + (ROOT - 1) * std::min(dx, dy);
}

double find(int start, int goal) {
    generation++;
    path.clear();
    if (!is_free[start] || !is_free[goal]) return -1;
    std::priority_queue<Entry> open;
    nodes[start] = {0, generation, false, -1};
    open.push({octile(start, goal), 0, start});
    const int straight[4] = {1, stride, -1, -stride};
    while (!open.empty()) {
        Entry entry = open.top();
        open.pop();
        Node& node = nodes[entry.cell];
        if (node.closed) continue;
        node.closed = true;
        if (entry.cell == goal) {
            for (int cell = goal; cell >= 0; cell = nodes[cell].parent) path.push_back(cell);
            std::reverse(path.begin(), path.end());
            return entry.g;
        }
        auto reach = [&](int cell, double g) {
            Node& other = nodes[cell];
            if (other.generation == generation && (other.closed || other.g <= g)) return;
            other = {g, generation, false, entry.cell};
            open.push({g + octile(cell, goal), g, cell});
        };
        bool free[4];
        for (int d = 0; d < 4; d++) {
            free[d] = is_free[entry.cell + straight[d]];
            if (free[d]) reach(entry.cell + straight[d], entry.g + 1);
        }
        for (int d = 0; d < 4; d++) {
            int cell = entry.cell + straight[d] + straight[(d + 1) & 3];
            if (free[d] && free[(d + 1) & 3] && is_free[cell]) reach(cell, entry.g + ROOT);
        }
    }
    return -1;
}

double cpu_us() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

struct Query { int start, goal; };

int main(int, char** arguments) {
    int rounds = std::atoi(arguments[1]), n;
    double timed_us = std::atof(arguments[2]);
    size_t in_turn = std::atoi(arguments[3]);
    std::cin >> width >> height;
    stride = width + 1;
    is_free.assign((height + 2) * stride + 1, 0);
    nodes.assign(is_free.size(), Node{0, 0, false, -1});
    for (int y = 0; y < height; y++) {
        std::string row;
        std::cin >> row;
        for (int x = 0; x < width; x++) is_free[(y + 1) * stride + x + 1] = row[x] == '.';
    }
    std::cin >> n;
    std::vector<Query> queries(n);
    for (auto& query : queries) {
        int x, y, to_x, to_y;
        std::cin >> x >> y >> to_x >> to_y;
        query = {(y + 1) * stride + x + 1, (to_y + 1) * stride + to_x + 1};
    }
    for (size_t first = 0; first < queries.size(); first += in_turn) {
        size_t end = std::min(queries.size(), first + in_turn);
        std::vector<double> lengths(end - first);
        double best = 1e300;
        int times = 1;
        for (int round = 0; round < rounds; round++) {
            double began = cpu_us();
            for (int i = 0; i < times; i++)
                for (size_t j = first; j < end; j++) lengths[j - first] = find(queries[j].start, queries[j].goal);
            double us = (cpu_us() - began) / times;
            best = std::min(best, us);
            times = std::max(1, int(timed_us / us));
        }
        for (double length : lengths) std::printf("%.6f %.3f\n", length, best / (end - first));
    }
}
