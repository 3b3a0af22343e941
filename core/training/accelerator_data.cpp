// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/accelerator_data.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>

#include "base/lists.h"
#include "base/numbers.h"
#include "system/part_states.h"
#include "text/json_document.h"
#include "training/detail/training_files.h"

namespace p2::inline training {
namespace {

double figure(const Json& entry, const char* key, double otherwise) {
  return entry.contains(key) ? entry.at(key).get<double>() : otherwise;
}

/// "h200" begins with "H200", "RTX-4090" with "RTX 4090".
bool beginsWith(std::string_view type, std::string_view begins) {
  const auto plain = [](unsigned char c) { return c == '-' ? ' ' : std::tolower(c); };
  const auto isSame = [&](unsigned char a, unsigned char b) { return plain(a) == plain(b); };
  return type.size() >= begins.size() && std::equal(begins.begin(), begins.end(), type.begin(), isSame);
}

/// The bytes that a type names, as in "V100-SXM2-32GB"; 0 if it does not.
double memoryIn(std::string_view type) {
  const std::size_t end = type.rfind("GB");
  if (end == std::string_view::npos) return 0;
  std::size_t first = end;
  while (first > 0 && std::isdigit(static_cast<unsigned char>(type[first - 1])) != 0) --first;
  const auto gigabytes = parseInteger(type.substr(first, end - first));
  return gigabytes ? 1e9 * static_cast<double>(*gigabytes) : 0;
}

/// Platforms by their keys in accelerators.json.
struct PlatformName {
  AcceleratorPlatform platform;
  std::string_view key;
  std::string_view devices;
};
constexpr std::array kPlatforms{PlatformName{AcceleratorPlatform::Cuda, "cuda", "NVIDIA GPUs"},
                                PlatformName{AcceleratorPlatform::Rocm, "rocm", "AMD GPUs"},
                                PlatformName{AcceleratorPlatform::Tpu, "tpu", "TPUs"},
                                PlatformName{AcceleratorPlatform::Neuron, "neuron", "AWS Trainium"},
                                PlatformName{AcceleratorPlatform::OneApi, "oneapi", "Intel GPUs"}};

AcceleratorPlatform platformFrom(std::string_view key) {
  const auto found = std::ranges::find(kPlatforms, key, &PlatformName::key);
  assert(found != kPlatforms.end());
  return found->platform;
}

TrainingAccelerator acceleratorFrom(const Json& entry) {
  TrainingAccelerator made;
  made.begins = entry.at("begins").get<std::string>();
  made.generation = entry.at("generation").get<std::string>();
  made.bf16 = figure(entry, "bf16", 0);
  made.fp8 = figure(entry, "fp8", 0);
  made.fp4 = figure(entry, "fp4", 0);
  made.memory = figure(entry, "memory", 0);
  made.memoryBandwidth = figure(entry, "memoryBandwidth", 0);
  made.multiprocessors = figure(entry, "multiprocessors", 0);
  made.link = figure(entry, "link", 0);
  made.nic = figure(entry, "nic", 0);
  made.domain = static_cast<std::int64_t>(figure(entry, "domain", 8));
  made.powerShare = figure(entry, "powerShare", 1);
  made.fusesElementwise = entry.value("fusesElementwise", false);
  made.platform = platformFrom(entry.value("platform", std::string(kPlatforms.front().key)));
  return made;
}

}  // namespace

std::string_view devicesOf(AcceleratorPlatform platform) {
  return std::ranges::find(kPlatforms, platform, &PlatformName::platform)->devices;
}

namespace {

/// Bytes/s at which one member of an interconnect sends at most; 0 for none.
double memberBandwidth(const Level& level, bool calibrated) {
  const double link = bandwidthOf(level.interconnect, calibrated);
  switch (level.interconnect.kind) {
    case InterconnectKind::Ring:
      return 2 * link;
    case InterconnectKind::Mesh:
      return static_cast<double>(std::max<std::int64_t>(1, level.count - 1)) * link;
    case InterconnectKind::None:  // its bandwidth is left over from another kind
      return 0;
    case InterconnectKind::Switch:
    case InterconnectKind::Bus:
      break;
  }
  return link;
}

/// Whether a network joins nodes, or parts of them, without their gateways.
bool passesGateways(const System& system, std::size_t depth) {
  const auto firstInside = system.levels.begin() + static_cast<std::ptrdiff_t>(depth - 1);
  const auto isAround = [&](const std::string& level) {
    return level.empty() ||
           std::any_of(system.levels.begin(), firstInside, [&](const Level& each) { return each.name == level; });
  };
  const auto isBehindGateways = [&](const Member& member) {
    const auto network = std::find_if(system.networks.begin(), system.networks.end(),
                                      [&](const Network& each) { return each.interconnect.name == member.of; });
    if (network == system.networks.end()) return isAround(member.of);
    return isAround(network->within) || (network->gateway && network->within == firstInside->name);
  };
  return std::any_of(system.networks.begin(), system.networks.end(), [&](const Network& network) {
    return isAround(network.within) && !std::all_of(network.members.begin(), network.members.end(), isBehindGateways);
  });
}

}  // namespace

double outsideOf(const System& system) {
  const std::size_t depth = nodeDepth(system);
  if (depth == 0 || passesGateways(system, depth)) return 0;
  const std::int64_t devices = devicesPerNode(system);
  double bandwidth = 0;
  for (const Network& network : system.networks) {
    if (network.gateway && network.within == system.levels[depth - 1].name) {
      bandwidth += bandwidthOf(network.interconnect, system.calibrated) * static_cast<double>(network.instances);
    }
  }
  if (bandwidth == 0) bandwidth = memberBandwidth(system.levels[depth - 1], system.calibrated);
  return bandwidth / static_cast<double>(devices);
}

const std::vector<TrainingAccelerator>& trainingAccelerators() {
  static const std::vector<TrainingAccelerator> kAll = [] {
    auto json = parseJson(trainingAcceleratorsFile());
    assert(json.ok());
    std::vector<TrainingAccelerator> all;
    for (const Json& entry : json->at("accelerators")) all.push_back(acceleratorFrom(entry));
    return all;
  }();
  return kAll;
}

Result<TrainingAccelerator> trainingAcceleratorOf(std::string_view type) {
  for (const TrainingAccelerator& each : trainingAccelerators()) {
    if (!beginsWith(type, each.begins)) continue;
    TrainingAccelerator made = each;
    if (const double memory = memoryIn(type); memory > 0) made.memory = memory;
    return made;
  }
  const std::string known = joined(trainingAccelerators(), ", ", &TrainingAccelerator::begins);
  const std::string what =
      type.empty() ? "the system names no accelerator; " : "no figures are known of \"" + std::string(type) + "\"; ";
  const std::string preset = type.empty() ? ", or use the preset of a machine, as in dgx-h100:2" : "";
  return Error{what + "give the system's accelerator a memory, its bandwidth and peaks, or one of the types " + known +
               preset};
}

Result<TrainingAccelerator> trainingAcceleratorOf(const System& system) {
  const Accelerator drawn = slowestAccelerator(system);
  auto known = trainingAcceleratorOf(drawn.type);
  TrainingAccelerator made;
  if (known.ok()) {
    made = *known;
    const double speed = slowestDevices(system);
    for (double* figure : {&made.bf16, &made.fp8, &made.fp4, &made.memoryBandwidth}) *figure *= speed;
  } else {
    if (drawn.bf16 <= 0 || drawn.memoryBandwidth <= 0 || drawn.memory <= 0) return known.error();
    made.generation = "any";
  }
  const auto take = [](double& figure, double given) {
    if (given > 0) figure = given;
  };
  take(made.bf16, drawn.bf16);
  take(made.fp8, drawn.fp8);
  take(made.memory, drawn.memory);
  take(made.memoryBandwidth, drawn.memoryBandwidth);
  if (!system.levels.empty()) {
    const Interconnect& link = system.levels.back().interconnect;
    const double peers = link.kind == InterconnectKind::Mesh ? static_cast<double>(system.levels.back().count - 1) : 1;
    // Without an interconnect of its own the level keeps the bandwidth of an earlier kind.
    if (link.kind != InterconnectKind::None) {
      take(made.link, bandwidthOf(link, system.calibrated) * std::max(peers, 1.0));
    }
    // All levels of a TPU slice are one fast domain.
    if (made.domain != 0) made.domain = devicesPerNode(system);
    const bool copies = link.kind == InterconnectKind::Switch && link.reduces;
    made.multicast = copies ? system.levels.back().count : 0;
  }
  take(made.nic, outsideOf(system));
  return made;
}

double peakOf(const TrainingAccelerator& accelerator, ProductPrecision precision) {
  if (precision == ProductPrecision::Fp4 && accelerator.fp4 > 0) return accelerator.fp4;
  if (precision != ProductPrecision::Bf16 && accelerator.fp8 > 0) return accelerator.fp8;
  return accelerator.bf16;
}

}  // namespace p2::inline training
