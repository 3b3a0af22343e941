// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/shell/derived.h"
#include "views/strategy/pipeline_stages_model.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace p2::views {

class InlineMessage;
class PipelineTimeline;
class Session;

/// The graph as a pipeline: how many stages, what is known of the best one, a step of it over time, and its stages one
/// by one. It is looked for when asked; until then the last one stays, marked as out of date.
class PipelinePanel : public QWidget {
  Q_OBJECT
 public:
  explicit PipelinePanel(Session& session, QWidget* parent = nullptr);
  ~PipelinePanel() override;

 signals:
  /// Per operator its stage, counted from 0; empty while there are no stages of the graph as it is.
  void stagesChanged(const std::vector<std::size_t>& stages);

 private:
  void makeWidgets();
  [[nodiscard]] PipelineQuestion question() const;
  void toggle();
  void refresh();
  void refreshNumbers();

  Session& m_session;
  QComboBox* m_stages;
  QCheckBox* m_whole;
  QPushButton* m_button;
  QLabel* m_words;
  PipelineTimeline* m_timeline;
  QTableView* m_table;
  InlineMessage* m_message;
  PipelineStagesModel m_model;
  Derived<PipelineQuestion, PipelineAnswer> m_pipeline;
  std::shared_ptr<const PipelineAnswer> m_shown;
  std::vector<std::size_t> m_told;  // by stagesChanged()
};

}  // namespace p2::views
