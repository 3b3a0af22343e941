// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace p2::views {

/// Two programs that run next to each other on one of two clocks: by step, both have done the same number of steps; by
/// true time, both have run for the same seconds, and the faster one waits at the end. A plain value.
class Race {
 public:
  enum class Clock { Steps, TrueTime };
  struct Runner {
    std::vector<double> seconds;  ///< of every step that can run
    int played = 0;               ///< steps that are shown: one more where the next one cannot run
  };
  struct Moment {
    int step = 0;         ///< steps done
    double progress = 0;  ///< share of the next step that is done
    bool arrived = false;
  };

  Race() = default;
  Race(const Runner& a, const Runner& b, Clock clock);

  [[nodiscard]] Clock clock() const { return m_clock; }
  /// The steps of the timeline that drives both: by true time, the pieces between any two ends of steps.
  [[nodiscard]] int pieces() const { return m_pieces; }
  /// Display time of each piece in seconds: by true time proportional to it; by step as paceOfCosts() of the slower
  /// one.
  [[nodiscard]] const std::vector<double>& pace() const { return m_pace; }
  /// Where runner 0 or 1 is when the timeline is at `position`, 0 … pieces().
  [[nodiscard]] Moment momentOf(std::size_t runner, double position) const;
  /// The true seconds that runner 0 or 1 has run by then.
  [[nodiscard]] double secondsOf(std::size_t runner, double position) const;
  /// True seconds from start to end; 0 if no step takes any.
  [[nodiscard]] double totalOf(std::size_t runner) const;

 private:
  [[nodiscard]] double timeAt(double position) const;

  Clock m_clock = Clock::Steps;
  std::array<std::vector<double>, 2> m_ends{{{0}, {0}}};  // true seconds after 0, 1, … steps
  std::array<int, 2> m_played{};
  std::vector<double> m_cuts{0};  // true seconds at whole positions
  std::vector<double> m_pace;
  int m_pieces = 0;
};

}  // namespace p2::views
