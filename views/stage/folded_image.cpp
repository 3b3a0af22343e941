// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/folded_image.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "views/stage/folded_runs.h"
#include "views/stage/grid_style.h"

namespace p2::views {
namespace {

constexpr int kLeastRun = 4;  // pixels: an edge on either side and something between

/// Neighbours that are the same, as how many there are one after the other.
std::vector<std::int64_t> lengthsOf(int size, const std::function<bool(int, int)>& same) {
  std::vector<std::int64_t> lengths;
  for (int i = 0; i < size; ++i) {
    if (i > 0 && same(i - 1, i)) {
      ++lengths.back();
    } else {
      lengths.push_back(1);
    }
  }
  return lengths;
}

std::vector<std::int64_t> lengthsOf(const std::vector<FoldedRun>& runs) {
  std::vector<std::int64_t> lengths;
  for (const FoldedRun& run : runs) lengths.push_back(run.count);
  return lengths;
}

/// A run of contributors, each part in its own hue.
void fillHues(QPainter& painter, const QRect& cell, std::int64_t from, std::int64_t count, std::int64_t members) {
  const auto colorAt = [&](int x) {
    const double member = double(from) + (x + 0.5) / cell.width() * double(count);
    return memberColor(int(member * 256 / double(members)), 256);
  };
  for (int x = 0; x < cell.width();) {
    const QColor color = colorAt(x);
    int end = x + 1;
    while (end < cell.width() && colorAt(end) == color) ++end;
    painter.fillRect(cell.left() + x, cell.top(), end - x, cell.height(), color);
    x = end;
  }
}

/// The matrix of runs: `test` is asked for the first bit of each.
QImage drawn(std::int64_t members, const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
             QSize size, const std::function<bool(std::int64_t, std::int64_t)>& test) {
  const auto tops = spreadRuns(rows, size.height());
  const auto lefts = spreadRuns(columns, size.width());
  if (!tops || !lefts) return {};
  const GridInk ink = GridInk::current();
  QImage image(size, QImage::Format_RGB32);
  image.fill(ink.ground);
  QPainter painter(&image);
  std::int64_t row = 0;
  for (std::size_t y = 0; y < rows.size(); row += rows[y++]) {
    const QRect band(0, (*tops)[y], size.width(), (*tops)[y + 1] - (*tops)[y]);
    bool held = false;
    std::int64_t column = 0;
    for (std::size_t x = 0; x < columns.size(); column += columns[x++]) {
      if (!test(row, column)) continue;
      if (!held) painter.fillRect(band, ink.missing);
      held = true;
      const QRect cell((*lefts)[x], band.top(), (*lefts)[x + 1] - (*lefts)[x], band.height());
      fillHues(painter, cell, column, columns[x], members);
    }
    painter.setPen(ink.frame);
    painter.setBrush(Qt::NoBrush);
    if (held) painter.drawRect(band.adjusted(0, 0, -1, -1));
  }
  return image;
}

}  // namespace

std::optional<std::vector<int>> spreadRuns(const std::vector<std::int64_t>& lengths, int pixels) {
  if (std::int64_t(lengths.size()) * kLeastRun > pixels) return std::nullopt;
  // A run that is too thin takes from all others, and may thereby make some too thin.
  std::vector<bool> widened(lengths.size(), false);
  double free = pixels;
  auto left = double(std::accumulate(lengths.begin(), lengths.end(), std::int64_t(0)));
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (widened[i] || double(lengths[i]) * free >= kLeastRun * left) continue;
      widened[i] = again = true;
      free -= kLeastRun;
      left -= double(lengths[i]);
    }
  }
  std::vector<int> edges{0};
  double at = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    at += widened[i] ? kLeastRun : double(lengths[i]) * free / left;
    edges.push_back(int(std::lround(at)));
  }
  return edges;
}

QImage foldedImage(const DeviceState& state, QSize size) {
  const int k = state.size();
  const auto sameRows = [&](int a, int b) { return state.columns(a) == state.columns(b); };
  const auto sameColumns = [&](int a, int b) {
    for (int row = 0; row < k; ++row) {
      if (state.test(row, a) != state.test(row, b)) return false;
    }
    return true;
  };
  return drawn(k, lengthsOf(k, sameRows), lengthsOf(k, sameColumns), size,
               [&](std::int64_t row, std::int64_t column) { return state.test(int(row), int(column)); });
}

QImage foldedImage(const FoldedState& state, QSize size) {
  const auto all = std::size_t(state.size);
  const std::vector<FoldedRun> rows = foldedRuns(state.rows, state.size, all);
  const std::vector<FoldedRun> columns = foldedRuns(state.columns, state.size, all);
  const auto isSet = [](const std::vector<FoldedRun>& runs, std::int64_t from) {
    const auto run = std::lower_bound(runs.begin(), runs.end(), from,
                                      [](const FoldedRun& each, std::int64_t at) { return each.from < at; });
    return run->set;
  };
  return drawn(state.size, lengthsOf(rows), lengthsOf(columns), size,
               [&](std::int64_t row, std::int64_t column) { return isSet(rows, row) && isSet(columns, column); });
}

}  // namespace p2::views
