// Simulated annealing of a tour as an expert writes it: the changes of tests/support/tours.py, the
// random numbers of shared/core/rng.py and the schedule of shared/search/solo/annealing.py.
//
// program STEPS HOT COLD SECONDS < coordinates prints the changes kept in one run of so many steps,
// the best length, and the changes in a second of CPU time.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static std::vector<int64_t> x, y;
static std::vector<int32_t> tour;
static uint32_t random_state;

static inline uint32_t random_bits() {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static inline int random_below(int n) { return int(uint64_t(random_bits()) * n >> 32); }

static inline double distance(int a, int b) {
    const int64_t dx = x[a] - x[b], dy = y[a] - y[b];
    return std::sqrt(double(dx * dx + dy * dy));
}

static inline void turn(int first, int last) {
    for (; first < last; first++, last--) std::swap(tour[first], tour[last]);
}

int main(int, char **arguments) {
    const int64_t steps = atoll(arguments[1]);
    const double hot = atof(arguments[2]), fall = std::log(atof(arguments[3]) / hot);
    const double seconds = atof(arguments[4]);
    for (long a, b; scanf("%ld %ld", &a, &b) == 2;) x.push_back(a), y.push_back(b);
    const int n = int(x.size());
    const clock_t began = clock();
    int64_t kept = 0, all = 0;
    double best = 0, passed = 0;
    std::vector<int32_t> best_tour(n);
    do {
        tour.resize(n);
        for (int i = 0; i < n; i++) tour[i] = i;
        random_state = uint32_t(1 * 0x9E3779B1ull + 0x7F4A7C15ull);
        double length = 0, temperature = hot;
        for (int i = 0; i < n; i++) length += distance(tour[i], tour[(i + 1) % n]);
        best = length, best_tour = tour, kept = 0;
        for (int64_t step = 0; step < steps; step++) {
            if (step % 64 == 0) temperature = hot * std::exp(fall * (double(step) / double(steps)));
            const int first = 1 + random_below(n - 1);
            const int last = std::min(first + random_below(50), n - 1);
            const int before = tour[first - 1], after = tour[last + 1 == n ? 0 : last + 1];
            const double old = distance(before, tour[first]) + distance(tour[last], after);
            const double turned = distance(before, tour[last]) + distance(tour[first], after);
            const double gain = old - turned;
            if (gain >= 0 || random_bits() * (1.0 / 4294967296.0) < std::exp(gain / temperature)) {
                turn(first, last);
                kept++;
                length -= gain;
                if (length < best) best = length, best_tour = tour;
            }
        }
        all += steps;
        passed = double(clock() - began) / CLOCKS_PER_SEC;
    } while (passed < seconds);
    printf("%ld %.3f %.0f\n", long(kept), best, double(all) / passed);
}
