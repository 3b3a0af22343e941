// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

class QWidget;

namespace p2::views {

/// Makes Esc restore the text that a field had when it got the focus; in an unchanged field Esc moves the focus to the
/// page. Closing an open list comes first. Undo and redo work likewise: on the typed text first, then on the document.
/// Cells of tables and dialogs have their own handling.
class FieldEscape : public QObject {
  Q_OBJECT
 public:
  /// A property of a field: the widget that lists what could be written in it, which Esc closes first.
  static constexpr const char* kSuggestions = "suggestions";
  /// Works for as long as the window lives.
  explicit FieldEscape(QWidget& window);

 signals:
  /// A field was left.
  void left();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] bool isField(const QObject* object) const;
  void follow(QWidget& field);
  void escape(QWidget& field);

  QWidget& m_window;
  QPointer<QWidget> m_field;  // that has the keyboard
  QString m_before;           // its text then, or the last accepted one
  QMetaObject::Connection m_following;
};

}  // namespace p2::views
