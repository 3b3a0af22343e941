// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "views/stage/stage_emphasis.h"

namespace p2::views {

/// A line of a rule that points at something on the stage while the mouse or the keyboard is on it.
class RuleLine : public QLabel {
  Q_OBJECT
 public:
  explicit RuleLine(QWidget* parent = nullptr);
  /// `mark` stands in front in its colour, `value` behind in bold; either may be empty.
  void say(const QString& mark, const QColor& colour, const QString& text, const QString& value,
           StageEmphasis emphasis);
  /// The emphasis of the line while the pointer or the keyboard focus is on it, else null.
  [[nodiscard]] const StageEmphasis* pointedAt() const;

 signals:
  void pointed(const p2::views::StageEmphasis& emphasis);
  /// The pointer or the focus has left the line.
  void left();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  StageEmphasis m_emphasis;
};

}  // namespace p2::views
