// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QWidget>

#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "views/strategy/needs_model.h"
#include "views/strategy/strategy_answer.h"
#include "views/strategy/strategy_loading.h"

class QPushButton;

namespace p2::views {

class InlineMessage;
class Session;
class StrategyFinder;

/// The way from a strategy to the placements: the collectives it needs; a click makes one the workspace's
/// axes, reduction and bytes.
class NeedsPanel : public QWidget {
  Q_OBJECT
 public:
  NeedsPanel(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Shows the needs of the answer's strategy of that rank.
  void showStrategy(std::size_t strategy);

 signals:
  void placementsWanted();

 private:
  struct Question {
    std::shared_ptr<const StrategyAnswer> answer;
    std::size_t rank = 0;  ///< index of its strategy
    friend bool operator==(const Question&, const Question&) = default;
  };
  void makeTable();
  void refresh();
  void follow();
  void showNeeds(const std::vector<StrategyNeed>& needs);
  void refreshButton();
  void carry();

  Session& m_session;
  StrategyFinder& m_finder;
  NeedsModel m_model;
  OwnedView<QTableView> m_table;
  InlineMessage* m_message = nullptr;
  QPushButton* m_carry = nullptr;
  std::size_t m_strategy = 0;
  Derived<Question, std::vector<StrategyNeed>> m_needs;
};

}  // namespace p2::views
