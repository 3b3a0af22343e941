// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/strategy/file_button.h"

namespace p2::inline exporters {
struct ExportFormat;
}

namespace p2::views {

class StrategyFinder;

/// Writes the finder's best strategy to a file of the user's choice.
class StrategyExportButton : public FileButton {
  Q_OBJECT
 public:
  StrategyExportButton(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Selects one of the answer's strategies.
  void setStrategy(std::size_t strategy) { m_strategy = strategy; }

 private:
  void ask(const ExportFormat& format);
  /// The present answer; none before one is found.
  [[nodiscard]] Contents contentsAs(const std::string& format) const;

  StrategyFinder& m_finder;
  std::size_t m_strategy = 0;
};

}  // namespace p2::views
