// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/forward_focus.h"

#include <QEvent>
#include <QFocusEvent>
#include <QPointer>
#include <QWidget>

namespace p2::views {
namespace {

const QString kForwarder = QStringLiteral("focusForwarder");

class FocusForwarder : public QObject {
 public:
  explicit FocusForwarder(QWidget& container) : QObject(&container) {
    setObjectName(kForwarder);
    container.installEventFilter(this);
  }
  void setChild(QWidget& child) { m_child = &child; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::FocusIn && m_child && watched == parent()) {
      m_child->setFocus(static_cast<QFocusEvent*>(event)->reason());
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  QPointer<QWidget> m_child;
};

}  // namespace

void forwardFocus(QWidget& container, QWidget& child) {
  QObject* known = container.findChild<QObject*>(kForwarder, Qt::FindDirectChildrenOnly);
  auto* forwarder = known == nullptr ? new FocusForwarder(container) : static_cast<FocusForwarder*>(known);
  forwarder->setChild(child);
}

}  // namespace p2::views
