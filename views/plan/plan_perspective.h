// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/inline_message.h"
#include "views/plan/plan_words.h"
#include "views/shell/pages.h"
#include "views/shell/perspective.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace p2::views {

class EmptyPage;
struct ExportedPlot;
struct FigureStyle;
class HeatPage;
class AccuracyMark;
class FrameworkList;
class MinePanel;
class PlanFinding;
class PlanModel;
class PlanScatter;
class PlanTable;
class ReleaseButtons;
class Session;
class ViewTabs;

/// How should this model be trained here? One table of configurations with their placements, best first, as a map over
/// two degrees and as time against memory. The selected row is the document's configuration on all pages.
class PlanPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit PlanPerspective(Session& session, QWidget* parent = nullptr);
  ~PlanPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {kPlanPage, tr("Plan"), QStringLiteral("plan")}; }
  [[nodiscard]] static PagePlace place() {
    return {.position = 30, .key = "Ctrl+3", .views = {"showPlanMapAction", "showPlanScatterAction"}};
  }
  [[nodiscard]] QList<QAction*> viewActions() override;
  [[nodiscard]] QWidget* mainList() override;
  /// Takes the launch script or configuration file of a run as the own configuration.
  void openFile(const QString& path) override;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int kProgressSteps = 1000;

  [[nodiscard]] QWidget* makeContent();
  [[nodiscard]] QWidget* makeControls();
  [[nodiscard]] QWidget* makeState();
  /// Says on the empty page why there is no configuration, and offers other frameworks and the release of choices.
  void sayProblem(const Error& problem);
  void makeTable();
  void makeActions();
  void showView(int view);
  /// Hides the lines below the table where rows need their room.
  void showLines();
  [[nodiscard]] bool isLow() const;
  [[nodiscard]] bool isLowest() const;
  void refresh();
  void showFilter();
  void showAnswer();
  void markMine();
  void showLegend();
  void choosePlace(int place);
  [[nodiscard]] ExportedPlot exported(const FigureStyle& style) const;
  void askForFile();
  /// Compares the selected row with the best, or the best with the user's own or the next.
  void compareRows();
  /// Two configurations are needed: rows, or a row and the user's own.
  void enableComparison();
  /// Shows a sentence about a file over the counts, also in a low window. A problem stays until the answer changes.
  void report(InlineMessage::Kind kind, const QString& sentence);
  void leaveEmptyPage();

  Session& m_session;
  PlanModel* m_model;
  QStackedWidget* m_pages;
  EmptyPage* m_empty;
  PlanFinding* m_finding;
  QLabel* m_exclusions;
  InlineMessage* m_report;  ///< covers the counts
  QLabel* m_legend;
  FrameworkList* m_framework;
  FrameworkList* m_otherFramework;  ///< another list of it, on the empty page
  ReleaseButtons* m_release;        ///< on the empty page
  QCheckBox* m_tensorInside;
  QCheckBox* m_spareTenth;
  QProgressBar* m_progress;
  QToolButton* m_cancel;
  QToolButton* m_followBest;
  QStackedWidget* m_state;  ///< nothing, the progress, or the way back to the best
  ViewTabs* m_tabs = nullptr;
  QStackedWidget* m_views;
  PlanTable* m_table;
  HeatPage* m_heat;
  PlanScatter* m_scatter;
  MinePanel* m_mine;
  AccuracyMark* m_mark = nullptr;
  QList<QWidget*> m_elsewhere;  ///< their actions are in the menu or in the bar of pages too
  QToolButton* m_write = nullptr;
  QAction* m_copy = nullptr;
  QAction* m_compare = nullptr;
  QAction* m_export = nullptr;
  QAction* m_accuracy = nullptr;
};

}  // namespace p2::views
