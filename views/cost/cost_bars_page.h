// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/cost/cost_series.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;

namespace p2::views {

class CostPlot;
class InlineMessage;
class Session;

/// The predicted costs of all programs of all placements, side by side.
class CostBarsPage : public QWidget {
  Q_OBJECT
 public:
  explicit CostBarsPage(Session& session, QWidget* parent = nullptr);

  void zoom(double factor);
  void showAll();

 signals:
  void programWanted();  ///< the chosen program is to be watched

 private:
  QWidget* makeToolbar();
  void addChoices(QBoxLayout& layout);
  void connectPlot();
  void showFreshness();
  void rebuild();
  void showSelection();
  void showDetail(int bar);
  void selectBar(int bar);

  Session& m_session;
  CostPlot* m_plot = nullptr;
  QComboBox* m_order = nullptr;
  QCheckBox* m_onlySelected = nullptr;
  QCheckBox* m_stacked = nullptr;
  QCheckBox* m_logarithmic = nullptr;
  QLabel* m_detail = nullptr;
  InlineMessage* m_message = nullptr;

  std::shared_ptr<const Exploration> m_shown;
  CostChoice m_choice;
  Count m_leftOut;
};

}  // namespace p2::views
