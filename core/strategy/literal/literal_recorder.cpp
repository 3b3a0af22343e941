// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_recorder.h"

#include <algorithm>
#include <map>

namespace p2::inline strategy {

namespace {

constexpr std::size_t kRowsBetweenLooks = 4096;  // at the stop token

using Choices = std::vector<std::uint32_t>;

/// Where the vertices of a union come from: a place in the sub-strategies so far or, if they lack it, in the table.
struct Source {
  bool table = false;
  std::size_t place = 0;
};

std::size_t placeOf(const std::vector<std::size_t>& vertices, std::size_t vertex) {
  return static_cast<std::size_t>(std::find(vertices.begin(), vertices.end(), vertex) - vertices.begin());
}

/// The rows of a table by their configurations of the vertices it shares with the sub-strategies so far.
class Matcher {
 public:
  Matcher(const std::vector<std::size_t>& vertices, const LiveTable& table) : m_shape(table.shape) {
    std::vector<std::size_t> scope = m_shape.scope;
    std::sort(scope.begin(), scope.end());
    std::set_intersection(scope.begin(), scope.end(), vertices.begin(), vertices.end(), std::back_inserter(m_shared));
    for (const std::size_t vertex : m_shared) {
      m_sharedPlaces.push_back({placeOf(vertices, vertex), m_shape.sizes[placeOf(m_shape.scope, vertex)]});
    }
    const RowProjection code(m_shape, m_shared);
    m_first.assign(code.range() + 1, 0);
    for (const std::uint64_t row : table.rows) ++m_first[code(row) + 1];
    for (std::size_t i = 1; i < m_first.size(); ++i) m_first[i] += m_first[i - 1];
    m_rows.resize(table.rows.size());
    std::vector<std::size_t> next(m_first.begin(), m_first.end() - 1);
    for (const std::uint64_t row : table.rows) m_rows[next[code(row)]++] = row;
  }

  /// The rows that agree with a sub-strategy, ascending.
  [[nodiscard]] std::pair<const std::uint64_t*, const std::uint64_t*> matching(const std::uint32_t* strategy) const {
    std::uint64_t code = 0;
    for (const auto& [place, size] : m_sharedPlaces) code = code * size + strategy[place];
    return {m_rows.data() + m_first[code], m_rows.data() + m_first[code + 1]};
  }

  [[nodiscard]] std::vector<Source> sourcesOf(const std::vector<std::size_t>& vertices,
                                              const std::vector<std::size_t>& wanted) const {
    std::vector<Source> sources;
    for (const std::size_t vertex : wanted) {
      const std::size_t place = placeOf(vertices, vertex);
      const bool table = place == vertices.size();
      sources.push_back({table, table ? placeOf(m_shape.scope, vertex) : place});
    }
    return sources;
  }
  [[nodiscard]] std::uint32_t take(const Source& source, const std::uint32_t* strategy, std::uint64_t row) const {
    return source.table ? static_cast<std::uint32_t>(m_shape.choice(row, source.place)) : strategy[source.place];
  }

 private:
  const LiteralTable& m_shape;
  std::vector<std::size_t> m_shared;
  std::vector<std::pair<std::size_t, std::uint64_t>> m_sharedPlaces;  // in the sub-strategies, with their sizes
  std::vector<std::size_t> m_first;                                   // per code, into m_rows
  std::vector<std::uint64_t> m_rows;
};

std::vector<std::size_t> unionOf(const std::vector<std::size_t>& vertices, const LiteralTable& table) {
  std::vector<std::size_t> scope = table.scope;
  std::sort(scope.begin(), scope.end());
  std::vector<std::size_t> all;
  std::set_union(vertices.begin(), vertices.end(), scope.begin(), scope.end(), std::back_inserter(all));
  return all;
}

/// Per vertex the last table that mentions it.
std::vector<std::size_t> lastMentions(const std::vector<LiveTable>& tables) {
  std::vector<std::size_t> last(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const std::size_t vertex : tables[i].shape.scope) last[vertex] = i;
  }
  return last;
}

/// Sub-strategies, told apart only by vertices that tables to come mention, with how many there are of each.
struct Classes {
  std::vector<std::size_t> vertices;
  std::map<Choices, double> counts;

  [[nodiscard]] double total() const {
    double sum = 0;
    for (const auto& [choices, count] : counts) sum += count;
    return sum;
  }
};

/// The classes once a table is joined, with only `kept` distinguished. Empty beyond `mostClasses` or when stopped.
std::optional<Classes> joinedClasses(const Classes& classes, const LiveTable& table, std::vector<std::size_t> kept,
                                     std::size_t mostClasses, const std::stop_token& stop) {
  const Matcher matcher(classes.vertices, table);
  const std::vector<Source> sources = matcher.sourcesOf(classes.vertices, kept);
  Classes next{std::move(kept), {}};
  Choices choices(sources.size());
  std::size_t looked = 0;
  for (const auto& [strategy, count] : classes.counts) {
    const auto [begin, end] = matcher.matching(strategy.data());
    for (const std::uint64_t* row = begin; row != end; ++row) {
      if (++looked % kRowsBetweenLooks == 0 && stop.stop_requested()) return std::nullopt;
      for (std::size_t i = 0; i < sources.size(); ++i) choices[i] = matcher.take(sources[i], strategy.data(), *row);
      next.counts[choices] += count;
      if (next.counts.size() > mostClasses) return std::nullopt;
    }
  }
  return next;
}

}  // namespace

std::optional<PartialStrategies> joined(const PartialStrategies& strategies, const LiveTable& table,
                                        const std::stop_token& stop) {
  const Matcher matcher(strategies.vertices, table);
  PartialStrategies result{unionOf(strategies.vertices, table.shape), {}, 0};
  const std::vector<Source> sources = matcher.sourcesOf(strategies.vertices, result.vertices);
  for (std::size_t i = 0; i < strategies.rows; ++i) {
    const std::uint32_t* strategy = strategies.choices.data() + i * strategies.vertices.size();
    const auto [begin, end] = matcher.matching(strategy);
    for (const std::uint64_t* row = begin; row != end; ++row) {
      if (++result.rows % kRowsBetweenLooks == 0 && stop.stop_requested()) return std::nullopt;
      for (const Source& source : sources) result.choices.push_back(matcher.take(source, strategy, *row));
    }
  }
  return result;
}

PartialStrategies emptyStrategy() { return {{}, {}, 1}; }

JoinCount countJoin(const std::vector<LiveTable>& tables, std::size_t mostClasses, const std::stop_token& stop) {
  const std::vector<std::size_t> last = lastMentions(tables);
  JoinCount count;
  Classes classes{{}, {{Choices(), 1.0}}};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    std::vector<std::size_t> kept = unionOf(classes.vertices, tables[i].shape);
    std::erase_if(kept, [&](std::size_t vertex) { return last[vertex] <= i; });
    std::optional<Classes> next = joinedClasses(classes, tables[i], std::move(kept), mostClasses, stop);
    if (!next) return count;
    classes = std::move(*next);
    count.most = std::max(count.most, classes.total());
  }
  count.complete = classes.total();
  count.finished = true;
  return count;
}

LiteralRecorder::LiteralRecorder(const StrategyProblem& problem, const LiteralCosts& costs,
                                 const std::vector<LiveTable>& tables, bool wanted)
    : m_problem(problem) {
  if (!wanted) return;
  m_trace = std::make_shared<LiteralTrace>();
  for (const LiveTable& table : tables) {
    m_trace->tables.push_back(table.shape);
    m_trace->fates.emplace_back(table.shape.rows);
  }
  if (!InvariantWatch::canWatch(costs)) return;
  m_watch.emplace(costs);
  m_trace->optimum = m_watch->optimum(problem);
}

void LiteralRecorder::remove(std::size_t vertex, std::uint64_t row, RowFate::Cause cause, std::uint64_t kept) {
  if (m_trace) m_trace->fates[vertex][row] = {m_trace->moments.size(), cause, kept};
}

void LiteralRecorder::add(const LiteralIteration& iteration) {
  if (m_trace) m_trace->iterations.push_back(iteration);
}

void LiteralRecorder::add(LiteralMoment moment, std::optional<std::size_t> changed) {
  if (!m_trace) return;
  if (m_watch) {
    if (changed) m_watch->tableChanged(m_trace->tables[*changed], m_trace->fates[*changed]);
    moment.invariant = m_watch->now(m_problem);
  }
  m_trace->moments.push_back(moment);
}

void LiteralRecorder::add(const PartialStrategies& joined) {
  if (m_trace) m_trace->joins.push_back(joined);
}

void LiteralRecorder::pick(std::optional<std::size_t> best) {
  if (m_trace) m_trace->best = best;
}

}  // namespace p2::inline strategy
