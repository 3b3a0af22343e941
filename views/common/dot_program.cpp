// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/dot_program.h"

#include <QRegularExpression>
#include <QXmlStreamReader>

#include "base/helper_program.h"

namespace p2::views {
namespace {

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

}  // namespace

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

}  // namespace p2::views
