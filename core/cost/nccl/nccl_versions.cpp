// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/nccl_versions.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "cost/nccl/detail/nccl_constants_file.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

constexpr std::array<std::string_view, kNcclFeatures> kFeatureNames{
    "multicast",         "multicast and tree", "pat",          "LL128", "wide LL",
    "multicast one way", "registered buffers", "copy engines", "relays"};

struct VersionTable {
  std::vector<NcclChange> changes;
  std::array<std::array<int, kGenerationCount>, kNcclFeatures> since{};  ///< 0 where no change names the generation
  double narrowLL = 1;
  /// By generation, the newest version first: since when, and bytes/s on one, two and more nodes.
  struct MostLL {
    int since = 0;
    std::array<double, 3> byNodes{};
  };
  std::array<std::vector<MostLL>, kGenerationCount> mostLL;
  /// The newest version first: since when, and seconds of LL and LL128.
  struct Starts {
    int since = 0;
    std::array<double, 2> ring{};
    std::array<double, 2> tree{};
  };
  std::vector<Starts> starts;

  void add(NcclChange change) {
    if (!change.feature.empty()) {
      const auto feature = std::find(kFeatureNames.begin(), kFeatureNames.end(), change.feature);
      auto& byGeneration = since.at(static_cast<std::size_t>(feature - kFeatureNames.begin()));
      const int version = libraryVersion(change.since);
      if (change.generations.empty()) byGeneration.fill(version);
      for (const Generation generation : change.generations)
        byGeneration[static_cast<std::size_t>(generation)] = version;
    }
    changes.push_back(std::move(change));
  }
};

template <std::size_t N>
std::array<double, N> figuresOf(const JsonValue& list, std::string_view need) {
  std::array<double, N> figures{};
  const auto items = list.items(need);
  if (items.size() != N) list.fail(std::to_string(items.size()) + " numbers are not " + std::string(need));
  for (std::size_t i = 0; i < std::min(items.size(), N); ++i) figures[i] = items[i].number(0, 1e15, need);
  return figures;
}

/// First version of a row; rows are ordered by version.
int sinceOf(const JsonValue& row, int before) {
  constexpr std::string_view kNeed = "a row needs the version since when it holds, as in 2.18";
  const JsonValue since = row.at("since", kNeed);
  const int version = libraryVersion(since.text(kNeed));
  if (version == 0) since.refuse("a version of NCCL", kNeed);
  if (version < before) since.fail("\"" + since.text(kNeed) + "\" comes after a newer version; sort the rows by it");
  return version;
}

std::vector<Generation> generationsOf(const JsonValue& list) {
  constexpr std::string_view kNeed = "generations are a list of words, as in [\"hopper\"]";
  std::vector<Generation> generations;
  for (const JsonValue& item : list.items(kNeed)) {
    const std::string word = item.text(kNeed);
    generations.push_back(generationFrom(word));
    if (generations.back() == Generation::Unknown && word != "unknown") item.refuse("a generation of GPUs", kNeed);
  }
  return generations;
}

NcclChange changeOf(const JsonValue& row) {
  NcclChange change;
  change.since = row.at("since", {}).text({});
  change.priced = row.has("has") || row.has("priced");
  if (row.has("has")) {
    const JsonValue feature = row.at("has", {});
    change.feature = feature.text("what there is since then is a word, as in LL128");
    if (std::find(kFeatureNames.begin(), kFeatureNames.end(), change.feature) == kFeatureNames.end()) {
      feature.refuse("something that the model prices", "use " + alternatives(kFeatureNames));
    }
  }
  if (row.has("on")) change.generations = generationsOf(row.at("on", {}));
  change.tag = row.at("tag", "a change needs the tag of its source").text("a tag is a string, as in v2.18.1-1");
  change.text = row.at("text", "a change needs a sentence").text("the sentence is a string");
  return change;
}

/// The first that a version of the library has; the oldest one for those before, the newest for an unknown one.
template <class Row>
const Row& rowOf(const std::vector<Row>& newestFirst, int version) {
  const auto found = std::find_if(newestFirst.begin(), newestFirst.end(),
                                  [&](const Row& row) { return version == 0 || version >= row.since; });
  return found == newestFirst.end() ? newestFirst.back() : *found;
}

Result<VersionTable> versionTableFrom(std::string_view text) {
  P2_TRY_ASSIGN(const Json json, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  VersionTable table;
  table.narrowLL = in.at("narrow LL", "the file needs what LL carried").number(0, 1, "a share is a number from 0 to 1");
  int before = 0;
  constexpr std::string_view kMost = "the bytes/s on one, two and more nodes";
  for (const JsonValue& row : in.at("most LL", "the file needs what LL carries at most").items("rows are a list")) {
    before = sinceOf(row, before);
    const VersionTable::MostLL most{before, figuresOf<3>(row.at("one, two, more nodes", kMost), kMost)};
    for (const Generation generation : generationsOf(row.at("on", "a row needs its generations"))) {
      auto& list = table.mostLL[static_cast<std::size_t>(generation)];
      list.insert(list.begin(), most);
    }
  }
  before = 0;
  constexpr std::string_view kStarts = "the seconds of LL and LL128";
  for (const JsonValue& row : in.at("starts", "the file needs what starts take").items("rows are a list")) {
    before = sinceOf(row, before);
    table.starts.insert(table.starts.begin(), {before, figuresOf<2>(row.at("ring, LL, LL128", kStarts), kStarts),
                                               figuresOf<2>(row.at("tree, LL, LL128", kStarts), kStarts)});
  }
  before = 0;
  for (const JsonValue& row : in.at("changes", "the file needs its changes").items("rows are a list")) {
    before = sinceOf(row, before);
    NcclChange change = changeOf(row);
    if (problem) break;
    table.add(std::move(change));
  }
  if (problem) return *problem;
  for (std::size_t i = 0; i < table.mostLL.size(); ++i) {
    if (!table.mostLL[i].empty()) continue;
    const std::string word = i == 0 ? "unknown" : std::string(kGenerations[i - 1]);
    return Error{"no row says what LL carries on " + word}.about("/most LL");
  }
  if (table.starts.empty()) return Error{"no row says what starts take"}.about("/starts");
  return table;
}

const VersionTable& versionTable() {
  static const VersionTable kTable = [] {
    auto table = versionTableFrom(ncclVersionsFile());
    assert(table.ok());
    return std::move(table).value();
  }();
  return kTable;
}

/// Bytes/s on one node.
double mostLLToday(Generation generation) {
  return versionTable().mostLL[static_cast<std::size_t>(generation)].front().byNodes[0];
}

}  // namespace

const std::vector<NcclChange>& ncclChanges() { return versionTable().changes; }

Result<std::vector<NcclChange>> ncclChangesFrom(std::string_view text) {
  P2_TRY_ASSIGN(VersionTable table, versionTableFrom(text));
  return std::move(table.changes);
}

bool ncclHas(NcclFeature feature, const LibraryView& machine) {
  return machine.version == 0 ||
         machine.version >=
             versionTable().since[static_cast<std::size_t>(feature)][static_cast<std::size_t>(machine.generation)];
}

double mostLL(const LibraryView& machine, std::int64_t nodes) {
  const auto& list = versionTable().mostLL[static_cast<std::size_t>(machine.generation)];
  return rowOf(list, machine.version).byNodes[nodes <= 2 ? static_cast<std::size_t>(nodes - 1) : 2];
}

double shareOfMostLL(const LibraryView& machine, std::int64_t nodes) {
  return mostLL(machine, nodes) / mostLLToday(Generation::Ampere);
}

double paceOf(Generation generation) { return mostLLToday(generation) / mostLLToday(Generation::Ampere); }

double startShare(const LibraryView& machine, Algorithm algorithm, Protocol protocol) {
  if (protocol != Protocol::LL && protocol != Protocol::LL128) return 1;
  const auto& starts = algorithm == Algorithm::Tree ? &VersionTable::Starts::tree : &VersionTable::Starts::ring;
  const std::size_t place = protocol == Protocol::LL ? 0 : 1;
  const auto& rows = versionTable().starts;
  return (rowOf(rows, machine.version).*starts)[place] / (rows.front().*starts)[place];
}

double narrowLL() { return versionTable().narrowLL; }

}  // namespace p2::inline cost
