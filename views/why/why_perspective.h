// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "timeline/step_timeline.h"
#include "training_answer/plan_alternatives.h"
#include "views/shell/derived.h"
#include "views/shell/pages.h"
#include "views/shell/perspective.h"
#include "views/shell/step_planner.h"

class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace p2::views {

class AlternativesModel;
class BriefLabel;
class CollectivesModel;
class EmptyPage;
class InlineMessage;
struct ViewPicture;
class MachineView;
class MemoryView;
class Session;
class TimelineView;
class ViewTabs;
class WaterfallView;

/// A configuration of an answer; equal where the answer and the configuration are.
struct WhyQuestion {
  std::shared_ptr<const PlannerAnswer> answer;
  PlannedConfiguration planned;
  friend bool operator==(const WhyQuestion& a, const WhyQuestion& b) {
    return a.answer == b.answer && a.planned.framework == b.planned.framework &&
           a.planned.configuration == b.planned.configuration && a.planned.matrix == b.planned.matrix;
  }
};

/// The time of a step of the document's configuration: as a waterfall from the peak, as a timeline of its stages, next
/// to the plans that differ in one choice, collective by collective, on the machine and in memory. A collective leads
/// to its programs, another plan to its comparison.
class WhyPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit WhyPerspective(Session& session, QWidget* parent = nullptr);
  ~WhyPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {kWhyPage, tr("Why"), QStringLiteral("why")}; }
  [[nodiscard]] static PagePlace place() {
    return {.position = 40, .key = "Ctrl+4", .views = {"whyCollectivesAction", "whyMachineAction", "whyMemoryAction"}};
  }
  [[nodiscard]] QList<QAction*> viewActions() override;
  [[nodiscard]] QWidget* mainList() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeContent();
  QWidget* makeWaterfall();
  QWidget* makeDetails();
  QToolButton* exportButton(const QString& name, const QString& text, const QString& file, const QWidget& view,
                            std::function<ViewPicture()> picture);
  void showDetail(int page);
  void makeTables();
  /// Calls back for a row that Enter or a click on a cell that the model calls a link chooses.
  template <class Model>
  void openRows(QTableView& table, const Model& model, void (WhyPerspective::*open)(int row));
  void connectParts();
  void refresh();
  void showStudy();
  void showEmpty();
  void chooseBar();
  void followSlice(std::uint32_t slice);
  void showOthers();
  void openCollective(int row);
  void openAlternative(int row);
  void exportTrace();
  void writeTrace(const QString& file);

  Session& m_session;
  Derived<WhyQuestion, StepStudy> m_study;
  Derived<WhyQuestion, std::vector<PlanAlternative>> m_others;
  std::shared_ptr<const StepStudy> m_shown;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  BriefLabel* m_finding = nullptr;
  BriefLabel* m_about = nullptr;
  QSplitter* m_right = nullptr;  ///< the timeline over the details
  InlineMessage* m_message = nullptr;
  WaterfallView* m_waterfall = nullptr;
  TimelineView* m_timeline = nullptr;
  ViewTabs* m_tabs = nullptr;
  QStackedWidget* m_details = nullptr;
  QToolButton* m_timelineExport = nullptr;
  QToolButton* m_detailExport = nullptr;
  AlternativesModel* m_alternatives = nullptr;
  QTableView* m_alternativesTable = nullptr;
  CollectivesModel* m_collectives = nullptr;
  QTableView* m_table = nullptr;
  MachineView* m_machine = nullptr;
  MemoryView* m_memory = nullptr;
};

}  // namespace p2::views
