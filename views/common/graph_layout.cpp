// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/graph_layout.h"

#include <QRegularExpression>
#include <QXmlStreamReader>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/helper_program.h"

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

/// A layout of layers cut between them into columns side by side, where that comes nearer to `aspect` (width /
/// height). Arrows from column to column run between the columns. Sets the bounds. O(columns · (nodes + edges)).
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

constexpr double kPointsPerInch = 72;
constexpr double kMostSeconds = 60;
constexpr std::size_t kMostMemory = std::size_t{2} << 30;

std::string sourceOf(const GraphShape& shape) {
  std::string text =
      "digraph strategy {\n"
      "graph [nodesep=0.25 ranksep=0.4 nslimit=4 nslimit1=4]\n"
      "node [shape=box fixedsize=true label=\"\"]\n"
      "edge [arrowhead=none]\n";
  for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
    text += std::to_string(i) + " [id=n" + std::to_string(i) +
            " width=" + std::to_string(shape.nodes[i].width() / kPointsPerInch) +
            " height=" + std::to_string(shape.nodes[i].height() / kPointsPerInch) + "]\n";
  }
  for (std::size_t e = 0; e < shape.edges.size(); ++e) {
    text += std::to_string(shape.edges[e].from) + " -> " + std::to_string(shape.edges[e].to) + " [id=e" +
            std::to_string(e) + "]\n";
  }
  for (std::size_t i = 0; i < shape.clusters.size(); ++i) {
    text += "subgraph cluster" + std::to_string(i) + " { margin=" + std::to_string(kClusterMargin);
    for (const std::size_t node : shape.clusters[i]) text += "; " + std::to_string(node);
    text += " }\n";
  }
  return text + "}\n";
}

/// The points of "180,-194 0,-194 …" and of "M83,-150C83,-139 …", whose letters say nothing that their number does not.
QList<QPointF> pointsOf(QStringView text) {
  static const QRegularExpression kNumber("[-+]?[0-9.]+(?:e[-+]?[0-9]+)?");
  QList<double> numbers;
  for (auto match = kNumber.globalMatch(text.toString()); match.hasNext();) {
    numbers << match.next().capturedView().toDouble();
  }
  QList<QPointF> points;
  for (qsizetype i = 0; i + 1 < numbers.size(); i += 2) points << QPointF(numbers[i], numbers[i + 1]);
  return points;
}

QPainterPath pathThrough(const QList<QPointF>& points) {
  QPainterPath path;
  if (points.isEmpty()) return path;
  path.moveTo(points[0]);
  for (qsizetype i = 1; i + 2 < points.size(); i += 3) path.cubicTo(points[i], points[i + 1], points[i + 2]);
  return path;
}

/// Kind of a group in dot's SVG: 'n' (node) or 'e' (edge) with its index; none for other shapes.
struct Part {
  char kind = ' ';
  std::size_t index = 0;
};

Part partOf(QStringView id) {
  bool isNumber = false;
  const qulonglong number = id.mid(1).toULongLong(&isNumber);
  return isNumber ? Part{char(id.front().toLatin1()), number} : Part();
}

GraphLayout layoutFrom(const std::string& drawing, const GraphShape& shape) {
  GraphLayout layout;
  layout.nodes.resize(shape.nodes.size());
  layout.edges.resize(shape.edges.size());
  QXmlStreamReader xml(QByteArray::fromStdString(drawing));
  Part part;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("g")) {
      part = partOf(xml.attributes().value("id"));
    } else if (xml.name() == QLatin1String("polygon") && part.kind == 'n' && part.index < layout.nodes.size()) {
      QRectF box(QPointF(), shape.nodes[part.index]);
      box.moveCenter(QPolygonF(pointsOf(xml.attributes().value("points"))).boundingRect().center());
      layout.nodes[part.index] = box;
    } else if (xml.name() == QLatin1String("path") && part.kind == 'e' && part.index < layout.edges.size()) {
      layout.edges[part.index] = pathThrough(pointsOf(xml.attributes().value("d")));
    }
  }
  return layout;
}

/// The layers in which graphviz's dot, a program of its own, puts the shape's boxes, one above the other, without
/// bounds. Errors: dot is not installed, gave up, needs over a minute or 2 GiB; cancelled.
Result<GraphLayout> layersByDot(const GraphShape& shape, const std::stop_token& stop) {
  HelperCall call;
  call.program = "dot";
  call.package = "graphviz";
  call.arguments = {"-Tsvg"};
  call.library = "dot";
  call.input = sourceOf(shape);
  call.seconds = kMostSeconds;
  call.memory = kMostMemory;
  P2_TRY_ASSIGN(const auto answer, askHelper(call, stop));
  return layoutFrom(answer.output, shape);
}

}  // namespace

int GraphLayout::nodeAt(QPointF point) const {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].contains(point)) return int(i);
  }
  return -1;
}

int GraphLayout::neighbour(int node, QPoint direction) const {
  const QPointF from = nodes[std::size_t(node)].center();
  int nearest = node;
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const QPointF way = nodes[i].center() - from;
    const double ahead = QPointF::dotProduct(way, direction);
    const double aside = std::abs(way.x() * direction.y()) + std::abs(way.y() * direction.x());
    if (ahead < 1) continue;
    // Straight ahead counts for more than near.
    const double distance = ahead + 3 * aside;
    if (distance < least) {
      least = distance;
      nearest = int(i);
    }
  }
  return nearest;
}

Result<GraphLayout> layoutGraph(const GraphShape& shape, double aspect, std::stop_token stop) {
  if (shape.nodes.size() > kMostLaidOutNodes) {
    return Error{"a graph of " + std::to_string(shape.nodes.size()) + " vertices is too large to draw; the most is " +
                     std::to_string(kMostLaidOutNodes),
                 {},
                 ErrorKind::TooLarge};
  }
  if (shape.edges.size() > kMostLaidOutEdges) {
    return Error{"a graph of " + std::to_string(shape.edges.size()) + " edges is too large to draw; the most is " +
                     std::to_string(kMostLaidOutEdges),
                 {},
                 ErrorKind::TooLarge};
  }
  if (stop.stop_requested()) return cancelledError();
  if (shape.nodes.empty()) return GraphLayout();
  P2_TRY_ASSIGN(auto layers, layersByDot(shape, stop));
  for (const auto& cluster : shape.clusters) {
    QRectF frame;
    for (const std::size_t node : cluster) frame |= layers.nodes[node];
    layers.clusters.push_back(frame.marginsAdded({kClusterMargin, kClusterMargin, kClusterMargin, kClusterMargin}));
  }
  return folded(std::move(layers), shape, aspect);
}

}  // namespace p2::views
