// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "views/shell/step_planner.h"

class QLabel;

namespace p2::views {

class BriefLabel;

/// The sentences of the page Plan: the best configuration of the rows, hints that name another row or the best that the
/// filters hide, and the chosen row. A click on a row's name chooses it. The room of the last sentence is kept, so that
/// a choice moves nothing.
class PlanFinding : public QWidget {
  Q_OBJECT
 public:
  explicit PlanFinding(QWidget* parent = nullptr);

  /// The shown configuration and rows of an answer.
  struct Shown {
    const PlannedConfiguration* planned = nullptr;
    int place = -1;                  ///< place of `planned` in the answer; −1: it has no row
    std::optional<Error> lost = {};  ///< why the choice is not shown
    bool isStale = false;
  };
  void setAnswer(const PlannerAnswer& found, const Shown& shown);
  /// The largest number of lines where room is short, for all sentences together; 0: room for all.
  void setMostLines(int lines);
  /// All sentences.
  [[nodiscard]] QString text() const;

 signals:
  void placeWanted(int place);
  void allWanted();  ///< without filters

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showHints(const PlannerAnswer& found);
  void showSentences();
  void keepRoomForChoice();

  BriefLabel* m_best;
  QLabel* m_hints;
  BriefLabel* m_chosen;
  QString m_bestText;
  QString m_hintText;
  QString m_hintLinks;  // m_hintText as HTML
  QString m_chosenText;
  QString m_longest;  // sentence about a choice in this answer
  bool m_isStale = false;
  int m_mostLines = 0;
};

}  // namespace p2::views
