// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/notes_editor.h"

#include <QKeyEvent>
#include <QSignalBlocker>
#include <QTextBlock>

#include "views/common/text.h"
#include "views/shell/session.h"

namespace p2::views {

NotesEditor::NotesEditor(Session& session, QWidget* parent) : QPlainTextEdit(parent), m_session(session) {
  setObjectName(QStringLiteral("notes"));
  setAccessibleName(tr("Notes"));
  setToolTip(tr("Notes, saved with this document"));
  setPlaceholderText(tr("Notes on this document"));
  setTabChangesFocus(true);
  // The session's list of edits is the only one.
  setUndoRedoEnabled(false);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  connect(this, &QPlainTextEdit::textChanged, this, &NotesEditor::take);
  connect(&session, &Session::notesChanged, this, &NotesEditor::refresh);
  refresh();
}

bool NotesEditor::event(QEvent* event) {
  // A text field keeps these keys to itself even when it has nothing to undo.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) return false;
  }
  return QPlainTextEdit::event(event);
}

void NotesEditor::take() {
  Workspace next = *m_session.workspace();
  next.notes = toPlainText().toStdString();
  m_session.edit(tr("Change notes"), std::move(next), QStringLiteral("notes %1").arg(textCursor().blockNumber()));
}

void NotesEditor::refresh() {
  const QString notes = qs(m_session.workspace()->notes);
  if (notes == toPlainText()) return;
  const QSignalBlocker quiet(this);
  const int position = textCursor().position();
  setPlainText(notes);
  QTextCursor cursor = textCursor();
  cursor.setPosition(std::min(position, int(notes.size())));
  setTextCursor(cursor);
}

int NotesEditor::heightOf(int lines) const {
  return lines * fontMetrics().lineSpacing() + 2 * (frameWidth() + int(document()->documentMargin()));
}

QSize NotesEditor::sizeHint() const { return {QPlainTextEdit::sizeHint().width(), heightOf(4)}; }
QSize NotesEditor::minimumSizeHint() const { return {QPlainTextEdit::minimumSizeHint().width(), heightOf(1)}; }

}  // namespace p2::views
