// The inner loop of a search in X-mas Rush, as it is written in shared/games/xmas_rush: state.py, sim.py, paths.py, turns.py.
//
//     xmas_rush SECONDS STATE...     plays random turns from the state (its numbers in the order of state.py) for so long
//
// Prints the simulations of a second, and the microseconds in which the walks after all pairs of pushes are found. With 0
// seconds it prints the states in which 200 lines of play end: `tests/lab/bench/xmas_rush.py` checks that they are its own.

#include <ctime>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using Int = int64_t;

enum { UP, RIGHT, DOWN, LEFT };
constexpr int SIZE = 7, N_PLAYERS = 2, N_PUSHES = SIZE << 2;
constexpr int MAX_TURNS = 150, MAX_STALE = 10, MAX_STEPS = 20, PLIES = 3;
constexpr int TILE_BITS = 9, PATH_BITS = 4, ITEM_BITS = 5, OWNER_BIT = 4;
constexpr int ROW_BITS = SIZE * TILE_BITS, LAST = (SIZE - 1) * TILE_BITS;
constexpr Int TILE = (1 << TILE_BITS) - 1, ROW = INT64_MAX, COLUMN_CELLS = (1 << SIZE) - 1;
constexpr Int TOP_CELLS = 0x40201008040201, ITEMS = TOP_CELLS * ((1 << ITEM_BITS) - 1);
constexpr int MAX_VISIBLE = 3, N_SETS = 8, FOUND_SIZE = 6;

struct State {
    Int rows[SIZE], hands[2], players[2], wanted[2], visible, revealed[2], done[2], deck;
    Int n_known, n_quests, n_visible, turn, stale;
};
constexpr int STATE_SIZE = sizeof(State) / sizeof(Int);

struct Setup {
    Int rng, first_turn;
    Int found[N_PUSHES][N_PUSHES][N_PLAYERS][FOUND_SIZE];
};

static Int random_below(Setup& setup, Int n) {
    Int x = setup.rng;
    x ^= (x << 13) & 0xFFFFFFFF;
    x ^= x >> 17;
    x ^= (x << 5) & 0xFFFFFFFF;
    setup.rng = x;
    return (x * n) >> 32;
}

// ---- rules

static void shift_boards(State& state, Int cells, int turn, int size, Int entering, Int hand) {
    for (int player = 0; player < N_PLAYERS; player++) {
        Int places = state.players[player], line = places & cells;
        state.players[player] = (places ^ line) | ((line << turn | line >> (size - turn)) & cells);
        Int wanted = state.wanted[player];
        line = wanted & cells;
        wanted = (wanted ^ line) | ((line << turn | line >> (size - turn)) & cells);
        state.wanted[player] = wanted & ~entering;
    }
    Int item = hand >> PATH_BITS;
    state.wanted[item >> OWNER_BIT] |= entering * (state.visible >> item & 1);
}

static void push_row(State& state, int player, int y, int direction) {
    bool left = direction == LEFT;
    int turn = left ? TILE_BITS : ROW_BITS - TILE_BITS, entry = left ? 0 : LAST;
    Int row = state.rows[y];
    row = (row << turn | row >> (ROW_BITS - turn)) & ROW;
    Int hand = state.hands[player], fallen = row >> entry & TILE;
    state.hands[player] = fallen;
    state.rows[y] = row ^ (fallen ^ hand) << entry;
    shift_boards(state, TOP_CELLS << y, turn, ROW_BITS, Int(1) << (entry + y), hand);
}

static void push_column(State& state, int player, int x, int direction) {
    bool up = direction == UP;
    int shift = TILE_BITS * (SIZE - 1 - x);
    Int column = TILE << shift, hand = state.hands[player], carried = hand << shift;
    for (int i = 0; i < SIZE; i++) {
        int y = up ? SIZE - 1 - i : i;
        Int row = state.rows[y];
        state.rows[y] = (row & ~column) | carried;
        carried = row & column;
    }
    state.hands[player] = carried >> shift;
    Int entering = Int(1) << (up ? shift + SIZE - 1 : shift);
    shift_boards(state, COLUMN_CELLS << shift, up ? SIZE - 1 : 1, SIZE, entering, hand);
}

static void collect_item(State& state, int player, Int place) {
    int cell = __builtin_ctzll(place), column = cell / TILE_BITS, y = cell % TILE_BITS;
    int shift = TILE_BITS * column + PATH_BITS;
    Int item = state.rows[y] >> shift & ((1 << ITEM_BITS) - 1);
    state.rows[y] ^= item << shift;
    state.visible ^= Int(1) << item;
    state.wanted[player] ^= place;
    state.done[player]++;
}

static void collect_items(State& state) {
    for (int player = 0; player < N_PLAYERS; player++)
        if (state.players[player] & state.wanted[player])
            collect_item(state, player, state.players[player]);
}

static void push_lines(State& state, int kind, int push_0, int push_1) {
    for (int player = 0; player < N_PLAYERS; player++) {
        int push = player == 0 ? push_0 : push_1;
        if ((push & 1) != kind) continue;
        if (kind) push_row(state, player, push >> 2, push & 3);
        else push_column(state, player, push >> 2, push & 3);
    }
    collect_items(state);
}

static void push_turn(State& state, int push_0, int push_1) {
    if (((push_0 ^ push_1) & ~2) == 0) {
        state.stale++;
        collect_items(state);
        return;
    }
    state.stale = 0;
    push_lines(state, 1, push_0, push_1);
    push_lines(state, 0, push_0, push_1);
}

static Int find_item(const State& state, Int item) {
    Int board = 0;
    for (int y = 0; y < SIZE; y++) {
        Int differs = (state.rows[y] >> PATH_BITS & ITEMS) ^ TOP_CELLS * item;
        board |= (~(differs + ITEMS) >> ITEM_BITS & TOP_CELLS) << y;
    }
    return board;
}

static void begin_turn(State& state) {
    state.turn++;
    for (int player = 0; player < N_PLAYERS; player++)
        while (state.revealed[player] - state.done[player] < state.n_visible
               && state.revealed[player] < state.n_known) {
            Int item = player << OWNER_BIT | (state.deck >> 4 * state.revealed[player] & 15);
            state.visible |= Int(1) << item;
            state.wanted[player] |= find_item(state, item);
            state.revealed[player]++;
        }
    collect_items(state);
}

static void next_turn(State& state) {
    bool over = state.turn >= MAX_TURNS || state.stale >= MAX_STALE
        || state.done[0] == state.n_quests || state.done[1] == state.n_quests;
    if (over) state.turn = MAX_TURNS + 1;
    else begin_turn(state);
}

static Int open_right(const State& state) {
    Int board = 0;
    for (int y = 0; y < SIZE; y++)
        board |= (state.rows[y] >> 2 & state.rows[y] << TILE_BITS & TOP_CELLS) << y;
    return board;
}

static Int open_down(const State& state) {
    Int board = 0;
    for (int y = 0; y < SIZE - 1; y++)
        board |= (state.rows[y] >> 1 & state.rows[y + 1] >> 3 & TOP_CELLS) << y;
    return board;
}

static void walk(State& state, int player, Int end, Int taken) {
    state.players[player] = end;
    for (; taken; taken &= taken - 1) collect_item(state, player, taken & -taken);
}

// ---- searches of walks

static Int grow(Int cells, Int right, Int down) {
    return cells | (cells & right) >> TILE_BITS | (cells << TILE_BITS & right) | (cells & down) << 1
        | (cells >> 1 & down);
}

static Int random_cell(Int board, Setup& setup) {
    for (Int n = random_below(setup, __builtin_popcountll(board)); n > 0; n--) board &= board - 1;
    return board & -board;
}

static Int reach(Int right, Int down, Int start) {
    Int cells = start;
    for (int i = 0; i < MAX_STEPS; i++) {
        Int grown = grow(cells, right, down);
        if (grown == cells) break;
        cells = grown;
    }
    return cells;
}

static void best_ends(Int right, Int down, Int wanted, Int start, Int* found) {
    Int layers[N_SETS] = {start};
    Int cells = reach(right, down, start);
    wanted &= cells;
    if (wanted == 0) {
        found[0] = cells;
        found[1] = found[2] = 0;
        return;
    }
    Int items[MAX_VISIBLE];
    for (Int& item : items) {
        item = wanted & -wanted;
        wanted ^= item;
    }
    int n_sets = items[1] == 0 ? 2 : items[2] == 0 ? 4 : N_SETS;
    for (int step = 0; step < MAX_STEPS; step++) {
        bool changed = false;
        for (int taken = n_sets - 1; taken >= 0; taken--) {
            Int before = layers[taken];
            if (before == 0) continue;
            Int grown = grow(before, right, down);
            for (int i = 0; i < MAX_VISIBLE; i++) {
                if (grown & items[i] && !(taken >> i & 1)) {
                    grown ^= items[i];
                    if (!(layers[taken | 1 << i] & items[i])) {
                        layers[taken | 1 << i] |= items[i];
                        changed = true;
                    }
                }
            }
            if (grown != before) {
                layers[taken] = grown;
                changed = true;
            }
        }
        if (!changed || layers[n_sets - 1] == cells) break;
    }
    int most = 0, n = 0;
    for (int taken = 0; taken < n_sets; taken++) {
        int size = __builtin_popcount(taken);
        if (layers[taken] == 0 || size < most) continue;
        if (size > most) {
            most = size;
            n = 0;
        }
        found[2 * n] = layers[taken];
        found[2 * n + 1] = items[0] * (taken & 1) | items[1] * (taken >> 1 & 1) | items[2] * (taken >> 2);
        n++;
    }
    if (n < MAX_VISIBLE) found[2 * n] = 0;
}

// ---- turns

static void prepare_turn(Setup& setup, const State& state) {
    setup.first_turn = state.turn;
    for (int push_0 = 0; push_0 < N_PUSHES; push_0++)
        for (int push_1 = 0; push_1 < N_PUSHES; push_1++) {
            State trial = state;
            push_turn(trial, push_0, push_1);
            next_turn(trial);
            Int right = open_right(trial), down = open_down(trial);
            for (int player = 0; player < N_PLAYERS; player++)
                best_ends(right, down, trial.wanted[player], trial.players[player],
                          setup.found[push_0][push_1][player]);
        }
}

static void apply_actions(Setup& setup, State& state, int push_0, int push_1) {
    bool first = state.turn == setup.first_turn;
    push_turn(state, push_0, push_1);
    next_turn(state);
    if (state.turn > MAX_TURNS) return;
    if (first) {
        for (int player = 0; player < N_PLAYERS; player++) {
            Int* found = setup.found[push_0][push_1][player];
            int n = 1;
            while (n < MAX_VISIBLE && found[2 * n]) n++;
            if (n > 1) found += 2 * random_below(setup, n);
            walk(state, player, random_cell(found[0], setup), found[1]);
        }
    } else {
        Int right = open_right(state), down = open_down(state);
        Int cells[2] = {state.players[0], state.players[1]}, wanted[2] = {state.wanted[0], state.wanted[1]};
        Int taken[2] = {0, 0};
        for (int i = 0; i < MAX_STEPS; i++) {
            bool changed = false;
            for (int player = 0; player < N_PLAYERS; player++) {
                Int grown = grow(cells[player], right, down), items = grown & wanted[player];
                Int item = items & -items;
                wanted[player] ^= item;
                taken[player] |= item;
                if (item) grown = item;
                changed |= grown != cells[player];
                cells[player] = grown;
            }
            if (!changed) break;
        }
        for (int player = 0; player < N_PLAYERS; player++)
            walk(state, player, random_cell(cells[player], setup), taken[player]);
    }
    next_turn(state);
}

static Int simulations;

static void play(Setup& setup, const State& root, State& state, int n) {
    for (int i = 0; i < n; i++) {
        state = root;
        for (int ply = 0; ply < PLIES && state.turn <= MAX_TURNS; ply++) {
            int push_0 = int(random_below(setup, N_PUSHES)), push_1 = int(random_below(setup, N_PUSHES));
            apply_actions(setup, state, push_0, push_1);
            simulations++;
        }
    }
}

static double now() {
    timespec time;  // CPU time, as the bench counts ours
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int argc, char** argv) {
    static Setup setup;
    State root, state;
    if (argc != 2 + STATE_SIZE) return 2;
    for (int i = 0; i < STATE_SIZE; i++) reinterpret_cast<Int*>(&root)[i] = atoll(argv[2 + i]);
    setup.rng = 12345;
    double seconds = atof(argv[1]);
    prepare_turn(setup, root);
    if (seconds == 0) {
        for (int i = 0; i < 200; i++) {
            play(setup, root, state, 1);
            for (int j = 0; j < STATE_SIZE; j++) printf("%lld ", (long long)reinterpret_cast<Int*>(&state)[j]);
        }
        return 0;
    }
    double began = now();
    while (now() - began < seconds) play(setup, root, state, 1000);
    double simulations_per_second = simulations / (now() - began);
    double best = 1;
    for (int i = 0; i < 200; i++) {
        double start = now();
        prepare_turn(setup, root);
        double took = now() - start;
        if (took < best) best = took;
    }
    printf("%.0f %.1f\n", simulations_per_second, best * 1e6);
}
