// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/strategy/file_button.h"

namespace p2::inline strategy_answer {
struct PipelineAnswer;
}

namespace p2::views {

/// Writes a pipeline to a file of the user's choice.
class PipelineExportButton : public FileButton {
  Q_OBJECT
 public:
  explicit PipelineExportButton(Session& session, QWidget* parent = nullptr);

  /// Sets the pipeline; without one the button is disabled.
  void setPipeline(std::shared_ptr<const PipelineAnswer> pipeline);

 private:
  void ask();
  [[nodiscard]] Contents contents() const;

  std::shared_ptr<const PipelineAnswer> m_pipeline;
};

}  // namespace p2::views
