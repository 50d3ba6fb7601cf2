// A plain C++ port of the sampler's inner loop on Ants: shared/search/sampler.py with the options it
// has unless told otherwise, and bots/ants/combat.py. For speed comparison only.
//
// usage: ants SECONDS SAMPLES CONVERGED <FIELD, where FIELD is what tests/lab/bench/ants.py writes: it samples from
// there for so many seconds of CPU time, so many samples at a time, and prints samples a second, or,
// for 0 seconds, takes the samples once and prints all counts.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using std::int64_t;
constexpr int MOVES = 5, MANY = 1000, ALL = 31, MAX_PAIRS = 62, MIRROR = 16, REACH = 22;
constexpr int64_t AGENT = (1 << MIRROR) - 1, BYTES = 0x0101010101, SPREAD = 0x10204081;

struct Field {
    int64_t n_agents, n_own, n_cells;
    std::vector<int64_t> targets, moves, taken, pairs, n_pairs, contacts, n_near, now, stamps;
    std::vector<double> worth;
    int64_t n_hits = 0, near = 0, stamp = 0, hits[MAX_PAIRS], steps[MAX_PAIRS];
};

struct Samples {
    std::vector<double> counts;
    std::vector<int64_t> kept;
    uint64_t rng;
    int64_t n = 0, n_converged = 0;
};

static int lowest(int64_t bits) { return std::countr_zero(static_cast<uint64_t>(bits)); }

static uint64_t random_bits(Samples& s) {
    uint64_t x = s.rng;
    x ^= x << 13 & 0xFFFFFFFF;
    x ^= x >> 17;
    x ^= x << 5 & 0xFFFFFFFF;
    return s.rng = x;
}

static void lift(Field& f, int64_t agent) {
    int64_t move = f.moves[agent];
    f.taken[f.targets[agent * MOVES + move]] = 0;
    f.n_hits = f.near = 0;
    for (int64_t i = 0; i < f.n_pairs[agent]; i++) {
        int64_t pair = f.pairs[agent * MAX_PAIRS + i], other = pair & AGENT;
        int64_t bits = pair >> (REACH + MOVES * f.moves[other]) & ALL;
        if (!bits) continue;
        f.hits[f.n_hits] = i;
        f.near += f.steps[f.n_hits++] = bits * SPREAD & BYTES;
        if (bits >> move & 1) {
            f.contacts[other] ^= int64_t{1} << (pair >> MIRROR & 63);
            f.n_near[other]--;
        }
    }
}

static void put(Field& f, int64_t agent, int move) {
    f.moves[agent] = move;
    f.taken[f.targets[agent * MOVES + move]] = agent + 1;
    int64_t contacts = 0, n_near = 0;
    for (int hit = 0; hit < f.n_hits; hit++)
        if (f.steps[hit] >> (8 * move) & 1) {
            int64_t pair = f.pairs[agent * MAX_PAIRS + f.hits[hit]], other = pair & AGENT;
            contacts |= int64_t{1} << f.hits[hit];
            n_near++;
            f.contacts[other] |= int64_t{1} << (pair >> MIRROR & 63);
            f.n_near[other]++;
        }
    f.contacts[agent] = contacts;
    f.n_near[agent] = n_near;
}

static int open_moves(const Field& f, int64_t agent) {
    int bits = 0;
    for (int move = 0; move < MOVES; move++) {
        int64_t cell = f.targets[agent * MOVES + move];
        if (cell >= 0 && f.taken[cell] == 0) bits |= 1 << move;
    }
    return bits;
}

static int64_t at_most(int64_t near, int64_t n) { return (n * BYTES + (BYTES << 7) - near) >> 7 & BYTES; }

static void add_worth(const Field& f, double* scores, int64_t steps, int64_t agent, double sign) {
    double worth = sign * f.worth[agent * MOVES + f.moves[agent]];
    for (int move = 0; move < MOVES; move++) scores[move] += worth * (steps >> (8 * move) & 1);
}

static int64_t saving_steps(const Field& f, int64_t one) {
    int64_t saving = BYTES, killers = 0;
    for (int64_t left = f.contacts[one]; left; left &= left - 1) {
        int64_t killer = f.pairs[one * MAX_PAIRS + lowest(left)] & AGENT;
        if (f.n_near[killer] > f.n_near[one]) continue;
        killers++;
        saving &= f.now[killer];
        if (f.n_near[killer] < f.n_near[one] || !saving) return 0;
    }
    return killers ? saving : 0;
}

static void judge_enemy(Field& f, int64_t enemy, int64_t steps, double* scores) {
    int64_t before = f.n_near[enemy], least = MANY, equals = 0;
    for (int64_t left = f.contacts[enemy]; left; left &= left - 1) {
        int64_t one = f.pairs[enemy * MAX_PAIRS + lowest(left)] & AGENT, n = f.n_near[one];
        if (n < least) least = n;
        if (n == before && f.stamps[one] != f.stamp) equals |= left & -left;
    }
    if (least > before) {
        int64_t dying = least == before + 1 ? steps : steps & at_most(f.near, before + 1);
        if (dying) add_worth(f, scores, dying, enemy, -1);
    }
    for (; equals; equals &= equals - 1) {
        int64_t one = f.pairs[enemy * MAX_PAIRS + lowest(equals)] & AGENT;
        f.stamps[one] = f.stamp;
        if (int64_t saving = saving_steps(f, one)) add_worth(f, scores, saving, one, 1);
    }
}

static void judge(Field& f, int64_t agent, double* scores) {
    for (int move = 0; move < MOVES; move++) scores[move] = 0;
    const int64_t* pairs = &f.pairs[agent * MAX_PAIRS];
    for (int hit = 0; hit < f.n_hits; hit++) f.now[pairs[f.hits[hit]] & AGENT] = f.steps[hit];
    f.stamp++;
    int64_t dying = 0;
    for (int hit = 0; hit < f.n_hits; hit++) {
        int64_t enemy = pairs[f.hits[hit]] & AGENT;
        dying |= f.steps[hit] & ~at_most(f.near, f.n_near[enemy]);
        judge_enemy(f, enemy, f.steps[hit], scores);
    }
    for (int hit = 0; hit < f.n_hits; hit++) f.now[pairs[f.hits[hit]] & AGENT] = 0;
    double sign = agent < f.n_own ? 1 : -1;
    for (int move = 0; move < MOVES; move++)
        scores[move] = sign * (scores[move] + (1 - (dying >> (8 * move) & 1)) * f.worth[agent * MOVES + move]);
}

static void sample(Field& f, Samples& s, double converged, int64_t n) {
    double scores[MOVES];
    for (int64_t i = 0; i < n && s.n_converged < f.n_agents; i++) {
        s.n++;
        int64_t agent = random_bits(s) * f.n_agents >> 32;
        int64_t kept = s.kept[agent];
        if (kept >= 0 && kept == f.moves[agent]) continue;
        lift(f, agent);
        int bits = open_moves(f, agent);
        if (kept >= 0 && bits >> kept & 1) {
            put(f, agent, kept);
            continue;
        }
        judge(f, agent, scores);
        double* counts = &s.counts[agent * MOVES];
        double best = -1e300, total = 0;
        for (int move = 0; move < MOVES; move++)
            if (bits >> move & 1 && scores[move] > best) best = scores[move];
        int drawn = 0;
        for (int move = 0; move < MOVES; move++)
            if (bits >> move & 1) {
                if (bits & (bits - 1) && scores[move] == best) counts[move] += 1;
                total += counts[move];
                drawn = move;
            }
        double left = total * (random_bits(s) * (1.0 / 4294967296.0));
        for (int move = 0; move < MOVES; move++)
            if (bits >> move & 1 && (left -= counts[move]) < 0) {
                drawn = move;
                break;
            }
        put(f, agent, drawn);
        if (converged < 1 && kept < 0) {
            double all = 0;
            for (int move = 0; move < MOVES; move++) all += counts[move];
            if (counts[drawn] > converged * all) s.kept[agent] = drawn, s.n_converged++;
        }
    }
}

static int64_t read_number() {
    long long number = 0;
    if (scanf("%lld", &number) != 1) exit(1);
    return number;
}

template <typename T>
static void read_all(std::vector<T>& into) {
    into.resize(read_number());
    for (T& one : into) one = static_cast<T>(read_number());
}

static Samples fresh(const Field& f) {
    Samples s;
    s.counts.assign(f.n_agents * MOVES, 1.0);
    s.kept.assign(f.n_agents, -1);
    s.rng = (1ULL * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF;
    return s;
}

int main(int, char** argv) {
    double seconds = atof(argv[1]);
    int64_t n = atoll(argv[2]);
    double converged = atof(argv[3]);
    Field f;
    f.n_agents = read_number(), f.n_own = read_number(), f.n_cells = read_number();
    read_all(f.targets), read_all(f.moves), read_all(f.taken), read_all(f.worth);
    read_all(f.pairs), read_all(f.n_pairs), read_all(f.contacts), read_all(f.n_near);
    f.now.assign(f.n_agents, 0), f.stamps.assign(f.n_agents, 0);
    Samples s = fresh(f);
    if (seconds == 0) {
        sample(f, s, converged, n);
        for (double count : s.counts) printf("%.0f ", count);
        for (int64_t move : f.moves) printf("%lld ", static_cast<long long>(move));
        return 0;
    }
    int64_t taken = 0;
    clock_t began = clock(), end = began + static_cast<clock_t>(seconds * CLOCKS_PER_SEC);
    while (clock() < end) {
        uint64_t rng = s.rng;
        s = fresh(f);
        s.rng = rng;
        sample(f, s, converged, n);
        taken += s.n;
    }
    printf("%.0f\n", taken / (static_cast<double>(clock() - began) / CLOCKS_PER_SEC));
}
