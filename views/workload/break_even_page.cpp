// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/break_even_page.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/workload/break_even_plot.h"

namespace p2::views {

BreakEvenPage::BreakEvenPage(QWidget* parent)
    : QWidget(parent),
      m_first(makeChoice("breakEvenFirst", tr("The entries that stay as they are"))),
      m_second(makeChoice("breakEvenSecond", tr("The entries that grow"))),
      m_finding(new QLabel),
      m_message(new InlineMessage),
      m_plot(new BreakEvenPlot) {
  m_plot->setObjectName("breakEvenPlot");
  m_plot->setMinimumSize(280, 180);
  wrapped(named(m_finding, "breakEvenFinding"));
  m_message->setObjectName("breakEvenMessage");
  auto* second = new QLabel(tr("&Grow"));
  second->setBuddy(m_second);
  auto* first = new QLabel(tr("over"));
  first->setBuddy(m_first);
  auto* bar = new QHBoxLayout;
  bar->setSpacing(Theme::kGrid);
  bar->addWidget(second);
  bar->addWidget(m_second);
  bar->addWidget(first);
  bar->addWidget(m_first);
  bar->addStretch();
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addLayout(bar);
  layout->addWidget(m_message);
  layout->addWidget(m_finding);
  layout->addWidget(m_plot, 1);
  forwardFocus(*this, *m_plot);
}

QComboBox* BreakEvenPage::makeChoice(const char* name, const QString& accessible) {
  auto* choice = new QComboBox;
  choice->setObjectName(name);
  choice->setAccessibleName(accessible);
  choice->setToolTip(accessible);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(choice, &QComboBox::activated, this, &BreakEvenPage::showChart);
  return choice;
}

void BreakEvenPage::setRanking(std::shared_ptr<const StepRanking> ranking) {
  if (ranking == m_ranking) return;
  m_ranking = std::move(ranking);
  fillChoices();
  showChart();
}

// The choice stays while its title exists: sliders change no titles.
void BreakEvenPage::fillChoices() {
  const QString first = m_first->currentText();
  const QString second = m_second->currentText();
  m_choices = m_ranking ? groupChoices(*m_ranking) : std::vector<GroupChoice>{};
  const QSignalBlocker quietFirst(m_first);
  const QSignalBlocker quietSecond(m_second);
  for (QComboBox* choice : {m_first, m_second}) {
    choice->clear();
    for (const GroupChoice& each : m_choices) choice->addItem(each.title);
    choice->setEnabled(m_choices.size() > 1);
  }
  if (m_first->findText(first) >= 0 && m_second->findText(second) >= 0 && first != second) {
    m_first->setCurrentText(first);
    m_second->setCurrentText(second);
    return;
  }
  const auto standard = m_ranking ? breakEvens(*m_ranking) : std::nullopt;
  if (!standard) return m_second->setCurrentIndex(m_choices.size() > 1 ? 1 : 0);
  const auto show = [this](QComboBox& choice, const EntryGroup& group) {
    const auto found = std::find_if(m_choices.begin(), m_choices.end(),
                                    [&](const GroupChoice& each) { return each.group.entries == group.entries; });
    choice.setCurrentIndex(int(found - m_choices.begin()));
  };
  show(*m_first, standard->first);
  show(*m_second, standard->second);
}

void BreakEvenPage::showChart() {
  const int first = m_first->currentIndex();
  const int second = m_second->currentIndex();
  const bool two = m_ranking && first >= 0 && second >= 0 && first != second;
  m_message->say(InlineMessage::Kind::Note, two || !m_ranking ? QString()
                                            : m_choices.size() < 2
                                                ? tr("The workload has one entry; break-evens compare two.")
                                                : tr("Choose two different groups of entries."));
  m_finding->setVisible(two);
  if (!two) return m_plot->setChart(m_ranking, std::nullopt);
  BreakEvenChart chart =
      breakEvenChart(*m_ranking, m_choices[std::size_t(first)].group, m_choices[std::size_t(second)].group);
  m_finding->setText(breakEvenFinding(*m_ranking, chart));
  m_plot->setChart(m_ranking, std::move(chart));
  m_plot->setChosen(m_chosen);
}

void BreakEvenPage::setStale(bool stale) { m_plot->setStale(stale); }

void BreakEvenPage::setChosen(int placement) {
  m_chosen = placement;
  m_plot->setChosen(placement);
}

}  // namespace p2::views
