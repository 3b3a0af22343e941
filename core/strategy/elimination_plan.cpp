// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/elimination_plan.h"

#include <algorithm>
#include <map>
#include <optional>

namespace p2::inline strategy {
namespace {

double product(const std::vector<std::size_t>& sizes) {
  double result = 1;
  for (const std::size_t size : sizes) result *= static_cast<double>(size);
  return result;
}

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

class Planner {
 public:
  Planner(const CostNetwork& network, const EliminationOrder& order)
      : m_network(network),
        m_order(order),
        m_place(network.values.size(), order.vertices.size()),
        m_buckets(order.vertices.size() + 1) {
    for (std::size_t i = 0; i < order.vertices.size(); ++i) m_place[order.vertices[i]] = i;
    for (const CostTable& table : network.tables) m_plan.bytes += static_cast<double>(table.cells.size());
    for (const Factor& factor : network.factors) add(factor);
  }

  EliminationPlan plan(const std::stop_token& stop) {
    m_plan.order = m_order.name;
    m_plan.complete = m_order.vertices.size() == m_network.values.size();
    for (std::size_t i = 0; i < m_order.vertices.size(); ++i) {
      if (stop.stop_requested()) {
        m_plan.complete = false;
        break;
      }
      eliminate(m_order.vertices[i], std::move(m_buckets[i]));
    }
    if (m_plan.complete) eliminate(m_network.values.size(), std::move(m_buckets.back()));
    m_plan.bytes *= sizeof(double);
    return std::move(m_plan);
  }

 private:
  /// To the vertex of its scope that is eliminated first; numbers to "all".
  void add(Factor factor) {
    std::size_t place = m_order.vertices.size();
    for (const std::size_t v : factor.scope) place = std::min(place, m_place[v]);
    m_buckets[place].push_back(std::move(factor));
  }

  void eliminate(std::size_t vertex, std::vector<Factor> inputs) {
    EliminationStep step{vertex, {}, std::move(inputs), 0};
    TableTask task;
    if (vertex < m_network.values.size()) task.eliminated = m_network.sizeOf(vertex);
    arrange(step, task);
    for (const Factor& factor : step.inputs) {
      TableTask::Input input{factor.table, {}};
      for (const std::size_t v : factor.scope) {
        const auto axis = std::find(step.separator.begin(), step.separator.end(), v) - step.separator.begin();
        input.axes.push_back(static_cast<std::size_t>(axis));
      }
      task.inputs.push_back(std::move(input));
    }
    std::sort(task.inputs.begin(), task.inputs.end());
    step.table = tableOf(std::move(task));
    if (vertex < m_network.values.size()) add({step.table, step.separator});
    m_plan.steps.push_back(std::move(step));
  }

  /// Puts last the axis whose inputs have the fewest other axes, so that they are added up for many rows at once; a
  /// short axis makes short vectors and is worth avoiding as well.
  void arrange(EliminationStep& step, TableTask& task) const {
    std::vector<std::size_t> around;
    for (const Factor& factor : step.inputs) around.insert(around.end(), factor.scope.begin(), factor.scope.end());
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::erase(around, step.vertex);
    double least = -1;
    for (const std::size_t last : around) {
      std::vector<std::size_t> with;
      std::vector<std::size_t> without;
      double rows = 1;
      for (const std::size_t v : around) {
        if (v == last) continue;
        const bool joined = std::any_of(step.inputs.begin(), step.inputs.end(), [&](const Factor& factor) {
          return contains(factor.scope, v) && contains(factor.scope, last);
        });
        (joined ? with : without).push_back(v);
        if (!joined) rows *= static_cast<double>(m_network.sizeOf(v));
      }
      const double price = 1 / rows + 1 / static_cast<double>(m_network.sizeOf(last));
      if (least >= 0 && price >= least) continue;
      least = price;
      task.outer = with.size();
      step.separator = std::move(with);
      step.separator.insert(step.separator.end(), without.begin(), without.end());
      step.separator.push_back(last);
    }
    for (const std::size_t v : step.separator) task.sizes.push_back(m_network.sizeOf(v));
  }

  std::size_t tableOf(TableTask task) {
    const auto [known, fresh] = m_tables.try_emplace(task, m_network.tables.size() + m_plan.tasks.size());
    if (fresh) {
      m_plan.cells += task.cells();
      m_plan.largest = std::max(m_plan.largest, task.cells());
      m_plan.bytes += task.resultCells();
      m_plan.tasks.push_back(std::move(task));
    }
    return known->second;
  }

  const CostNetwork& m_network;
  const EliminationOrder& m_order;
  std::vector<std::size_t> m_place;
  std::vector<std::vector<Factor>> m_buckets;
  std::map<TableTask, std::size_t> m_tables;
  EliminationPlan m_plan;
};

}  // namespace

double TableTask::cells() const { return product(sizes) * static_cast<double>(eliminated); }

double TableTask::resultCells() const { return product(sizes); }

EliminationPlan eliminationPlan(const CostNetwork& network, const EliminationOrder& order,
                                const std::stop_token& stop) {
  return Planner(network, order).plan(stop);
}

EliminationPlan cheapestPlan(const CostNetwork& network, const std::stop_token& stop) {
  constexpr double kNotWorthMore = 1e6;  // cells: done sooner than another order is found
  std::optional<EliminationPlan> cheapest;
  for (const OrderRule rule : {OrderRule::MinDegree, OrderRule::MinFill, OrderRule::MinWeight}) {
    for (const OrderTie tie : {OrderTie::Last, OrderTie::First}) {
      EliminationPlan plan = eliminationPlan(network, eliminationOrder(network, rule, tie, stop), stop);
      const bool cheaper =
          !cheapest || (plan.complete != cheapest->complete ? plan.complete : plan.cells < cheapest->cells);
      if (cheaper) cheapest = std::move(plan);
      if ((cheapest->complete && cheapest->cells < kNotWorthMore) || stop.stop_requested()) return *cheapest;
    }
  }
  return *cheapest;
}

}  // namespace p2::inline strategy
