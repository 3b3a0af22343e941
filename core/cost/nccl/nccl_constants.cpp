// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/nccl_constants.h"

#include <cassert>

#include "cost/nccl/detail/nccl_constants_file.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

struct Loaded {
  NcclConstants constants;
  NcclConstants priors;
  std::vector<NcclConstants::Entry> table;
};

Loaded load() {
  Loaded loaded;
  const auto json = parseJson(ncclConstantsFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  for (const JsonValue& constant : in.at("constants", {}).items({})) {
    loaded.table.push_back({constant.at("key", {}).text({}), constant.at("value", {}).number(0, 1e15, {}),
                            constant.at("prior", {}).number(0, 1e15, {}), constant.at("spread", {}).number(0, 10, {})});
  }
  assert(!problem && loaded.table.size() == kNcclConstants);
  for (std::size_t i = 0; i < kNcclConstants; ++i) {
    loaded.constants.values[i] = loaded.table[i].value;
    loaded.priors.values[i] = loaded.table[i].prior;
  }
  return loaded;
}

const Loaded& loaded() {
  static const Loaded kLoaded = load();
  return kLoaded;
}

}  // namespace

const NcclConstants& ncclConstants() { return loaded().constants; }
const NcclConstants& ncclPriors() { return loaded().priors; }
const std::vector<NcclConstants::Entry>& ncclConstantTable() { return loaded().table; }

}  // namespace p2::inline cost
