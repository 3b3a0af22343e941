// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QToolButton>

class QFileDialog;

namespace p2 {
struct ExportFormat;
}

namespace p2::views {

class Session;
class StrategyFinder;

/// Writes the finder's best strategy to a file of the user's choice.
class StrategyExportButton : public QToolButton {
  Q_OBJECT
 public:
  StrategyExportButton(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Which of the answer's strategies is meant.
  void setStrategy(std::size_t strategy) { m_strategy = strategy; }

 signals:
  /// The file is there, or `problem` says why not.
  void written(const QString& problem, const QString& path);

 private:
  void askForFile(const ExportFormat& format);
  void write(const QString& path, const std::string& format);

  Session& m_session;
  StrategyFinder& m_finder;
  std::size_t m_strategy = 0;
  QPointer<QFileDialog> m_dialog;
};

}  // namespace p2::views
