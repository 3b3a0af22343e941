// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_instance.h"

#include <QObject>
#include <QStringList>
#include <functional>
#include <numeric>

#include "base/sentence.h"
#include "mapping/axis_names.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString dimensionName(const StrategyInstance& instance, std::size_t vertex, std::size_t dimension) {
  if (!instance.graph) return QStringLiteral("d%1").arg(dimension);
  return qs(instance.graph->operators[vertex].dimensions[dimension].name);
}

QString nameOfCollective(MeshCollective collective, ReshardingText::Length length) {
  if (length == ReshardingText::Length::Long) {
    const std::string_view name = nameOf(collective);
    return qs(name);
  }
  switch (collective) {
    case MeshCollective::ReduceScatter:
      return QStringLiteral("RS");
    case MeshCollective::AllReduce:
      return QStringLiteral("AR");
    case MeshCollective::AllToAll:
      return QStringLiteral("A2A");
    case MeshCollective::AllGather:
      return QStringLiteral("AG");
  }
  return {};
}

}  // namespace

QStringList warningsOf(const StrategyInstance& instance) {
  QStringList warnings;
  if (!unpricedWords(instance).isEmpty()) warnings << QObject::tr("Not priced: %1.").arg(unpricedWords(instance));
  if (!instance.suggested.empty()) {
    QStringList sizes;
    for (const std::string& size : instance.suggested) sizes << qs(size);
    warnings << QObject::tr("The model has symbolic sizes; assuming %1 (change them on the left).")
                    .arg(sizes.join(QStringLiteral(", ")));
  }
  if (instance.graph) {
    for (const std::string& assumed : instance.graph->assumed) {
      const QString words = qs(assumed);
      warnings << QObject::tr("Assumed: %1.").arg(words.endsWith('.') ? words.chopped(1) : words);
    }
  }
  for (const std::string& warning : instance.warnings) warnings << qs(warning);
  for (const std::string& note : instance.notes) warnings << qs(sentenceOf(note));
  return warnings;
}

QString costText(const StrategyInstance& instance, double cost) {
  if (cost == 0) return instance.graph ? QStringLiteral("0 s") : QStringLiteral("0");
  return instance.graph ? secondsText(cost) : QString::number(cost, 'g', 4);
}

QString memoryText(const StrategyInstance& instance, const Strategy& strategy) {
  if (!instance.graph) return {};
  QString needed = bytesText(Bytes(memoryOf(instance.problem, strategy.choice)));
  if (instance.deviceMemory() == Bytes(0)) return needed;
  return QObject::tr("%1 of %2").arg(needed, bytesText(instance.deviceMemory()));
}

QString unpricedWords(const StrategyInstance& instance) {
  QStringList words;
  if (!instance.graph) return {};
  for (const std::string& each : instance.graph->unpriced) words << qs(each);
  return words.join(QStringLiteral("; "));
}

QString memoryParts(const StrategyInstance& instance, const Strategy& strategy) {
  if (!instance.graph) return {};
  const StepMemory memory = stepMemoryOf(instance, strategy);
  const auto text = [](Bytes bytes) { return bytesText(bytes); };
  const QString parts =
      QObject::tr("Each device: parameters %1, gradients %2, optimizer %3, activations %4")
          .arg(text(memory.parameters), text(memory.gradients), text(memory.optimizer), text(memory.activations));
  if (memory.rebuilt == Bytes(0)) return parts;
  return parts + QObject::tr(", one recomputed layer %1").arg(text(memory.rebuilt));
}

QString marksOf(const StrategyInstance& instance, std::size_t vertex, std::size_t configuration) {
  const Configuration& parts = instance.problem.domainOf(vertex).configurations[configuration];
  QStringList marks;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (parts[d] == 1) continue;
    QString mark = dimensionName(instance, vertex, d) + QStringLiteral("÷%1").arg(parts[d]);
    if (instance.onMesh) {
      const AxisAssignment& assignment = instance.mapped().assignmentOf(vertex, configuration);
      mark += ' ' + qs(meshAxesText(assignment.axesOf(d)));
    }
    marks << mark;
  }
  return marks.isEmpty() ? QObject::tr("whole") : marks.join(' ');
}

QString meshWords(const StrategyInstance& instance) {
  if (!instance.onMesh) return {};
  const MappedSolution& solution = instance.onMesh->solution;
  const auto names = axisNamesOf(*instance.graph, instance.mapped(), solution.bounded.solution.strategies.front());
  const QString mesh = QObject::tr("%1 placed by %2")
                           .arg(qs(meshText(solution.mapped.mesh, names)), qs(solution.mapped.mesh.matrix.text()));
  return solution.meshes == 1 ? mesh : QObject::tr("%1, the best of %2 meshes").arg(mesh).arg(solution.meshes);
}

QString placeWords(const StrategyInstance& instance, std::size_t vertex, std::size_t configuration) {
  if (!instance.onMesh) return {};
  const MappedProblem& mapped = instance.mapped();
  const AxisAssignment& assignment = mapped.assignmentOf(vertex, configuration);
  const Operator& op = instance.graph->operators[vertex];
  QStringList cuts;
  QStringList parts;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    const MeshAxes axes = assignment.axesOf(d);
    if (axes == 0) continue;
    const QString name = qs(op.dimensions[d].name);
    cuts << QObject::tr("%1 on %2").arg(qs(meshAxesText(axes)), name);
    const IndexRange first = rangeOf(op.dimensions[d].size, mapped.mesh.sizeOf(axes), 0);
    parts << QStringLiteral("%1 %2–%3").arg(name).arg(first.first).arg(first.end - 1);
  }
  if (cuts.isEmpty()) return QObject::tr("All devices repeat its work.");
  return QObject::tr("Axes: %1. Device 0 has %2.")
      .arg(cuts.join(QStringLiteral(", ")), parts.join(QStringLiteral(", ")));
}

QStringList unmodelledEffectsText(const StrategyInstance& instance) {
  QStringList words;
  if (!instance.onMesh) return words;
  words << pricedWords(instance.pricing, *instance.system);
  words << QObject::tr("Not modelled: %1.").arg(qs(meshUnmodelledEffects(isRouted(*instance.graph))));
  return words;
}

QString pricedWords(const ExploreOptions& pricing, const System& system) {
  return QObject::tr("Collectives are priced by the %1 model (%2), which does not model %3.")
      .arg(qs(pricing.cost.model), QString::fromUtf8(nameOf(pricing.cost.algorithm)),
           qs(unmodelledEffectsOf(pricing.cost, {}, system)));
}

ReshardingText::ReshardingText(const StrategyInstance& instance) : m_instance(instance) {
  if (instance.onMesh) m_graph.emplace(*instance.graph, instance.options);
}

QString ReshardingText::of(std::size_t edge, const Strategy& strategy, Length length) const {
  if (!m_graph) return {};
  const MappedProblem& mapped = m_instance.mapped();
  const ComputationGraph::Edge& ends = m_instance.graph->edges[edge];
  const auto both = m_graph->redistributionsOf(edge, mapped.assignmentOf(ends.from, strategy.choice[ends.from]),
                                               mapped.assignmentOf(ends.to, strategy.choice[ends.to]), mapped.mesh);
  QStringList words;
  for (std::size_t way = 0; way < both.size(); ++way) {
    for (std::size_t i = 0; i < kMeshCollectives; ++i) {
      if (both[way].steps[i].axes == 0) continue;
      const QString axes = qs(meshAxesText(both[way].steps[i].axes));
      const QString name = nameOfCollective(MeshCollective(i), length);
      const QString text = length == Length::Long ? QObject::tr("%1 over %2") : QObject::tr("%1 %2");
      words << text.arg(name, axes) + (way == 0 ? QString() : QObject::tr(" back"));
    }
  }
  return words.join(QStringLiteral(", "));
}

double devicesOf(const Configuration& parts) {
  return std::accumulate(parts.begin(), parts.end(), 1.0, std::multiplies<>());
}

QString kindOf(const StrategyInstance& instance, std::size_t vertex) {
  if (!instance.graph) return {};
  const std::string_view name = nameOf(instance.graph->operators[vertex].kind);
  QString kind = qs(name);
  kind[0] = kind[0].toUpper();
  return kind;
}

}  // namespace p2::views
