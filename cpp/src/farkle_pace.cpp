#include <optional>
#include <string>

#include "exactdice/farkle_race.hpp"
#include "farkle_turn.hpp"

namespace exactdice::farkle {
namespace {

// Sweeps know chances: e turns still to come are the worth 1 − e/scale, which must not fall below 0.
class Pace {
   public:
    Pace(const Player& player, double scale)
        : player_(player),
          scale_(scale),
          size_(static_cast<std::size_t>(player.target)),
          longest_(static_cast<std::size_t>(
              std::max({player.target, player.minimum_bank, player.entry}))),
          plan_(player.rolls, longest_),
          chances_(plan_, player.rolls.chances, player.rolls.busts),
          sweep_(plan_, chances_),
          turns_(size_) {
        for (auto& bank : banks_) {
            bank.assign(longest_ + 1, 0.0);
        }
    }

    // Nothing where some score needs more turns than the scale has room for.
    std::optional<std::vector<Interval>> solve(Clock& clock) {
        double low = 1, high = 1;
        for (std::size_t own = size_; own-- > 0;) {
            clock.tick(static_cast<double>(size_ - own) / static_cast<double>(size_));
            prepare(own);
            high = bound<Side::below>(high);
            if (!(high <= scale_)) {
                return std::nullopt;
            }
            low = bound<Side::above>(std::max(low, high * (1 - 1e-12)));
            turns_[own] = Interval(low, high);
        }
        return turns_;
    }

   private:
    void prepare(std::size_t own) {
        const std::size_t needed = size_ - own;
        const auto minimum = static_cast<std::size_t>(
            std::max({own == 0 ? player_.entry : 0, player_.minimum_bank, 1}));
        end_ = std::max(needed, minimum);
        bankable_ = end_ - minimum;
        for (std::size_t units = minimum; units < needed; ++units) {
            const Interval& later = turns_[own + units];
            banks_[0][needed - units] = later.upper() / scale_ - 1;  // negated
            banks_[1][needed - units] = 1 + -later.lower() / scale_;
        }
    }

    // Fewer turns are worth more: a bound of the worth from below is one of the turns from above.
    // From above: e ≥ 1 + scale·(1 − f(1 − e/scale)), whose right side has a slope below 1.
    template <Side side>
    double bound(double e) {
        constexpr bool is_high = side == Side::below;
        double room = 0;
        for (int tries = 0; tries < 400; ++tries) {
            e = std::max(e, 1.0);
            const double worth = is_high ? -(e / scale_ - 1) : 1 + -e / scale_;
            if (worth < 0) {
                break;
            }
            const double nothing = is_high ? -worth : worth;
            const Line f = sweep_.sweep<side, true>(
                end_, {banks_[is_high ? 0 : 1].data(), bankable_, nothing, nothing});
            const double next =
                is_high ? 1 + scale_ * (1 - f.value) : -(scale_ * (f.value - 1) - 1);
            const double short_of = is_high ? next - e : e - next;
            if ((short_of <= 0 || (!is_high && e == 1)) &&
                (-short_of <= 2 * room || tries >= 200)) {
                return e;
            }
            const double margin =
                short_of < 1e-13 * scale_ ? std::max(4e-15 * scale_, 2 * short_of) : 4e-15 * scale_;
            const double apart = std::max(1 - f.slope, 1e-9);
            e = tries < 100 ? (next - f.slope * e) / apart : next;
            room = 2 * margin / apart;
            e += is_high ? room : -room;
        }
        return is_high ? 2 * scale_ : 1;
    }

    const Player& player_;
    double scale_;
    std::size_t size_, longest_;
    TurnPlan plan_;
    TurnChances chances_;
    TurnSweep sweep_;
    std::vector<Interval> turns_;
    std::vector<double> banks_[2];
    std::size_t end_ = 0, bankable_ = 0;
};

}  // namespace

std::vector<Interval> least_turns(const Player& player, const Progress& progress) {
    require_rolls(player.rolls);
    if (player.target < 1 || player.target > 100'000 || player.minimum_bank < 0 ||
        player.minimum_bank > 100'000 || player.entry < 0 || player.entry > 100'000) {
        throw BadInput("target: give from 1 to 100000 units, and no more for a minimum");
    }
    const UpwardRounding rounding;
    Clock clock(progress);
    for (double scale = 16; scale < 1e9; scale *= 4) {
        if (const auto found = Pace(player, scale).solve(clock)) {
            return *found;
        }
    }
    throw BadInput("dice: give dice that reach the target in fewer turns");
}

}  // namespace exactdice::farkle
