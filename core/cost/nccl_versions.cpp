// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl_versions.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "cost/nccl_constants_file.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2 {
namespace {

constexpr std::array<std::string_view, kNcclFeatures> kFeatureNames{"multicast", "multicast and tree", "pat", "LL128",
                                                                    "wide LL"};

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
    const auto feature = std::find(kFeatureNames.begin(), kFeatureNames.end(), change.feature) - kFeatureNames.begin();
    if (!change.feature.empty()) {
      auto& byGeneration = since.at(static_cast<std::size_t>(feature));
      const int version = libraryVersion(change.since);
      if (change.generations.empty()) byGeneration.fill(version);
      for (const Generation generation : change.generations)
        byGeneration[static_cast<std::size_t>(generation)] = version;
    }
    changes.push_back(std::move(change));
  }
};

template <std::size_t N>
std::array<double, N> figuresOf(const JsonValue& list) {
  std::array<double, N> figures{};
  const auto items = list.items({});
  for (std::size_t i = 0; i < std::min(items.size(), N); ++i) figures[i] = items[i].number(0, 1e15, {});
  return figures;
}

/// The first that a version of the library has; the oldest one for those before, the newest for an unknown one.
template <class Row>
const Row& rowOf(const std::vector<Row>& newestFirst, int version) {
  const auto found = std::find_if(newestFirst.begin(), newestFirst.end(),
                                  [&](const Row& row) { return version == 0 || version >= row.since; });
  return found == newestFirst.end() ? newestFirst.back() : *found;
}

VersionTable readVersions() {
  const auto json = parseJson(ncclVersionsFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  VersionTable table;
  table.narrowLL = in.at("narrow LL", {}).number(0, 1, {});
  for (const JsonValue& row : in.at("most LL", {}).items({})) {
    const VersionTable::MostLL most{libraryVersion(row.at("since", {}).text({})),
                                    figuresOf<3>(row.at("one, two, more nodes", {}))};
    for (const JsonValue& on : row.at("on", {}).items({})) {
      auto& list = table.mostLL[static_cast<std::size_t>(generationFrom(on.text({})))];
      list.insert(list.begin(), most);
    }
  }
  for (const JsonValue& row : in.at("starts", {}).items({})) {
    table.starts.insert(table.starts.begin(),
                        {libraryVersion(row.at("since", {}).text({})), figuresOf<2>(row.at("ring, LL, LL128", {})),
                         figuresOf<2>(row.at("tree, LL, LL128", {}))});
  }
  for (const JsonValue& row : in.at("changes", {}).items({})) {
    NcclChange change{row.at("since", {}).text({}),
                      row.has("has") || row.has("priced"),
                      row.has("has") ? row.at("has", {}).text({}) : std::string(),
                      {},
                      row.at("tag", {}).text({}),
                      row.at("text", {}).text({})};
    if (row.has("on")) {
      for (const JsonValue& on : row.at("on", {}).items({})) change.generations.push_back(generationFrom(on.text({})));
    }
    table.add(std::move(change));
  }
  assert(!problem);
  return table;
}

const VersionTable& versionTable() {
  static const VersionTable kTable = readVersions();
  return kTable;
}

/// Bytes/s on one node.
double mostLLToday(Generation generation) {
  return versionTable().mostLL[static_cast<std::size_t>(generation)].front().byNodes[0];
}

}  // namespace

const std::vector<NcclChange>& ncclChanges() { return versionTable().changes; }

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

}  // namespace p2
