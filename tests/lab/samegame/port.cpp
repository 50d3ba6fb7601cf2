// The beam of bots/samegame/beam.py in C++, for a comparison of speed (tests/lab/samegame/port.py).
//
//     port WIDTH < BOARDS
//
// BOARDS has 225 numbers a board, 0 to 4, the top row first. Prints the sum of the best scores, the
// number of children and the seconds of CPU. The numbers of a position that the beam ranks by are
// the same as in Python; ties are broken in another order.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

namespace {

using Column = uint64_t;  // 15 digits of 4 bits, the lowest the bottom cell: 0 or the colour + 1

constexpr int kSide = 15, kCells = 225, kDigit = 4, kColours = 5;
constexpr Column kOnes = 0x111111111111111;
constexpr double kMost = 0.878, kOthers = 0.311, kSingle = 39.2, kRegion = 60.1, kLate = 9.2;
constexpr double kWorst = -1e300;

struct Position {
    Column columns[kSide];
    int64_t score;
};

struct Region {
    int first, last, size, digit, action;
    Column cells[kSide];
};

struct Parts {
    int lone, regions;
};

struct Candidate {
    double value;
    uint64_t key;
    int parent, action;
};

struct Entry {
    uint64_t key;
    uint32_t generation, candidate;
};

Column occupied(Column digits) {
    digits |= digits >> 1;
    digits |= digits >> 2;
    return digits & kOnes;
}

Column equal_cells(Column one, Column other) { return ~occupied(one ^ other) & occupied(one); }

int count(Column cells) { return __builtin_popcountll(cells); }

int square(int n) { return n > 2 ? (n - 2) * (n - 2) : 0; }

Column spread(Column cells, Column like) {
    Column grown = (cells | cells << kDigit | cells >> kDigit) & like;
    while (grown != cells) {
        cells = grown;
        grown = (cells | cells << kDigit | cells >> kDigit) & like;
    }
    return cells;
}

Column without(Column column, Column cells) {
    while (cells) {
        Column bit = cells & -cells;
        column = (column & (bit - 1)) | ((column >> kDigit) & -bit);
        cells = (cells ^ bit) >> kDigit;
    }
    return column;
}

void find_region(const Column *columns, int start, Column bit, Region &region) {
    Column like[kSide];
    const int digit = columns[start] >> __builtin_ctzll(bit) & 15;
    const Column pattern = digit * kOnes;
    like[start] = ~occupied(columns[start] ^ pattern) & kOnes;
    region.cells[start] = spread(bit, like[start]);
    int first = start, last = start + 1;
    unsigned grown = 1u << start;
    while (grown) {
        const int x = __builtin_ctz(grown);
        grown &= grown - 1;
        const Column cells = region.cells[x];
        for (int beside = x - 1; beside <= x + 1; beside += 2) {
            if (beside < 0 || beside == kSide) continue;
            if (beside < first || beside >= last) {
                like[beside] = ~occupied(columns[beside] ^ pattern) & kOnes;
                if (!(cells & like[beside])) continue;
                region.cells[beside] = 0;
                first = std::min(first, beside);
                last = std::max(last, beside + 1);
            }
            const Column found = cells & like[beside];
            if (found & ~region.cells[beside]) {
                region.cells[beside] = spread(found | region.cells[beside], like[beside]);
                grown |= 1u << beside;
            }
        }
    }
    region.first = first;
    region.last = last;
    region.digit = digit;
    region.action = start * kSide + __builtin_ctzll(bit) / kDigit;
    region.size = 0;
    for (int x = first; x < last; x++) region.size += count(region.cells[x]);
}

// The lone cells and the regions of a column.
Parts parts_of(Column column, Column above, Column left, Column right, Column above_beside) {
    const Column cells = occupied(column);
    return {count(cells & ~(above | above << kDigit | right | left)),
            count(cells) - count(above) - count(right) + count(above & above_beside & right)};
}

double weigh(int64_t points, int total, int greatest, int n_cells, Parts parts) {
    const double removed = (kCells - n_cells) * (1.0 / kCells);
    return points + kOthers * total + (kMost - kOthers) * greatest - kSingle * parts.lone -
           (kRegion + kLate * removed) * parts.regions;
}

// What the children of a position share.
struct Parent {
    Column above[kSide], paired[kSide];
    Parts before[kSide + 1];
    int n_columns, counts[kColours + 1], n_cells, total, most, second;

    explicit Parent(const Position &position) : counts() {
        const Column *columns = position.columns;
        Column left = 0;
        Parts sum = {0, 0};
        n_columns = 0;
        before[0] = sum;
        for (int x = 0; x < kSide && columns[x]; x++) {
            above[x] = equal_cells(columns[x], columns[x] >> kDigit);
            n_columns++;
        }
        for (int x = 0; x < n_columns; x++) {
            const Column column = columns[x], beside = x + 1 < n_columns ? columns[x + 1] : 0;
            const Column right = equal_cells(column, beside);
            const Parts parts =
                parts_of(column, above[x], left, right, x + 1 < n_columns ? above[x + 1] : 0);
            sum = {sum.lone + parts.lone, sum.regions + parts.regions};
            before[x + 1] = sum;
            paired[x] = above[x] | right;
            left = right;
            const Column bit_0 = column & kOnes, bit_1 = column >> 1 & kOnes;
            const Column bit_2 = column >> 2 & kOnes;
            counts[1] += count(bit_0 & ~bit_1 & ~bit_2);
            counts[2] += count(bit_1 & ~bit_0);
            counts[3] += count(bit_1 & bit_0);
            counts[4] += count(bit_2 & ~bit_0);
            counts[5] += count(bit_2 & bit_0);
        }
        n_cells = total = most = second = 0;
        for (int digit = 1; digit <= kColours; digit++) {
            n_cells += counts[digit];
            total += square(counts[digit]);
            second = std::max(second, std::min(most, counts[digit]));
            most = std::max(most, counts[digit]);
        }
    }

    double value_without(const Position &position, const Region &region) const {
        const Column *columns = position.columns;
        const int first = region.first, start = std::max(first - 1, 0);
        const int end = std::min(region.last + 1, n_columns);
        Parts parts = {before[n_columns].lone - before[end].lone + before[start].lone,
                       before[n_columns].regions - before[end].regions + before[start].regions};
        Column column = 0, above_here = 0, left = 0, beside, above_beside, right;
        if (first > 0) {
            column = columns[start];
            above_here = above[start];
            if (start > 0) left = equal_cells(columns[start - 1], column);
        }
        int n_left = n_columns;
        for (int x = first; x <= end; x++) {
            beside = above_beside = 0;
            if (x < region.last) {
                beside = without(columns[x], region.cells[x]);
                if (!beside) {
                    n_left--;
                    continue;
                }
                above_beside = equal_cells(beside, beside >> kDigit);
            } else if (x < n_columns) {
                beside = columns[x];
                above_beside = above[x];
            }
            if (x == end && x < region.last) break;
            right = equal_cells(column, beside);
            const Parts more = parts_of(column, above_here, left, right, above_beside);
            parts = {parts.lone + more.lone, parts.regions + more.regions};
            column = beside;
            left = right;
            above_here = above_beside;
        }
        const int n = counts[region.digit], after = n - region.size;
        const int greatest = square(std::max(after, n == most ? second : most));
        const int64_t points = position.score + (region.size - 2) * (region.size - 2);
        return weigh(points + (n_left == 0 ? 1000 : 0), total - square(n) + square(after), greatest,
                     n_cells - region.size, parts);
    }
};

void play(const Position &position, const Region &region, Position &after) {
    int n_columns = region.first;
    std::copy(position.columns, position.columns + region.first, after.columns);
    for (int x = region.first; x < kSide; x++) {
        const Column column = x < region.last ? without(position.columns[x], region.cells[x])
                                              : position.columns[x];
        if (column) after.columns[n_columns++] = column;
    }
    after.score = position.score + (region.size - 2) * (region.size - 2) + (n_columns ? 0 : 1000);
    std::fill(after.columns + n_columns, after.columns + kSide, 0);
}

uint64_t key_of(const Position &position) {
    uint64_t mixed = 0;
    for (Column column : position.columns) {
        mixed = (mixed ^ column) * 0x2545F4914F6CDD1D;
        mixed ^= mixed >> 29;
    }
    return mixed;
}

class Beam {
   public:
    explicit Beam(int width) : width_(width), states_(width), next_(width), found_(2 * width) {
        size_t n_entries = 8;
        while (n_entries < 4u * width) n_entries *= 2;
        table_.resize(n_entries);
    }

    int64_t children = 0;

    int64_t search(const Position &root) {
        int64_t best = 0;
        states_[0] = root;
        for (int n_states = 1; n_states > 0;) {
            n_ = 0;
            threshold_ = kWorst;
            generation_++;
            for (int i = 0; i < n_states; i++)
                if (!expand(i)) best = std::max(best, states_[i].score);
            keep_best();
            for (int i = 0; i < n_; i++) {
                const Position &parent = states_[found_[i].parent];
                const int x = found_[i].action / kSide, y = found_[i].action % kSide;
                Region region;
                find_region(parent.columns, x, Column(1) << kDigit * y, region);
                play(parent, region, next_[i]);
            }
            std::swap(states_, next_);
            n_states = n_;
        }
        return best;
    }

   private:
    int width_, n_ = 0;
    double threshold_ = kWorst;
    uint32_t generation_ = 0;
    std::vector<Position> states_, next_;
    std::vector<Candidate> found_;
    std::vector<Entry> table_;

    bool expand(int index) {
        const Position &position = states_[index];
        const Parent parent(position);
        Column listed[kSide] = {};
        Region region;
        Position after;
        int n_actions = 0;
        for (int x = 0; x < parent.n_columns; x++) {
            Column cells = parent.paired[x] & ~listed[x];
            while (cells) {
                find_region(position.columns, x, cells & -cells, region);
                for (int i = region.first; i < region.last; i++) listed[i] |= region.cells[i];
                cells &= ~listed[x];
                n_actions++;
                const double value = parent.value_without(position, region);
                if (value <= threshold_) continue;
                play(position, region, after);
                add({value, key_of(after), index, region.action});
            }
        }
        children += n_actions;
        return n_actions > 0;
    }

    Entry &place_of(uint64_t key) {
        const size_t mask = table_.size() - 1;
        size_t place = (key ^ key >> 32) & mask;
        while (table_[place].generation == generation_ && table_[place].key != key)
            place = (place + 1) & mask;
        return table_[place];
    }

    void add(const Candidate &child) {
        Entry &entry = place_of(child.key);
        if (entry.generation == generation_) {
            if (found_[entry.candidate].value < child.value) found_[entry.candidate] = child;
            return;
        }
        entry = {child.key, generation_, uint32_t(n_)};
        found_[n_++] = child;
        if (n_ == 2 * width_) keep_best();
    }

    void keep_best() {
        if (n_ <= width_) return;
        std::nth_element(
            found_.begin(), found_.begin() + width_ - 1, found_.begin() + n_,
            [](const Candidate &one, const Candidate &other) { return one.value > other.value; });
        n_ = width_;
        threshold_ = found_[width_ - 1].value;
        generation_++;
        for (int i = 0; i < n_; i++) place_of(found_[i].key) = {found_[i].key, generation_, uint32_t(i)};
    }
};

}  // namespace

int main(int n_arguments, char **arguments) {
    Beam beam(n_arguments > 1 ? std::atoi(arguments[1]) : 1000);
    Position root = {};
    int64_t total = 0;
    int colour, n_read = 0;
    const clock_t begin = std::clock();
    while (std::scanf("%d", &colour) == 1) {
        Column &column = root.columns[n_read % kSide];
        column = column << kDigit | (colour + 1);
        if (++n_read == kCells) {
            total += beam.search(root);
            root = {};
            n_read = 0;
        }
    }
    std::printf("%lld %lld %.3f\n", (long long)total, (long long)beam.children,
                double(std::clock() - begin) / CLOCKS_PER_SEC);
}
