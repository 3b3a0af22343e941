// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/timeline.h"

#include <algorithm>
#include <cmath>

namespace p2::views {

Timeline::Timeline(int steps) : m_steps(std::max(steps, 0)) {}

Timeline Timeline::restarted(int steps) const {
  Timeline next(steps);
  next.m_speed = m_speed;
  next.m_loops = m_loops;
  next.m_animated = m_animated;
  return next;
}

int Timeline::step() const { return static_cast<int>(std::floor(m_position)); }

double Timeline::progress() const {
  const double done = m_position - std::floor(m_position);
  return done * done * (3 - 2 * done);
}

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
  moveTo(static_cast<int>(std::floor(std::max(m_position, m_target))) + 1);
}

void Timeline::back() {
  pause();
  moveTo(static_cast<int>(std::ceil(std::min(m_position, m_target))) - 1);
}

void Timeline::scrubTo(double position) {
  pause();
  m_position = m_target = std::clamp(position, 0.0, double(m_steps));
}

void Timeline::settle() { moveTo(static_cast<int>(std::lround(m_position))); }

void Timeline::advance(double seconds) {
  if (m_position != m_target) {
    // Steps that were asked for in quick succession are caught up with in the time of one.
    const double way = std::abs(m_target - m_position);
    const double pace = std::max(way, 1.0) * seconds / stepSeconds();
    m_position = pace >= way ? m_target : m_position + std::copysign(pace, m_target - m_position);
    if (m_position == m_target) m_rest = restSeconds();
  } else if (m_playing) {
    m_rest -= seconds;
    if (m_rest <= 0) playOn();
  }
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

double Timeline::stepSeconds() const { return std::clamp(0.35 / m_speed, 0.15, 0.4); }
double Timeline::restSeconds() const { return 0.85 / m_speed; }

}  // namespace p2::views
