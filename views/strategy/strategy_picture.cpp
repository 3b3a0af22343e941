// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_picture.h"

#include <QObject>
#include <algorithm>

namespace p2::views {

QString StrategyPicture::textOf(std::size_t index) const {
  const Vertex& vertex = vertices[index];
  const QString name = vertex.kind.isEmpty() ? vertex.name : vertex.name + " (" + vertex.kind + ")";
  QString text =
      QObject::tr("%1: %2, %3, %4 of the whole").arg(name, vertex.marks, vertex.cost, percentText(vertex.share));
  if (vertex.pinned) text += QObject::tr("; pinned");
  if (!vertex.instead.isEmpty()) text += QObject::tr("; the best strategy has %1").arg(vertex.instead);
  return text;
}

QStringList StrategyPicture::exchangesInto(std::size_t vertex) const {
  QStringList lines;
  for (const Edge& edge : edges) {
    if (edge.to != vertex || edge.share == 0) continue;
    lines << QObject::tr("from %1: %2").arg(vertices[edge.from].name, edge.cost);
    if (!edge.by.isEmpty()) lines.back() += ", " + edge.by;
  }
  return lines;
}

StrategyPicture pictureOf(const StrategyInstance& instance, const Pins& pins, const Strategy& shown,
                          const Strategy& comparedWith) {
  const StrategyProblem& problem = instance.problem;
  const auto shareOf = [&](double cost) { return shown.cost > 0 ? cost / shown.cost : 0; };
  StrategyPicture picture;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    const std::size_t choice = shown.choice[v];
    const double cost = problem.domainOf(v).costs[choice];
    StrategyPicture::Vertex vertex{QString::fromStdString(problem.vertices[v].name),
                                   kindOf(instance, v),
                                   marksOf(instance, v, choice),
                                   costText(instance, cost),
                                   shareOf(cost),
                                   !pins.empty() && pins[v].has_value(),
                                   {}};
    if (comparedWith.choice[v] != choice) vertex.instead = marksOf(instance, v, comparedWith.choice[v]);
    picture.largestShare = std::max(picture.largestShare, vertex.share);
    picture.vertices.push_back(std::move(vertex));
  }
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    const StrategyProblem::Edge& edge = problem.edges[e];
    const double cost = problem.tables[edge.table].at(shown.choice[edge.from], shown.choice[edge.to]);
    picture.edges.push_back(
        {edge.from, edge.to, costText(instance, cost), shareOf(cost), exchangeWords(instance, e, shown)});
    picture.largestShare = std::max(picture.largestShare, shareOf(cost));
  }
  return picture;
}

}  // namespace p2::views
