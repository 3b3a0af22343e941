// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/measured_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "remote/detail/measured_difference.h"
#include "remote/detail/measured_runs.h"
#include "remote/detail/osu_tests.h"
#include "remote/inspector_log.h"
#include "remote/nccl_tests.h"
#include "text/json_document.h"
#include "text/text_file.h"

namespace p2::inline remote {
namespace {

/// A collective that only makes sense after another is timed as a step of both.
struct Timed {
  std::string_view collective;
  const char* program;
  StepId step;
};
constexpr const char* kScattered = "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather";
constexpr const char* kReduced = "root:InsideGroup:Reduce; root:InsideGroup:Broadcast";
constexpr std::array kTimed{Timed{"AllReduce", "", {}},
                            Timed{"ReduceScatter", kScattered, StepId(0)},
                            Timed{"AllGather", kScattered, StepId(1)},
                            Timed{"Reduce", kReduced, StepId(0)},
                            Timed{"Broadcast", kReduced, StepId(1)},
                            Timed{"AllToAll", "root:InsideGroup:AllToAll", {}},
                            Timed{"Scatter", "root:InsideGroup:Scatter", {}}};

/// Which devices of a system some ranks are: instances of the outermost level and devices of each innermost group, 0
/// for all of either.
struct Taking {
  std::int64_t outermost = 0;
  std::int64_t innermost = 0;
};

/// Empty where the ranks neither fill whole instances nor belong to one innermost group.
std::optional<Taking> takingFor(std::int64_t ranks, const System& system) {
  const std::int64_t all = system.deviceCount();
  if (ranks == all) return Taking{};
  const std::int64_t each = all / system.levels[0].count;
  if (ranks < 2 || ranks > all) return std::nullopt;
  Taking taking{ranks / each, 0};
  if (ranks % each != 0) {
    if (ranks >= system.levels.back().count) return std::nullopt;
    taking = {system.levels.size() > 1 ? 1 : 0, ranks};
  }
  const System part = measuredPart(system, taking.outermost, taking.innermost);
  return part.deviceCount() == ranks && validated(part).ok() ? std::optional(taking) : std::nullopt;
}

bool isJson(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || std::filesystem::equivalent(a, b, ignored);
}

class FileReader {
 public:
  FileReader(std::string name, const System& system, TableNumbers tables)
      : m_name(std::move(name)), m_system(system), m_tables(std::move(tables)) {}

  Result<MeasuredFiles> read(std::string_view text) {
    const auto parsed = isJson(text) ? parseJson(text) : Result<Json>(Json());
    m_json = parsed.ok() ? *parsed : Json();
    bool isKnown = false;
    for (const Format& format : kFormats) {
      P2_TRY_ASSIGN(isKnown, (this->*format.take)(text));
      if (isKnown) break;
    }
    if (!isKnown) return parsed.ok() ? unknown() : parsed.error().within(m_name);
    if (!m_files.measurements.empty()) return std::move(m_files);
    std::string why;
    std::set<std::string> stated;
    for (const std::string& left : m_files.left) {
      if (stated.insert(left).second) why += left.substr(m_name.size() + 2) + "; ";
    }
    return Error{(why.empty() ? "it has no measured row; " : why) + "none of its rows can be used", m_name};
  }

  static std::vector<MeasurementFormat> formats() {
    std::vector<MeasurementFormat> formats;
    for (const Format& format : kFormats) formats.push_back(format.described);
    return formats;
  }

 private:
  /// A format and its reader, which returns whether the text has the format.
  struct Format {
    MeasurementFormat described;
    Result<bool> (FileReader::*take)(std::string_view text);
  };
  static const std::array<Format, 5> kFormats;

  [[nodiscard]] Error unknown() const {
    return {
        "it holds no measurements that are known; use " + joined(formats(), ", ", &MeasurementFormat::name, ", or "),
        m_name};
  }

  Result<bool> takeRuns(std::string_view /*text*/) {
    if (!holdsMeasuredRuns(m_json)) return false;
    readMeasuredRuns(m_json, m_name, m_system, m_files);
    return true;
  }

  Result<bool> takeInspected(std::string_view text) { return takeTables(inspectorOperationsIn(text)); }

  Result<bool> takeOsu(std::string_view text) {
    const auto all = osuTestsIn(text);
    for (const OsuTests& tests : all) addOsu(tests);
    return !all.empty();
  }

  Result<bool> takeNccl(std::string_view text) { return takeTables(ncclTestsIn(text, m_name)); }

  Result<bool> takeTables(const std::vector<NcclTests>& tables) {
    if (tables.empty()) return false;
    P2_TRY(addTables(tables));
    return true;
  }

  Result<bool> takeCsv(std::string_view text) {
    if (isJson(text) || text.find("seconds") == std::string_view::npos) return false;
    P2_TRY_ASSIGN(auto rows, measuredTimesFromCsv(text).within(m_name));
    m_files.measurements = std::move(rows);
    for (MeasuredTime& row : m_files.measurements) row.file = m_name;
    use(countedText(m_files.measurements.size(), "row"));
    return true;
  }

  Result<void> addTables(const std::vector<NcclTests>& tests) {
    const std::size_t count = tests.size();
    for (const std::size_t number : m_tables) {
      if (number >= 1 && number <= count) continue;
      return Error{"it has no table " + std::to_string(number) + "; it holds " + countedText(count, "table"), m_name};
    }
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < count; ++i) {
      if (m_tables.empty() || std::find(m_tables.begin(), m_tables.end(), i + 1) != m_tables.end()) taken.push_back(i);
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const std::string difference = differenceOf(tests[taken[k]], tests[taken[i]]);
        if (difference.empty()) continue;
        const std::string a = std::to_string(taken[k] + 1);
        const std::string b = std::to_string(taken[i] + 1);
        return Error{"its tables " + a + " and " + b + " both measure " + difference + "; take one of them, --table " +
                         a + " or --table " + b,
                     m_name};
      }
      addNccl(tests[taken[i]]);
    }
    return {};
  }

  void addNccl(const NcclTests& tests) {
    const std::string title = tests.program.empty() ? "a table" : tests.program;
    if (!tests.doubt.empty())
      return leave(countedText(tests.sizes.size(), "size") + " of " + title + ", " + tests.doubt);
    if (tests.collective.empty()) {
      leave(title + (tests.program.empty() ? " that does not say its collective; name the program in it"
                                           : ", which is not one of our collectives"));
      return;
    }
    std::vector<std::pair<Bytes, double>> sizes;
    std::size_t wrong = 0;
    for (const NcclTest& test : tests.sizes) {
      if (test.wrong > 0) {
        ++wrong;
      } else {
        sizes.emplace_back(test.bytes, test.seconds);
      }
    }
    if (wrong > 0) leave(countedText(wrong, "size") + " of " + title + " with wrong elements");
    if (tests.silent > 0) leave(countedText(tests.silent, "size") + " of " + title + " without a time");
    add(tests.collective, tests.ranks, sizes, &tests);
  }

  void addOsu(const OsuTests& tests) {
    if (tests.collective.empty()) {
      leave(tests.title + ", which is not one of our collectives");
      return;
    }
    const double ranks = static_cast<double>(tests.ranks > 0 ? tests.ranks : m_system.deviceCount());
    std::vector<std::pair<Bytes, double>> sizes;
    for (const OsuTest& test : tests.sizes) sizes.emplace_back(test.bytes * (tests.perRank ? ranks : 1), test.seconds);
    add(tests.collective, tests.ranks, sizes, nullptr);
  }

  /// Rows of a collective over all its ranks: bytes of the working vector and seconds.
  void add(const std::string& collective, int given, const std::vector<std::pair<Bytes, double>>& sizes,
           const NcclTests* tests) {
    const std::int64_t ranks = given > 0 ? given : m_system.deviceCount();
    if (tests && given == 0 && tests->leastRanks > 0 && (ranks < tests->leastRanks || ranks > tests->mostRanks)) {
      leave(countedText(sizes.size(), "size") + " of " + collective + ", whose bandwidths fit " +
            std::to_string(tests->leastRanks) + " to " + countedText(tests->mostRanks, "rank") + "; the system has " +
            countedText(m_system.deviceCount(), "device"));
      return;
    }
    const auto taking = takingFor(ranks, m_system);
    const std::string over = collective + " over " + countedText(ranks, "rank");
    if (!taking) {
      leave(countedText(sizes.size(), "size") + " of " + over + ": the system has " +
            countedText(m_system.deviceCount(), "device") + " in " + describe(m_system));
      return;
    }
    MeasuredTime measurement;
    measurement.axes = {Axis{"ranks", ranks, true}};
    const std::vector<std::int64_t> counts = m_system.counts();
    measurement.matrix = ParallelismMatrix(1, counts.size());
    for (std::size_t level = 0; level < counts.size(); ++level) {
      const bool last = level + 1 == counts.size();
      const std::int64_t part = last && taking->innermost > 0         ? taking->innermost
                                : level == 0 && taking->outermost > 0 ? taking->outermost
                                                                      : counts[level];
      measurement.matrix.set(0, level, taking->innermost > 0 && !last ? 1 : part);
    }
    measurement.outermost = taking->outermost;
    measurement.innermost = taking->innermost;
    measurement.file = m_name;
    const Timed* timed =
        std::find_if(kTimed.begin(), kTimed.end(), [&](const Timed& t) { return t.collective == collective; });
    measurement.program = timed->program;
    measurement.step = timed->step;
    measurement.cost.repeat = 1;
    // Within a node NCCL takes rings; between nodes the faster algorithm, unless one is forced.
    const bool oneNode = taking->outermost == 1 || m_system.levels.size() == 1;
    const std::string algorithm = tests ? tests->algorithm : std::string();
    measurement.cost.algorithm = algorithm == "Tree"              ? Algorithm::Tree
                                 : algorithm == "Ring" || oneNode ? Algorithm::Ring
                                                                  : Algorithm::Auto;
    if (!algorithm.empty()) measurement.forced = measurement.cost.algorithm;
    if (tests && !tests->protocol.empty()) measurement.protocol = protocolFrom(tests->protocol).value();
    measurement.backToBack = tests != nullptr;
    Bytes least;
    Bytes most;
    std::size_t count = 0;
    for (const auto& [bytes, seconds] : sizes) {
      if (!(bytes > Bytes(0)) || !(seconds > 0)) continue;
      measurement.cost.bytes = bytes;
      measurement.seconds = seconds;
      m_files.measurements.push_back(measurement);
      least = count == 0 ? bytes : std::min(least, bytes);
      most = std::max(most, bytes);
      ++count;
    }
    if (count == 0) return;
    use(countedText(count, "size") + " of " + over + (given > 0 ? "" : " (all devices, as it names none)") + ", " +
        formatBytes(least) + " to " + formatBytes(most));
  }

  void use(const std::string& text) { m_files.used.push_back(m_name + ": " + text); }
  void leave(const std::string& text) { m_files.left.push_back(m_name + ": " + text); }

  std::string m_name;
  const System& m_system;
  TableNumbers m_tables;
  Json m_json;  ///< the parsed text, where it is JSON
  MeasuredFiles m_files;
};

const std::array<FileReader::Format, 5> FileReader::kFormats{{
    {{"runs of p2", "Exported as JSON, or the answer of p2 run --json"}, &FileReader::takeRuns},
    {{"logs of NCCL Inspector", "Whole or in part"}, &FileReader::takeInspected},
    {{"output of OSU micro-benchmarks", "Tables of the collectives"}, &FileReader::takeOsu},
    {{"output of nccl-tests and rccl-tests",
      "Tables or JSON, pasted as they are: any sizes, several programs in a row. The faster of out of place and in "
      "place counts; rows with wrong elements are left out"},
     &FileReader::takeNccl},
    {{"comma-separated values",
      "The first line names the columns, in any order. Cells with commas are quoted, lines that begin with # left out, "
      "other columns than those below ignored"},
     &FileReader::takeCsv},
}};

}  // namespace

std::vector<MeasurementFormat> measurementFormats() { return FileReader::formats(); }

bool holdsMeasurements(std::string_view text, const std::string& name) {
  const auto parsed = isJson(text) ? parseJson(text) : Result<Json>(Json());
  if (parsed.ok() && holdsMeasuredRuns(*parsed)) return true;
  if (!inspectorOperationsIn(text).empty()) return true;
  if (!osuTestsIn(text).empty() || !ncclTestsIn(text, name).empty()) return true;
  const std::string_view columns = text.substr(0, text.find('\n'));
  return columns.find("matrix") != std::string_view::npos && columns.find("seconds") != std::string_view::npos;
}

Result<MeasuredFiles> measurementsIn(std::string_view text, const std::string& name, const System& system,
                                     const TableNumbers& tables) {
  return FileReader(name, system, tables).read(text);
}

Result<MeasuredFiles> measurementsFromFiles(const std::vector<std::string>& paths, const System& system,
                                            const TableNumbers& tables) {
  MeasuredFiles all;
  if (!tables.empty() && paths.size() != 1) {
    return Error{"tables are chosen of one file, and " + countedText(paths.size(), "file") + " are named"};
  }
  if (paths.empty()) return Error{"there are no measurements; name at least one file"};
  for (auto path = paths.begin(); path != paths.end(); ++path) {
    if (std::find_if(paths.begin(), path, [&](const std::string& other) { return isSameFile(other, *path); }) != path) {
      return Error{"it is named twice, and its rows would count twice; name every file once", *path};
    }
  }
  for (const std::string& path : paths) {
    const bool standard = path == "-";
    P2_TRY_ASSIGN(const auto text, readTextFile(standard ? "/dev/stdin" : path));
    P2_TRY_ASSIGN(auto one, measurementsIn(text, standard ? "standard input" : path, system, tables));
    noteDifferences(all.measurements, one);
    all.measurements.insert(all.measurements.end(), one.measurements.begin(), one.measurements.end());
    all.used.insert(all.used.end(), one.used.begin(), one.used.end());
    all.left.insert(all.left.end(), one.left.begin(), one.left.end());
  }
  return all;
}

}  // namespace p2::inline remote
