// The inner loop of a search in Code of Kutulu, as it is written in shared/games/code_of_kutulu (state.py, maze.py, sim.py,
// minions.py) and bots/code_of_kutulu/game.py.
//
//     code_of_kutulu SECONDS FILE    plays random turns from the state in FILE (the numbers of setup, then those of state)
//
// Prints the turns of a second of CPU time. With 0 seconds it prints the states in which 200 lines of play end, in which any action may be
// first: `tests/lab/bench/code_of_kutulu.py` checks that they are its own.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using Int = int64_t;

constexpr int N_PLAYERS = 4, MAX_MINIONS = 96, MAX_CELLS = 256, PLIES = 8, MAX_TURN = 200;
enum { WAIT, UP, RIGHT, DOWN, LEFT, PLAN, LIGHT, YELL };
enum { SPAWNING, WANDERING, STALKING, RUSHING, STUNNED };
enum { WANDERER, SLASHER };
constexpr int STATE_BIT = 8, TARGET_BIT = 11, KIND_BIT = 14, TIMER_BIT = 15, MEMORY_BIT = 23, ID_BIT = 32;
constexpr Int CELL = 255, UNREACHABLE = 511, FAR = 1 << 30, LIT = 8, PAIRS = 0xFFFF;
constexpr int N_QUEUES = 8, LIT_COST = 5;

struct Setup {
    Int n_cells, width, height, full, lonely, group, spawn_time, life_time, n_spawns, n_shelters;
    Int spawns[9], shelters[15], places[MAX_CELLS], neighbours[MAX_CELLS][4], pairs[MAX_CELLS][MAX_CELLS];
    Int lit_cells[MAX_CELLS], lit_costs[MAX_CELLS], lit_steps[MAX_CELLS];
    Int heads[N_QUEUES], tails[N_QUEUES], queued[4 * MAX_CELLS + 2];
    Int first_turn, ways_out[MAX_CELLS], around[MAX_CELLS][4], in_sight[MAX_CELLS][4];
};

struct State {
    Int turn, seed, next_id, alive, slashed, yelled, yells, shelters;
    Int cells[N_PLAYERS], sanities[N_PLAYERS], plans[N_PLAYERS], lights[N_PLAYERS], effects[N_PLAYERS], scores[N_PLAYERS];
    Int n_minions, minions[MAX_MINIONS], threats[4];
};

static Setup setup;

static Int distance(Int pair) { return pair & UNREACHABLE; }
static Int manhattan(Int pair) { return pair >> 9 & 63; }
static bool is_clear(Int pair) { return pair >> 15 & 1; }
static Int pair_of(Int first, Int second) { return setup.pairs[first & CELL][second & CELL]; }
static bool is_alive(const State& state, int player) { return state.alive >> player & 1; }
static bool is_over(const State& state) { return state.alive == 0 || state.turn > MAX_TURN; }
static Int field(Int minion, int bit, Int mask) { return minion >> bit & mask; }

static Int random_bits(Int& rng) {
    Int x = rng;
    x ^= (x << 13) & 0xFFFFFFFF;
    x ^= x >> 17;
    x ^= (x << 5) & 0xFFFFFFFF;
    return rng = x;
}

// ---- minions (without known draws, as a search plays them)

static void add_minion(State& state, Int kind, Int cell, Int timer, Int target, Int memory) {
    if (state.n_minions == MAX_MINIONS) return;
    Int low = cell | target << TARGET_BIT | kind << KIND_BIT | timer << TIMER_BIT | memory << MEMORY_BIT;
    state.minions[state.n_minions++] = low | state.next_id++ << ID_BIT;
}

static void weigh_paths(const State& state, Int start, Int order) {
    std::fill_n(setup.lit_costs, setup.n_cells, -1);
    std::fill_n(setup.heads, N_QUEUES, 0);
    std::fill_n(setup.tails, N_QUEUES, 0);
    Int left = state.alive;
    setup.queued[1] = start | start << 8;
    setup.heads[0] = setup.tails[0] = 1;
    Int n_queued = 1, n_empty = 0, cost = 0;
    while (left != 0 && n_empty <= LIT_COST) {
        Int queue = cost & (N_QUEUES - 1), place = setup.heads[queue];
        n_empty = place > 0 ? 0 : n_empty + 1;
        while (place > 0) {
            Int cell = setup.queued[place] & CELL, step = setup.queued[place] >> 8 & CELL;
            if (setup.lit_costs[cell] < 0) {
                setup.lit_costs[cell] = cost;
                setup.lit_steps[cell] = step;
                for (int player = 0; player < N_PLAYERS; player++)
                    if (state.cells[player] == cell) left &= ~(Int(1) << player);
                for (int i = 0; i < 4; i++) {
                    Int next = setup.neighbours[cell][(i + order) & 3];
                    if (setup.lit_costs[next] >= 0) continue;
                    n_queued++;
                    setup.queued[n_queued] = next | (cell == start ? next : step) << 8;
                    Int other = (cost + (setup.lit_cells[next] ? LIT_COST : 1)) & (N_QUEUES - 1);
                    if (setup.heads[other] == 0)
                        setup.heads[other] = n_queued;
                    else
                        setup.queued[setup.tails[other]] |= n_queued << 16;
                    setup.tails[other] = n_queued;
                }
            }
            place = setup.queued[place] >> 16;
        }
        setup.heads[queue] = 0;
        cost++;
    }
}

static Int chase(const State& state, Int minion, bool lit) {
    Int cell = minion & CELL, target = field(minion, TARGET_BIT, 7) - 1, order = state.turn & 3;
    if (lit) weigh_paths(state, cell, order);
    Int best = FAR, nearest = -1, step = cell;
    for (int player = 0; player < N_PLAYERS; player++) {
        if (!is_alive(state, player)) continue;
        Int at = state.cells[player], pair = pair_of(cell, at), cost = distance(pair);
        Int next = pair >> (16 + 8 * order) & CELL;
        if (cost == UNREACHABLE) continue;
        if (lit) cost = setup.lit_costs[at], next = setup.lit_steps[at];
        if (cost < best || (cost == best && player == target)) best = cost, nearest = player, step = next;
    }
    if (nearest < 0) return minion;
    return (minion & ~(CELL | Int(7) << TARGET_BIT)) | step | (nearest + 1) << TARGET_BIT;
}

static bool spook(State& state, Int cell) {
    bool found = false;
    for (int player = 0; player < N_PLAYERS; player++)
        if (state.cells[player] == cell && is_alive(state, player)) {
            state.sanities[player] = std::max<Int>(0, state.sanities[player] - 20);
            found = true;
        }
    return found;
}

static Int with_timer(Int minion, Int minion_state, Int timer) {
    return (minion & ~(Int(7) << STATE_BIT | Int(255) << TIMER_BIT)) | minion_state << STATE_BIT | timer << TIMER_BIT;
}

static Int with_target(Int minion, Int target, Int memory) {
    return (minion & ~(Int(7) << TARGET_BIT | Int(511) << MEMORY_BIT)) | target << TARGET_BIT | memory << MEMORY_BIT;
}

static Int look_out(const State& state, Int minion) {
    Int cell = minion & CELL, target = field(minion, TARGET_BIT, 7) - 1;
    if (target >= 0) {
        if (state.sanities[target] <= 0)
            minion = with_target(minion, 0, 0);
        else if (is_clear(pair_of(cell, state.cells[target])))
            return with_target(minion, target + 1, state.cells[target] + 1);
    }
    Int nearest = FAR, found = -1, n = 0;
    for (int player = 0; player < N_PLAYERS; player++) {
        if (!is_alive(state, player)) continue;
        Int pair = pair_of(cell, state.cells[player]);
        if (!is_clear(pair)) continue;
        if (distance(pair) == nearest) n++;
        if (distance(pair) < nearest) nearest = distance(pair), found = player, n = 1;
    }
    if (n == 0) return with_target(minion, 0, field(minion, MEMORY_BIT, 511));
    if (n == 1) return with_target(minion, found + 1, state.cells[found] + 1);
    return with_target(minion, 0, 0);
}

static Int update_slasher(State& state, Int minion, bool lit) {
    Int minion_state = field(minion, STATE_BIT, 7), timer = field(minion, TIMER_BIT, 255), life = setup.life_time;
    Int older = minion - (Int(1) << TIMER_BIT);
    if (minion_state == SPAWNING) return timer == 1 ? with_timer(minion, RUSHING, life) : older;
    if (minion_state == STUNNED) return timer == 1 ? with_timer(minion, WANDERING, life) : older;
    minion = look_out(state, minion);
    Int target = field(minion, TARGET_BIT, 7), memory = field(minion, MEMORY_BIT, 511);
    if (minion_state == STALKING)
        return timer == 1 ? with_timer(minion, RUSHING, life) : minion - (Int(1) << TIMER_BIT);
    if (minion_state == WANDERING) return target > 0 ? with_timer(minion, STALKING, 2) : chase(state, minion, lit);
    Int cell = memory > 0 ? memory - 1 : minion & CELL;
    spook(state, cell);
    return with_timer(with_target((minion & ~CELL) | cell, 0, 0), STUNNED, 6);
}

static Int update_wanderer(State& state, Int minion, bool lit) {
    Int timer = field(minion, TIMER_BIT, 255);
    if (field(minion, STATE_BIT, 7) == SPAWNING)
        return timer == 1 ? with_timer(minion, WANDERING, setup.life_time) : minion - (Int(1) << TIMER_BIT);
    minion = chase(state, minion, lit);
    return spook(state, minion & CELL) || timer == 1 ? -1 : minion - (Int(1) << TIMER_BIT);
}

// ---- a turn

static bool is_stuck(const State& state, int player) {
    return ((state.yells | state.yells >> 16) & 0x1111 << player) != 0;
}

static bool is_casting(const State& state, int player) {
    return state.effects[player] != 0 || ((state.yells | state.yells >> 16) >> 4 * player & 15) != 0;
}

static void spawn(State& state) {
    if (setup.full)
        for (int player = 0; player < N_PLAYERS; player++)
            if (state.sanities[player] < 200 && is_alive(state, player) && !(state.slashed >> player & 1)) {
                state.slashed |= Int(1) << player;
                add_minion(state, SLASHER, state.cells[player], 6, player + 1, state.cells[player] + 1);
            }
    if (state.turn % 5 != 0) return;
    Int farthest = -1, chosen = 0;
    for (int i = 0; i < setup.n_spawns; i++) {
        Int nearest = setup.width + setup.height;
        for (int player = 0; player < N_PLAYERS; player++)
            if (is_alive(state, player))
                nearest = std::min(nearest, manhattan(pair_of(setup.spawns[i], state.cells[player])));
        if (nearest > farthest) farthest = nearest, chosen = 0;
        if (nearest == farthest) chosen |= Int(1) << i;
    }
    for (int i = 0; i < setup.n_spawns; i++)
        if (chosen >> i & 1) add_minion(state, WANDERER, setup.spawns[i], setup.spawn_time, 0, 0);
}

static void play_actions(State& state, const Int* actions) {
    bool waiting[N_PLAYERS];
    for (int player = 0; player < N_PLAYERS; player++) waiting[player] = is_stuck(state, player);
    for (int player = 0; player < N_PLAYERS; player++) {
        if (actions[player] != YELL || !is_alive(state, player) || waiting[player]) continue;
        for (int other = 0; other < N_PLAYERS; other++) {
            Int bit = Int(1) << (4 * player + other);
            if (other == player || !is_alive(state, other) || state.yelled & bit) continue;
            if (manhattan(pair_of(state.cells[player], state.cells[other])) <= 1) {
                state.yelled |= bit;
                state.yells |= bit << 16;
            }
        }
    }
    for (int player = 0; player < N_PLAYERS; player++) {
        Int action = actions[player];
        if (action == WAIT || !is_alive(state, player) || is_stuck(state, player)) continue;
        if (action <= LEFT) {
            state.cells[player] = setup.neighbours[state.cells[player]][action - UP];
        } else if (action < YELL && !is_casting(state, player)) {
            if (action == PLAN && state.plans[player] > 0) {
                state.plans[player]--;
                state.effects[player] = 4;
            } else if (action == LIGHT && state.lights[player] > 0) {
                state.lights[player]--;
                state.effects[player] = LIT | 2;
            }
        }
    }
}

static void heal(State& state, int player, Int points) {
    state.sanities[player] = std::min<Int>(250, state.sanities[player] + points);
}

static bool play_effects(State& state) {
    bool lit = false;
    for (int caster = 0; caster < N_PLAYERS; caster++) {
        Int effect = state.effects[caster];
        if (effect == 0) continue;
        if (effect & LIT) {
            for (int cell = 0; cell < setup.n_cells; cell++) {
                Int near = distance(pair_of(state.cells[caster], cell)) <= 5;
                setup.lit_cells[cell] = near | (lit ? setup.lit_cells[cell] : 0);
            }
            lit = true;
        } else {
            heal(state, caster, 3);
            for (int player = 0; player < N_PLAYERS; player++)
                if (player != caster && is_alive(state, player))
                    if (distance(pair_of(state.cells[caster], state.cells[player])) <= 2) {
                        heal(state, player, 3);
                        heal(state, caster, 3);
                    }
        }
        state.effects[caster] = (effect & ~LIT) == 1 ? 0 : effect - 1;
    }
    if (state.shelters != 0)
        for (int i = 0; i < setup.n_shelters; i++) {
            Int energy = state.shelters >> 4 * i & 15, n = 0;
            if (energy == 0) continue;
            for (int player = 0; player < N_PLAYERS; player++)
                if (state.cells[player] == setup.shelters[i] && is_alive(state, player)) {
                    heal(state, player, 5);
                    n++;
                }
            state.shelters ^= (energy ^ std::max<Int>(0, energy - n)) << 4 * i;
        }
    state.yells = state.yells >> 16 & PAIRS;
    return lit;
}

static void lose_sanity(State& state) {
    bool last = (state.alive & (state.alive - 1)) == 0;
    for (int player = 0; player < N_PLAYERS; player++) {
        if (!is_alive(state, player)) continue;
        Int loss = setup.lonely;
        for (int other = 0; other < N_PLAYERS; other++)
            if (other != player && is_alive(state, other))
                if (manhattan(pair_of(state.cells[player], state.cells[other])) <= 2) loss = setup.group;
        state.sanities[player] = std::max<Int>(0, state.sanities[player] - (last ? 50 : loss));
    }
    for (int player = 0; player < N_PLAYERS; player++)
        if (is_alive(state, player) && state.sanities[player] <= 0) {
            state.alive &= ~(Int(1) << player);
            state.effects[player] = 0;
            state.scores[player] = state.turn;
        }
}

static void play_turn(State& state, const Int* actions) {
    spawn(state);
    play_actions(state, actions);
    bool lit = play_effects(state);
    int n = 0;
    for (int i = 0; i < state.n_minions; i++) {
        Int minion = state.minions[i];
        minion = minion >> KIND_BIT & 1 ? update_slasher(state, minion, lit) : update_wanderer(state, minion, lit);
        if (minion >= 0) state.minions[n++] = minion;
    }
    state.n_minions = n;
    lose_sanity(state);
    if (state.turn != 0 && state.turn % 50 == 0)
        state.shelters = 0xAAAAAAAAAAAAAAA & ((Int(1) << 4 * setup.n_shelters) - 1);
    if (state.turn == MAX_TURN)
        for (int player = 0; player < N_PLAYERS; player++)
            if (is_alive(state, player)) state.scores[player] = MAX_TURN + state.sanities[player];
    state.turn++;
    std::fill_n(state.threats, 4, 0);
    for (int i = 0; i < n; i++) {
        Int minion = state.minions[i], kind = minion >> KIND_BIT & 1;
        if (field(minion, STATE_BIT, 7) != (kind == SLASHER ? RUSHING : WANDERING)) continue;
        const Int* cells = (kind == SLASHER ? setup.in_sight : setup.around)[minion & CELL];
        for (int word = 0; word < 4; word++) state.threats[word] |= cells[word];
    }
}

// ---- random play

static bool is_threatened(const State& state, Int cell) { return state.threats[cell >> 6] >> (cell & 63) & 1; }

static Int sample_action(const State& state, int player, Int& rng) {
    Int bits = random_bits(rng), cell = state.cells[player], any_step = WAIT;
    bool stays = !is_threatened(state, cell);
    if (stays && (bits & 28) == 0) return WAIT;
    for (int i = 0; i < 4; i++) {
        Int next = setup.neighbours[cell][(bits + i) & 3];
        if (next == cell) continue;
        any_step = UP + ((bits + i) & 3);
        if (!is_threatened(state, next)) return any_step;
    }
    return stays ? Int(WAIT) : any_step;
}

static Int turns;

static void play(const State& root, State& state, Int& rng, int n, bool any_first) {
    Int actions[N_PLAYERS];
    for (int i = 0; i < n; i++) {
        state = root;
        for (int ply = 0; ply < PLIES && !is_over(state); ply++) {
            for (int player = 0; player < N_PLAYERS; player++)
                actions[player] = any_first && ply == 0 ? random_bits(rng) >> 8 & 7 : sample_action(state, player, rng);
            play_turn(state, actions);
            turns++;
        }
    }
}

static double now() { return double(clock()) / CLOCKS_PER_SEC; }

int main(int argc, char** argv) {
    State root, state;
    FILE* file = argc == 3 ? fopen(argv[2], "rb") : nullptr;
    if (!file || fread(&setup, sizeof setup, 1, file) != 1 || fread(&root, sizeof root, 1, file) != 1) return 2;
    double seconds = atof(argv[1]);
    Int rng = 12345;
    if (seconds == 0) {
        for (int i = 0; i < 200; i++) {
            play(root, state, rng, 1, true);
            Int* numbers = reinterpret_cast<Int*>(&state);
            for (size_t j = 0; j < sizeof state / sizeof(Int); j++) printf("%lld ", (long long)numbers[j]);
        }
        return 0;
    }
    double began = now();
    while (now() - began < seconds) play(root, state, rng, 1000, false);
    printf("%.0f\n", turns / (now() - began));
}
