// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_picture.h"

#include <QMap>
#include <QObject>
#include <algorithm>

#include "views/common/text.h"

namespace p2::views {
namespace {

class PictureMaker {
 public:
  PictureMaker(const StrategyInstance& instance, const Pins& pins, const Strategy& shown, const Strategy& comparedWith,
               const FoldedGraph& folded)
      : m_instance(instance),
        m_problem(instance.problem),
        m_pins(pins),
        m_shown(shown),
        m_comparedWith(comparedWith),
        m_folded(folded),
        m_costs(costsOf(instance, shown.choice)) {
    for (std::size_t v = 0; v < m_problem.vertices.size(); ++v) m_marks << marksOf(instance, v, shown.choice[v]);
    m_shownCopy.resize(folded.frames.size());
  }

  StrategyPicture make() {
    m_picture.total = m_shown.cost;
    for (std::size_t f = 0; f < m_folded.frames.size(); ++f) addFrame(f);
    for (const FoldedGraph::Node& node : m_folded.nodes) addNode(node);
    for (std::size_t f = 0; f < m_folded.frames.size(); ++f) {
      double share = 0;
      for (const std::size_t node : m_picture.frames[f].nodes) {
        share += shareOf(m_picture.vertices[node].costs.total());
      }
      m_picture.frames[f].share = QObject::tr("%1 of the cost").arg(qs(formatPercent(share)));
    }
    addEdges();
    return std::move(m_picture);
  }

 private:
  [[nodiscard]] double shareOf(double cost) const { return m_shown.cost > 0 ? cost / m_shown.cost : 0; }
  [[nodiscard]] QString nameOf(std::size_t vertex) const { return qs(m_problem.vertices[vertex].name); }

  /// The copies of a folded part by their kind; the most frequent kind is shown.
  void addFrame(std::size_t index) {
    const FoldedGraph::Frame& frame = m_folded.frames[index];
    const Repeat& repeat = m_instance.repeats[frame.repeat];
    QMap<QString, std::size_t> count;
    std::vector<QString> looks;
    for (const auto& copy : repeat.copies) {
      QStringList look;
      for (const std::size_t vertex : copy) look << m_marks[qsizetype(vertex)];
      looks.push_back(look.join('|'));
      ++count[looks.back()];
    }
    std::size_t most = 0;
    for (std::size_t c = 0; c < looks.size(); ++c) {
      if (count[looks[c]] > count[looks[most]]) most = c;
    }
    m_shownCopy[index] = most;
    const std::size_t copies = looks.size();
    StrategyPicture::Frame drawn;
    drawn.title =
        QObject::tr("%1 ×%2")
            .arg(repeat.numbers.empty() ? nameOf(repeat.copies[0][0]) + QStringLiteral(" …") : qs(repeat.name()))
            .arg(copies);
    if (const std::size_t equal = count[looks[most]]; equal < copies) {
      drawn.variants = QObject::tr("×%1 the same, ×%2 other").arg(equal).arg(copies - equal);
    }
    for (std::size_t c = 0; c < copies; ++c) {
      if (looks[c] != looks[most]) drawn.differences << differenceOf(repeat.copies[c], repeat.copies[most]);
    }
    drawn.repeat = frame.repeat;
    drawn.nodes = frame.nodes;
    m_picture.frames.push_back(std::move(drawn));
  }

  [[nodiscard]] QString differenceOf(const std::vector<std::size_t>& copy,
                                     const std::vector<std::size_t>& shown) const {
    QStringList words;
    for (std::size_t k = 0; k < copy.size(); ++k) {
      const QString marks = m_marks[qsizetype(copy[k])];
      if (marks == m_marks[qsizetype(shown[k])]) continue;
      words << QObject::tr("%1 %2").arg(nameOf(copy[k]), marks);
    }
    return words.join(QStringLiteral(", "));
  }

  void addNode(const FoldedGraph::Node& node) {
    std::vector<std::size_t> vertices = node.vertices;
    if (node.frame) std::swap(vertices.front(), vertices[m_shownCopy[*node.frame]]);
    const std::size_t shown = vertices.front();
    StrategyPicture::Vertex vertex;
    vertex.name = nameOf(shown);
    const bool ambiguous = node.repeat && m_instance.repeats[*node.repeat].countsWithinCopies();
    if (vertices.size() > 1 && !ambiguous) {
      vertex.name =
          qs(sharedName(m_problem.vertices[node.vertices.front()].name, m_problem.vertices[node.vertices.back()].name));
    }
    vertex.kind = kindOf(m_instance, shown);
    vertex.marks = m_marks[qsizetype(shown)];
    QMap<QString, int> others;
    std::size_t different = 0;
    for (const std::size_t v : vertices) {
      vertex.costs.compute += m_costs[v].compute;
      vertex.costs.reduce += m_costs[v].reduce;
      vertex.costs.resharding += m_costs[v].resharding;
      vertex.pins += !m_pins.empty() && m_pins[v] ? 1 : 0;
      if (m_marks[qsizetype(v)] != vertex.marks) ++others[m_marks[qsizetype(v)]];
      if (m_comparedWith.choice[v] == m_shown.choice[v]) continue;
      if (different++ == 0) vertex.instead = marksOf(m_instance, v, m_comparedWith.choice[v]);
    }
    if (vertices.size() > 1 && different > 0)
      vertex.instead = QObject::tr("%1 (%2×)").arg(vertex.instead).arg(different);
    QStringList words;
    for (auto other = others.begin(); other != others.end(); ++other) {
      words << QObject::tr("%1× %2").arg(other.value()).arg(other.key());
    }
    vertex.others = words.join(QStringLiteral(", "));
    vertex.pinned = vertex.pins > 0;
    const double own = vertex.costs.compute + vertex.costs.reduce;
    vertex.cost = costText(m_instance, own);
    vertex.share = shareOf(own);
    vertex.repeat = node.repeat;
    vertex.vertices = std::move(vertices);
    m_picture.largestShare = std::max(m_picture.largestShare, vertex.share);
    m_picture.vertices.push_back(std::move(vertex));
  }

  void addEdges() {
    const ReshardingText words(m_instance);
    for (const FoldedGraph::Edge& edge : m_folded.edges) {
      double cost = 0;
      StrategyPicture::Edge drawn{edge.from, edge.to, {}, 0, {}, {}, edge.again};
      for (const std::size_t e : edge.edges) {
        const StrategyProblem::Edge& ends = m_problem.edges[e];
        const double one = m_problem.tables[ends.table].at(m_shown.choice[ends.from], m_shown.choice[ends.to]);
        cost += one;
        if (one == 0 || !drawn.by.isEmpty()) continue;
        drawn.by = words.of(e, m_shown, ReshardingText::Length::Long);
        drawn.shortly = words.of(e, m_shown, ReshardingText::Length::Short);
      }
      drawn.cost = costText(m_instance, cost);
      drawn.share = shareOf(cost);
      m_picture.largestShare = std::max(m_picture.largestShare, drawn.share);
      m_picture.edges.push_back(std::move(drawn));
    }
  }

  const StrategyInstance& m_instance;
  const StrategyProblem& m_problem;
  const Pins& m_pins;
  const Strategy& m_shown;
  const Strategy& m_comparedWith;
  const FoldedGraph& m_folded;
  std::vector<CostSplit> m_costs;
  QStringList m_marks;                   // by vertex
  std::vector<std::size_t> m_shownCopy;  // by frame
  StrategyPicture m_picture;
};

}  // namespace

void StrategyPicture::nameStages(const std::vector<std::size_t>& stages) {
  for (Vertex& vertex : vertices) {
    vertex.stage.clear();
    if (stages.empty() || vertex.vertices.empty()) continue;
    std::size_t first = stages.size();
    std::size_t last = 0;
    for (const std::size_t op : vertex.vertices) {
      if (op >= stages.size()) continue;
      first = std::min(first, stages[op]);
      last = std::max(last, stages[op]);
    }
    if (first > last) continue;
    vertex.stage = first == last ? QObject::tr("stage %1").arg(first + 1)
                                 : QObject::tr("stages %1–%2").arg(first + 1).arg(last + 1);
  }
}

int StrategyPicture::costliest() const {
  const auto costliest = std::max_element(vertices.begin(), vertices.end(),
                                          [](const auto& a, const auto& b) { return a.share < b.share; });
  return int(costliest - vertices.begin());
}

QString StrategyPicture::textOf(std::size_t index) const {
  const Vertex& vertex = vertices[index];
  QString name = vertex.kind.isEmpty() ? vertex.name : vertex.name + " (" + vertex.kind + ")";
  if (vertex.vertices.size() > 1) name += QObject::tr(" ×%1").arg(vertex.vertices.size());
  QString text =
      QObject::tr("%1: %2, %3, %4 of the whole").arg(name, vertex.marks, vertex.cost, qs(formatPercent(vertex.share)));
  if (!vertex.others.isEmpty()) text += QObject::tr("; others: %1").arg(vertex.others);
  if (vertex.pinned && vertex.pins < vertex.vertices.size()) {
    text += QObject::tr("; %1 of %2 pinned").arg(vertex.pins).arg(vertex.vertices.size());
  } else if (vertex.pinned) {
    text += QObject::tr("; pinned");
  }
  if (!vertex.stage.isEmpty()) text += QObject::tr("; %1 of the pipeline").arg(vertex.stage);
  if (!vertex.instead.isEmpty()) text += QObject::tr("; the best strategy has %1").arg(vertex.instead);
  return text;
}

QString StrategyPicture::edgeText(std::size_t index) const {
  const Edge& edge = edges[index];
  const QString ends = QObject::tr("%1 → %2").arg(vertices[edge.from].name, vertices[edge.to].name);
  QString text = edge.again ? QObject::tr("%1 of the next").arg(ends) : ends;
  if (edge.share == 0) return QObject::tr("%1: nothing moves").arg(text);
  text = QObject::tr("%1: %2, %3 of the whole").arg(text, edge.cost, qs(formatPercent(edge.share)));
  return edge.by.isEmpty() ? text : text + ", " + edge.by;
}

QStringList StrategyPicture::reshardingsInto(std::size_t vertex) const {
  QStringList lines;
  for (const Edge& edge : edges) {
    if (edge.to != vertex || edge.share == 0) continue;
    lines << QObject::tr("from %1: %2").arg(vertices[edge.from].name, edge.cost);
    if (!edge.by.isEmpty()) lines.back() += ", " + edge.by;
  }
  return lines;
}

StrategyPicture pictureOf(const StrategyInstance& instance, const Pins& pins, const Strategy& shown,
                          const Strategy& comparedWith, const FoldedGraph& folded) {
  return PictureMaker(instance, pins, shown, comparedWith, folded).make();
}

StrategyPicture pictureOf(const StrategyInstance& instance, const Pins& pins, const Strategy& shown,
                          const Strategy& comparedWith) {
  return pictureOf(instance, pins, shown, comparedWith,
                   foldedGraph(instance.problem, instance.graph ? &*instance.graph : nullptr, {}, {}));
}

}  // namespace p2::views
