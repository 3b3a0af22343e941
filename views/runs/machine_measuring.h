// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/runs/run_queue.h"

class QLabel;
class QPushButton;

namespace p2::views {

class Session;

/// Offers to measure this machine before the first run: predictions describe the drawn system, which it rarely is. A
/// few short runs of different programs fit the system's figures to it.
class MachineMeasuring : public QWidget {
  Q_OBJECT
 public:
  MachineMeasuring(Session& session, RunQueue& queue, QWidget* parent = nullptr);

  /// The target of the runs; none while it is unknown.
  void setTarget(std::optional<Target> target);
  /// The runs to be made: kPrograms programs from the fastest to the slowest, each with the bytes of `order` and with a
  /// sixteenth of them.
  [[nodiscard]] std::vector<RunOrder> orders(const RunOrder& order) const;
  /// Runs that end from now on are measurements.
  void begin() { m_rows.emplace(); }
  /// One has ended.
  void take(const RunRow& row);

  static constexpr std::size_t kPrograms = 8;

 signals:
  void measureWanted();
  /// All have ended; without any that went well there are none.
  void measured(const std::vector<p2::views::RunRow>& rows);

 private:
  void refresh();
  void endWhenIdle();

  Session& m_session;
  RunQueue& m_queue;
  QLabel* m_text = nullptr;
  QPushButton* m_button = nullptr;
  std::optional<Target> m_target;
  std::optional<std::vector<RunRow>> m_rows;  // while measuring
};

}  // namespace p2::views
