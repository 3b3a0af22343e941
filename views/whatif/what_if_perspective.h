// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/shell/pages.h"
#include "views/shell/perspective.h"
#include "views/whatif/what_if_points.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QStackedWidget;

namespace p2::views {

class ChangeControls;
class EmptyPage;
class InlineMessage;
class PointsModel;
class PointsTable;
class Session;
class StepBars;

/// What if? The step of the document's configuration on another machine or with another batch, before and after on one
/// scale, next to the best configuration there; and over the values of one quantity, to see where the best one changes.
class WhatIfPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit WhatIfPerspective(Session& session, QWidget* parent = nullptr);
  ~WhatIfPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {kWhatIfPage, tr("What if"), QStringLiteral("whatif")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 50, .key = "Ctrl+5"}; }
  [[nodiscard]] QWidget* mainList() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Points = std::vector<WhatIfPoint>;
  using Asked = Derived<WhatIfQuestion, Points>;

  [[nodiscard]] QWidget* makeContent();
  [[nodiscard]] QWidget* makeForm();
  [[nodiscard]] QWidget* makeTable();
  void connectParts();
  void refresh();
  void ask();
  void adopt();
  void showEmpty();
  void showPoints();
  void showTable();
  [[nodiscard]] RunningCost cost() const;

  Session& m_session;
  Asked m_kept;       ///< the chosen configuration after the change
  Asked m_best;       ///< the best one there
  Asked m_faster;     ///< faster changes nearby
  Asked m_tableKept;  ///< the chosen configuration over the values of a quantity
  Asked m_table;      ///< with the best one at each
  std::shared_ptr<const PlannerAnswer> m_answer;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  QLabel* m_finding = nullptr;
  InlineMessage* m_message = nullptr;
  ChangeControls* m_controls = nullptr;
  QDoubleSpinBox* m_price = nullptr;
  QDoubleSpinBox* m_power = nullptr;
  StepBars* m_bars = nullptr;
  QComboBox* m_over = nullptr;
  QLabel* m_searching = nullptr;
  PointsModel* m_points = nullptr;
  PointsTable* m_list = nullptr;
};

}  // namespace p2::views
