// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>

#include "workload/workload.h"

namespace p2::views {

/// Entries of a workload as they are shown: one by one in the order of the file, or collapsed() where there are more
/// than this.
inline constexpr std::size_t kMostEntryRows = 40;
[[nodiscard]] Workload shownEntries(const Workload& workload);
/// The shown workload, and the number of the document's entries per row. O(entries · log entries): where there are more
/// than kMostEntryRows nothing for the thread that draws.
struct EntryRows {
  Workload shown;
  std::vector<std::int64_t> standFor;
};
[[nodiscard]] EntryRows entryRows(const Workload& workload);

/// Figures of an entry that are tried out, next to the document's.
struct TriedEntry {
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> count;
  friend bool operator==(const TriedEntry&, const TriedEntry&) = default;
};
/// Tried entries by row of shownEntries().
using TriedEntries = std::map<std::size_t, TriedEntry>;

/// The entry with the tried figures; the provenance of its own is dropped.
[[nodiscard]] WorkloadEntry withTried(WorkloadEntry entry, const TriedEntry& tried);
[[nodiscard]] Workload withTried(Workload shown, const TriedEntries& tried);

/// Number of entries of the document that a row stands for.
[[nodiscard]] std::size_t entriesBehind(const Workload& document, const WorkloadEntry& row);
/// The document's workload with the rows' tried figures in all of their entries. Counts are
/// changed where a row stands for one entry only.
[[nodiscard]] Workload withApplied(Workload document, const Workload& shown, const TriedEntries& tried);
/// As above for the overlap of a row's entries.
[[nodiscard]] Workload withOverlap(Workload document, const Workload& shown, std::size_t row,
                                   const CommunicationOverlap& overlap);

}  // namespace p2::views
