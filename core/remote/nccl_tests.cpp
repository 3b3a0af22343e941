// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/nccl_tests.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/counted.h"
#include "base/figures.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "base/pasted_text.h"
#include "remote/detail/nccl_table.h"
#include "text/json_document.h"

namespace p2::inline remote {
namespace {

struct NcclProgram {
  std::string_view name;
  std::string_view collective;  // ours; empty for those that we do not have
};

/// Names that hold others come first.
constexpr std::array kPrograms{NcclProgram{"all_reduce_perf", "AllReduce"},
                               NcclProgram{"reduce_scatter_perf", "ReduceScatter"},
                               NcclProgram{"all_gather_perf", "AllGather"},
                               NcclProgram{"broadcast_perf", "Broadcast"},
                               NcclProgram{"reduce_perf", "Reduce"},
                               NcclProgram{"alltoallv_perf", ""},
                               NcclProgram{"alltoall_perf", "AllToAll"},
                               NcclProgram{"all_to_all_perf", "AllToAll"},
                               NcclProgram{"sendrecv_perf", ""},
                               NcclProgram{"scatter_perf", "Scatter"},
                               NcclProgram{"gather_perf", ""},
                               NcclProgram{"hypercube_perf", ""}};

const NcclProgram* programIn(std::string_view text) {
  const auto found = std::find_if(kPrograms.begin(), kPrograms.end(), [&](const NcclProgram& program) {
    return text.find(program.name) != std::string_view::npos;
  });
  return found == kPrograms.end() ? nullptr : &*found;
}

/// "#  Rank  3 Group  0 Pid   6899 on n0 device  3": 3, or −1. Pasted lines may lack the #.
int rankIn(std::string_view line) {
  if (line.starts_with('#')) line.remove_prefix(1);
  const std::vector<std::string_view> words = wordsOfLine(line);
  if (words.size() < 6 || words[0] != "Rank" || std::find(words.begin(), words.end(), "Pid") == words.end()) return -1;
  const auto rank = parseInteger(words[1]);
  return rank && *rank >= 0 && *rank < (1 << 24) ? static_cast<int>(*rank) : -1;
}

std::string addedByOr(const std::vector<std::string>& names) { return joined(names, " or "); }

/// Whether a table may be of the collective, as far as its columns tell.
bool fits(std::string_view collective, const NcclTests& tests) {
  return tests.possible.empty() ||
         std::find(tests.possible.begin(), tests.possible.end(), collective) != tests.possible.end();
}

/// Holds the name and the ranks of a table against its columns.
void judge(NcclTests& tests, const NcclEvidence& evidence, int launched) {
  if (tests.program.empty() && tests.collective.empty()) {
    tests.possible = evidence.possible();
    if (tests.possible.size() == 1) tests.collective = tests.possible[0];
    if (tests.possible.size() > 1) {
      tests.doubt = "whose columns fit " + addedByOr(tests.possible) + "; name the program in the file";
    }
  } else if (const std::string wrong = evidence.contradiction(tests.collective); !wrong.empty()) {
    tests.doubt = "whose rows are of another collective: " + wrong + "; correct the name";
    tests.collective.clear();
  }
  const bool open = tests.collective.empty() && !tests.possible.empty();
  std::tie(tests.leastRanks, tests.mostRanks) = evidence.ranks(open ? tests.possible[0] : tests.collective);
  const auto allowed = [&](int ranks) {
    return tests.leastRanks == 0 || (ranks >= tests.leastRanks && ranks <= tests.mostRanks);
  };
  if (tests.ranks > 0 && allowed(tests.ranks)) return;
  tests.ranks = launched > 1 && allowed(launched)     ? launched
                : tests.leastRanks == tests.mostRanks ? tests.leastRanks
                                                      : 0;
}

/// "-np 40", "--ntasks=40" of a launcher times the GPUs of a process, "-g 8" or "nGpus 8".
class LaunchedRanks {
 public:
  void take(const std::vector<std::string_view>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
      if (word.starts_with("mpi") || word.ends_with("/mpirun") || word.ends_with("srun")) m_launches = true;
      if (word == "-np" || word == "--np" || word == "--ntasks" || (word == "-n" && m_launches && m_processes == 0)) {
        set(next, m_processes);
      }
      if (word.starts_with("--ntasks=")) set(word.substr(9), m_processes);
      if (word == "-g" || word == "nGpus" || word == "--ngpus") set(next, m_gpus);
      if (word == "-t" || word == "nThread" || word == "--nthreads") set(next, m_threads);
    }
  }
  /// 0 where no launcher is known.
  [[nodiscard]] int ranks() const {
    return m_launches ? m_processes * std::max(m_gpus, 1) * std::max(m_threads, 1) : 0;
  }

 private:
  static void set(std::string_view word, int& value) {
    const auto number = parseInteger(word);
    if (number && *number > 0 && *number <= (1 << 12)) value = static_cast<int>(*number);
  }

  bool m_launches = false;
  int m_processes = 0;
  int m_gpus = 0;
  int m_threads = 0;
};

class TableReader {
 public:
  std::vector<NcclTests> read(std::string_view text) {
    for (const std::string_view line : filledLines(text)) take(line);
    finish();
    return std::move(m_tests);
  }

 private:
  void take(std::string_view line) {
    if (!line.starts_with('#')) {
      if (const auto row = ncclRowIn(line)) return addRow(*row);
    }
    const NcclProgram* program = programIn(line);
    if (program != nullptr && line.find("concluded") != std::string_view::npos) return conclude(*program);
    // What begins a run comes after the rows of the one before.
    const bool head = line.find("minBytes") != std::string_view::npos ||
                      (line.find("size") != std::string_view::npos && line.find("algbw") != std::string_view::npos);
    if ((program != nullptr || head) && m_hasRows) finish();
    if (program != nullptr) name(*program);
    takeSettings(line);
  }

  void takeSettings(std::string_view line) {
    const std::vector<std::string_view> words = wordsOfLine(line);
    m_launched.take(words);
    // Without MPI every process calls itself rank 0.
    m_current.ranks = std::max(m_current.ranks, rankIn(line) + 1);
    const auto valueOf = [&](std::string_view key) {
      const std::size_t at = line.find(key);
      const auto value = at == std::string_view::npos
                             ? std::vector<std::string_view>()
                             : wordsOfLine(line.substr(std::min(at + key.size() + 1, line.size())));
      return value.empty() ? std::string_view() : value[0];
    };
    if (line.find("NCCL_ALGO") != std::string_view::npos) {
      const std::string_view value = valueOf("NCCL_ALGO");
      const auto is = [&](std::string_view algorithm) { return value.starts_with(algorithm); };
      m_current.algorithm = is("Ring") || is("ring") ? "Ring" : is("Tree") || is("tree") ? "Tree" : "";
    }
    if (line.find("NCCL_PROTO") != std::string_view::npos) {
      const std::string_view value = valueOf("NCCL_PROTO");
      m_current.protocol = value == "LL" || value == "LL128" || value == "Simple" ? value : std::string_view();
    }
  }

  void name(const NcclProgram& program) {
    m_current.program = program.name;
    m_current.collective = program.collective;
  }

  /// "Collective test concluded" names the table that it ends, or nothing.
  void conclude(const NcclProgram& program) {
    if (!m_hasRows) return;
    if (m_current.program.empty() || !m_evidence.contradiction(m_current.collective).empty()) name(program);
    finish();
  }

  void addRow(const NcclRow& row) {
    m_hasRows = true;
    m_evidence.add(row);
    if (row.timed) {
      m_current.sizes.push_back(row.test);
    } else {
      ++m_current.silent;
    }
  }

  void finish() {
    judge(m_current, m_evidence, m_launched.ranks());
    if (!m_current.sizes.empty()) m_tests.push_back(m_current);
    m_current = {};
    m_evidence = {};
    m_launched = {};
    m_hasRows = false;
  }

  std::vector<NcclTests> m_tests;
  NcclTests m_current;
  NcclEvidence m_evidence;
  LaunchedRanks m_launched;
  bool m_hasRows = false;
};

/// "0.07" of a JSON number, as a table has it.
std::string printed(const Json& number) { return number.is_number() ? number.dump() : std::string(); }

NcclRow rowOfJson(const Json& json) {
  NcclRow row;
  const auto word = [&](const char* key) {
    const auto at = json.find(key);
    return at == json.end() ? std::string() : at->is_string() ? at->get<std::string>() : at->dump();
  };
  row.test.bytes = Bytes(json["size"].get<double>());
  if (json.contains("count") && json["count"].is_number()) row.count = json["count"].get<double>();
  row.type = word("type");
  row.operation = word("redop");
  row.root = word("root");
  double seconds = INFINITY;
  for (const char* place : {"out_of_place", "in_place"}) {
    if (!json.contains(place) || !json[place].is_object()) continue;
    const Json& measured = json[place];
    if (measured.contains("time") && measured["time"].is_number() && measured["time"] > 0) {
      seconds = std::min(seconds, measured["time"].get<double>() / 1e6);
    }
    if (measured.contains("nwrong") && measured["nwrong"].is_number()) {
      row.test.wrong += std::max<std::int64_t>(0, std::int64_t(std::min(measured["nwrong"].get<double>(), 1e18)));
    }
    if (!measured.contains("alg_bw") || !measured.contains("bus_bw")) continue;
    if (const auto share = shareOf(printed(measured["alg_bw"]), printed(measured["bus_bw"])))
      row.shares.push_back(*share);
  }
  row.test.seconds = seconds;
  row.timed = kTimeRange.holds(seconds) && row.test.bytes <= Bytes(kAmountRange.most);
  return row;
}

NcclTests fromJson(const Json& json, std::string_view text) {
  NcclTests tests;
  if (const NcclProgram* program = programIn(text)) {
    tests.program = program->name;
    tests.collective = program->collective;
  }
  if (const auto devices = json.find("devices"); devices != json.end() && devices->is_array()) {
    tests.ranks = int(devices->size());
  }
  NcclEvidence evidence;
  const auto results = json.find("results");
  if (results == json.end() || !results->is_array()) return tests;
  for (const Json& each : *results) {
    if (!each.is_object() || !each.contains("size") || !each["size"].is_number()) continue;
    const NcclRow row = rowOfJson(each);
    evidence.add(row);
    if (row.timed) tests.sizes.push_back(row.test);
    tests.silent += row.timed ? 0 : 1;
  }
  judge(tests, evidence, 0);
  return tests;
}

}  // namespace

std::vector<NcclTests> ncclTestsIn(std::string_view text, std::string_view name) {
  const auto json = text.find("\"results\"") == std::string_view::npos ? Result<Json>(Json()) : parseJson(text);
  std::vector<NcclTests> tests;
  if (json.ok() && json->is_object()) {
    tests = {fromJson(*json, text)};
  } else {
    const std::string plain = pastedText(text);
    tests = TableReader().read(plain);
    if (tests.empty()) tests = TableReader().read(rowsUnwrapped(plain));
  }
  if (tests.size() == 1 && tests[0].program.empty() && tests[0].collective.empty()) {
    if (const NcclProgram* program = programIn(name); program != nullptr && fits(program->collective, tests[0])) {
      tests[0].program = program->name;
      tests[0].collective = program->collective;
      tests[0].doubt.clear();
    }
  }
  std::erase_if(tests, [](const NcclTests& each) { return each.sizes.empty(); });
  return tests;
}

Result<NcclTests> ncclTestsFrom(std::string_view text, std::string_view name) {
  const std::vector<NcclTests> tests = ncclTestsIn(text, name);
  if (tests.empty()) {
    return Error{"there is no measured size in it; give the table or the JSON that nccl-tests writes",
                 std::string(name)};
  }
  if (tests.size() > 1) {
    return Error{"it holds " + countedText(tests.size(), "program") + " one after the other; give each its own file",
                 std::string(name)};
  }
  if (!tests[0].doubt.empty()) {
    const std::string title = tests[0].program.empty() ? "a table" : tests[0].program;
    return Error{"it does not say which collective was measured: it holds " + title + " " + tests[0].doubt,
                 std::string(name)};
  }
  if (tests[0].collective.empty()) {
    return Error{
        "it does not say which collective was measured; name the file after the program, as in "
        "all_reduce_perf.txt (also reduce_scatter, all_gather, reduce and broadcast)",
        std::string(name)};
  }
  return tests[0];
}

}  // namespace p2::inline remote
