// Bounds of the value of long games of the software-engineering game, from the empty table:
//
//     g++ -O2 -std=c++17 -frounding-math -pthread -o swe_value swe_value.cpp
//     ./swe_value FACES ROUNDS LEAST MOST
//
// FACES is a ladder such as 4,6,8,12,20, in ascending order. Prints a lower and an upper bound, and ends
// with "accepted" (exit status 0) if they are at least LEAST and at most MOST, otherwise "rejected" (1).
//
// *Lines.* The value is a maximum of lines A + B·s in the score s (theorem 2). The program bounds it by two
// lines. The lower one is that of some move, chosen heuristically. The upper one is that of the best move if
// the same move is best at both ends of the possible scores; otherwise it is the chord between the ends,
// which no convex function exceeds. At a choice all n dice have just survived, so s is at least n, and at
// most the sum of the maximal scores of all rounds.
//
// *Blocks.* A fix does not change which dice there are, and the legacy die on the highest rung is always
// fixed (theorem 9, proved in Coq). So play is random from the roll of a table without legacy until there is
// no legacy again. The outcome in t rounds is a matrix: q is its probability, c its probability without a
// catastrophe, and p the mean of the points since the last catastrophe. A value A + B·s after it is the
// value q·A + p·B + c·B·s before it.
//
// *Excursions* begin with a roll of all dice above the lowest rung and end when all of these are in revenue
// again. Meanwhile dice of the lowest rung only fail. L is the last round after which no other die was in
// revenue, if there is one: it is a catastrophe if all dice of the lowest rung have failed by then.
//
// *The lowest rung.* After an excursion one die of the lowest rung is fixed, if one is in legacy. So from k
// of them in revenue all m are reached through k + 1, k + 2, …. The step from k to k + 1 is the same for all
// m > k, and equals the step from k dice until all are in revenue again if there are only k.
//
// *Rounding.* Except for chords, the program only adds, multiplies and divides nonnegative numbers, rounded
// down for the lower line and up for the upper one. Chords are raised by more than their rounding error.

#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

// The chance of an event, and the mean of the points of some dice on it: both of independent dice multiply.
struct Part {
    double x = 0, p = 0;
    Part operator*(Part o) const { return {x * o.x, x * o.p + p * o.x}; }
    Part operator+(Part o) const { return {x + o.x, p + o.p}; }
    void operator+=(Part o) { *this = *this + o; }
};

using Row = std::vector<double>;
using Parts = std::vector<Part>;
using Dice = std::vector<int>;  // of each rung, or each above the lowest

// By t: q, p and c of what takes t rounds; and the line of the score if the game of t rounds ends before.
struct Law {
    Row q, p, c, a, b;
    explicit Law(int n = 0) : q(n + 1, 0), p(q), c(q), a(q), b(q) {}
};

// By t, of the dice above the lowest rung: an excursion ends or goes on, without a round L; is at L; ends or
// goes on t rounds after L; and ends, with L or without.
struct Excursion {
    Parts ends, stays, at, then_ends, then_stays, any;
    explicit Excursion(int n) : ends(n + 1), stays(ends), at(ends), then_ends(ends), then_stays(ends), any(ends) {}
};

struct Bound {
    Dice faces;
    int rounds;
    bool upper;
    std::vector<std::vector<Row>> chance = {};      // above the lowest rung: that q of n dice survive a roll
    Parts alive = {}, dead = {}, mean = {};         // a die of the lowest rung lives t rounds; does not; does what it may
    std::vector<std::vector<Parts>> left = {};      // m of k of them are left after t rounds: by k, m and t
    std::vector<std::vector<Parts>> late = {}, some = {};  // one of k is left after L, and none after t; or any
    std::vector<Parts> gone = {};                   // all of k have failed by L
    std::map<Dice, std::vector<Law>> worth = {};    // by the other dice and m: a and b by the rounds left

    void lowest_rung() {
        const double fails = 1.0 / faces[0], holds = (double)(faces[0] - 1) / faces[0];
        alive.assign(rounds + 2, {1, 0}), dead.assign(rounds + 2, {}), mean = alive;
        for (int t = 1; t <= rounds + 1; ++t) {
            const double lives = alive[t - 1].x * holds, dies = alive[t - 1].x * fails;
            alive[t] = {lives, t * lives}, dead[t] = dead[t - 1] + Part{dies, (t - 1) * dies};
            mean[t] = mean[t - 1] + Part{0, lives};
        }
        gone.assign(rounds + 1, Parts(rounds + 2, {1, 0}));
        for (int k = 0; k <= rounds; ++k) {
            const int most = rounds + 1 - k;
            left.emplace_back(k + 1, Parts(most + 1, {k ? 0.0 : 1.0, 0}));
            late.emplace_back(most + 1, Parts(most + 1)), some.push_back(late[k]);
            for (int L = 0; k && L <= rounds + 1; ++L) gone[k][L] = gone[k - 1][L] * dead[L];
            for (int t = 0; k && t <= most; ++t) {
                for (int m = 0; m <= k; ++m)  // the k-th die fails, or does not
                    left[k][m][t] = (m < k ? left[k - 1][m][t] * dead[t] : Part{}) + (m ? left[k - 1][m - 1][t] * alive[t] : Part{});
                for (int L = 1; L <= t; ++L) {  // one of the others is left after L, or only the k-th
                    const Part lives{alive[L].x, 0}, before{1, (double)L};
                    late[k][t][L] = late[k - 1][t][L] * dead[t] + gone[k - 1][L] * lives * before * dead[t - L];
                    some[k][t][L] = some[k - 1][t][L] * mean[t] + gone[k - 1][L] * lives * before * mean[t - L];
                }
            }
        }
    }

    // One kind of dice is rolled, of which there are m: two parts for each way that some dice are in revenue.
    static void roll(Parts& now, int cells, int stride, int m, const std::vector<Row>& chance) {
        for (int cell = 0; m && cell < cells; ++cell)
            for (int q = 0; cell / stride % (m + 1) == 0 && q <= m; ++q) {
                Part one, two;
                for (int n = q; n <= m; ++n) {
                    const Part &of = now[2 * (cell + n * stride)], &other = now[2 * (cell + n * stride) + 1];
                    one.x += chance[n][q] * of.x, one.p += chance[n][q] * of.p;
                    two.x += chance[n][q] * other.x, two.p += chance[n][q] * other.p;
                }
                now[2 * (cell + q * stride)] = one, now[2 * (cell + q * stride) + 1] = two;
            }
    }

    Excursion excursion(const Dice& dice, int n) const {
        Excursion x(n);
        Dice stride;
        int cells = 1;
        for (int m : dice) stride.push_back(cells), cells *= m + 1;
        if (cells == 1) return x.any[1] = {1, 0}, x;  // no other dice: every roll is an excursion
        Dice count(cells, 0), fixed(cells, 0);
        for (int cell = 0; cell < cells; ++cell)
            for (size_t i = 0; i < dice.size(); ++i) {
                const int up = cell / stride[i] % (dice[i] + 1);
                count[cell] += up;
                if (up < dice[i]) fixed[cell] = cell + stride[i];  // the highest rung comes last
            }
        Parts now(2 * cells), back(n + 1);  // of the excursion from its start, and from L
        now[2 * cells - 2] = now[2 * fixed[0] + 1] = x.then_stays[0] = {1, 0};
        for (int t = 1; t <= n; ++t) {
            for (size_t i = 0; i < dice.size(); ++i) roll(now, cells, stride[i], dice[i], chance[i]);
            Parts next(2 * cells);
            for (int cell = 0; cell < cells; ++cell)
                for (int from_L = 0; from_L < 2; ++from_L) {
                    const Part of = now[2 * cell + from_L] * Part{1, (double)count[cell]};
                    if (cell == 0) (from_L ? back : x.at)[t] = of;
                    else if (cell == cells - 1) (from_L ? x.then_ends : x.ends)[t] = of;
                    else (from_L ? x.then_stays : x.stays)[t] += of, next[2 * fixed[cell] + from_L] += of;
                }
            now.swap(next);
        }
        for (int t = 1; t <= n; ++t) {
            x.any[t] = x.ends[t];
            for (int L = 1; L < t; ++L) x.at[t] += x.at[L] * back[t - L], x.any[t] += x.at[L] * x.then_ends[t - L];
        }
        return x;
    }

    // What an excursion from k dice of the lowest rung does, by how many are left; where it is k, with the
    // line of the score if the game ends on the way.
    std::vector<Law> after(const Excursion& x, int k, int n, bool is_alone) const {
        std::vector<Law> to(k + 1, Law(n));
        for (int t = 1; t <= n; ++t) {
            for (int m = 1; m <= k; ++m) {
                const Part of = x.any[t] * left[k][m][t];
                to[m].q[t] = to[m].c[t] = of.x, to[m].p[t] = of.p;
            }
            Part none = x.ends[t] * left[k][0][t], stays = x.stays[t];
            for (int i = 0; i < k; ++i) stays = stays * mean[t];
            double lost = is_alone && t == 1 ? gone[k][1].x : 0, since = 0, so_far = 0;
            for (int L = 1; L <= t; ++L) {  // in this order: points before L, which a catastrophe takes, and after it
                none += x.at[L] * x.then_ends[t - L] * late[k][t][L], stays += x.at[L] * x.then_stays[t - L] * some[k][t][L];
                const double all = x.at[L].x * gone[k][L].x;
                lost += all * x.then_ends[t - L].x, since += all * x.then_ends[t - L].p, so_far += all * x.then_stays[t - L].p;
            }
            to[0].q[t] = lost + none.x, to[0].c[t] = none.x, to[0].p[t] = none.p + since;
            to[k].a[t] = stays.p + so_far, to[k].b[t] = stays.x;
        }
        return to;
    }

    // Adds to `into` what `first` does before the rest `of`, which takes `at` rounds, or which has so many left.
    static void prepend(Law& into, const Law& first, const Law& of, int at, int n) {
        const double q = of.q[at], p = of.p[at], c = of.c[at], a = of.a[at], b = of.b[at];
        double *to_q = &into.q[at], *to_p = &into.p[at], *to_c = &into.c[at], *to_a = &into.a[at], *to_b = &into.b[at];
#pragma GCC ivdep
        for (int t = 1; t <= n - at; ++t) {
            to_q[t] += first.q[t] * q, to_c[t] += first.c[t] * c, to_p[t] += first.q[t] * p + first.p[t] * c;
            to_a[t] += first.q[t] * a + first.p[t] * b, to_b[t] += first.c[t] * b;
        }
    }

    // From the roll of m dice of the lowest rung, and all others, until all are in revenue again: by m.
    std::vector<Law> returns(const Dice& others, int most, bool is_alone) const {
        const Excursion x = excursion(others, most + 1);
        std::vector<Law> whole;
        for (int m = 0; m <= most; ++m) {
            const int n = most + 1 - m;
            const std::vector<Law> to = after(x, m, n, is_alone);
            std::vector<Law> from(m + 1, Law(n));  // by how many are in revenue
            from[m] = to[m];
            for (int k = 1; k <= m; ++k) {
                for (int t = 1; k < m && t <= n; ++t) from[k].a[t] = whole[k].a[t], from[k].b[t] = whole[k].b[t];
                from[k].b[0] = 1;  // the score, when no round is left
            }
            for (int at = 0; at < n; ++at)
                for (int k = m; k > 0; --k) {
                    if (k > 1) prepend(from[k - 1], whole[k - 1], from[k], at, n);
                    prepend(from[m], to[k - 1], from[k], at, n);
                }
            whole.push_back(from[m]);
        }
        return whole;
    }

    // The line of the best of some moves at scores from least to most.
    void best(const Row& as, const Row& bs, double least, double most, double& a, double& b) const {
        const auto at = [&](size_t i, double score) { return as[i] + bs[i] * score; };
        size_t low = 0, high = 0, guess = 0;
        for (size_t i = 1; i < as.size(); ++i) {
            if (at(i, least) > at(low, least)) low = i;
            if (at(i, most) > at(high, most)) high = i;
            if (at(i, 0.9 * least + 0.1 * most) > at(guess, 0.9 * least + 0.1 * most)) guess = i;
        }
        a = as[upper ? low : guess], b = bs[upper ? low : guess];
        if (!upper || low == high) return;
        b = (at(high, most) - at(low, least)) / (most - least) * (1 + 1e-12);
        a = at(low, least) * (1 + 1e-12) - b * least;
        if (a < 0) a = std::max(as[low], as[high]), b = std::max(bs[low], bs[high]);  // above both
    }

    void solve(const Dice& others, int weight) {
        const int most = rounds - weight, dice = std::accumulate(others.begin(), others.end(), 0);
        const std::vector<Law> law = returns(others, most, !dice);
        std::vector<Law>& mine = worth[others] = std::vector<Law>(most + 1);
        for (int m = most; m >= !dice; --m) {  // no table is rolled without dice
            const int n = most + 1 - m;
            std::vector<const Law*> moves;
            for (size_t i = 0; m < most && i <= others.size(); ++i) {  // a new die, or one promoted to rung i
                Dice next = others;
                if (i && !(i > 1 ? next[i - 2]-- : m)) continue;
                if (i) ++next[i - 1];
                moves.push_back(i ? &worth.at(next)[i > 1 ? m : m - 1] : &mine[m + 1]);
            }
            mine[m] = Law(n);
            Law chosen(n);
            chosen.b[0] = 1;  // the score, when no round is left
            double scores = 0;
            for (int j = 1; j <= rounds; ++j) scores += std::min(j, m + dice);
            for (int now = 1; now < n; ++now) {
                scores -= std::min(rounds + 1 - now, m + dice);
                Row as, bs;
                for (const Law* move : moves) as.push_back(move->a[now]), bs.push_back(move->b[now]);
                best(as, bs, m + dice, scores, chosen.a[now], chosen.b[now]);
            }
            for (int now = 0; now < n; ++now) prepend(mine[m], law[m], chosen, now, n);
            for (int t = 1; t <= n; ++t) mine[m].a[t] += law[m].a[t], mine[m].b[t] += law[m].b[t];
        }
    }

    void value(double& found) {
        std::fesetround(upper ? FE_UPWARD : FE_DOWNWARD);
        lowest_rung();
        for (size_t i = 1; i < faces.size(); ++i) {
            std::vector<Row> of(1, Row(1, 1.0));
            for (int n = 1; n <= rounds; ++n) {
                of.emplace_back(n + 1);
                for (int q = 0; q <= n; ++q)
                    of[n][q] = ((q < n ? of[n - 1][q] : 0) + (q ? of[n - 1][q - 1] * (faces[i] - 1) : 0)) / faces[i];
            }
            chance.push_back(of);
        }
        const Dice none(faces.size() - 1, 0);
        std::vector<std::set<Dice>> levels(rounds + 3);
        levels[0].insert(none);
        for (int weight = 0; weight <= rounds; ++weight)
            for (Dice dice : levels[weight])
                for (size_t i = 0; i < dice.size() && weight + (int)i + 2 <= rounds; ++i, --dice[i - 1])
                    ++dice[i], levels[weight + i + 2].insert(dice);
        for (int weight = rounds; weight >= 0; --weight) {
            for (const Dice& others : levels[weight]) solve(others, weight);
            for (const Dice& old : levels[weight + 2]) worth.erase(old);  // no move leads there any more
        }
        found = worth.at(none)[1].a[rounds];
    }
};

double third(int direction) {
    volatile double three = (std::fesetround(direction), 3), ratio = 1 / three;
    return ratio;
}

int main(int words, char** word) {
    if (words != 5) return fprintf(stderr, "give FACES ROUNDS LEAST MOST\n"), 2;
    Dice faces;
    for (char *text = word[1], *end; *text; text = *end ? end + 1 : end) faces.push_back((int)strtol(text, &end, 10));
    const int rounds = atoi(word[2]);
    if (rounds < 1 || rounds > 200 || faces.empty() || faces[0] < 1 || !std::is_sorted(faces.begin(), faces.end()))
        return fprintf(stderr, "no such game\n"), 2;
    if (!(third(FE_DOWNWARD) < third(FE_UPWARD))) return fprintf(stderr, "no directed rounding here\n"), 2;
    double low = 0, high = 0;
    Bound below{faces, rounds, false}, above{faces, rounds, true};
    std::thread lower(&Bound::value, &below, std::ref(low)), other(&Bound::value, &above, std::ref(high));
    lower.join(), other.join();
    std::fesetround(FE_TONEAREST);
    printf("%d rounds: from %.12f to %.12f\n", rounds, low, high);
    const double read = 1e-12;  // more than what reading decimal numbers may lose
    const bool shown = low >= atof(word[3]) + read && high <= atof(word[4]) - read;
    return puts(shown ? "accepted: play is worth so much" : "rejected: not shown"), !shown;
}
