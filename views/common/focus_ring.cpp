// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/focus_ring.h"

#include <QEvent>
#include <QPainter>
#include <QWidget>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kWidth = 2;

/// An overlay that passes all events through.
class FocusRing : public QWidget {
 public:
  explicit FocusRing(QWidget& widget) : QWidget(&widget) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    widget.installEventFilter(this);
    hide();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    auto* widget = static_cast<QWidget*>(watched);
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::Resize) {
      setGeometry(widget->rect());
      raise();
    }
    if (event->type() == QEvent::FocusIn) show();
    if (event->type() == QEvent::FocusOut) hide();
    return QWidget::eventFilter(watched, event);
  }
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(QPen(Theme::accent(), kWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(QRectF(rect()).adjusted(kWidth / 2, kWidth / 2, -kWidth / 2, -kWidth / 2));
  }
};

}  // namespace

void showFocusRing(QWidget& widget) { new FocusRing(widget); }

}  // namespace p2::views
