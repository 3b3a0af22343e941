// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/local_copy.h"

#include <cassert>
#include <map>

#include "cost/nccl/detail/nccl_constants_file.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

std::map<Generation, DeviceMemory> readMemories() {
  std::map<Generation, DeviceMemory> memories;
  const auto json = parseJson(deviceMemoryFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  for (const JsonValue& entry : in.at("generations", {}).items({})) {
    memories[generationFrom(entry.at("generation", {}).text({}))] = {entry.at("least", {}).number(1, 1e15, {}),
                                                                     entry.at("most", {}).number(1, 1e15, {}),
                                                                     entry.at("parts", {}).text({})};
  }
  assert(!problem && !memories.contains(Generation::Unknown));
  return memories;
}

}  // namespace

std::optional<DeviceMemory> deviceMemoryOf(const LibraryView& machine) {
  static const std::map<Generation, DeviceMemory> kMemories = readMemories();
  const auto known = kMemories.find(machine.generation);
  if (machine.hostLinked || known == kMemories.end()) return std::nullopt;
  return known->second;
}

std::optional<SecondsRange> localCopySeconds(const LibraryView& machine, Bytes bytes) {
  const auto memory = deviceMemoryOf(machine);
  if (!memory) return std::nullopt;
  const double moved = 2 * bytes.value();
  return SecondsRange{moved / memory->most, moved / memory->least};
}

}  // namespace p2::inline cost
