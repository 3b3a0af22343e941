// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_timing.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include "views/common/inline_message.h"
#include "views/common/quantity_text.h"
#include "views/common/theme.h"

namespace p2::views {

EntriesTiming::EntriesTiming(QWidget* parent) : QWidget(parent), m_edit(new QLineEdit), m_problem(new InlineMessage) {
  auto* caption = new QLabel(tr("&Computation of a step"));
  caption->setBuddy(m_edit);
  m_edit->setObjectName("computeSeconds");
  m_edit->setAccessibleName(tr("Computation of a step"));
  m_edit->setPlaceholderText(tr("not given"));
  m_edit->setToolTip(
      tr("Seconds of computation in a step, as in 8.7 s; what may run beside it is hidden behind it. Empty: not given, "
         "and nothing is hidden (Alt+C)"));
  m_problem->setObjectName("computeProblem");
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(caption);
  row->addWidget(m_edit, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid / 2);
  layout->addLayout(row);
  layout->addWidget(m_problem);
  connect(m_edit, &QLineEdit::editingFinished, this, &EntriesTiming::read);
}

void EntriesTiming::setSeconds(std::optional<double> seconds) {
  m_seconds = seconds;
  m_edit->setText(seconds ? editableSeconds(*seconds) : QString());
  m_problem->showProblem({});
}

void EntriesTiming::read() {
  const QString typed = m_edit->text().trimmed();
  std::optional<double> seconds;
  if (!typed.isEmpty()) {
    const auto parsed = typedSeconds(typed, m_seconds.value_or(1));
    if (!parsed.ok()) return m_problem->showProblem(QString::fromStdString(parsed.error().text()));
    seconds = *parsed;
  }
  m_problem->showProblem({});
  if (seconds == m_seconds) return;
  m_seconds = seconds;
  emit secondsChosen(seconds);
}

}  // namespace p2::views
