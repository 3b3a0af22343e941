// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/model_families.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

#include "base/numbers.h"
#include "text/csv.h"

namespace p2::inline workload {
namespace {

/// As families.csv says them, by their bits.
constexpr const char* kTraitNames =
    "QkvBias BiasOnQkvOnly HeadNorms WideNorms BareNorms FourNorms OneNorm LateNorms NormBias NoNorms PlainMlp "
    "AllBiases Sinks RouterBias SharedGate Tied QueryGate Positions HeadBias OneSharedExpert SharedEverywhere "
    "InnerNorms BareInner ParallelMamba OneBlock ElementGate SubNorms SlopePair HeadScaledNorms DoubleLayer "
    "ExpertsAndMlp EmbeddingNorm";

std::vector<std::string> wordsIn(const std::string& cell) {
  std::istringstream words(cell);
  return {std::istream_iterator<std::string>(words), {}};
}

ModelFamily familyFrom(const CsvReader::Cells& cells) {
  ModelFamily family{cells[0], cells[1], 0, {}, wordsIn(cells[4])};
  static const std::vector<std::string> kTraits = wordsIn(kTraitNames);
  for (const std::string& trait : wordsIn(cells[2])) {
    const auto bit = std::size_t(std::ranges::find(kTraits, trait) - kTraits.begin());
    if (bit < kTraits.size()) family.traits |= 1u << bit;
  }
  for (const std::string& each : wordsIn(cells[3])) {
    const std::size_t equals = each.find('=');
    family.defaults.push_back({each.substr(0, equals), parseInteger(each.substr(equals + 1)).value_or(0)});
  }
  return family;
}

const std::vector<ModelFamily>& families() {
  static const std::vector<ModelFamily> kFamilies = [] {
    std::vector<ModelFamily> all;
    CsvReader rows(modelFamiliesFile());
    CsvReader::Cells cells;
    rows.next(cells);  // titles
    while (rows.next(cells)) all.push_back(familyFrom(cells));
    return all;
  }();
  return kFamilies;
}

/// Encoders, models of images and of sound.
constexpr std::array<std::string_view, 22> kOtherKinds{
    "bert",       "roberta", "xlm-roberta", "distilbert", "electra", "albert", "deberta", "deberta-v2",
    "modernbert", "t5",      "mt5",         "umt5",       "bart",    "mbart",  "pegasus", "whisper",
    "wav2vec2",   "vit",     "clip",        "siglip",     "sam",     "dinov2"};

constexpr std::array<std::string_view, 8> kWithoutAttention{"mamba", "mamba2", "falcon_mamba", "rwkv",
                                                            "rwkv5", "rwkv6",  "rwkv7",        "xlstm"};

const ModelFamily* exactly(std::string_view type) {
  const auto found = std::find_if(families().begin(), families().end(), [&](const ModelFamily& family) {
    return family.type == type || std::ranges::find(family.otherTypes, type) != family.otherTypes.end();
  });
  return found == families().end() ? nullptr : &*found;
}

}  // namespace

const ModelFamily* familyOfType(std::string_view type) {
  if (const ModelFamily* family = exactly(type)) return family;
  constexpr std::string_view kText = "_text";
  return type.ends_with(kText) ? exactly(type.substr(0, type.size() - kText.size())) : nullptr;
}

const ModelFamily* familyOfArchitecture(std::string_view architecture) {
  const auto found = std::ranges::find(families(), architecture, &ModelFamily::architecture);
  return found == families().end() ? nullptr : &*found;
}

const ModelFamily& plainFamily() {
  static const ModelFamily kPlain{"transformer"};
  return kPlain;
}

bool isOtherKindOfModel(std::string_view type) {
  return std::find(kOtherKinds.begin(), kOtherKinds.end(), type) != kOtherKinds.end();
}

bool isWithoutAttention(std::string_view type) {
  return std::find(kWithoutAttention.begin(), kWithoutAttention.end(), type) != kWithoutAttention.end();
}

}  // namespace p2::inline workload
