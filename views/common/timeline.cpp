// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace p2::views {
namespace {

constexpr double kNearRest = 0.05;

}  // namespace

Timeline::Timeline(int steps) : m_steps(std::max(steps, 0)) {}

Timeline Timeline::restarted(int steps) const {
  Timeline next(steps);
  next.m_speed = m_speed;
  next.m_loops = m_loops;
  next.m_animated = m_animated;
  return next;
}

Timeline Timeline::paced(std::vector<double> seconds, Rests rests) const {
  Timeline next = restarted(static_cast<int>(seconds.size()));
  next.m_pausesBetween = rests == Rests::BetweenSteps;
  next.m_pace = std::move(seconds);
  return next;
}

Timeline Timeline::slowAtFirst() const {
  Timeline next = *this;
  next.m_slowAtFirst = true;
  return next;
}

void Timeline::setPace(std::vector<double> seconds) {
  if (static_cast<int>(seconds.size()) == m_steps) m_pace = std::move(seconds);
}

int Timeline::step() const { return static_cast<int>(std::floor(m_position)); }

int Timeline::shownStep() const { return std::max(0, rests() ? step() - 1 : step()); }

double Timeline::progress() const { return m_position - std::floor(m_position); }

void Timeline::play() {
  if (m_steps == 0) return;
  if (m_position == m_steps) m_position = m_target = 0;
  m_rest = 0;
  m_playing = true;
}

void Timeline::togglePlay() {
  if (m_playing) {
    pause();
  } else {
    play();
  }
}

void Timeline::forward() {
  pause();
  if (m_position < m_target) m_position = m_target;
  moveTo(static_cast<int>(std::floor(std::max(m_position, m_target))) + 1);
}

void Timeline::back() {
  pause();
  if (m_position > m_target) m_position = m_target;
  moveTo(static_cast<int>(std::ceil(std::min(m_position, m_target))) - 1);
}

void Timeline::scrubTo(double position) {
  pause();
  m_position = m_target = std::clamp(m_animated ? position : std::round(position), 0.0, double(m_steps));
}

void Timeline::settle() {
  const double rest = std::round(m_position);
  if (std::abs(rest - m_position) <= kNearRest) moveTo(static_cast<int>(rest));
}

void Timeline::advance(double seconds) {
  while (seconds > 0 && moving()) {
    if (m_position != m_target) {
      const double left = std::abs(m_target - m_position) * stepSeconds();
      const double used = std::min(left, seconds);
      m_position = used >= left ? m_target : m_position + std::copysign(used / stepSeconds(), m_target - m_position);
      seconds -= used;
      if (m_position == m_target) arrive();
    } else {
      const double used = std::min(m_rest, seconds);
      m_rest -= used;
      seconds -= used;
      if (m_rest <= 0) playOn();
    }
  }
}

void Timeline::arrive() {
  m_seen = std::max(m_seen, static_cast<int>(m_position));
  m_rest = restSeconds();
}

void Timeline::setSpeed(double speed) { m_speed = std::clamp(speed, kSlowest, kFastest); }

void Timeline::setAnimated(bool animated) {
  m_animated = animated;
  if (!animated) m_position = m_target;
}

void Timeline::moveTo(int target) {
  m_target = std::clamp(target, 0, m_steps);
  if (!m_animated) m_position = m_target;
}

void Timeline::playOn() {
  if (m_target < m_steps) {
    moveTo(static_cast<int>(std::floor(m_target)) + 1);
  } else if (m_loops) {
    m_position = m_target = 0;
  } else {
    m_playing = false;
  }
  m_rest = restSeconds();
}

double Timeline::stepSeconds() const {
  // On the way back a step ends where it began on the way there.
  const auto step = static_cast<std::size_t>(std::floor(std::min(m_position, m_target)));
  const double first = m_slowAtFirst && static_cast<int>(step) >= m_seen ? kFirstPlay : 1;
  const double seconds = m_pace.empty() ? kStepSeconds : m_pace[std::min(step, m_pace.size() - 1)];
  return first * seconds / m_speed;
}

double Timeline::restSeconds() const {
  if (!m_animated) return kStepSeconds / m_speed;
  return m_pausesBetween ? kRestSeconds / m_speed : 0;
}

}  // namespace p2::views
