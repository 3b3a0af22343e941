// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/piecewise_model.h"

#include <algorithm>

namespace p2::views {

int PiecewiseModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

bool PiecewiseModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && std::size_t(m_rows) < allRows();
}

void PiecewiseModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  const int next = int(std::min(allRows(), std::size_t(m_rows) + kPiece));
  beginInsertRows({}, m_rows, next - 1);
  m_rows = next;
  endInsertRows();
}

void PiecewiseModel::resetRows() { m_rows = int(std::min<std::size_t>(allRows(), kPiece)); }

}  // namespace p2::views
