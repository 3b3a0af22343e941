// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QStyledItemDelegate>
#include <optional>
#include <vector>

#include "training_answer/document_training.h"

namespace p2::views {

/// Two degrees of a configuration, one for the columns and one for the rows of a map.
struct HeatAxes {
  const char* setting;  ///< name in settings: "tp-pp"
  const char* column;   ///< "tp"
  const char* row;      ///< "pp"
  std::int64_t (*columnOf)(const TrainingPlan& plan);
  std::int64_t (*rowOf)(const TrainingPlan& plan);
};
/// Black or white, whichever is read better on a cell of that colour.
[[nodiscard]] QColor inkOn(const QColor& fill);

/// tp × pp, dp × microbatch.
[[nodiscard]] const std::vector<HeatAxes>& heatAxes();

/// The best configuration for every pair of two degrees.
class HeatModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// The fastest of `all` for every pair. O(all · log pairs).
  void setConfigurations(std::vector<PlannedConfiguration> all, const HeatAxes& axes);
  /// Its configuration; null for a pair that no configuration has.
  [[nodiscard]] const PlannedConfiguration* at(const QModelIndex& index) const;
  [[nodiscard]] QModelIndex indexOf(const PlannedConfiguration& planned) const;
  /// 0 for the fastest, 1 for the slowest of the map.
  [[nodiscard]] double heatAt(const QModelIndex& index) const;
  [[nodiscard]] bool isBest(const QModelIndex& index) const;
  void setStale(bool stale);
  [[nodiscard]] bool isStale() const { return m_stale; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  const HeatAxes* m_axes = nullptr;
  std::vector<PlannedConfiguration> m_all;
  std::vector<std::int64_t> m_columns;
  std::vector<std::int64_t> m_rows;
  std::vector<int> m_cells;  ///< places in m_all by row and column; −1 for none
  double m_fastest = 0;
  double m_slowest = 0;
  bool m_stale = false;
};

/// Draws the cells of a HeatModel: cividis by time, the fastest outlined and with a star.
class HeatDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit HeatDelegate(const HeatModel& model, QObject* parent = nullptr);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const HeatModel& m_model;
};

}  // namespace p2::views
