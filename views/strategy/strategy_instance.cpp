// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_instance.h"

#include <QObject>
#include <QStringList>
#include <functional>
#include <numeric>

#include "base/units.h"

namespace p2::views {
namespace {

QString dimensionName(const StrategyInstance& instance, std::size_t vertex, std::size_t dimension) {
  if (!instance.graph) return QStringLiteral("d%1").arg(dimension);
  return QString::fromStdString(instance.graph->operators[vertex].dimensions[dimension].name);
}

}  // namespace

QString costText(const StrategyInstance& instance, double cost) {
  if (cost == 0) return instance.graph ? QStringLiteral("0 s") : QStringLiteral("0");
  return instance.graph ? QString::fromStdString(formatSeconds(cost)) : QString::number(cost, 'g', 4);
}

QString memoryText(const StrategyInstance& instance, const Strategy& strategy) {
  if (!instance.graph) return {};
  const QString needed = QString::fromStdString(formatBytes(Bytes(memoryOf(instance.problem, strategy.choice))));
  if (instance.deviceMemory() == Bytes(0)) return needed;
  return QObject::tr("%1 of %2").arg(needed, QString::fromStdString(formatBytes(instance.deviceMemory())));
}

QString memoryParts(const StrategyInstance& instance, const Strategy& strategy) {
  if (!instance.graph) return {};
  const StepMemory memory =
      memoryOf(*instance.graph, instance.problem, strategy, instance.options.wordBytes, instance.options.memory);
  const auto text = [](Bytes bytes) { return QString::fromStdString(formatBytes(bytes)); };
  return QObject::tr("Each device: parameters %1, gradients %2, optimizer %3, activations %4")
      .arg(text(memory.parameters), text(memory.gradients), text(memory.optimizer), text(memory.activations));
}

QString marksOf(const StrategyInstance& instance, std::size_t vertex, std::size_t configuration) {
  const Configuration& parts = instance.problem.domainOf(vertex).configurations[configuration];
  QStringList marks;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (parts[d] > 1) marks << dimensionName(instance, vertex, d) + QStringLiteral("÷%1").arg(parts[d]);
  }
  return marks.isEmpty() ? QObject::tr("whole") : marks.join(' ');
}

double devicesOf(const Configuration& parts) {
  return std::accumulate(parts.begin(), parts.end(), 1.0, std::multiplies<>());
}

QString kindOf(const StrategyInstance& instance, std::size_t vertex) {
  if (!instance.graph) return {};
  const std::string_view name = nameOf(instance.graph->operators[vertex].kind);
  QString kind = QString::fromUtf8(name.data(), qsizetype(name.size()));
  kind[0] = kind[0].toUpper();
  return kind;
}

QString percentText(double share) {
  const double percent = 100 * share;
  return QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0);
}

}  // namespace p2::views
