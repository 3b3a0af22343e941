// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

#include "views/program/rule_text.h"

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace p2::views {

class RuleLine;

/// One of the places at which a program goes wrong.
struct Finding {
  QString sentence;
  StageEmphasis emphasis;
};

/// All of them that are at hand, and how many there are.
struct Findings {
  std::vector<Finding> shown;
  std::int64_t count = 0;
  bool representatives = false;  ///< each represents equal ones
};

/// The rule of a step: every premise with the values of one group, the effect, the cost, and for a failing step every
/// failing position in turn. The line under the mouse or cursor is highlighted on the stage.
class RuleCard : public QScrollArea {
  Q_OBJECT
 public:
  explicit RuleCard(QWidget* parent = nullptr);

  void show(const RuleText& rule);
  /// Shows the errors of the step or program; empty findings hide them.
  void setFindings(Findings findings);
  /// Suggests a fix, with a button to try it; an empty sentence removes both.
  void setHint(const QString& sentence);
  /// Everything in plain lines.
  [[nodiscard]] QString text() const;

 signals:
  /// Emitted when the pointer or the focus moves; the emphasis is empty when it has left.
  void emphasised(const p2::views::StageEmphasis& emphasis);
  void hintTaken();

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void rebuild();
  RuleLine* addLine(const QString& name);
  void walk(int by);
  void showFinding();
  void settle();
  /// Highlights the rows of the line under the pointer or the keyboard focus, after the lines have changed.
  void point();

  RuleText m_rule;
  Findings m_findings;
  std::size_t m_finding = 0;
  bool m_walking = false;  // a finding was asked for, so it is pointed out while nothing else is
  QLabel* m_title;
  QLabel* m_groups;
  QVBoxLayout* m_lines;
  std::vector<RuleLine*> m_pool;
  std::size_t m_used = 0;  // of m_pool
  RuleLine* m_problem;
  QWidget* m_walk;
  QToolButton* m_back;
  QPushButton* m_next;
  QLabel* m_hint;
  QPushButton* m_take;
};

}  // namespace p2::views
