// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/pointer_ring.h"

#include <QPainter>
#include <QStyle>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kRadius = 30;
constexpr int kRing = 5;
constexpr int kHalo = 9;  // edge in the surface's colour, for contrast on any background

}  // namespace

PointerRing::PointerRing(QWidget* parent) : QWidget(parent) {
  setObjectName("pointerRing");
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  m_idle.setSingleShot(true);
  setIdle(kIdleMilliseconds);
  m_fade.setStartValue(1.0);
  m_fade.setEndValue(0.0);
  // 0 where the system asks for less motion: then it goes at once.
  m_fade.setDuration(2 * style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this));
  connect(&m_idle, &QTimer::timeout, this, [this] { m_fade.start(); });
  connect(&m_fade, &QVariantAnimation::valueChanged, this,
          [this](const QVariant& value) { setStrength(value.toDouble()); });
  connect(&m_fade, &QVariantAnimation::finished, this, [this] { setStrength(0); });
}

void PointerRing::setOn(bool on) {
  m_on = on;
  m_idle.stop();
  m_fade.stop();
  setStrength(on ? 1 : 0);
  if (on) m_idle.start();
}

void PointerRing::follow(QPoint at) {
  update(area());
  m_at = at;
  if (!m_on) return;
  m_fade.stop();
  setStrength(1);
  m_idle.start();
}

QRect PointerRing::area() const {
  constexpr int kReach = kRadius + kHalo;
  return {m_at.x() - kReach, m_at.y() - kReach, 2 * kReach, 2 * kReach};
}

void PointerRing::setStrength(double strength) {
  m_strength = strength;
  update(area());
}

void PointerRing::paintEvent(QPaintEvent*) {
  if (m_strength <= 0) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(m_strength);
  painter.setBrush(Qt::NoBrush);
  for (const auto& [color, width] : {std::pair(Theme::surface(), kHalo), std::pair(Theme::bad(), kRing)}) {
    painter.setPen(QPen(color, width));
    painter.drawEllipse(m_at, kRadius, kRadius);
  }
}

}  // namespace p2::views
