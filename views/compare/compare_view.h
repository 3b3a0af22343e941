// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "views/common/timeline.h"
#include "views/compare/compared_run.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace p2::views {

class PortBars;
class RaceLanes;
class StageLegend;
class StageView;

/// Two runs side by side, or one above the other where it is narrow: the deciding difference in one sentence, their
/// steps over true time, and for each its stage and the bytes through its ports. Both stages share their view.
class CompareView : public QWidget {
  Q_OBJECT
 public:
  explicit CompareView(QWidget* parent = nullptr);

  void setRuns(std::shared_ptr<const ComparedRuns> runs);
  /// Measured runs of the two programs in one sentence; empty for none.
  void setMeasured(const QString& sentence);
  void setClock(Race::Clock clock);
  [[nodiscard]] const Race& race() const { return m_race; }
  /// At a position of a timeline of race().pieces() steps.
  void setPosition(double position);
  [[nodiscard]] StageView& stage(std::size_t side) { return *m_sides[side].stage; }
  /// Where the timeline stands, in words: "after step 2 of 3", "at 12.4 of 283 ms".
  [[nodiscard]] QString positionText(const Timeline& timeline) const;
  void setStale(bool stale);
  /// Enlarges the stages by this factor; text next to them has the widget's font.
  void setMagnification(double factor);
  void setLegendShown(bool shown);
  /// The algorithm that is chosen for side 0 or 1; none for the document's.
  [[nodiscard]] std::optional<Algorithm> algorithmOf(std::size_t side) const;
  /// Offers the algorithms of a model by name; a choice that it lacks becomes the document's.
  void offerAlgorithms(const std::string& model, Algorithm documents);

 signals:
  void clockChanged();
  /// Another algorithm is chosen for a side.
  void algorithmChosen();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Side {
    QWidget* head = nullptr;
    QLabel* title = nullptr;
    QComboBox* algorithm = nullptr;
    QLabel* state = nullptr;
    StageView* stage = nullptr;
    PortBars* ports = nullptr;
  };
  Side makeSide(std::size_t side);
  void placeSides();
  void makeClocks();
  void showPlace(std::size_t side);

  std::shared_ptr<const ComparedRuns> m_runs;
  Race m_race;
  double m_position = 0;
  std::array<Side, 2> m_sides;
  QLabel* m_verdict;
  QLabel* m_measured;
  QToolButton* m_bySteps;
  QToolButton* m_byTime;
  RaceLanes* m_lanes;
  StageLegend* m_legend;
  QGridLayout* m_pair;
  bool m_stacked = false;  ///< one under the other, in a narrow view
};

}  // namespace p2::views
