// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "workload/import/csv_rows.h"
#include "workload/import/degrees.h"
#include "workload/import/entry_tally.h"
#include "workload/import/import_notes.h"
#include "workload/import/readers.h"

namespace p2::inline workload {
namespace {

/// The rows of one pipeline stage of an AICB file, without set-up.
struct AicbStage {
  EntryTally tally;
  std::int64_t ranks = 0;  ///< of "[rank0 ~ rank127]"; 0 where it is not told
  std::int64_t steps = 0;  ///< ends of epochs that something came before
  bool embeds = false;     ///< has the vocabulary's embedding
};

/// An AICB file as it stands.
struct AicbRows {
  std::vector<AicbStage> stages;
  std::map<std::string, std::int64_t> sizes;    ///< of groups, the largest of all rows: set-up knows more than sends do
  std::map<std::string, std::int64_t> unsized;  ///< groups without a size so far, and their first line
  bool sized = false;                           ///< whether there is a column for sizes of groups
  std::map<std::string, std::int64_t> skipped;  ///< rows by kind: "set-up", "barrier", "of no bytes"
};

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

struct Columns {
  std::size_t type = kNoColumn;
  std::size_t group = kNoColumn;
  std::size_t groupSize = kNoColumn;
  std::size_t bytes = kNoColumn;
  std::size_t stage = kNoColumn;
  std::size_t count = 0;
};

Result<Columns> columnsFrom(const std::vector<std::string>& cells) {
  Columns columns;
  const auto find = [&](std::string_view name) {
    const auto at = std::find(cells.begin(), cells.end(), name);
    return at == cells.end() ? kNoColumn : static_cast<std::size_t>(at - cells.begin());
  };
  columns = {find("comm_type"), find("comm_group"), find("comm_group_size"),
             find("msg_size"),  find("stage"),      cells.size()};
  if (columns.type == kNoColumn || columns.group == kNoColumn || columns.bytes == kNoColumn ||
      columns.stage == kNoColumn) {
    return Error{"the header lacks a column; AICB has comm_type, comm_group, comm_group_size, msg_size and stage"};
  }
  return columns;
}

std::string withoutPrefix(const std::string& cell, std::string_view prefix) {
  return cell.starts_with(prefix) ? cell.substr(prefix.size()) : cell;
}

std::optional<CommunicationKind> aicbKind(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, CommunicationKind>, 9> kTypes{{
      {"all_reduce", CommunicationKind::AllReduce},
      {"all_gather", CommunicationKind::AllGather},
      {"all_gather_into_tensor", CommunicationKind::AllGather},
      {"reduce_scatter", CommunicationKind::ReduceScatter},
      {"reduce_scatter_tensor", CommunicationKind::ReduceScatter},
      {"broadcast", CommunicationKind::Broadcast},
      {"reduce", CommunicationKind::Reduce},
      {"all_to_all", CommunicationKind::AllToAll},
      {"isend", CommunicationKind::Shift},
  }};
  for (const auto& [name, kind] : kTypes) {
    if (type == name || (type.ends_with("_single") && type.substr(0, type.size() - 7) == name)) return kind;
  }
  return std::nullopt;
}

/// "[rank0 ~ rank127]" 128, "[ pp_stage0: [rank0, rank1] ]" 2.
std::int64_t ranksIn(std::string_view line) {
  std::vector<std::int64_t> ranks;
  for (std::size_t at = line.find("rank"); at != std::string_view::npos; at = line.find("rank", at + 4)) {
    const std::string_view digits = line.substr(at + 4);
    const auto rank = parseInteger(digits.substr(0, digits.find_first_not_of("0123456789")));
    if (rank && *rank < (std::int64_t{1} << 31)) ranks.push_back(*rank);
  }
  if (line.find('~') == std::string_view::npos || ranks.size() != 2) return static_cast<std::int64_t>(ranks.size());
  return ranks[1] >= ranks[0] ? ranks[1] - ranks[0] + 1 : 0;
}

class AicbReader {
 public:
  Result<void> take(std::string_view line, std::int64_t number);
  Result<AicbRows> rows();

 private:
  Result<void> takeRow(const std::vector<std::string>& cells, std::int64_t number);
  Result<void> takeSize(const std::string& group, const std::vector<std::string>& cells, std::int64_t number);

  AicbRows m_rows;
  std::optional<Columns> m_columns;
  bool m_busy = false;  // something came since the last end of an epoch
};

Result<void> AicbReader::take(std::string_view line, std::int64_t number) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  if (line[begin] == '[') {
    m_rows.stages.push_back({{}, ranksIn(line), 0, false});
    m_busy = false;
    return {};
  }
  if (m_rows.stages.empty()) m_rows.stages.emplace_back();
  const auto cells = cellsOf(line);
  if (cells[0] == "comm_type") {
    P2_TRY_ASSIGN(m_columns, columnsFrom(cells));
    m_rows.sized = m_columns->groupSize != kNoColumn;
    return {};
  }
  if (!m_columns) return Error{"a header comm_type,comm_group,… is expected in front of the rows"};
  if (cells.size() != m_columns->count) {
    return Error{counted(static_cast<std::int64_t>(cells.size()), "cell") + " where the header has " +
                 std::to_string(m_columns->count)};
  }
  return takeRow(cells, number);
}

Result<void> AicbReader::takeSize(const std::string& group, const std::vector<std::string>& cells,
                                  std::int64_t number) {
  const std::string text = m_columns->groupSize == kNoColumn ? "None" : cells[m_columns->groupSize];
  constexpr std::int64_t kMostRanks = std::int64_t{1} << 31;
  if (text == "None" || text.empty()) {
    if (m_rows.sizes.count(group) == 0) m_rows.unsized.try_emplace(group, number);
    return {};
  }
  const auto size = parseInteger(text);
  if (!size || *size < 1 || *size > kMostRanks) {
    return Error{"\"" + shownName(text) + "\" is not the size of a group; use a whole number from 1"};
  }
  std::int64_t& known = m_rows.sizes[group];
  known = std::max(known, *size);
  m_rows.unsized.erase(group);
  return {};
}

Result<void> AicbReader::takeRow(const std::vector<std::string>& cells, std::int64_t number) {
  AicbStage& stage = m_rows.stages.back();
  const std::string type = withoutPrefix(cells[m_columns->type], "CommType.");
  if (type == "epoch_end") {
    stage.steps += m_busy ? 1 : 0;
    m_busy = false;
    return {};
  }
  const std::string group = withoutPrefix(cells[m_columns->group], "CommGroup.");
  const std::string& name = cells[m_columns->stage];
  const auto kind = aicbKind(type);
  if (group != "None") P2_TRY(takeSize(group, cells, number));
  if (name == "init" || name.starts_with("init.")) {
    ++m_rows.skipped["row of the set-up"];
    return {};
  }
  if (name == "warmup") {
    ++m_rows.skipped["row of the warm-up"];
    return {};
  }
  m_busy = true;
  if (!kind) {
    ++m_rows.skipped["row of " + shownName(type)];
    return {};
  }
  const auto bytes = parseInteger(cells[m_columns->bytes]);
  if (!bytes || *bytes < 0) {
    return Error{"\"" + shownName(cells[m_columns->bytes]) + "\" is not a msg_size; use a whole number of bytes"};
  }
  if (*bytes == 0) {
    ++m_rows.skipped["row of no bytes"];
    return {};
  }
  stage.embeds = stage.embeds || name == "forward.MegatronEmbedding";
  stage.tally.add({name, group, *kind, *bytes});
  if (stage.tally.rows().size() > kMostWorkloadEntries) return Error{"more than 100000 different collectives"};
  return {};
}

Result<AicbRows> AicbReader::rows() {
  if (!m_columns) return Error{"a header comm_type,comm_group,comm_group_size,msg_size,stage is expected"};
  return std::move(m_rows);
}

/// Errors name the line: no header, a row of other columns, a size that is no number; cancelled.
Result<AicbRows> aicbRowsFrom(std::string_view text, const std::stop_token& stop) {
  AicbReader reader;
  std::int64_t number = 0;
  for (const std::string_view line : linesOf(text)) {
    ++number;
    if (stop.stop_requested()) return cancelledError();
    if (const auto taken = reader.take(line, number); !taken.ok()) {
      return taken.error().at("line " + std::to_string(number));
    }
  }
  return reader.rows();
}

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
