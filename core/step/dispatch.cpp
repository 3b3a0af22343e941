// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/dispatch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace p2::inline step {
namespace {

/// Groups of experts, and how many of them and of their experts a token goes to.
struct Choice {
  std::int64_t groups = 1;
  std::int64_t chosen = 1;
  double expertsOfGroup = 1;
  std::int64_t expertsPerToken = 1;
};

Choice choiceOf(const ExpertRouting& routing, std::int64_t nodes) {
  const std::int64_t groups = routing.groups > 0 ? routing.groups : nodes;
  const bool limited = routing.mostGroups > 0 && routing.mostGroups < groups;
  const auto experts = static_cast<double>(routing.experts);
  if (!limited) return {1, 1, experts, routing.expertsPerToken};
  return {groups, routing.mostGroups, experts / static_cast<double>(groups), routing.expertsPerToken};
}

/// That none of a token's experts is among these of the chosen groups': they are drawn one after the other from the
/// others.
double missedBy(const Choice& choice, double theirs) {
  const double experts = static_cast<double>(choice.chosen) * choice.expertsOfGroup;
  double noneChosen = 1;
  for (std::int64_t drawn = 0; drawn < choice.expertsPerToken && noneChosen > 0; ++drawn) {
    const auto gone = static_cast<double>(drawn);
    const double elsewhere = experts - theirs - gone;
    noneChosen = elsewhere > 0 ? noneChosen * elsewhere / (experts - gone) : 0;
  }
  return noneChosen;
}

/// Logarithms of binomial coefficients.
class LogBinomials {
 public:
  explicit LogBinomials(std::int64_t most) : m_logFactorials(static_cast<std::size_t>(most) + 1) {
    for (std::size_t i = 2; i < m_logFactorials.size(); ++i) {
      m_logFactorials[i] = m_logFactorials[i - 1] + std::log(static_cast<double>(i));
    }
  }
  [[nodiscard]] double operator()(std::int64_t n, std::int64_t k) const { return of(n) - of(k) - of(n - k); }

 private:
  [[nodiscard]] double of(std::int64_t n) const { return m_logFactorials[static_cast<std::size_t>(n)]; }
  std::vector<double> m_logFactorials;
};

/// The groups of a node: some groups as a whole, and at both ends parts of others, as shares of a group.
struct NodeShare {
  std::int64_t whole = 0;
  double first = 0;
  double last = 0;
};

/// Of node `node`, where the groups are one after the other over all nodes. In parts: a group has `nodes` of them, a
/// node `groups`.
NodeShare shareOf(std::int64_t node, std::int64_t nodes, std::int64_t groups) {
  const std::int64_t from = node * groups;
  const std::int64_t to = from + groups;
  const std::int64_t firstWhole = (from + nodes - 1) / nodes;
  const std::int64_t endOfWhole = to / nodes;
  const auto part = [&](std::int64_t parts) { return static_cast<double>(parts) / static_cast<double>(nodes); };
  if (endOfWhole < firstWhole) return {0, part(to - from), 0};
  return {endOfWhole - firstWhole, part(firstWhole * nodes - from), part(to - endOfWhole * nodes)};
}

/// That none of a token's experts is on a node: over all that the token's groups can have in common with the node's.
double missed(const Choice& choice, const NodeShare& node, const LogBinomials& logBinomial) {
  const int firsts = node.first > 0 ? 1 : 0;
  const int lasts = node.last > 0 ? 1 : 0;
  const std::int64_t others = choice.groups - node.whole - firsts - lasts;
  const double ways = logBinomial(choice.groups, choice.chosen);
  double sum = 0;
  for (int first = 0; first <= firsts; ++first) {
    for (int last = 0; last <= lasts; ++last) {
      for (std::int64_t common = 0; common <= node.whole; ++common) {
        const std::int64_t elsewhere = choice.chosen - common - first - last;
        if (elsewhere < 0 || elsewhere > others) continue;
        const double likely = std::exp(logBinomial(node.whole, common) + logBinomial(others, elsewhere) - ways);
        const double theirs = static_cast<double>(common) + first * node.first + last * node.last;
        sum += likely * missedBy(choice, choice.expertsOfGroup * theirs);
      }
    }
  }
  return sum;
}

}  // namespace

double expectedNodes(const ExpertRouting& routing, std::int64_t nodes) {
  const Choice choice = choiceOf(routing, nodes);
  // The layout of groups on nodes repeats.
  const std::int64_t repeats = std::gcd(nodes, choice.groups);
  const LogBinomials logBinomial(choice.groups);
  double reached = 0;
  for (std::int64_t node = 0; node < nodes / repeats; ++node) {
    reached += 1 - missed(choice, shareOf(node, nodes, choice.groups), logBinomial);
  }
  return reached * static_cast<double>(repeats);
}

double deduplicatedBytes(double bytes, const ExpertRouting& routing, std::int64_t nodes) {
  return bytes / static_cast<double>(routing.expertsPerToken) * expectedNodes(routing, nodes);
}

std::optional<DispatchExchanges> dispatchExchanges(const Topology& topology, const SynthesisHierarchy& hierarchy) {
  const std::int64_t node = devicesPerNode(*topology.system());
  const auto& levels = hierarchy.levels();
  const auto across = static_cast<int>(std::count_if(levels.begin(), levels.end(), [&](const SynthesisLevel& level) {
    return topology.levels()[level.digits[0].level].devicesBelow >= node;
  }));
  if (across == 0) return {};
  DispatchExchanges exchanges{{0, across, false}, {}};
  if (across < hierarchy.levelCount()) exchanges.inside = GroupPattern{across, hierarchy.levelCount(), false};
  return exchanges;
}

}  // namespace p2::inline step
