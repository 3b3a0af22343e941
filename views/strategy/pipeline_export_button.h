// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QToolButton>
#include <memory>

class QFileDialog;

namespace p2::views {

struct PipelineAnswer;
class Session;

/// Writes a pipeline to a file of the user's choice.
class PipelineExportButton : public QToolButton {
  Q_OBJECT
 public:
  explicit PipelineExportButton(Session& session, QWidget* parent = nullptr);

  /// Which one is meant; without one there is nothing to press.
  void setPipeline(std::shared_ptr<const PipelineAnswer> pipeline);

 signals:
  /// The file is there, or `problem` says why not.
  void written(const QString& problem, const QString& path);

 private:
  void askForFile();
  void write(const QString& path);

  Session& m_session;
  std::shared_ptr<const PipelineAnswer> m_pipeline;
  QPointer<QFileDialog> m_dialog;
};

}  // namespace p2::views
