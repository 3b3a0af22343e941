// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/first_paint.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>
#include <utility>

namespace p2::explorer {
namespace {

class PaintWatch : public QObject {
 public:
  PaintWatch(QWidget& window, std::function<void()> then) : QObject(&window), m_then(std::move(then)) {
    window.installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    // The children are painted before control returns to the event loop.
    if (event->type() == QEvent::Paint && m_then) QTimer::singleShot(0, watched, std::exchange(m_then, {}));
    return false;
  }

 private:
  std::function<void()> m_then;
};

}  // namespace

void onFirstPaint(QWidget& window, std::function<void()> then) { new PaintWatch(window, std::move(then)); }

}  // namespace p2::explorer
