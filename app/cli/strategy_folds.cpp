// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_folds.h"

#include <algorithm>

namespace p2::cli {
namespace {

/// No text of a cell has it.
constexpr char kBetween = '\n';

}  // namespace

StrategyFolds::StrategyFolds(const StrategyProblem& problem, const ComputationGraph* graph, bool fold)
    : m_problem(problem), m_places(problem.vertices.size()) {
  if (fold) m_repeats = repeatsOf(problem, graph);
  for (std::size_t repeat = 0; repeat < m_repeats.size(); ++repeat) {
    const auto& copies = m_repeats[repeat].copies;
    for (std::size_t copy = 0; copy < copies.size(); ++copy) {
      for (std::size_t at = 0; at < copies[copy].size(); ++at) m_places[copies[copy][at]] = Place{repeat, copy, at};
    }
  }
}

std::string StrategyFolds::nameOf(const Repeat& repeat, std::size_t first, std::size_t last) const {
  if (std::string name = repeat.nameOf(first, last); !name.empty()) return name;
  return m_problem.vertices[repeat.copies[first].front()].name + " … " +
         m_problem.vertices[repeat.copies[last].back()].name;
}

/// Per copy the one that it is as: itself where it is listed.
std::vector<std::size_t> StrategyFolds::likenessesOf(
    const Repeat& repeat, const std::function<std::vector<std::string>(std::size_t vertex)>& cells,
    const std::vector<std::size_t>& sections) const {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> likenesses;
  for (std::size_t copy = 0; copy < repeat.copies.size(); ++copy) {
    const std::vector<std::size_t>& vertices = repeat.copies[copy];
    std::string stated;
    for (const std::size_t vertex : vertices) {
      for (const std::string& cell : cells(vertex)) stated += cell + kBetween;
    }
    const bool whole = sections.empty() || std::all_of(vertices.begin(), vertices.end(), [&](std::size_t vertex) {
                         return sections[vertex] == sections[vertices.front()];
                       });
    if (!whole) stated = std::to_string(copy);
    likenesses.push_back(known.try_emplace(std::move(stated), copy).first->second);
  }
  return likenesses;
}

std::vector<FoldedRow> StrategyFolds::rows(const std::vector<std::size_t>& order,
                                           const std::function<std::vector<std::string>(std::size_t vertex)>& cells,
                                           const std::vector<std::size_t>& sections) const {
  std::vector<std::vector<std::size_t>> as;
  for (const Repeat& repeat : m_repeats) as.push_back(likenessesOf(repeat, cells, sections));
  std::vector<std::vector<bool>> reported;
  for (const auto& each : as) reported.emplace_back(each.size(), false);
  std::vector<FoldedRow> rows;
  for (const std::size_t vertex : order) {
    const auto& place = m_places[vertex];
    if (!place || as[place->repeat][place->copy] == place->copy) {
      rows.push_back({vertex, {}, {}});
      continue;
    }
    if (reported[place->repeat][place->copy]) continue;
    const auto& likeness = as[place->repeat];
    std::size_t last = place->copy;
    const auto& copies = m_repeats[place->repeat].copies;
    const auto goesOn = [&](std::size_t next) {
      return likeness[next] == likeness[place->copy] &&
             (sections.empty() || sections[copies[next].front()] == sections[vertex]);
    };
    while (last + 1 < likeness.size() && goesOn(last + 1)) ++last;
    std::fill_n(reported[place->repeat].begin() + static_cast<std::ptrdiff_t>(place->copy), last + 1 - place->copy,
                true);
    const Repeat& repeat = m_repeats[place->repeat];
    const std::size_t like = likeness[place->copy];
    rows.push_back({vertex, nameOf(repeat, place->copy, last), "as " + nameOf(repeat, like, like)});
  }
  return rows;
}

std::string StrategyFolds::kindOf(const StrategyProblem::Edge& edge) const {
  const auto end = [&](std::size_t vertex, std::size_t copy) {
    const auto& place = m_places[vertex];
    if (!place) return "vertex " + std::to_string(vertex);
    return std::to_string(place->repeat) + " at " + std::to_string(place->at) + " copy " +
           std::to_string(static_cast<std::int64_t>(place->copy) - static_cast<std::int64_t>(copy));
  };
  const auto& from = m_places[edge.from];
  return end(edge.from, from ? from->copy : 0) + kBetween + end(edge.to, from ? from->copy : 0);
}

void FoldedEdges::add(const StrategyProblem::Edge& edge, std::vector<std::string> cells, const std::string& stated) {
  const auto [known, fresh] = m_known.try_emplace(m_folds.kindOf(edge) + kBetween + stated, m_rows.size());
  if (fresh) {
    m_rows.push_back({std::move(cells)});
  } else {
    ++m_rows[known->second].count;
  }
}

std::vector<std::vector<std::string>> FoldedEdges::rows() && {
  std::vector<std::vector<std::string>> rows;
  for (Row& row : m_rows) {
    row.cells.push_back(row.count == 1 ? "" : "×" + std::to_string(row.count));
    rows.push_back(std::move(row.cells));
  }
  return rows;
}

}  // namespace p2::cli
