// UCT with rollouts for Ultimate Tic-Tac-Toe, as it is written in shared/search/mcts.py (with tree.py, bandit.py, rollout.py) and
// shared/games/ultimate_tic_tac_toe; rollouts by sample_decisively of bots/ultimate_tic_tac_toe/game.py.
//
//     ultimate_tic_tac_toe ITERATIONS EXPLORATION CAPACITY STATE...
//
// Searches from the state (its numbers in the order of state.py) and prints CPU milliseconds, then nodes, plies in the tree, plies in rollouts
// and the visits of the root's children in the order of their actions: `tests/lab/bench/ultimate_tic_tac_toe.py` checks that they are its own.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

using Int = int64_t;

constexpr int N_CELLS = 9, ALL = 511, CLOSED = 18, ANY = 9, OVER = 10, HAS_LINE = 512;
constexpr int COUNT = 36, DIGIT = 4, MAX_PLIES = 81;
constexpr int ROWS[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
constexpr int N_WIDTHS = 4096;
constexpr double UNPULLED = 1e300;

struct State { Int boards[N_CELLS], won, next, turn; };

static Int CELLS[ALL + 1], WINS[ALL + 1];
static Int rng;

static void make_tables() {
    for (Int mask = 0; mask <= ALL; mask++) {
        Int n = 0;
        for (Int cell = 0; cell < N_CELLS; cell++)
            if (mask >> cell & 1) CELLS[mask] |= cell << DIGIT * n++;
        CELLS[mask] |= n << COUNT;
        for (Int row : ROWS) {
            Int missing = row & ~mask;
            if (missing == 0) WINS[mask] |= HAS_LINE;
            else if ((missing & (missing - 1)) == 0) WINS[mask] |= missing;
        }
    }
}

static inline Int random_below(Int n) {
    Int x = rng;
    x ^= (x << 13) & 0xFFFFFFFF;
    x ^= x >> 17;
    x ^= (x << 5) & 0xFFFFFFFF;
    rng = x;
    return (x * n) >> 32;
}

// ---- rules

static inline Int open_cells(const State& state, Int board) {
    return ~(state.boards[board] | state.boards[board] >> N_CELLS) & ALL;
}

static inline Int open_boards(const State& state) { return ~(state.won >> CLOSED) & ALL; }

static inline Int playable(const State& state) {
    if (state.next == OVER) return 0;
    return state.next == ANY ? open_boards(state) : Int(1) << state.next;
}

static int legal(const State& state, Int* actions) {
    int n = 0;
    for (Int boards = playable(state); boards; boards &= boards - 1) {
        Int board = CELLS[boards] & 15, cells = CELLS[open_cells(state, board)];
        for (Int i = 0; i < cells >> COUNT; i++) actions[n++] = board << DIGIT | (cells >> DIGIT * i & 15);
    }
    return n;
}

static inline void apply(State& state, Int action) {
    Int board = action >> DIGIT, cell = action & 15, shift = state.turn & 1 ? N_CELLS : 0;
    Int cells = state.boards[board] |= Int(1) << (cell + shift);
    Int won = state.won;
    bool over = false;
    if (WINS[cells >> shift & ALL] & HAS_LINE) {
        won |= Int(1) << (board + shift) | Int(1) << (board + CLOSED);
        over = WINS[won >> shift & ALL] & HAS_LINE;
    } else if (((cells | cells >> N_CELLS) & ALL) == ALL) {
        won |= Int(1) << (board + CLOSED);
    }
    Int following = won >> (cell + CLOSED) & 1 ? ANY : cell;
    state.next = over || won >> CLOSED == ALL ? OVER : following;
    state.won = won;
    state.turn++;
}

static double result(const State& state) {
    Int own = state.won >> (state.turn & 1 ? N_CELLS : 0) & ALL, other = state.won >> (state.turn & 1 ? 0 : N_CELLS) & ALL;
    if (WINS[other] & HAS_LINE) return -1.0;
    int lead = __builtin_popcountll(own) - __builtin_popcountll(other);
    return (lead > 0) - (lead < 0);
}

static inline Int sample_from(Int mask) {
    Int cells = CELLS[mask];
    return cells >> DIGIT * random_below(cells >> COUNT) & 15;
}

static inline Int sample(const State& state) {
    Int mover = state.turn & 1, shift = mover ? N_CELLS : 0;
    for (Int boards = WINS[state.won >> shift & ALL] & playable(state); boards; boards &= boards - 1) {
        Int board = CELLS[boards] & 15;
        Int cells = WINS[state.boards[board] >> shift & ALL] & open_cells(state, board);
        if (cells) return board << DIGIT | (CELLS[cells] & 15);
    }
    Int board = state.next;
    if (board == ANY) board = sample_from(open_boards(state));
    return board << DIGIT | sample_from(open_cells(state, board));
}

// ---- search

struct Node { Int first, n_children, visits, action; };
struct Arm { double mean, inverse_root; };

static std::vector<Node> nodes;
static std::vector<Arm> arms;
static double widths[N_WIDTHS];
static Int n_nodes, tree_plies, rollout_plies;
static Int path[MAX_PLIES + 1], line[2 * MAX_PLIES], actions[N_CELLS << DIGIT];

static void clear_node(Int node, Int action) {
    nodes[node] = {0, 0, 0, action};
    arms[node] = {UNPULLED, 1.0};
}

static inline bool is_fixed(Int node) { return arms[node].inverse_root == 0.0; }

static void expand(const State& state, Int node) {
    int n = legal(state, actions);
    if (n_nodes + n > Int(nodes.size())) return;
    for (int i = n - 1; i > 0; i--) std::swap(actions[i], actions[random_below(i + 1)]);
    for (int i = 0; i < n; i++) clear_node(n_nodes + i, actions[i]);
    nodes[node].first = n_nodes;
    nodes[node].n_children = n;
    n_nodes += n;
}

static Int select_child(Int node, double exploration) {
    Int visits = nodes[node].visits + 1;
    double weight = exploration * (visits < N_WIDTHS ? widths[visits] : std::sqrt(std::log(double(visits))));
    Int first = nodes[node].first, best = first;
    double greatest = arms[first].mean + weight * arms[first].inverse_root;
    for (Int arm = first + 1; arm < first + nodes[node].n_children; arm++) {
        double bound = arms[arm].mean + weight * arms[arm].inverse_root;
        if (bound > greatest) {
            greatest = bound;
            best = arm;
        }
    }
    return best;
}

static void prove(Int node) {
    Int first = nodes[node].first;
    double best = -1.0;
    bool is_open = false;
    for (Int child = first; child < first + nodes[node].n_children; child++) {
        if (is_fixed(child)) best = std::fmax(best, arms[child].mean);
        else is_open = true;
    }
    if (best == 1.0 || !is_open) arms[node] = {-best, 0.0};
}

static void back_up(int leaf_ply, double reward) {
    for (int i = leaf_ply; i >= 0; i--) {
        Int node = path[i], visits = ++nodes[node].visits;
        Arm& arm = arms[node];
        if (!is_fixed(node)) {
            double inverse = 1.0 / visits;
            if (arm.mean == UNPULLED) arm.mean = reward;
            else arm.mean += (reward - arm.mean) * inverse;
            arm.inverse_root = std::sqrt(inverse);
        }
        if (i < leaf_ply && is_fixed(path[i + 1])) prove(node);
        if (is_fixed(node)) reward = arm.mean;
        reward = -reward;
    }
}

static void search(const State& root, int n, double exploration) {
    for (int k = 0; k < n && !is_fixed(0); k++) {
        State state = root;
        Int node = 0;
        int ply = 0;
        path[0] = 0;
        while (ply < MAX_PLIES && !is_fixed(node)) {
            if (nodes[node].n_children == 0) {
                if ((ply > 0 && nodes[node].visits == 0) || state.next == OVER) break;
                expand(state, node);
                if (nodes[node].n_children == 0) break;
            }
            node = select_child(node, exploration);
            apply(state, nodes[node].action);
            line[ply++] = nodes[node].action;
            path[ply] = node;
        }
        int plies = ply;
        double reward;
        if (!is_fixed(node)) {
            if (state.next == OVER) {
                arms[node] = {-result(state), 0.0};
            } else {
                for (; plies < ply + MAX_PLIES && state.next != OVER; plies++) {
                    line[plies] = sample(state);
                    apply(state, line[plies]);
                }
            }
        }
        if (is_fixed(node)) reward = arms[node].mean;
        else reward = (plies - ply) & 1 ? result(state) : -result(state);
        back_up(ply, reward);
        tree_plies += ply;
        rollout_plies += plies - ply;
    }
}

int main(int argc, char** argv) {
    int n = atoi(argv[1]);
    double exploration = atof(argv[2]);
    Int capacity = atoll(argv[3]);
    State root;
    for (int i = 0; i < argc - 4; i++) reinterpret_cast<Int*>(&root)[i] = atoll(argv[4 + i]);
    make_tables();
    for (int visits = 1; visits < N_WIDTHS; visits++) widths[visits] = std::sqrt(std::log(double(visits)));
    rng = (0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF;  // seed_rng of rng.py, of 1
    nodes.assign(capacity, Node{1, 1, 1, 1});  // its memory is there before the search
    arms.assign(capacity, Arm{1.0, 1.0});
    clear_node(0, 0);
    n_nodes = 1;
    clock_t began = clock();
    search(root, n, exploration);
    double ms = 1000.0 * double(clock() - began) / CLOCKS_PER_SEC;
    printf("%.3f %ld %ld %ld", ms, long(n_nodes), long(tree_plies), long(rollout_plies));
    Int visits[N_CELLS << DIGIT] = {};
    for (Int child = nodes[0].first; child < nodes[0].first + nodes[0].n_children; child++)
        visits[nodes[child].action] = nodes[child].visits;
    int n_actions = legal(root, actions);
    for (int i = 0; i < n_actions; i++) printf(" %ld", long(visits[actions[i]]));
    printf("\n");
}
