// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/entry_tally.h"

#include <algorithm>

#include "workload/import/import_notes.h"

namespace p2::inline workload {

void EntryTally::add(const Row& row, std::int64_t times) {
  const auto [at, isNew] = m_index.try_emplace(row, m_rows.size());
  if (isNew) m_rows.emplace_back(row, 0);
  m_rows[at->second].second += times;
}

double EntryTally::bytes() const {
  double sum = 0;
  for (const auto& [row, times] : m_rows) sum += static_cast<double>(row.bytes) * static_cast<double>(times);
  return sum;
}

Result<void> addEntries(const EntryTally& tally, const NamedGroups& groups, std::int64_t steps,
                        WorkloadSource& source) {
  RankMesh mesh(groups.world);
  std::map<std::string, std::string> missing;  // groups that have no place, and why
  for (const auto& [row, times] : tally.rows()) {
    const auto group = groups.groups.find(row.group);
    if (group == groups.groups.end()) {
      missing.try_emplace(row.group, "the places of its ranks are not known");
    } else if (std::all_of(group->second.begin(), group->second.end(),
                           [](const RankBlock& b) { return b.size == 1; })) {
      missing.try_emplace(row.group, "it has one rank");
    }
  }
  // Every group has its say on the axes, also one that communicates nothing.
  for (const auto& [name, blocks] : groups.groups) {
    const auto called = groups.axisNames.find(name);
    if (!mesh.add(called == groups.axisNames.end() ? name : called->second, blocks)) {
      missing.try_emplace(name, "it has no mesh in common with the other groups");
    }
  }
  std::map<std::string, std::int64_t> left;
  bool uneven = false;
  for (const auto& [row, times] : tally.rows()) {
    if (missing.count(row.group) > 0) {
      left[row.group] += times;
      continue;
    }
    WorkloadEntry entry;
    entry.name = shownName(row.name);
    entry.axes = mesh.axesOf(groups.groups.at(row.group));
    entry.kind = row.kind;
    entry.bytes = row.bytes;
    entry.count = std::max<std::int64_t>(1, (times + steps / 2) / steps);
    entry.overlap.extent = row.overlap;
    entry.closed = row.kind != CommunicationKind::Shift;
    uneven = uneven || times % steps != 0;
    source.workload.collectives.push_back(std::move(entry));
  }
  for (const auto& [group, times] : left) {
    source.ignored.push_back(counted(times, "collective") + " of " + shownName(group) + ": " + missing.at(group));
  }
  if (uneven) source.assumed.push_back("counts that differ from step to step: their mean, rounded");
  source.workload.axes = mesh.axes();
  if (!source.workload.collectives.empty()) return {};
  const std::string first = source.ignored.empty() ? "" : "; ignored: " + source.ignored.front();
  return Error{"it has no collective of a training step between at least two ranks" + first};
}

}  // namespace p2::inline workload
