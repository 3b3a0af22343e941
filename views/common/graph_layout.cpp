// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/graph_layout.h"

#include <graphviz/gvc.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <semaphore>
#include <string>

#include "views/common/graph_folding.h"

namespace p2::views {
namespace {

constexpr double kPointsPerInch = 72;

/// The one place at graphviz' table, waited for without blocking the stop.
class Turn {
 public:
  explicit Turn(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    while (!m_mine && !stop.stop_requested()) m_mine = place().try_acquire_for(20ms);
  }
  ~Turn() {
    if (m_mine) place().release();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  [[nodiscard]] bool mine() const { return m_mine; }

 private:
  static std::binary_semaphore& place() {
    static std::binary_semaphore kPlace{1};
    return kPlace;
  }
  bool m_mine = false;
};

/// A graph of graphviz with what must be given back, in order.
class DotGraph {
 public:
  DotGraph() : m_context(gvContext()), m_graph(agopen(Text("strategy").data(), Agdirected, nullptr)) {
    for (const auto& [key, value] :
         {std::pair{"nodesep", "0.25"}, {"ranksep", "0.4"}, {"nslimit", "4"}, {"nslimit1", "4"}}) {
      setDefault(AGRAPH, key, value);
    }
    for (const auto& [key, value] :
         {std::pair{"shape", "box"}, {"fixedsize", "true"}, {"label", ""}, {"width", "1"}, {"height", "1"}}) {
      setDefault(AGNODE, key, value);
    }
    setDefault(AGEDGE, "arrowhead", "none");
  }
  ~DotGraph() {
    if (m_laidOut) gvFreeLayout(m_context, m_graph);
    agclose(m_graph);
    gvFreeContext(m_context);
  }
  DotGraph(const DotGraph&) = delete;
  DotGraph& operator=(const DotGraph&) = delete;

  Agnode_t* add(QSizeF size) {
    Agnode_t* node = agnode(m_graph, nullptr, 1);
    set(node, "width", size.width());
    set(node, "height", size.height());
    return node;
  }
  void addCluster(std::size_t number, const std::vector<Agnode_t*>& nodes) {
    Agraph_t* cluster = agsubg(m_graph, Text("cluster" + std::to_string(number)).data(), 1);
    agsafeset(cluster, Text("margin").data(), std::to_string(kClusterMargin).data(), Text("8").data());
    for (Agnode_t* node : nodes) agsubnode(cluster, node, 1);
  }
  Agedge_t* add(Agnode_t* from, Agnode_t* to) { return agedge(m_graph, from, to, nullptr, 1); }
  bool layOut() { return m_laidOut = gvLayout(m_context, m_graph, "dot") == 0; }
  [[nodiscard]] double height() const { return GD_bb(m_graph).UR.y; }

 private:
  // graphviz 2 takes its texts as char* and leaves them as they are.
  using Text = std::string;
  void setDefault(int kind, Text key, Text value) { agattr(m_graph, kind, key.data(), value.data()); }
  static void set(Agnode_t* node, Text key, double points) {
    agset(node, key.data(), std::to_string(points / kPointsPerInch).data());
  }

  GVC_t* m_context;
  Agraph_t* m_graph;
  bool m_laidOut = false;
};

QPainterPath pathOf(const splines* spline, double height) {
  QPainterPath path;
  if (spline == nullptr || spline->size == 0) return path;
  const bezier& curve = spline->list[0];
  const auto at = [&](int i) { return QPointF(curve.list[i].x, height - curve.list[i].y); };
  path.moveTo(at(0));
  for (int i = 1; i + 2 < curve.size; i += 3) path.cubicTo(at(i), at(i + 1), at(i + 2));
  return path;
}

GraphLayout readLayout(const DotGraph& dot, const std::vector<Agnode_t*>& nodes, const std::vector<Agedge_t*>& edges,
                       const GraphShape& shape) {
  GraphLayout layout;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    QRectF rect(QPointF(), shape.nodes[i]);
    rect.moveCenter({ND_coord(nodes[i]).x, dot.height() - ND_coord(nodes[i]).y});
    layout.nodes.push_back(rect);
  }
  for (const Agedge_t* edge : edges) layout.edges.push_back(pathOf(ED_spl(edge), dot.height()));
  for (const auto& cluster : shape.clusters) {
    QRectF frame;
    for (const std::size_t node : cluster) frame |= layout.nodes[node];
    layout.clusters.push_back(frame.marginsAdded({kClusterMargin, kClusterMargin, kClusterMargin, kClusterMargin}));
  }
  return layout;
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
  const Turn turn(stop);
  if (!turn.mine()) return cancelledError();
  if (shape.nodes.empty()) return GraphLayout();
  DotGraph dot;
  std::vector<Agnode_t*> nodes;
  std::vector<Agedge_t*> edges;
  for (const QSizeF& size : shape.nodes) nodes.push_back(dot.add(size));
  for (const GraphShape::Edge& edge : shape.edges) edges.push_back(dot.add(nodes[edge.from], nodes[edge.to]));
  for (std::size_t i = 0; i < shape.clusters.size(); ++i) {
    std::vector<Agnode_t*> members;
    for (const std::size_t node : shape.clusters[i]) members.push_back(nodes[node]);
    dot.addCluster(i, members);
  }
  if (!dot.layOut()) return Error{"the graph cannot be laid out", {}, ErrorKind::Failed};
  if (stop.stop_requested()) return cancelledError();
  return folded(readLayout(dot, nodes, edges, shape), shape, aspect);
}

}  // namespace p2::views
