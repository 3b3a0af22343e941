// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/piecewise_model.h"
#include "views/literal/literal_run.h"

namespace p2::views {

/// Algorithm 3's S after the table of a vertex was joined: a column per vertex it knows by then, and the cost of the
/// decided part. Once the result is there, the strategy that was picked has a star.
class LiteralJoinModel : public PiecewiseModel {
  Q_OBJECT
 public:
  using PiecewiseModel::PiecewiseModel;

  /// Empty for a null run or a moment before the join.
  void show(std::shared_ptr<const LiteralRun> run, std::size_t moment);
  /// "S: 4 sub-strategies", "4 valid strategies".
  [[nodiscard]] QString title() const;
  /// The row that is picked at this moment, loaded or not; −1 for none.
  [[nodiscard]] int bestRow() const;

  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 protected:
  [[nodiscard]] std::size_t allRows() const override;

 private:
  [[nodiscard]] const PartialStrategies* strategies() const;
  [[nodiscard]] bool isResult() const;
  [[nodiscard]] double costOf(std::size_t row) const;

  std::shared_ptr<const LiteralRun> m_run;
  std::size_t m_moment = 0;
};

}  // namespace p2::views
