// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data_sheets.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/near.h"
#include "system/properties.h"
#include "training/accelerator_data.h"
#include "workspace/machine_parts.h"
#include "workspace/presets.h"

namespace p2::inline training {
namespace {

bool isSameWord(const std::string& a, const std::string& b) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Figures of a device; power and price are not on a data sheet.
bool isOnDataSheet(const Property<Accelerator>& property) {
  const std::string_view key = property.info.key;
  return key != "type" && key != "power" && key != "price";
}

double figureOf(const Property<Accelerator>& property, const Accelerator& accelerator) {
  return std::get<double>(property.get(accelerator));
}

/// Bytes/s of a device to its neighbours, each way; 0 if unknown.
double ownLinkOf(const std::string& type) {
  const auto known = trainingAcceleratorOf(type);
  return known.ok() ? known->link : 0;
}

/// Null where the devices have no interconnect of their own.
Interconnect* innermostLink(System& system) {
  if (system.levels.empty() || system.levels.back().interconnect.kind == InterconnectKind::None) return nullptr;
  return &system.levels.back().interconnect;
}

}  // namespace

const std::vector<std::string>& knownAccelerators() {
  static const std::vector<std::string> kKnown = [] {
    std::set<std::string> names;
    for (const Preset& preset : presets()) {
      const auto system = presetSystem(preset.name, preset.defaultNodes);
      if (system.ok() && dataSheetOf(system->accelerator.type)) names.insert(system->accelerator.type);
    }
    for (const TrainingAccelerator& each : trainingAccelerators()) names.insert(each.begins);
    for (std::string& gpu : knownGpus()) names.insert(std::move(gpu));
    return std::vector<std::string>(names.begin(), names.end());
  }();
  return kKnown;
}

std::optional<Accelerator> dataSheetOf(const std::string& type) {
  if (type.empty()) return std::nullopt;
  std::optional<Accelerator> sheet = gpuDataSheet(type);
  const auto trained = trainingAcceleratorOf(type);
  if (!sheet && !trained.ok()) return std::nullopt;
  Accelerator made = sheet.value_or(Accelerator{.type = type});
  if (!trained.ok()) return made;
  // A name may say how much memory the device has.
  made.memory = trained->memory;
  const auto fill = [](double& figure, double known) { figure = figure > 0 ? figure : known; };
  fill(made.memoryBandwidth, trained->memoryBandwidth);
  fill(made.bf16, trained->bf16);
  fill(made.fp8, trained->fp8);
  return made;
}

OtherAccelerator withDataSheetOf(System system, const std::string& type) {
  const auto& known = knownAccelerators();
  const auto spelt = std::ranges::find_if(known, [&](const std::string& each) { return isSameWord(each, type); });
  const std::string name = spelt == known.end() ? type : *spelt;
  const auto former = dataSheetOf(system.accelerator.type);
  const auto sheet = dataSheetOf(name);
  const double link = ownLinkOf(system.accelerator.type);
  OtherAccelerator other{std::move(system), {}, {}, 0};
  const std::string generation = generationOf(name);
  std::string& own = other.system.library.generation;
  const bool followed = own.empty() || own == generationOf(other.system.accelerator.type);
  if (followed && !generation.empty()) own = generation;
  Accelerator& accelerator = other.system.accelerator;
  accelerator.type = name;
  if (!sheet) return other;
  if (Interconnect* inside = innermostLink(other.system); inside != nullptr && nearlyEqual(inside->bandwidth, link)) {
    const double next = ownLinkOf(name);
    if (next > 0 && !nearlyEqual(next, link)) {
      other.link = inside->bandwidth = next;
      inside->fittedBandwidth = 0;
    }
  }
  for (const Property<Accelerator>& property : acceleratorProperties()) {
    if (!isOnDataSheet(property)) continue;
    const double before = figureOf(property, accelerator);
    const double after = figureOf(property, *sheet);
    if (nearlyEqual(before, after)) continue;
    const bool byHand = before > 0 && !(former && nearlyEqual(before, figureOf(property, *former)));
    (byHand ? other.kept : other.taken).emplace_back(property.info.key);
    if (!byHand) property.set(accelerator, after);
  }
  return other;
}

}  // namespace p2::inline training
