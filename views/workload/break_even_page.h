// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "views/workload/break_even_lines.h"

class QComboBox;
class QLabel;

namespace p2::views {

class BreakEvenPlot;
class InlineMessage;

/// Two groups of entries to weigh against each other, and for every ratio of them the best placement.
class BreakEvenPage : public QWidget {
  Q_OBJECT
 public:
  explicit BreakEvenPage(QWidget* parent = nullptr);

  void setRanking(std::shared_ptr<const StepRanking> ranking);
  void setStale(bool stale);
  void setChosen(int placement);
  [[nodiscard]] BreakEvenPlot& plot() { return *m_plot; }

 private:
  QComboBox* makeChoice(const char* name, const QString& accessible);
  void fillChoices();
  void showChart();

  std::shared_ptr<const StepRanking> m_ranking;
  std::vector<GroupChoice> m_choices;
  QComboBox* m_first;
  QComboBox* m_second;
  QLabel* m_finding;
  InlineMessage* m_message;
  BreakEvenPlot* m_plot;
  int m_chosen = -1;
};

}  // namespace p2::views
