// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/sweep_map.h"

#include <algorithm>
#include <numeric>

#include "base/counted.h"
#include "base/near.h"
#include "explore/detail/priced_placements.h"
#include "explore/detail/sweep_systems.h"

namespace p2::inline explore {
namespace {

/// Winners are numbered as they are met; the most frequent come first in the end.
class WinnerNames {
 public:
  std::size_t numberOf(const Program& program) {
    const auto [at, isNew] = m_numbers.emplace(programTitle(program), m_counts.size());
    if (isNew) m_counts.push_back(0);
    ++m_counts[at->second];
    return at->second;
  }

  void sortInto(SweepMap& map) const {
    std::vector<std::size_t> order(m_counts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return m_counts[a] > m_counts[b]; });
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    map.winners.resize(order.size());
    for (const auto& [title, number] : m_numbers) map.winners[place[number]] = title;
    for (SweepCell& cell : map.cells) cell.winner = place[cell.winner];
  }

 private:
  std::map<std::string, std::size_t> m_numbers;
  std::vector<std::size_t> m_counts;
};

class Mapper {
 public:
  Mapper(const Workspace& workspace, const SweepRange& range, std::stop_token stop)
      : m_stop(std::move(stop)), m_map(std::make_shared<SweepMap>()) {
    m_map->workspace = workspace;
    m_map->workspace.options.cost.repeat = 1;
    m_map->range = range;
  }

  Result<std::shared_ptr<const SweepMap>> run(const Progress& progress) {
    if (m_map->range.over == SweepOver::Nodes) {
      return Error{"every number of nodes has placements of its own; map sizes or a link's figures"};
    }
    P2_TRY_ASSIGN(m_map->values, valuesOf(m_map->workspace, m_map->range));
    std::optional<PricedPlacements> placements;
    for (std::size_t column = 0; column < m_map->values.size(); ++column) {
      P2_TRY_ASSIGN(const auto workspace, workspaceAt(m_map->workspace, m_map->range, m_map->values[column]));
      if (!placements || m_map->range.over != SweepOver::Bytes) {
        P2_TRY_ASSIGN(auto made, PricedPlacements::of(workspace, m_syntheses, false, m_stop));
        placements.emplace(std::move(made));
      }
      if (column == 0) P2_TRY(beginRows(*placements));
      P2_TRY(fill(column, *placements, workspace.options.cost.bytes));
      if (progress) progress(static_cast<double>(column + 1) / static_cast<double>(m_map->values.size()));
    }
    m_names.sortInto(*m_map);
    return std::shared_ptr<const SweepMap>(m_map);
  }

 private:
  Result<void> beginRows(const PricedPlacements& placements) {
    const std::size_t cells = placements.count() * m_map->values.size();
    if (cells > kMostMapCells) {
      return Error{"a map of " + countedText(placements.count(), "placement") + " at " +
                       countedText(m_map->values.size(), "value") + " has " + countedText(cells, "cell") +
                       ", more than " + std::to_string(kMostMapCells) + "; use fewer points or fewer axes",
                   {},
                   ErrorKind::TooLarge};
    }
    for (std::size_t row = 0; row < placements.count(); ++row) m_map->placements.push_back(placements.matrix(row));
    m_map->cells.resize(cells);
    m_map->bestRow.resize(m_map->values.size());
    return {};
  }

  Result<void> fill(std::size_t column, PricedPlacements& placements, Bytes bytes) {
    std::vector<PricedPlacements::OfPlacement> all;
    for (std::size_t row = 0; row < placements.count(); ++row) {
      all.push_back(placements.bestOf(row, bytes));
      if (m_stop.stop_requested()) return cancelledError();
    }
    const auto best = cheapestOf(
        all.begin(), all.end(), [](const auto& each) { return each.best.seconds; },
        [](const auto& a, const auto& b) { return a.best.program.size() < b.best.program.size(); });
    m_map->bestRow[column] = static_cast<std::size_t>(best - all.begin());
    for (std::size_t row = 0; row < all.size(); ++row) {
      auto& found = all[row];
      const std::size_t winner = m_names.numberOf(found.best.program);
      addAlgorithms(found.best.steps, m_map->algorithms);
      m_map->cells[row * m_map->values.size() + column] = {std::move(found.best), found.gain, winner};
    }
    return {};
  }

  std::stop_token m_stop;
  std::shared_ptr<SweepMap> m_map;
  Syntheses m_syntheses;
  WinnerNames m_names;
};

}  // namespace

Result<std::shared_ptr<const SweepMap>> sweepMap(const Workspace& workspace, const SweepRange& range,
                                                 std::stop_token stop, const Progress& progress) {
  P2_TRY(checkWorkspace(workspace));
  return Mapper(workspace, range, std::move(stop)).run(progress);
}

}  // namespace p2::inline explore
