// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

#include "views/common/timeline.h"

namespace p2::views {

/// A timeline and the clock that drives it. The clock runs only while something moves.
class Player : public QObject {
  Q_OBJECT
 public:
  explicit Player(QObject* parent = nullptr);

  [[nodiscard]] const Timeline& timeline() const { return m_timeline; }
  /// The only way to change the timeline.
  void change(const std::function<void(Timeline&)>& edit);

 signals:
  void moved();

 private:
  void tick();

  Timeline m_timeline;
  QTimer m_clock;
  QElapsedTimer m_sinceTick;
};

}  // namespace p2::views
