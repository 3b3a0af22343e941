// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/shell/derived.h"
#include "views/strategy/pipeline_comparison.h"
#include "views/strategy/pipeline_stages_model.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace p2::views {

class EmptyPage;
class InlineMessage;
class PipelineExportButton;
class PipelineTimeline;
class Session;

/// The graph as a pipeline: number of stages, facts about the best one, a step of it over time, and its stages one
/// by one. It is looked for when asked; until then the last one stays, marked as out of date.
class PipelinePanel : public QWidget {
  Q_OBJECT
 public:
  explicit PipelinePanel(Session& session, QWidget* parent = nullptr);
  ~PipelinePanel() override;

 signals:
  /// Per operator its stage, counted from 0; empty while there are no stages of the graph as it is.
  void stagesChanged(const std::vector<std::size_t>& stages);
  /// bars() are others.
  void comparisonChanged();

 public:
  /// The pipeline and its baselines; empty while there is none for the present graph.
  [[nodiscard]] const std::vector<ComparisonBars::Bar>& bars() const { return m_bars; }
  /// The common pipelines among them.
  [[nodiscard]] std::vector<StrategyBaseline> baselines() const {
    const auto found = m_bars.empty() ? nullptr : m_baselines.current();
    return found ? *found : std::vector<StrategyBaseline>();
  }

 private:
  void makeWidgets();
  QWidget* makeWords();
  QWidget* makeContent();
  [[nodiscard]] PipelineQuestion question() const;
  void toggle();
  void refresh();
  void refreshNumbers();
  void refreshEmptyPage(bool placed);
  void leaveEmptyPage();
  void refreshComparison(bool current);
  void useAsWorkload();

  Session& m_session;
  QComboBox* m_stages;
  QCheckBox* m_whole;
  QPushButton* m_button;
  QToolButton* m_workload;
  PipelineExportButton* m_export;
  QLabel* m_words;
  QToolButton* m_unmodelledSwitch;
  QLabel* m_unmodelled;
  QStackedWidget* m_content;
  EmptyPage* m_empty;
  PipelineTimeline* m_timeline;
  QTableView* m_table;
  InlineMessage* m_message;
  PipelineStagesModel m_model;
  Derived<PipelineQuestion, PipelineAnswer> m_pipeline;
  Derived<PipelineQuestion, std::vector<StrategyBaseline>> m_baselines;
  std::vector<ComparisonBars::Bar> m_bars;
  std::shared_ptr<const PipelineAnswer> m_shown;
  std::string m_graph;                  // graph of the last answer
  std::vector<std::size_t> m_reported;  // by stagesChanged()
};

}  // namespace p2::views
