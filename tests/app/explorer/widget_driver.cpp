// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/widget_driver.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <QTextEdit>
#include <QWheelEvent>
#include <algorithm>
#include <array>

#include "app/explorer/nonsense.h"

namespace p2::test {
namespace {

constexpr qsizetype kTyped = 60;  // characters; more are pasted

/// Pastes what is long, or on no key of Qt Test's.
void enter(QWidget& field, const QString& text) {
  const bool keys =
      std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 32 && c.unicode() < 127; });
  if (keys && text.size() <= kTyped) return QTest::keyClicks(&field, text);
  QApplication::clipboard()->setText(text);
  QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
}

bool isField(const QWidget& widget) {
  return qobject_cast<const QLineEdit*>(&widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
         qobject_cast<const QPlainTextEdit*>(&widget) != nullptr || qobject_cast<const QTextEdit*>(&widget) != nullptr;
}

/// The list or table that a widget is, or whose items it shows.
QAbstractItemView* itemsOf(QWidget& widget) {
  if (auto* items = qobject_cast<QAbstractItemView*>(&widget)) return items;
  auto* around = qobject_cast<QAbstractItemView*>(widget.parentWidget());
  return around != nullptr && around->viewport() == &widget ? around : nullptr;
}

void wantMenu(QWidget& widget, const QPoint& at) {
  QTest::mouseClick(&widget, Qt::RightButton, {}, at);
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget.mapToGlobal(at));
  QApplication::sendEvent(&widget, &event);
}

}  // namespace

QString nameOf(const QWidget& widget) {
  const QWidget* named = &widget;
  while (named != nullptr && (named->objectName().isEmpty() || named->objectName().startsWith("qt_"))) {
    named = named->parentWidget();
  }
  const QString name = widget.metaObject()->className();
  return named == nullptr ? name : name + " \"" + named->objectName() + "\"";
}

bool isForUiDriver(const QWidget& widget) {
  if (!widget.isVisible() || !widget.isEnabled() || widget.width() < 3 || widget.height() < 3) return false;
  return widget.focusPolicy() != Qt::NoFocus || widget.hasMouseTracking() ||
         qobject_cast<const QAbstractButton*>(&widget) != nullptr;
}

void WidgetDriver::use(QWidget& widget) {
  if (auto* button = qobject_cast<QAbstractButton*>(&widget)) {
    m_tell("press " + nameOf(widget) + " " + button->text().simplified().left(40));
    QTest::mouseClick(button, Qt::LeftButton, {}, button->rect().center());
  } else if (QAbstractItemView* items = itemsOf(widget)) {
    useItems(*items);
  } else if (isField(widget)) {
    typeInto(widget);
  } else if (qobject_cast<QComboBox*>(&widget) != nullptr || qobject_cast<QAbstractSlider*>(&widget) != nullptr) {
    static constexpr std::array kKeys{Qt::Key_Down, Qt::Key_Up, Qt::Key_Home, Qt::Key_End, Qt::Key_PageDown};
    const Qt::Key key = m_choice.of(kKeys);
    m_tell(QKeySequence(key).toString() + " in " + nameOf(widget));
    widget.setFocus(Qt::MouseFocusReason);
    QTest::keyClick(&widget, key);
  } else {
    pointAt(widget);
  }
}

void WidgetDriver::useItems(QAbstractItemView& view) {
  const auto* model = view.model();
  const int rows = model == nullptr ? 0 : model->rowCount(view.rootIndex());
  const int columns = model == nullptr ? 0 : model->columnCount(view.rootIndex());
  if (rows == 0 || columns == 0) return pointAt(*view.viewport());
  // Those on top are used most.
  const int row = m_choice.below(m_choice.oneIn(3) ? rows : std::min(rows, 8));
  const QModelIndex index = model->index(row, m_choice.below(columns), view.rootIndex());
  view.scrollTo(index);
  const QPoint at = view.visualRect(index).center();
  const auto tell = [&](const QString& what) {
    m_tell(what + QStringLiteral(" of row %1, column %2 of ").arg(index.row()).arg(index.column()) + nameOf(view));
  };
  const auto press = [&](Qt::Key key) {
    tell(QKeySequence(key).toString());
    view.setFocus();
    view.setCurrentIndex(index);
    QTest::keyClick(&view, key);
  };
  switch (m_choice.below(6)) {
    case 0: {
      const QString text = nonsense(m_choice);
      tell("double click and \"" + text.left(kTyped) + "\"");
      QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
      QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, at);
      auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
      if (editor == nullptr) break;
      editor->selectAll();
      enter(*editor, text);
      if (!m_choice.oneIn(4)) QTest::keyClick(editor, m_choice.oneIn(5) ? Qt::Key_Escape : Qt::Key_Return);
      break;
    }
    case 1:
      tell("right click");
      return wantMenu(*view.viewport(), at);
    case 2:
      return press(Qt::Key_Delete);
    case 3:
      return press(Qt::Key_Return);
    default:
      tell("click");
      QTest::mouseClick(view.viewport(), Qt::LeftButton, m_choice.oneIn(5) ? Qt::ControlModifier : Qt::NoModifier, at);
  }
}

void WidgetDriver::typeInto(QWidget& field) {
  const QString text = nonsense(m_choice);
  m_tell("type \"" + text.left(kTyped) + "\" into " + nameOf(field));
  field.setFocus(Qt::MouseFocusReason);
  if (!m_choice.oneIn(5)) QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
  enter(field, text);
  static constexpr std::array kEnds{Qt::Key_Return, Qt::Key_Return, Qt::Key_Tab, Qt::Key_Escape};
  if (!m_choice.oneIn(4)) QTest::keyClick(&field, m_choice.of(kEnds));
}

void WidgetDriver::pointAt(QWidget& canvas) {
  const QPoint from = m_choice.placeIn(canvas);
  const QPoint to = m_choice.placeIn(canvas);
  const auto held = m_choice.oneIn(4) ? Qt::ControlModifier : m_choice.oneIn(4) ? Qt::ShiftModifier : Qt::NoModifier;
  const auto tell = [&](const QString& what) {
    m_tell(what + QStringLiteral(" at %1, %2 of ").arg(from.x()).arg(from.y()) + nameOf(canvas));
  };
  switch (m_choice.below(7)) {
    case 0:
      tell("drag");
      QTest::mousePress(&canvas, Qt::LeftButton, held, from);
      QTest::mouseMove(&canvas, (from + to) / 2);
      QTest::mouseMove(&canvas, to);
      QTest::mouseRelease(&canvas, Qt::LeftButton, held, to);
      break;
    case 1:
      tell("double click");
      QTest::mouseDClick(&canvas, Qt::LeftButton, held, from);
      break;
    case 2: {
      tell("wheel");
      QWheelEvent event(QPointF(from), canvas.mapToGlobal(QPointF(from)), {}, QPoint(0, m_choice.oneIn(2) ? 120 : -120),
                        Qt::NoButton, held, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&canvas, &event);
      break;
    }
    case 3:
      tell("right click");
      return wantMenu(canvas, from);
    case 4:
      tell("move");
      QTest::mouseMove(&canvas, from);
      break;
    default:
      tell("click");
      QTest::mouseClick(&canvas, Qt::LeftButton, held, from);
  }
}

}  // namespace p2::test
