// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/elimination_tables.h"

#include <algorithm>

#include "strategy/detail/min_plus.h"

namespace p2::inline strategy {
namespace {

/// An input's cells, and how far apart they are along each axis of the task.
struct Operand {
  const double* cells = nullptr;
  std::vector<std::size_t> strides;  ///< 0 where the input lacks the axis
  std::size_t eliminated = 0;

  /// Where it stands when the first axes of the task have these positions.
  [[nodiscard]] std::size_t at(const std::vector<std::size_t>& position) const {
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < position.size(); ++axis) offset += position[axis] * strides[axis];
    return offset;
  }
};

Operand operandOf(const TableTask& task, const TableTask::Input& input, const CostTable& table) {
  Operand operand{table.cells.data(), std::vector<std::size_t>(task.sizes.size()), 0};
  const std::vector<std::size_t> strides = stridesOf(table.sizes);
  for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
    const std::size_t of = input.axes[axis];
    (of == task.sizes.size() ? operand.eliminated : operand.strides[of]) = strides[axis];
  }
  return operand;
}

/// Adds `count` cells that are `stride` apart.
void accumulate(double* sums, const double* cells, std::size_t stride, std::size_t count) {
  if (stride == 1) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += cells[i];
  } else {
    for (std::size_t i = 0; i < count; ++i) sums[i] += cells[i * stride];
  }
}

/// One task: for each position of the outer axes a min-plus product of the inputs that lack the last axis (a row for
/// each position of the axes between) and those that have it (a column for each of its positions).
class TaskRun {
 public:
  TaskRun(const TableTask& task, const std::vector<CostTable>& tables, std::vector<double>& result)
      : m_task(task), m_columns(task.sizes.empty() ? 1 : task.sizes.back()), m_result(result) {
    for (const TableTask::Input& input : task.inputs) {
      const bool last = !task.sizes.empty() &&
                        std::find(input.axes.begin(), input.axes.end(), task.sizes.size() - 1) != input.axes.end();
      (last ? m_right : m_left).push_back(operandOf(task, input, tables[input.table]));
    }
    for (std::size_t axis = 0; axis + 1 < task.sizes.size(); ++axis) {
      (axis < task.outer ? m_blocks : m_rows) *= task.sizes[axis];
    }
    const std::size_t quick = std::max(kLeastChunk, kPauseSums / (task.eliminated * m_columns));
    m_chunk = std::clamp<std::size_t>(std::min(quick, kChunkCells / task.eliminated), 1, m_rows);
    m_leftSums.resize(m_chunk * task.eliminated);
    if (!borrowsRight()) m_rightSums.resize(task.eliminated * m_columns);
  }

  /// Calls `pause` with the cells done after each piece of work; stops and returns false when it does.
  template <class Pause>
  bool run(const Pause& pause) {
    m_result.reserve(m_blocks * m_rows * m_columns);
    for (std::size_t block = 0; block < m_blocks; ++block) {
      const MatrixView right = rightOf(block * m_rows);
      for (std::size_t row = 0; row < m_rows; row += m_chunk) {
        const std::size_t count = std::min(m_chunk, m_rows - row);
        const std::size_t first = block * m_rows + row;
        // Piece by piece: allocating a large table at once would delay a stop request.
        m_result.resize((first + count) * m_columns);
        for (std::size_t r = 0; r < count; ++r) sumLeft(first + r, m_leftSums.data() + r * m_task.eliminated);
        minPlusProduct({m_leftSums.data(), m_task.eliminated}, right, count, m_task.eliminated, m_columns,
                       m_result.data() + first * m_columns);
        if (!pause(static_cast<double>(count * m_columns) * static_cast<double>(m_task.eliminated))) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kChunkCells = std::size_t{1} << 15;
  static constexpr std::size_t kPauseSums = std::size_t{1} << 23;  // some 10 ms, and some more for new memory
  static constexpr std::size_t kLeastChunk = 16;                   // rows, for full tiles

  [[nodiscard]] bool borrowsRight() const { return m_right.size() == 1 && m_right[0].strides.back() == 1; }

  /// The positions of all axes but the last.
  [[nodiscard]] std::vector<std::size_t> positionOf(std::size_t row) const {
    std::vector<std::size_t> position(m_task.sizes.empty() ? 0 : m_task.sizes.size() - 1);
    for (std::size_t axis = position.size(); axis-- > 0;) {
      position[axis] = row % m_task.sizes[axis];
      row /= m_task.sizes[axis];
    }
    return position;
  }

  void sumLeft(std::size_t row, double* sums) const {
    const std::vector<std::size_t> position = positionOf(row);
    std::fill_n(sums, m_task.eliminated, 0.0);
    for (const Operand& operand : m_left) {
      accumulate(sums, operand.cells + operand.at(position), operand.eliminated, m_task.eliminated);
    }
  }

  MatrixView rightOf(std::size_t row) {
    const std::vector<std::size_t> position = positionOf(row);
    if (borrowsRight()) return {m_right[0].cells + m_right[0].at(position), m_right[0].eliminated};
    std::fill(m_rightSums.begin(), m_rightSums.end(), 0.0);
    for (const Operand& operand : m_right) {
      const double* cells = operand.cells + operand.at(position);
      for (std::size_t k = 0; k < m_task.eliminated; ++k) {
        accumulate(m_rightSums.data() + k * m_columns, cells + k * operand.eliminated, operand.strides.back(),
                   m_columns);
      }
    }
    return {m_rightSums.data(), m_columns};
  }

  const TableTask& m_task;
  std::size_t m_columns;
  std::vector<double>& m_result;
  std::vector<Operand> m_left;
  std::vector<Operand> m_right;
  std::size_t m_blocks = 1;
  std::size_t m_rows = 1;
  std::size_t m_chunk = 1;
  std::vector<double> m_leftSums;
  std::vector<double> m_rightSums;
};

}  // namespace

std::vector<std::size_t> stridesOf(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> strides(sizes.size(), 1);
  for (std::size_t axis = sizes.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * sizes[axis];
  return strides;
}

Result<std::vector<CostTable>> eliminationTables(std::vector<CostTable> tables, const EliminationPlan& plan,
                                                 std::stop_token stop, const Progress& progress) {
  double done = 0;
  const auto pause = [&](double cells) {
    done += cells;
    if (progress) progress(done / plan.cells);
    return !stop.stop_requested();
  };
  for (const TableTask& task : plan.tasks) {
    CostTable result{task.sizes, {}};
    if (!TaskRun(task, tables, result.cells).run(pause)) return cancelledError();
    tables.push_back(std::move(result));
  }
  return tables;
}

}  // namespace p2::inline strategy
