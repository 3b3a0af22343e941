// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPointer>
#include <QTimer>

namespace p2::views {

/// One sentence next to its subject. Hidden while empty; a sign and a colour show its
/// kind.
class InlineMessage : public QLabel {
  Q_OBJECT
 public:
  enum class Kind { Problem, Good, Note };

  explicit InlineMessage(QWidget* parent = nullptr);
  /// Shows "✗ sentence" (Problem), "✓ sentence" (Good) or the sentence alone. An empty one hides the message.
  void say(Kind kind, const QString& sentence);
  void showProblem(const QString& sentence) { say(Kind::Problem, sentence); }
  /// As say(), for five seconds or until the next message.
  void sayBriefly(Kind kind, const QString& sentence);
  /// Shows itself over the form below a field instead of taking room in it, so that no field moves under the mouse.
  /// Clicks go through it. Call it once the field has its parent; add the message to no layout.
  void floatBelow(QWidget& field);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void recolor();
  void place();

  Kind m_kind = Kind::Note;
  QPointer<QWidget> m_field;  // that it floats below
  QTimer m_brief;
};

}  // namespace p2::views
