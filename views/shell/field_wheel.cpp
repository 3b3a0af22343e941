// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/field_wheel.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

namespace p2::views {
namespace {

bool isField(const QObject* object) {
  return qobject_cast<const QComboBox*>(object) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(object) != nullptr || qobject_cast<const QSlider*>(object) != nullptr;
}

}  // namespace

FieldWheel::FieldWheel(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool FieldWheel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel && event->type() != QEvent::Show) return false;
  if (!isField(watched)) return false;
  if (event->type() == QEvent::Show) {
    // By default the wheel gives a field the focus, and the next notch would change it.
    auto* field = static_cast<QWidget*>(watched);
    if (field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
    return false;
  }
  // A list is chosen from by a click or by keys; the wheel would change it while the page is scrolled below the mouse.
  const bool isList = qobject_cast<const QComboBox*>(watched) != nullptr;
  if (!isList && static_cast<QWidget*>(watched)->hasFocus()) return false;
  event->ignore();  // the parent gets it
  return true;
}

}  // namespace p2::views
