// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

namespace p2::views {

/// A ring around the pointer, visible from the last row. It fades when the mouse rests. An overlay that passes all
/// events through.
class PointerRing : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kIdleMilliseconds = 2500;

  explicit PointerRing(QWidget* parent);

  void setOn(bool on);
  [[nodiscard]] bool isOn() const { return m_on; }
  /// Moves the ring to the mouse, in the parent's coordinates.
  void follow(QPoint at);
  [[nodiscard]] QPoint at() const { return m_at; }
  /// 0 … 1: gone … seen.
  [[nodiscard]] double strength() const { return m_strength; }
  /// Time after which the ring of a mouse at rest fades.
  void setIdle(int milliseconds) { m_idle.setInterval(milliseconds); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setStrength(double strength);
  [[nodiscard]] QRect area() const;

  QTimer m_idle;
  QVariantAnimation m_fade;
  QPoint m_at;
  double m_strength = 0;
  bool m_on = true;
};

}  // namespace p2::views
