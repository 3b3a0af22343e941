// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/race.h"

#include <algorithm>

#include "base/near.h"
#include "views/common/pace.h"
#include "views/common/timeline.h"

namespace p2::views {
namespace {

/// However short, a piece is seen to pass.
constexpr double kLeastSeconds = 0.05;

}  // namespace

Race::Race(const Runner& a, const Runner& b, Clock clock) : m_clock(clock), m_played{a.played, b.played} {
  const std::array<const Runner*, 2> runners{&a, &b};
  for (std::size_t i = 0; i < 2; ++i) {
    for (const double seconds : runners[i]->seconds) m_ends[i].push_back(m_ends[i].back() + seconds);
  }
  if (clock == Clock::Steps) {
    m_pieces = std::max(a.played, b.played);
    std::vector<double> costs(std::size_t(m_pieces), 0);
    for (const Runner* runner : runners) {
      for (std::size_t i = 0; i < std::min(costs.size(), runner->seconds.size()); ++i) {
        costs[i] = std::max(costs[i], runner->seconds[i]);
      }
    }
    m_pace = paceOfCosts(costs);
    return;
  }
  const double whole = std::max(totalOf(0), totalOf(1));
  std::vector<double> ends = m_ends[0];
  ends.insert(ends.end(), m_ends[1].begin(), m_ends[1].end());
  std::sort(ends.begin(), ends.end());
  for (const double end : ends) {
    if (end > m_cuts.back() + kArithmeticTolerance * whole) m_cuts.push_back(end);
  }
  m_pieces = int(m_cuts.size()) - 1;
  const double shown = Timeline::kStepSeconds * std::max(double(m_ends[0].size()), double(m_ends[1].size()));
  for (std::size_t i = 1; i < m_cuts.size(); ++i) {
    m_pace.push_back(std::max(kLeastSeconds, shown * (m_cuts[i] - m_cuts[i - 1]) / whole));
  }
}

double Race::totalOf(std::size_t runner) const { return m_ends[runner].back(); }

double Race::timeAt(double position) const {
  const double clamped = std::clamp(position, 0.0, double(m_pieces));
  const auto piece = std::size_t(clamped);
  if (piece >= std::size_t(m_pieces)) return m_cuts.back();
  return m_cuts[piece] + (m_cuts[piece + 1] - m_cuts[piece]) * (clamped - double(piece));
}

Race::Moment Race::momentOf(std::size_t runner, double position) const {
  if (m_clock == Clock::Steps) {
    const double clamped = std::clamp(position, 0.0, double(m_played[runner]));
    const int step = int(clamped);
    return {step, clamped - step, step == m_played[runner]};
  }
  const std::vector<double>& ends = m_ends[runner];
  const double whole = m_cuts.back();
  const double now = timeAt(position) + kArithmeticTolerance * whole;
  const auto next = std::upper_bound(ends.begin(), ends.end(), now);
  const int step = int(next - ends.begin()) - 1;
  if (next == ends.end()) return {step, 0, true};
  const double progress =
      (now - kArithmeticTolerance * whole - ends[std::size_t(step)]) / (*next - ends[std::size_t(step)]);
  return {step, std::clamp(progress, 0.0, 1.0), false};
}

double Race::secondsOf(std::size_t runner, double position) const {
  if (m_clock == Clock::TrueTime) return std::min(timeAt(position), totalOf(runner));
  const std::vector<double>& ends = m_ends[runner];
  const Moment moment = momentOf(runner, position);
  const auto done = std::min(std::size_t(moment.step), ends.size() - 1);
  if (done + 1 == ends.size()) return ends.back();
  return ends[done] + (ends[done + 1] - ends[done]) * moment.progress;
}

}  // namespace p2::views
