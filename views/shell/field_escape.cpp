// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/field_escape.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>

namespace p2::views {
namespace {

/// Whether there was something to take back.
bool revertBox(QAbstractSpinBox& box) {
  const QString typed = box.text();
  if (auto* whole = qobject_cast<QSpinBox*>(&box)) whole->setValue(whole->value());
  if (auto* decimal = qobject_cast<QDoubleSpinBox*>(&box)) decimal->setValue(decimal->value());
  return box.text() != typed;
}

/// Restores through the same signals as typing, so that listeners clear their messages.
bool revertLine(QLineEdit& line, const QString& before) {
  if (line.text() == before) return false;
  line.setText(before);
  emit line.textEdited(before);
  line.setModified(true);
  emit line.editingFinished();
  line.setModified(false);
  line.selectAll();
  return true;
}

/// The list that has dropped down from a combo box of the window, if one has. It closes itself at Esc and leaves the
/// key to the window's shortcuts.
QWidget* droppedList(const QWidget& window) {
  QWidget* popup = QApplication::activePopupWidget();
  const QWidget* box = popup == nullptr ? nullptr : qobject_cast<QComboBox*>(popup->parentWidget());
  return box != nullptr && box->window() == &window ? popup : nullptr;
}

/// Whether undo and redo keys apply to text that was typed into a field and not yet accepted.
bool keepsUndo(QWidget& field, const QKeyEvent& key) {
  auto* line = qobject_cast<QLineEdit*>(&field);
  if (line == nullptr) line = field.findChild<QLineEdit*>();
  if (line == nullptr || line->isReadOnly() || !line->isModified()) return false;
  return key.matches(QKeySequence::Undo) ? line->isUndoAvailable() : line->isRedoAvailable();
}

/// Whether the keyboard is away only for as long as a menu or another window is open.
bool comesBack(const QFocusEvent& event) {
  return event.reason() == Qt::ActiveWindowFocusReason || event.reason() == Qt::PopupFocusReason ||
         event.reason() == Qt::MenuBarFocusReason;
}

}  // namespace

FieldEscape::FieldEscape(QWidget& window) : QObject(&window), m_window(window) { qApp->installEventFilter(this); }

bool FieldEscape::isField(const QObject* object) const {
  const auto* widget = qobject_cast<const QWidget*>(object);
  if (widget == nullptr || widget->window() != &m_window) return false;
  for (const QWidget* above = widget->parentWidget(); above != nullptr; above = above->parentWidget()) {
    if (qobject_cast<const QAbstractItemView*>(above) != nullptr) return false;
  }
  const auto* text = qobject_cast<const QPlainTextEdit*>(widget);
  return qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr || (text != nullptr && !text->isReadOnly());
}

void FieldEscape::follow(QWidget& field) {
  if (m_field == &field) return;
  disconnect(m_following);
  m_field = &field;
  m_before.clear();
  auto* line = qobject_cast<QLineEdit*>(&field);
  if (line == nullptr) return;
  m_before = line->text();
  // The receiver of an accepted text writes it again.
  m_following = connect(line, &QLineEdit::textChanged, this, [this, line](const QString& text) {
    if (!line->isModified()) m_before = text;
  });
}

void FieldEscape::escape(QWidget& field) {
  auto* box = qobject_cast<QAbstractSpinBox*>(&field);
  auto* line = qobject_cast<QLineEdit*>(&field);
  const bool reverted = box != nullptr ? revertBox(*box) : line != nullptr && revertLine(*line, m_before);
  if (!reverted) emit left();
}

bool FieldEscape::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    if (QWidget* dropped = droppedList(m_window)) {
      dropped->close();
      event->accept();
      return true;
    }
  }
  if (type == QEvent::FocusIn && isField(watched)) follow(*static_cast<QWidget*>(watched));
  if (type == QEvent::FocusOut && watched == m_field && comesBack(*static_cast<QFocusEvent*>(event))) return false;
  if (type == QEvent::FocusOut && watched == m_field) m_field = nullptr;
  if (m_field == nullptr || watched != m_field) return false;
  if (type != QEvent::ShortcutOverride && type != QEvent::KeyPress) return false;
  const auto* key = static_cast<const QKeyEvent*>(event);
  if (type == QEvent::ShortcutOverride && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
    // A field without changes leaves the key to the document.
    if (qobject_cast<QPlainTextEdit*>(watched) != nullptr || keepsUndo(*m_field, *key)) return false;
    event->ignore();
    return true;
  }
  if (key->key() != Qt::Key_Escape || key->modifiers() != Qt::NoModifier) return false;
  if (type == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  const auto* suggestions = m_field->property(kSuggestions).value<QWidget*>();
  if (suggestions != nullptr && suggestions->isVisible()) return false;
  escape(*m_field);
  return true;
}

}  // namespace p2::views
