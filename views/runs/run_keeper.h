// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "views/runs/run_store.h"
#include "views/runs/runs_model.h"

namespace p2::views {

/// The runs as they are shown, and the store behind them. What cannot be stored stays shown and is stored with the
/// next.
class RunKeeper : public QObject {
  Q_OBJECT
 public:
  explicit RunKeeper(QObject* parent = nullptr) : QObject(parent) {}

  [[nodiscard]] RunsModel& model() { return m_model; }
  [[nodiscard]] const RunsModel& model() const { return m_model; }
  /// Opens the store in the application's data folder and shows what it holds.
  void open();
  void keep(const std::vector<RunRow>& rows);
  /// Tries again what could not be stored.
  void storeWaiting();
  void setHidden(const std::vector<qint64>& ids, bool hidden);

 signals:
  void changed();  ///< the runs shown
  void problem(const QString& sentence);

 private:
  void reload();

  RunsModel m_model;
  std::optional<RunStore> m_store;
  std::vector<RunRow> m_waiting;
};

}  // namespace p2::views
