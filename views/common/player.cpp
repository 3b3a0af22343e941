// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/player.h"

#include <algorithm>

namespace p2::views {
namespace {

constexpr int kFrameMilliseconds = 16;
/// A window that was hidden or blocked goes on where it was instead of leaping ahead.
constexpr double kLongestTick = 0.1;

}  // namespace

Player::Player(QObject* parent) : QObject(parent) {
  m_clock.setTimerType(Qt::PreciseTimer);
  m_clock.setInterval(kFrameMilliseconds);
  connect(&m_clock, &QTimer::timeout, this, &Player::tick);
}

void Player::change(const std::function<void(Timeline&)>& edit) {
  edit(m_timeline);
  if (!m_timeline.moving()) {
    m_clock.stop();
  } else if (!m_clock.isActive()) {
    m_sinceTick.start();
    m_clock.start();
  }
  emit moved();
}

void Player::tick() {
  const double seconds = std::min(double(m_sinceTick.nsecsElapsed()) * 1e-9, kLongestTick);
  m_sinceTick.start();
  change([seconds](Timeline& timeline) { timeline.advance(seconds); });
}

}  // namespace p2::views
