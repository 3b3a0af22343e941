// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/graph_folding.h"

#include <algorithm>
#include <cmath>

namespace p2::views {
namespace {

constexpr double kGap = 48;  // between columns: room for the arrows that change columns
constexpr double kFoldMargin = 16;
constexpr double kTurn = 12;  // how far such an arrow leaves its box before it turns

QRectF boundsOf(const std::vector<QRectF>& rects) {
  QRectF bounds;
  for (const QRectF& rect : rects) bounds |= rect;
  return bounds;
}

/// The nodes, a cluster's as large as its frame: a column has room for all of it.
std::vector<QRectF> withFrames(const GraphLayout& layout, const GraphShape& shape) {
  std::vector<QRectF> rects = layout.nodes;
  for (std::size_t i = 0; i < shape.clusters.size(); ++i) {
    for (const std::size_t node : shape.clusters[i]) rects[node] = layout.clusters[i];
  }
  return rects;
}

/// Heights at which no box and no frame would be cut, from the top down, halfway between two layers.
std::vector<double> gapsBetweenLayers(const GraphLayout& layout) {
  std::vector<std::pair<double, double>> spans;
  for (const QRectF& rect : layout.nodes) spans.emplace_back(rect.top(), rect.bottom());
  for (const QRectF& rect : layout.clusters) spans.emplace_back(rect.top(), rect.bottom());
  std::sort(spans.begin(), spans.end());
  std::vector<double> gaps;
  double bottom = spans.front().second;
  for (const auto& [top, end] : spans) {
    if (top > bottom) gaps.push_back((top + bottom) / 2);
    bottom = std::max(bottom, end);
  }
  return gaps;
}

/// The cuts that divide the height into `columns` parts as equal as the gaps allow.
std::vector<double> cutsFor(const std::vector<double>& gaps, const QRectF& bounds, int columns) {
  std::vector<double> cuts;
  for (int column = 1; column < columns; ++column) {
    const double wanted = bounds.top() + bounds.height() * column / columns;
    const auto nearest = std::min_element(
        gaps.begin(), gaps.end(), [wanted](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
    if (nearest != gaps.end() && (cuts.empty() || *nearest > cuts.back())) cuts.push_back(*nearest);
  }
  return cuts;
}

struct Columns {
  std::vector<std::size_t> ofNode;
  std::vector<QPointF> shifts;  // by column
  std::vector<QRectF> rects;    // by column, after the shift
};

Columns columnsOf(const std::vector<QRectF>& nodes, const std::vector<double>& cuts) {
  Columns columns;
  std::vector<QRectF> before(cuts.size() + 1);
  for (const QRectF& node : nodes) {
    const auto column = std::upper_bound(cuts.begin(), cuts.end(), node.center().y()) - cuts.begin();
    columns.ofNode.push_back(std::size_t(column));
    before[std::size_t(column)] |= node;
  }
  double left = 0;
  for (const QRectF& rect : before) {
    columns.shifts.push_back(QPointF(left, 0) - rect.topLeft());
    columns.rects.push_back(rect.translated(columns.shifts.back()));
    left += rect.width() + kGap;
  }
  return columns;
}

double heightOf(const Columns& columns) {
  double height = 0;
  for (const QRectF& rect : columns.rects) height = std::max(height, rect.height());
  return height;
}

/// How small the drawing gets in a room of that shape: the larger, the better it can be read.
double readability(const Columns& columns, double aspect) {
  return std::min(aspect / columns.rects.back().right(), 1 / heightOf(columns));
}

/// Down out of its box, along the gap before the target's column, and into the target from above.
QPainterPath detour(const QRectF& from, const QRectF& to, double gap) {
  const QPointF start(from.center().x(), from.bottom());
  const QPointF end(to.center().x(), to.top());
  QPainterPath path(start);
  path.cubicTo(start + QPointF(0, 2 * kTurn), QPointF(gap, start.y() + 3 * kTurn), QPointF(gap, start.y() - kTurn));
  path.lineTo(gap, end.y() + kTurn);
  path.cubicTo(QPointF(gap, end.y() - 3 * kTurn), end - QPointF(0, 2 * kTurn), end);
  return path;
}

}  // namespace

GraphLayout folded(GraphLayout layout, const GraphShape& shape, double aspect) {
  const std::vector<double> gaps = gapsBetweenLayers(layout);
  const QRectF bounds = boundsOf(layout.nodes);
  const std::vector<QRectF> wide = withFrames(layout, shape);
  Columns best = columnsOf(wide, {});
  for (int count = 2; count <= int(gaps.size()) + 1; ++count) {
    Columns columns = columnsOf(wide, cutsFor(gaps, bounds, count));
    if (readability(columns, aspect) > readability(best, aspect)) best = std::move(columns);
  }
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) layout.nodes[i].translate(best.shifts[best.ofNode[i]]);
  for (std::size_t i = 0; i < layout.clusters.size(); ++i) {
    layout.clusters[i].translate(best.shifts[best.ofNode[shape.clusters[i].front()]]);
  }
  for (std::size_t i = 0; i < shape.edges.size(); ++i) {
    const auto [from, to] = shape.edges[i];
    const std::size_t column = best.ofNode[to];
    if (best.ofNode[from] == column) {
      layout.edges[i].translate(best.shifts[column]);
    } else {
      layout.edges[i] = detour(layout.nodes[from], layout.nodes[to], best.rects[column].left() - kGap / 2);
    }
  }
  layout.bounds = boundsOf(layout.nodes) | boundsOf(layout.clusters);
  for (const QPainterPath& path : layout.edges) layout.bounds |= path.controlPointRect();
  layout.bounds.adjust(-kFoldMargin, -kFoldMargin, kFoldMargin, kFoldMargin);
  return layout;
}

}  // namespace p2::views
