// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>

#include "timeline/step_timeline.h"

namespace p2::views {

/// The collectives of a training step, of one axis or all, most expensive first within an axis.
class CollectivesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Axis, Collective, Purpose, Bytes, Devices, Runs, Each, Step, Link, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setStudy(std::shared_ptr<const StepStudy> study);
  void setAxis(std::optional<ExposedAxis> axis);
  void setStale(bool stale);
  /// The number of a row in StepStudy::collectives.
  [[nodiscard]] std::size_t collectiveOf(int row) const { return m_rows[std::size_t(row)]; }
  /// Whether a cell leads to the programs of its collective.
  [[nodiscard]] bool isLink(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  void fill();

  std::shared_ptr<const StepStudy> m_study;
  std::optional<ExposedAxis> m_axis;
  std::vector<std::size_t> m_rows;
  bool m_stale = false;
};

}  // namespace p2::views
