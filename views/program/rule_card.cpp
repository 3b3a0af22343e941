// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/rule_card.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/program/rule_line.h"

namespace p2::views {
namespace {

QLabel* wrapped(const char* name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

}  // namespace

RuleCard::RuleCard(QWidget* parent)
    : QScrollArea(parent),
      m_title(wrapped("ruleTitle")),
      m_groups(wrapped("ruleGroups")),
      m_lines(new QVBoxLayout),
      m_problem(new RuleLine),
      m_walk(new QWidget),
      m_back(new QToolButton),
      m_next(new QPushButton),
      m_hint(wrapped("ruleHint")),
      m_take(new QPushButton(tr("&Try it"))) {
  QFont bold = font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_problem->setObjectName("ruleProblem");
  m_back->setObjectName("previousFinding");
  m_back->setText("◂");
  m_back->setToolTip(tr("Previous position"));
  m_back->setAccessibleName(tr("Previous failing position"));
  named(m_next, "nextFinding", {}, tr("Next failing position"));
  named(m_take, "takeHint", {}, tr("Try the suggested program"));
  connect(m_back, &QToolButton::clicked, this, [this] { walk(-1); });
  connect(m_next, &QPushButton::clicked, this, [this] { walk(1); });
  connect(m_take, &QPushButton::clicked, this, &RuleCard::hintTaken);
  connect(m_problem, &RuleLine::pointed, this, &RuleCard::emphasised);
  connect(m_problem, &RuleLine::left, this, &RuleCard::settle);

  auto* walking = new QHBoxLayout(m_walk);
  walking->setContentsMargins(4, 0, 4, 0);
  walking->addWidget(m_back);
  walking->addWidget(m_next);
  walking->addStretch();
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->setSpacing(4);
  m_lines->setSpacing(2);
  layout->addWidget(m_title);
  layout->addWidget(m_groups);
  layout->addWidget(m_problem);
  layout->addWidget(m_walk);
  layout->addWidget(m_hint);
  layout->addWidget(m_take, 0, Qt::AlignLeft);
  layout->addLayout(m_lines);
  layout->addStretch();
  setWidget(content);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setObjectName("ruleCard");
  setAccessibleName(tr("Rule of the step"));
  setFocusPolicy(Qt::NoFocus);
  setFindings({});
  setHint({});
  // As wide as a short sentence at any text size.
  setMinimumWidth(fontMetrics().averageCharWidth() * 30);
}

QString RuleCard::text() const { return toPlainText(m_rule); }

void RuleCard::show(const RuleText& rule) {
  m_rule = rule;
  m_finding = 0;
  m_walking = false;
  rebuild();
  point();
  setAccessibleDescription(text());
  QAccessibleEvent reported(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&reported);
}

void RuleCard::rebuild() {
  m_used = 0;
  m_title->setText(m_rule.title);
  m_groups->setText(m_rule.groups);
  m_groups->setVisible(!m_rule.groups.isEmpty());
  for (const RuleText::Premise& premise : m_rule.premises) {
    RuleLine* line = addLine("premise");
    switch (premise.mark) {
      case RuleText::Mark::Holds:
        line->say("✓", Theme::good(), premise.text, premise.values.text, premise.values.emphasis);
        break;
      case RuleText::Mark::Broken:
        line->say("✗", Theme::bad(), premise.text, premise.values.text, premise.values.emphasis);
        break;
      case RuleText::Mark::Unknown:
        line->say("–", Theme::mutedText(), tr("not checked: %1").arg(premise.text), {}, {});
        break;
    }
  }
  if (!m_rule.effect.isEmpty()) {
    const QString outcome = m_rule.outcome.text.isEmpty() ? QString() : "\n" + m_rule.outcome.text;
    addLine("effect")->say("⟹", Theme::text(), m_rule.effect + outcome, {}, m_rule.outcome.emphasis);
  }
  for (const QString& fact : m_rule.facts) addLine("fact")->say({}, {}, fact, {}, m_rule.group);
  for (std::size_t unused = m_used; unused < m_pool.size(); ++unused) {
    m_pool[unused]->setObjectName({});
    m_pool[unused]->hide();
  }
  showFinding();
}

// Lines are used again, so that the keyboard stays on one while steps pass.
RuleLine* RuleCard::addLine(const QString& name) {
  if (m_used == m_pool.size()) {
    auto* line = new RuleLine;
    connect(line, &RuleLine::pointed, this, &RuleCard::emphasised);
    connect(line, &RuleLine::left, this, &RuleCard::settle);
    m_lines->addWidget(line);
    m_pool.push_back(line);
  }
  RuleLine* line = m_pool[m_used++];
  line->setObjectName(name);
  line->show();
  return line;
}

void RuleCard::setFindings(Findings findings) {
  m_findings = std::move(findings);
  m_finding = 0;
  const bool walked = std::exchange(m_walking, false);
  showFinding();
  if (walked) point();
}

void RuleCard::showFinding() {
  const bool any = m_finding < m_findings.shown.size();
  const QString sentence = any && m_walking ? m_findings.shown[m_finding].sentence : m_rule.problem;
  m_problem->setVisible(!sentence.isEmpty());
  m_problem->say("✗", Theme::bad(), {}, sentence, any ? m_findings.shown[m_finding].emphasis : StageEmphasis{});
  m_walk->setVisible(!sentence.isEmpty() && any && m_findings.count > 1);
  const QString places = m_findings.representatives ? tr("%1 of %2 kinds ▸") : tr("%1 of %2 ▸");
  m_next->setText(places.arg(m_finding + 1).arg(m_findings.count));
  m_next->setAccessibleName(
      tr("Failing position %1 of %2; press for the next").arg(m_finding + 1).arg(m_findings.count));
}

void RuleCard::walk(int by) {
  const auto count = int(m_findings.shown.size());
  // The first press shows the first place, which the count already names.
  m_finding = std::size_t(m_walking ? (int(m_finding) + by + count) % count : int(m_finding));
  if (!m_walking && by > 0 && count > 1 && m_problem->isVisible()) m_finding = 1;
  m_walking = true;
  showFinding();
  settle();
}

void RuleCard::settle() { emit emphasised(m_walking ? m_findings.shown[m_finding].emphasis : StageEmphasis{}); }

// Another step has other rows: no highlight outlives its step.
void RuleCard::point() {
  std::vector<RuleLine*> lines(m_pool.begin(), m_pool.begin() + std::ptrdiff_t(m_used));
  lines.push_back(m_problem);
  for (const RuleLine* line : lines) {
    if (const StageEmphasis* emphasis = line->pointedAt()) return emit emphasised(*emphasis);
  }
  settle();
}

void RuleCard::setHint(const QString& sentence) {
  m_hint->setText(sentence.isEmpty() ? QString() : tr("Fix: %1").arg(sentence));
  m_hint->setVisible(!sentence.isEmpty());
  m_take->setVisible(!sentence.isEmpty());
}

// Space presses the button that has the keyboard; elsewhere it plays.
bool RuleCard::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    event->accept();
    return true;
  }
  return QScrollArea::event(event);
}

// Rich text keeps the colours that it was made with.
void RuleCard::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) rebuild();
  if (event->type() == QEvent::FontChange) setMinimumWidth(fontMetrics().averageCharWidth() * 30);
}

}  // namespace p2::views
