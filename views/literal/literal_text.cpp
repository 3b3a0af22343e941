// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "strategy/literal/literal_invariant.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

using Kind = LiteralMoment::Kind;

QString nameOf(const LiteralRun& run, std::size_t vertex) { return qs(run.problem->vertices[vertex].name); }

QString namesOf(const LiteralRun& run, const std::vector<std::size_t>& vertices) {
  QStringList names;
  for (const std::size_t vertex : vertices) names.append(nameOf(run, vertex));
  return names.join(", ");
}

QString rowsText(std::uint64_t rows) { return rows == 1 ? QObject::tr("1 row") : QObject::tr("%1 rows").arg(rows); }

QString strategiesText(std::uint64_t count) {
  return count == 1 ? QObject::tr("1 valid strategy") : QObject::tr("%1 valid strategies").arg(count);
}

/// Vertices that two tables, or a table and sub-strategies, both have; ascending.
std::vector<std::size_t> shared(std::vector<std::size_t> a, std::vector<std::size_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::size_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// "v0 = c0 (1), v1 = c1 (2)" of some of a row's vertices.
QString valuesText(const LiteralRun& run, const LiteralTable& table, std::uint64_t row,
                   const std::vector<std::size_t>& vertices) {
  QStringList values;
  for (const std::size_t vertex : vertices) {
    const auto place = std::find(table.scope.begin(), table.scope.end(), vertex) - table.scope.begin();
    const std::size_t choice = table.choice(row, static_cast<std::size_t>(place));
    values.append(QStringLiteral("%1 = %2").arg(nameOf(run, vertex), configurationText(*run.problem, vertex, choice)));
  }
  return values.join(", ");
}

QString chooseText(const LiteralRun& run, const LiteralMoment& moment) {
  const LiteralIteration& iteration = run.trace().iterations[moment.iteration];
  const std::size_t fewest = *iteration.unprocessed[moment.vertex];
  std::vector<std::size_t> others;
  for (std::size_t vertex = 0; vertex < iteration.unprocessed.size(); ++vertex) {
    if (vertex != moment.vertex && iteration.unprocessed[vertex] == fewest) others.push_back(vertex);
  }
  QString text = QObject::tr("v_min is %1: no vertex has fewer unprocessed neighbours than its %2.")
                     .arg(nameOf(run, moment.vertex), QString::number(fewest));
  if (!others.empty()) {
    text += (others.size() == 1 ? QObject::tr(" %1 has equally few; the first is taken.")
                                : QObject::tr(" %1 have equally few; the first is taken."))
                .arg(namesOf(run, others));
  }
  return text;
}

QString partitionText(const LiteralRun& run, const LiteralMoment& moment) {
  std::vector<std::size_t> neighbours = run.trace().tables[moment.vertex].scope;
  neighbours.pop_back();
  const QString rows = rowsText(moment.before);
  if (neighbours.empty()) {
    return QObject::tr("%1 has no neighbours: its %2 make one set.").arg(nameOf(run, moment.vertex), rows);
  }
  return QObject::tr("%1 of %2's table, %3 by the configurations of %4: rows of one set differ in %2 alone.")
      .arg(rows, nameOf(run, moment.vertex),
           moment.sets == 1 ? QObject::tr("in 1 set") : QObject::tr("in %1 sets").arg(moment.sets),
           namesOf(run, neighbours));
}

QString bestText(const LiteralRun& run, const LiteralMoment& moment, std::size_t at) {
  const std::vector<RowFate>& fates = run.trace().fates[moment.vertex];
  const auto tied = std::count_if(fates.begin(), fates.end(), [at](const RowFate& fate) {
    return fate.moment == at && fate.cause == RowFate::Cause::Tied;
  });
  QString text = (moment.after == 1 ? QObject::tr("Only the best row of each set stays: 1 of %1 remains.")
                                    : QObject::tr("Only the best row of each set stays: %2 of %1 remain."))
                     .arg(rowsText(moment.before));
  if (moment.after != 1) text = text.arg(moment.after);
  if (tied == 0) return text;
  text += tied == 1 ? QObject::tr(" 1 removed row costs no more than the one that stays")
                    : QObject::tr(" %1 removed rows cost no more than those that stay").arg(tied);
  return text +
         (run.options.ties == LiteralOptions::Ties::Lowest
              ? QObject::tr("; the lowest configuration is preferred.")
              : QObject::tr("; as printed any may stay, here one at random, with seed %1.").arg(run.options.seed));
}

QString restrictText(const LiteralRun& run, const LiteralMoment& moment) {
  const auto& tables = run.trace().tables;
  const auto common = shared(tables[moment.vertex].scope, tables[moment.neighbour].scope);
  const QString which = QObject::tr("%1's rows must agree with a row of %2 on %3: ")
                            .arg(nameOf(run, moment.neighbour), nameOf(run, moment.vertex), namesOf(run, common));
  if (moment.before == moment.after) return which + QObject::tr("all of its %1 do.").arg(rowsText(moment.before));
  if (moment.after == 1) return which + QObject::tr("of %1 1 remains.").arg(rowsText(moment.before));
  return which + QObject::tr("of %1 %2 remain.").arg(rowsText(moment.before)).arg(moment.after);
}

QString joinText(const LiteralRun& run, const LiteralMoment& moment) {
  const LiteralTrace& trace = run.trace();
  const QString name = nameOf(run, moment.vertex);
  if (moment.vertex == 0) {
    return QObject::tr("S starts as %1's table: %2.").arg(name, rowsText(moment.after));
  }
  const auto common = shared(trace.joins[moment.vertex - 1].vertices, trace.tables[moment.vertex].scope);
  const QString made = QObject::tr("%1's table is joined to the %2 of S").arg(name, rowsText(moment.before));
  if (common.empty()) return made + QObject::tr(", every one with every one: %1.").arg(rowsText(moment.after));
  return made + QObject::tr(" where they agree on %1: %2.").arg(namesOf(run, common), rowsText(moment.after));
}

QString resultText(const LiteralRun& run, const LiteralMoment& moment) {
  const auto& strategy = run.solution.strategy;
  if (!strategy) return QObject::tr("No valid strategy is left: the algorithm returns nothing.");
  QString text =
      QObject::tr("Of %1 the cheapest costs %2.").arg(strategiesText(moment.before), literalCostText(strategy->cost));
  const auto& invariant = moment.invariant;
  if (invariant && !invariant->holds) {
    text += QObject::tr(" That is not the optimum, which is %1.").arg(literalCostText(*run.trace().optimum));
  }
  return text;
}

}  // namespace

QString configurationText(const StrategyProblem& problem, std::size_t vertex, std::size_t choice) {
  QStringList parts;
  for (const std::int64_t part : problem.domainOf(vertex).configurations[choice]) parts.append(QString::number(part));
  return QStringLiteral("c%1 (%2)").arg(choice).arg(parts.join(", "));
}

QString literalCostText(double cost) { return QString::number(cost, 'g', 6); }

QString linesText(const LiteralRun& run, std::size_t moment) {
  switch (run.trace().moments[moment].kind) {
    case Kind::Tables:
      return QObject::tr("PaSE, Alg. 1, lines 5–14");
    case Kind::Choose:
      return QObject::tr("PaSE, Alg. 1, line 18");
    case Kind::Partition:
      return QObject::tr("PaSE, Alg. 1, lines 19–20");
    case Kind::Best:
      return QObject::tr("PaSE, Alg. 1, lines 22–26");
    case Kind::Restrict:
      return QObject::tr("PaSE, Alg. 1, lines 27–32");
    case Kind::Join:
      return QObject::tr("PaSE, Alg. 3, lines 3–19");
    case Kind::Result:
      return QObject::tr("PaSE, Alg. 1, lines 36–38");
  }
  return {};
}

QString literalPaper() {
  return QObject::tr(
      "the early form of: V. Elango, PaSE: Parallelization Strategies for Efficient DNN Training, IPDPS 2021");
}

QString momentText(const LiteralRun& run, std::size_t at) {
  const LiteralMoment& moment = run.trace().moments[at];
  switch (moment.kind) {
    case Kind::Tables:
      return QObject::tr(
                 "Every vertex gets a table: a row for each combination of its configurations with its "
                 "neighbours'. %1 in all.")
          .arg(rowsText(moment.after));
    case Kind::Choose:
      return chooseText(run, moment);
    case Kind::Partition:
      return partitionText(run, moment);
    case Kind::Best:
      return bestText(run, moment, at);
    case Kind::Restrict:
      return restrictText(run, moment);
    case Kind::Join:
      return joinText(run, moment);
    case Kind::Result:
      return resultText(run, moment);
  }
  return {};
}

InvariantText invariantText(const LiteralRun& run, std::size_t at) {
  const auto& moments = run.trace().moments;
  const auto& invariant = moments[at].invariant;
  if (!invariant) {
    return {InlineMessage::Kind::Note, QObject::tr("Theorem 1's invariant is not checked: the graph has more than %1 "
                                                   "strategies.")
                                           .arg(InvariantWatch::kMostStrategies, 0, 'f', 0)};
  }
  const QString optimum = literalCostText(*run.trace().optimum);
  if (invariant->holds) {
    return {InlineMessage::Kind::Good, QObject::tr("Theorem 1's invariant: %1, the cheapest costs %2, the optimum.")
                                           .arg(strategiesText(invariant->valid), optimum)};
  }
  const QString broken = at > 0 && moments[at - 1].invariant->holds
                             ? QObject::tr("Theorem 1's invariant breaks in this step: ")
                             : QObject::tr("Theorem 1's invariant is broken: ");
  if (!invariant->cheapest) {
    return {InlineMessage::Kind::Problem,
            broken + QObject::tr("no valid strategy is left, the optimum is %1.").arg(optimum)};
  }
  return {InlineMessage::Kind::Problem,
          broken + QObject::tr("%1, the cheapest costs %2, the optimum is %3.")
                       .arg(strategiesText(invariant->valid), literalCostText(*invariant->cheapest), optimum)};
}

QString fateText(const LiteralRun& run, std::size_t vertex, std::uint64_t row, std::size_t moment) {
  const LiteralTrace& trace = run.trace();
  if (trace.isAlive(vertex, row, moment)) return {};
  const RowFate& fate = trace.fates[vertex][row];
  const LiteralTable& table = trace.tables[vertex];
  const QString kept = QObject::tr("row %1 of set %2")
                           .arg(fate.kept + 1)
                           .arg(Theme::categoryLetter(static_cast<int>(table.setOf(fate.kept))));
  switch (fate.cause) {
    case RowFate::Cause::None:
      break;
    case RowFate::Cause::MoreExpensive:
      return QObject::tr("%1 costs only %2").arg(kept, literalCostText(rowCost(*run.problem, table, fate.kept)));
    case RowFate::Cause::Tied:
      return run.options.ties == LiteralOptions::Ties::Lowest
                 ? QObject::tr("%1 costs as little and comes first").arg(kept)
                 : QObject::tr("%1 costs as little and was picked").arg(kept);
    case RowFate::Cause::Unmatched: {
      const std::size_t chosen = trace.moments[fate.moment].vertex;
      return QObject::tr("no row of %1 has %2")
          .arg(nameOf(run, chosen), valuesText(run, table, row, shared(table.scope, trace.tables[chosen].scope)));
    }
  }
  return {};
}

bool showsSets(const LiteralMoment& moment) { return moment.kind == Kind::Partition || moment.kind == Kind::Best; }

}  // namespace p2::views
