// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/detail/registered_kernels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "cost/nccl/detail/nccl_constants_file.h"
#include "cost/nccl/detail/nccl_kinds.h"
#include "cost/nccl/nccl_versions.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

enum Way : std::size_t { kFlags, kPeers, kMulticast, kWays };
using ByWay = std::array<double, kWays>;

constexpr double kMostBlocks = 64;
constexpr double kBlockCost = 0.025;  ///< share of the time added by every thread block
/// The library takes the fewest blocks within this factor of the time of all blocks.
constexpr double kEnoughBlocks = 1.025;
constexpr double kHidden = 1;  ///< µs of data movement hidden by the start
constexpr double kElementBytes = 4;

/// µs, and GB/s received by a rank.
struct KernelFigures {
  int since = 0;
  std::vector<Generation> generations;
  std::string collective;
  ByWay start{}, peer{}, block{}, most{};
  double multicastBlocks = 0;
};

struct KernelTable {
  std::vector<KernelFigures> kernels;  // the newest version first
  KernelFigures engines;
  double elements = 0;  ///< per rank; longer AllGathers go by copy engines
};

ByWay figuresByWay(const JsonValue& row, const char* key) {
  ByWay values{};
  const auto items = row.at(key, {}).items({});
  for (std::size_t i = 0; i < std::min(items.size(), values.size()); ++i) values[i] = items[i].number(0, 1e6, {});
  return values;
}

KernelFigures kernelHeadOf(const JsonValue& row) {
  KernelFigures figures;
  figures.since = libraryVersion(row.at("since", {}).text({}));
  figures.collective = row.at("collective", {}).text({});
  for (const JsonValue& item : row.at("on", {}).items({})) figures.generations.push_back(generationFrom(item.text({})));
  return figures;
}

KernelTable loadedKernels() {
  KernelTable table;
  const auto json = parseJson(ncclTunerFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  for (const JsonValue& row : in.at("registered kernels", {}).items({})) {
    KernelFigures figures = kernelHeadOf(row);
    figures.start = figuresByWay(row, "start");
    figures.peer = figuresByWay(row, "peer");
    figures.block = figuresByWay(row, "block");
    figures.most = figuresByWay(row, "most");
    figures.multicastBlocks = row.at("multicast blocks", {}).number(1, 1e3, {});
    table.kernels.insert(table.kernels.begin(), std::move(figures));
  }
  const JsonValue engines = in.at("copy engines", {});
  table.engines = kernelHeadOf(engines);
  table.engines.start[kPeers] = engines.at("start", {}).number(0, 1e6, {});
  table.engines.peer[kPeers] = engines.at("peer", {}).number(0, 1e6, {});
  table.engines.most[kPeers] = engines.at("most", {}).number(0, 1e6, {});
  table.elements = engines.at("elements", {}).number(0, 1e12, {});
  assert(!problem);
  return table;
}

const KernelTable& registeredTable() {
  static const KernelTable kTable = loadedKernels();
  return kTable;
}

bool areFor(const KernelFigures& figures, const Traffic& traffic) {
  const LibraryView& machine = *traffic.machine;
  return figures.collective == nameOf(traffic.collective) &&
         (machine.version == 0 || machine.version >= figures.since) &&
         std::find(figures.generations.begin(), figures.generations.end(), machine.generation) !=
             figures.generations.end();
}

const KernelFigures* figuresOf(const Traffic& traffic) {
  const auto& kernels = registeredTable().kernels;
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const KernelFigures& each) { return areFor(each, traffic); });
  return found == kernels.end() ? nullptr : &*found;
}

/// Bytes received by a rank.
double kernelBytes(Way way, const Traffic& traffic, double bytes) {
  const auto members = static_cast<double>(traffic.members);
  const bool isSum = traffic.collective == Collective::AllReduce;
  if (way == kFlags) return isSum ? members * bytes : bytes;
  const double part = bytes * (members - 1) / members;
  if (!isSum) return part;
  return way == kMulticast ? bytes + bytes / members : 2 * part;
}

/// A smooth minimum.
double softLeast(double value, double most, double softness) {
  return most - softness * std::log1p(std::expm1(most / softness) * std::exp(-value / softness));
}

double kernelMicroseconds(double start, double moving) {
  constexpr double kLong = 100;
  const double beyond = moving - kHidden;
  return start + (beyond >= kLong ? beyond : kHidden * std::log1p(std::exp(beyond / kHidden)));
}

struct KernelEstimate {
  double start = 0;
  double moving = 0;
  double cost = std::numeric_limits<double>::infinity();  ///< the time with a charge for every block
};

/// In µs.
KernelEstimate kernelEstimate(Way way, const KernelFigures& figures, const Traffic& traffic, double bytes) {
  const auto members = static_cast<double>(traffic.members);
  const double most = way == kMulticast ? std::max(1.0, std::ceil(figures.multicastBlocks / members)) : kMostBlocks;
  const double each = figures.block[way] * (way == kMulticast ? members : 1);
  KernelEstimate estimate;
  estimate.start = figures.start[way] + (members - 1) * figures.peer[way];
  const auto movingWith = [&](double blocks) {
    return kernelBytes(way, traffic, bytes) / (1e3 * softLeast(blocks * each, figures.most[way], each));
  };
  const double least = kernelMicroseconds(estimate.start, movingWith(most));
  double blocks = 1;
  while (blocks < most && kernelMicroseconds(estimate.start, movingWith(blocks)) > kEnoughBlocks * least) ++blocks;
  estimate.moving = movingWith(blocks);
  estimate.cost = kernelMicroseconds(estimate.start, estimate.moving) * (1 + kBlockCost * blocks);
  return estimate;
}

}  // namespace

bool hasRegisteredKernels(const Traffic& traffic) {
  return traffic.nodes == 1 && traffic.members > 1 && !traffic.machine->hostLinked &&
         ncclHas(NcclFeature::Registered, *traffic.machine) && figuresOf(traffic) != nullptr;
}

RegisteredKernel registeredKernel(const Traffic& traffic, Bytes bytes, bool canMulticast) {
  const KernelTable& table = registeredTable();
  const auto members = static_cast<double>(traffic.members);
  if (areFor(table.engines, traffic) && ncclHas(NcclFeature::CopyEngines, *traffic.machine) &&
      bytes.value() > kElementBytes * table.elements * members) {
    const double start = table.engines.start[kPeers] + members * table.engines.peer[kPeers];
    return {Protocol::None, false, 1e-6 * start,
            1e-9 * kernelBytes(kPeers, traffic, bytes.value()) / table.engines.most[kPeers]};
  }
  const KernelFigures& figures = *figuresOf(traffic);
  KernelEstimate best;
  RegisteredKernel kernel;
  for (const Way way : {kFlags, kPeers, kMulticast}) {
    if (way == kMulticast && (!canMulticast || traffic.members < 3)) continue;
    const KernelEstimate estimate = kernelEstimate(way, figures, traffic, bytes.value());
    if (estimate.cost >= best.cost) continue;
    best = estimate;
    kernel.protocol = way == kFlags ? Protocol::LL : Protocol::Simple;
    kernel.multicast = way == kMulticast;
  }
  kernel.start = 1e-6 * best.start;
  kernel.moving = 1e-6 * best.moving;
  return kernel;
}

double registeredSeconds(double start, double moving) { return 1e-6 * kernelMicroseconds(1e6 * start, 1e6 * moving); }

}  // namespace p2::inline cost
