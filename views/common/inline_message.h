// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

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

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void recolor();

  Kind m_kind = Kind::Note;
};

}  // namespace p2::views
