// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_shown.h"

#include <algorithm>

namespace p2::views {
namespace {

/// An entry without the fields in which the entries behind one row differ.
WorkloadEntry essenceOf(WorkloadEntry entry) {
  entry.name.clear();
  entry.formula.clear();
  entry.factors.clear();
  entry.count = 1;
  std::sort(entry.axes.begin(), entry.axes.end());
  std::sort(entry.scatter.begin(), entry.scatter.end());
  if (entry.scatter == entry.axes) entry.scatter.clear();
  return entry;
}

}  // namespace

Workload shownEntries(const Workload& workload) {
  return workload.collectives.size() <= kMostEntryRows ? workload : collapsed(workload);
}

EntryRows entryRows(const Workload& workload) {
  EntryRows rows{shownEntries(workload), {}};
  if (workload.collectives.size() <= kMostEntryRows) {
    rows.standFor.assign(workload.collectives.size(), 1);
    return rows;
  }
  // Once each, they are as many as they are.
  Workload once = workload;
  for (WorkloadEntry& entry : once.collectives) {
    entry.count = 1;
    entry.factors.clear();
  }
  for (const WorkloadEntry& entry : collapsed(once).collectives) rows.standFor.push_back(entry.count);
  return rows;
}

WorkloadEntry withTried(WorkloadEntry entry, const TriedEntry& tried) {
  if (tried.bytes && *tried.bytes != entry.bytes) {
    entry.bytes = *tried.bytes;
    entry.formula.clear();
  }
  if (tried.count && *tried.count != entry.count) {
    entry.count = *tried.count;
    entry.factors.clear();
  }
  return entry;
}

Workload withTried(Workload shown, const TriedEntries& tried) {
  for (const auto& [row, figures] : tried) {
    if (row >= shown.collectives.size()) continue;
    shown.collectives[row] = withTried(std::move(shown.collectives[row]), figures);
  }
  return shown;
}

std::size_t entriesBehind(const Workload& document, const WorkloadEntry& row) {
  if (document.collectives.size() <= kMostEntryRows) return 1;
  const WorkloadEntry essence = essenceOf(row);
  return std::size_t(std::count_if(document.collectives.begin(), document.collectives.end(),
                                   [&](const WorkloadEntry& entry) { return essenceOf(entry) == essence; }));
}

Workload withApplied(Workload document, const Workload& shown, const TriedEntries& tried) {
  if (document.collectives.size() <= kMostEntryRows) return withTried(std::move(document), tried);
  // Found before anything changes: a changed entry could look like one of another row.
  std::vector<std::pair<std::size_t, TriedEntry>> changes;
  for (const auto& [row, figures] : tried) {
    if (row >= shown.collectives.size()) continue;
    const WorkloadEntry essence = essenceOf(shown.collectives[row]);
    const bool alone = entriesBehind(document, shown.collectives[row]) == 1;
    for (std::size_t i = 0; i < document.collectives.size(); ++i) {
      if (essenceOf(document.collectives[i]) != essence) continue;
      changes.push_back({i, {figures.bytes, alone ? figures.count : std::nullopt}});
    }
  }
  for (const auto& [i, figures] : changes) {
    document.collectives[i] = withTried(std::move(document.collectives[i]), figures);
  }
  return document;
}

Workload withOverlap(Workload document, const Workload& shown, std::size_t row, const CommunicationOverlap& overlap) {
  if (document.collectives.size() <= kMostEntryRows) {
    document.collectives[row].overlap = overlap;
    return document;
  }
  const WorkloadEntry essence = essenceOf(shown.collectives[row]);
  for (WorkloadEntry& entry : document.collectives) {
    if (essenceOf(entry) == essence) entry.overlap = overlap;
  }
  return document;
}

}  // namespace p2::views
