// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/numbers.h"
#include "workload/import/aicb_rows.h"
#include "workload/import/degrees.h"
#include "workload/import/import_notes.h"
#include "workload/import/readers.h"

namespace p2::inline workload {
namespace {

std::int64_t sizeOr1(const AicbRows& rows, const std::string& group) {
  const auto at = rows.sizes.find(group);
  return at == rows.sizes.end() ? 1 : at->second;
}

std::int64_t worldOf(const AicbRows& rows) {
  std::int64_t world = 0;
  for (const AicbStage& stage : rows.stages) world += stage.ranks;
  return world;
}

/// The stage that moves the most: of those in the middle one that also sends both ways.
const AicbStage& busiest(const AicbRows& rows) {
  return *std::max_element(rows.stages.begin(), rows.stages.end(),
                           [](const AicbStage& a, const AicbStage& b) { return a.tally.bytes() < b.tally.bytes(); });
}

void noteAicb(const AicbRows& rows, const AicbStage& stage, WorkloadSource& source) {
  const auto embedding =
      std::count_if(rows.stages.begin(), rows.stages.end(), [](const AicbStage& s) { return s.embeds; });
  source.understood.push_back(counted(std::max<std::int64_t>(1, stage.steps), "step"));
  if (rows.stages.size() > 1) {
    source.assumed.push_back("stage " + std::to_string(&stage - rows.stages.data()) + " of " +
                             std::to_string(rows.stages.size()) + ", which moves the most, stands for all of them");
  }
  if (embedding > 1) {
    source.assumed.push_back(
        "counts as they stand: " + std::to_string(embedding) +
        " pipeline stages have the embedding, so the file lists all of the model's layers in every stage, and counts "
        "of layers are that many times too large");
  }
  const bool head = std::any_of(stage.tally.rows().begin(), stage.tally.rows().end(),
                                [](const auto& row) { return row.first.name == "backward.MegatronEmbedding"; });
  if (head) {
    source.assumed.push_back(
        "backward.MegatronEmbedding is the gradient of the LM head, which AICB books there; the embedding itself has "
        "none");
  }
  source.assumed.push_back("everything is exposed: the file does not name overlapped communication");
  for (const auto& [what, count] : rows.skipped) {
    std::string words = what;
    words.insert(3, count == 1 ? "" : "s");
    source.ignored.push_back(std::to_string(count) + " " + words);
  }
}

/// Sets the number of ranks of the one group without a size.
Result<void> takeDevices(AicbRows& rows, std::int64_t devices) {
  if (rows.unsized.empty() || worldOf(rows) > 0) {
    return Error{"the file gives the number of devices itself; leave devices out"};
  }
  if (rows.unsized.size() > 1) {
    return Error{"the rows name several groups without a size; add a column comm_group_size to the header"};
  }
  rows.sizes[rows.unsized.begin()->first] = devices;
  rows.unsized.clear();
  return {};
}

}  // namespace

Result<WorkloadSource> readAicb(std::string_view text, std::int64_t devices, const std::stop_token& stop) {
  P2_TRY_ASSIGN(AicbRows rows, aicbRowsFrom(text, stop));
  if (devices > 0) P2_TRY(takeDevices(rows, devices));
  const AicbStage& stage = busiest(rows);
  Degrees degrees{sizeOr1(rows, "tp_group"), sizeOr1(rows, "dp_group"), sizeOr1(rows, "pp_group"),
                  sizeOr1(rows, "ep_group"), worldOf(rows)};
  for (const auto& [row, times] : stage.tally.rows()) {
    if (const auto unsized = rows.unsized.find(row.group); unsized != rows.unsized.end()) {
      const std::string place = "line " + std::to_string(unsized->second);
      if (rows.sized) {
        return Error{"no row says the size of " + shownName(row.group) + "; write it into the column comm_group_size",
                     place};
      }
      return Error{
          "it is a micro test, whose rows do not say how many ranks take part; give their number, as in --devices 8",
          place};
    }
  }
  const bool dataless = rows.sizes.count("dp_group") == 0;
  P2_TRY_ASSIGN(const NamedGroups groups, groupsOf(degrees, dataless));
  WorkloadSource source;
  source.workload.name = "AICB workload";
  noteAicb(rows, stage, source);
  P2_TRY(addEntries(stage.tally, groups, std::max<std::int64_t>(1, stage.steps), source));
  source.understood.insert(source.understood.begin(), counted(groups.world, "device"));
  return source;
}

}  // namespace p2::inline workload
