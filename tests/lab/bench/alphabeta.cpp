// Alpha-beta of connect four as an expert writes it: a recursion over bitboards in registers.
//
// program COLUMNS PLIES SECONDS prints the positions generated, the value, and the positions
// generated in a second of CPU time. The algorithm is that of shared/search/alphabeta.py without
// its options: full windows, fail-soft, children from the left, wins that count less by each ply.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using Board = uint64_t;

constexpr int WIDTH = 7, HEIGHT = 6;
constexpr int64_t WIN = int64_t(1) << 62, INFINITE = WIN + 1;

constexpr Board every_column(Board column) {
    Board board = 0;
    for (int i = 0; i < WIDTH; i++) board |= column << i * (HEIGHT + 1);
    return board;
}
constexpr Board CELLS = every_column((1 << HEIGHT) - 1);

static int64_t generated;

static inline bool has_four(Board stones) {
    Board pairs = stones & stones >> 1, fours = pairs & pairs >> 2;
    pairs = stones & stones >> HEIGHT, fours |= pairs & pairs >> 2 * HEIGHT;
    pairs = stones & stones >> (HEIGHT + 1), fours |= pairs & pairs >> 2 * (HEIGHT + 1);
    pairs = stones & stones >> (HEIGHT + 2), fours |= pairs & pairs >> 2 * (HEIGHT + 2);
    return fours != 0;
}

// The value for the player to move, `own`, at a ply of an open position.
static int64_t search(Board own, Board stones, int depth, int ply, int64_t alpha, int64_t beta) {
    int64_t best = -INFINITE;
    const int64_t best_of_all = WIN - (ply + 1);
    for (int column = 0; column < WIDTH; column++) {
        const int bottom = column * (HEIGHT + 1);
        if (stones >> (bottom + HEIGHT - 1) & 1) continue;
        if (depth > 1 && alpha >= best_of_all) return best > best_of_all ? best : best_of_all;
        const Board dropped = stones | (stones + (Board(1) << bottom));
        generated++;
        int64_t value;
        if (has_four(own | (dropped ^ stones)))
            value = best_of_all;
        else if (dropped == CELLS || depth == 1)
            value = 0;
        else
            value = -search(own ^ stones, dropped, depth - 1, ply + 1, -beta, -alpha);
        if (value > best) {
            best = value;
            if (value > alpha) alpha = value;
            if (value >= beta) break;
        }
    }
    return best;
}

int main(int, char **arguments) {
    Board own = 0, stones = 0;
    for (const char *column = arguments[1]; *column >= '0'; column++) {
        const Board dropped = stones | (stones + (Board(1) << (*column - '0') * (HEIGHT + 1)));
        own ^= stones, stones = dropped;
    }
    const int plies = atoi(arguments[2]);
    const double seconds = atof(arguments[3]);
    const clock_t began = clock();
    int64_t n = 0, value = 0;
    double passed = 0;
    do {
        generated = 0;
        value = search(own, stones, plies, 0, -INFINITE, INFINITE);
        n += generated;
        passed = double(clock() - began) / CLOCKS_PER_SEC;
    } while (passed < seconds);
    printf("%ld %ld %.0f\n", long(generated), long(value), n / passed);
}
