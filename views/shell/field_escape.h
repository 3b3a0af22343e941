// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

class QWidget;

namespace p2::views {

/// What Esc does to a field of a window before it does anything else, but for closing a list that has dropped down: it
/// takes back what was typed since the field got the keyboard; from a field in which nothing is to be taken back it
/// leads to its page. Undo and redo are for what was typed as well, and where there is nothing of it for the document.
/// Cells of tables, which do so themselves, and dialogs are left alone.
class FieldEscape : public QObject {
  Q_OBJECT
 public:
  /// A property of a field: the widget that lists what could be written in it, which Esc closes first.
  static constexpr const char* kSuggestions = "suggestions";
  /// For as long as the window lives.
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
  QString m_before;           // what was in it then, or was taken over since
  QMetaObject::Connection m_following;
};

}  // namespace p2::views
