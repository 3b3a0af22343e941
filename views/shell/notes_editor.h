// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace p2::views {

class Session;

/// The document's notes. Typing edits the document at once; each line is one undo step.
class NotesEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit NotesEditor(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;

 private:
  void take();
  void refresh();
  [[nodiscard]] int heightOf(int lines) const;

  Session& m_session;
};

}  // namespace p2::views
