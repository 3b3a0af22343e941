// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/numbers.h"
#include "exporters/exporters.h"

namespace p2::inline exporters {
namespace {

class WcspWriter {
 public:
  explicit WcspWriter(const StrategyProblem& problem) : m_problem(problem), m_step(costStep(problem)) {}

  std::string write() {
    writeHead();
    for (std::size_t v = 0; v < m_problem.vertices.size(); ++v) {
      const ConfigurationDomain& domain = m_problem.domainOf(v);
      if (!begin({v}, m_sharedDomains, m_problem.vertices[v].domain)) continue;
      whole(nonZero(domain.costs)).endLine();
      for (std::size_t i = 0; i < domain.costs.size(); ++i) {
        if (inSteps(domain.costs[i]) != 0) whole(i).whole(inSteps(domain.costs[i])).endLine();
      }
    }
    for (const StrategyProblem::Edge& edge : m_problem.edges) {
      const EdgeCosts& table = m_problem.tables[edge.table];
      if (!begin({edge.from, edge.to}, m_sharedTables, edge.table)) continue;
      whole(nonZero(table.costs)).endLine();
      for (std::size_t i = 0; i < table.costs.size(); ++i) {
        if (inSteps(table.costs[i]) == 0) continue;
        whole(i / table.columns).whole(i % table.columns).whole(inSteps(table.costs[i])).endLine();
      }
    }
    return std::move(m_text);
  }

 private:
  /// Name, variables, most values, functions, a cost that none reaches; then the number of values of each variable.
  void writeHead() {
    m_text = m_problem.name.empty() ? "strategy" : m_problem.name;
    std::replace_if(
        m_text.begin(), m_text.end(), [](char c) { return !(c > ' ' && c < 0x7f); }, '_');
    m_text += "_step=" + exactNumber(m_step) + " ";
    std::uint64_t top = 1;
    std::size_t most = 1;
    for (std::size_t v = 0; v < m_problem.vertices.size(); ++v) {
      most = std::max(most, m_problem.domainOf(v).costs.size());
      top += costliest(m_problem.domainOf(v).costs);
    }
    for (const StrategyProblem::Edge& edge : m_problem.edges) top += costliest(m_problem.tables[edge.table].costs);
    whole(m_problem.vertices.size()).whole(most).whole(m_problem.vertices.size() + m_problem.edges.size()).whole(top);
    endLine();
    for (std::size_t v = 0; v < m_problem.vertices.size(); ++v) whole(m_problem.domainOf(v).costs.size());
    endLine();
  }

  /// Scope and default cost. A table met for the first time is marked by a negative number of variables and gets the
  /// next number; from then on that number says all, and nothing more is to be written.
  bool begin(const std::vector<std::size_t>& scope, std::map<std::size_t, std::size_t>& shared, std::size_t table) {
    const auto [known, fresh] = shared.try_emplace(table, m_shared + 1);
    if (fresh) {
      ++m_shared;
      m_text += '-';
    }
    whole(scope.size());
    for (const std::size_t v : scope) whole(v);
    whole(0);
    if (fresh) return true;
    m_text += '-';
    whole(known->second).endLine();
    return false;
  }

  [[nodiscard]] std::uint64_t inSteps(double cost) const {
    return static_cast<std::uint64_t>(std::nearbyint(cost / m_step));
  }
  [[nodiscard]] std::uint64_t costliest(const std::vector<double>& costs) const {
    return inSteps(*std::max_element(costs.begin(), costs.end()));
  }
  [[nodiscard]] std::uint64_t nonZero(const std::vector<double>& costs) const {
    return static_cast<std::uint64_t>(
        std::count_if(costs.begin(), costs.end(), [this](double cost) { return inSteps(cost) != 0; }));
  }

  WcspWriter& whole(std::uint64_t value) {
    std::array<char, 24> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    m_text.append(digits.data(), static_cast<std::size_t>(end - digits.data())).push_back(' ');
    return *this;
  }
  void endLine() { m_text.back() = '\n'; }

  const StrategyProblem& m_problem;
  double m_step;
  std::string m_text;
  std::size_t m_shared = 0;
  std::map<std::size_t, std::size_t> m_sharedDomains;
  std::map<std::size_t, std::size_t> m_sharedTables;
};

}  // namespace

std::string strategyProblemToWcsp(const StrategyProblem& problem) { return WcspWriter(problem).write(); }

}  // namespace p2::inline exporters
