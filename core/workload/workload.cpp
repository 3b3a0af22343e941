// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/workload.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/counted.h"
#include "base/figures.h"
#include "base/numbers.h"
#include "base/utf8.h"

namespace p2::inline workload {
namespace {

/// Of devices and of bytes in a step: half of what fits, so that every number can be read back from a file.
constexpr std::int64_t kMostTotal = INT64_MAX / 2;

using AxisSizes = std::map<std::string_view, std::int64_t>;

Error workloadError(std::string message, std::string part = {}) {
  Error error{std::move(message)};
  error.where.part = std::move(part);
  return error;
}

Result<AxisSizes> sizesByName(const std::vector<Axis>& axes) {
  if (axes.empty()) return workloadError("a workload needs the axes that its collectives go over, as in {\"data\": 8}");
  if (axes.size() > kMostAxes) {
    return workloadError("there are " + countedText(axes.size(), "axis", "axes") + "; at most " +
                         std::to_string(kMostAxes) + " can be worked with");
  }
  AxisSizes sizes;
  std::optional<std::int64_t> product = 1;
  for (const Axis& axis : axes) {
    if (axis.name.empty()) return workloadError("an axis has no name; give every axis its own, as in data");
    if (!isUtf8(axis.name)) return workloadError("the name of an axis is not valid UTF-8; no file could hold it");
    if (axis.size < 1) {
      return workloadError("axis " + axis.name + " has size " + std::to_string(axis.size) + "; use 1 or more");
    }
    if (!sizes.emplace(axis.name, axis.size).second) {
      return workloadError("the axis name \"" + axis.name + "\" is used twice; give every axis its own");
    }
    product = product ? checkedProduct(*product, axis.size) : std::nullopt;
  }
  if (product && *product <= kMostTotal) return sizes;
  return workloadError("the axes multiply to over 2^62 devices; use smaller sizes");
}

Result<void> checkEntryAxes(const WorkloadEntry& entry, const AxisSizes& sizes) {
  if (entry.axes.empty()) return workloadError("it goes over no axis; name at least one", "/axes");
  std::set<std::string_view> seen;
  std::int64_t most = 1;
  for (std::size_t i = 0; i < entry.axes.size(); ++i) {
    const std::string part = "/axes/" + std::to_string(i);
    const auto axis = sizes.find(entry.axes[i]);
    if (axis == sizes.end()) {
      std::string known;
      for (const auto& [name, size] : sizes) known += (known.empty() ? "" : ", ") + std::string(name);
      return workloadError("there is no axis \"" + entry.axes[i] + "\"; use " + known, part);
    }
    if (!seen.insert(entry.axes[i]).second) {
      return workloadError("the axis \"" + entry.axes[i] + "\" is named twice; keep one", part);
    }
    most = std::max(most, axis->second);
  }
  if (most > 1) return {};
  return workloadError("every axis it goes over has size 1, so nothing is sent; leave it out, or give " +
                           entry.axes.front() + " its size",
                       "/axes");
}

Result<void> checkScatter(const WorkloadEntry& entry) {
  if (entry.scatter.empty()) return {};
  if (entry.kind != CommunicationKind::ReduceScatter) {
    return workloadError(
        "only a ReduceScatter is scattered over some axes alone; leave \"scatter\" out, or make it one", "/scatter");
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < entry.scatter.size(); ++i) {
    const std::string& name = entry.scatter[i];
    const std::string part = "/scatter/" + std::to_string(i);
    if (std::find(entry.axes.begin(), entry.axes.end(), name) == entry.axes.end()) {
      return workloadError("it does not go over the axis \"" + name +
                               "\", so no sum can be scattered over it; name it in "
                               "\"axes\" as well, or leave it out",
                           part);
    }
    if (!seen.insert(name).second) return workloadError("the axis \"" + name + "\" is named twice; keep one", part);
  }
  return {};
}

Result<void> checkFactors(const WorkloadEntry& entry) {
  if (entry.factors.empty()) return {};
  std::optional<std::int64_t> product = 1;
  std::set<std::string_view> names;
  for (const CountFactor& factor : entry.factors) {
    if (factor.name.empty() || !isUtf8(factor.name) || !names.insert(factor.name).second) {
      return workloadError("the factor \"" + factor.name + "\" of its count needs a name of its own", "/count");
    }
    if (factor.value < 1) {
      return workloadError("the factor " + factor.name + " is " + std::to_string(factor.value) + "; use 1 or more",
                           "/count");
    }
    product = product ? checkedProduct(*product, factor.value) : std::nullopt;
  }
  if (product && *product == entry.count) return {};
  return workloadError("its factors multiply to " + (product ? std::to_string(*product) : "over 2^63") + ", not to " +
                           std::to_string(entry.count) + "; make them agree",
                       "/count");
}

Result<void> checkOverlap(const CommunicationOverlap& overlap) {
  const double value = overlap.value;
  if (overlap.extent == CommunicationOverlap::Extent::Fraction && !(value >= 0 && value <= 1)) {
    return workloadError("a share of " + exactNumber(value) + " cannot overlap; use 0 to 1", "/overlap");
  }
  if (overlap.extent == CommunicationOverlap::Extent::Window && !kTimeRange.holds(value)) {
    return workloadError("a window of " + exactNumber(value) + " s cannot be; use " + std::string(kTimeRange.text),
                         "/overlap");
  }
  return {};
}

Result<void> checkRouting(const WorkloadEntry& entry) {
  if (!entry.routing) return {};
  const ExpertRouting& routing = *entry.routing;
  if (entry.kind != CommunicationKind::Dispatch) {
    return workloadError("only a Dispatch goes to experts; leave \"routing\" out, or make it a Dispatch", "/routing");
  }
  if (routing.experts > kMostExperts || routing.expertsPerToken > kMostExpertsPerToken) {
    return workloadError(std::to_string(routing.expertsPerToken) + " of " + std::to_string(routing.experts) +
                             " experts are more than are priced; use at most " + std::to_string(kMostExpertsPerToken) +
                             " of " + std::to_string(kMostExperts),
                         "/routing");
  }
  if (routing.experts < 1 || routing.expertsPerToken < 1 || routing.expertsPerToken > routing.experts) {
    return workloadError("a token cannot go to " + std::to_string(routing.expertsPerToken) + " of " +
                             countedText(routing.experts, "expert") + "; use 1 to all of them",
                         "/routing");
  }
  const auto refusal = checkExpertGroups(routing);
  if (!refusal.ok()) return workloadError(refusal.error().message, "/routing");
  return {};
}

Result<void> checkEntry(const WorkloadEntry& entry, const AxisSizes& sizes) {
  if (!isUtf8(entry.name) || !isUtf8(entry.formula)) {
    return workloadError("its name or formula is not valid UTF-8; no file could hold it", "/name");
  }
  P2_TRY(checkEntryAxes(entry, sizes));
  P2_TRY(checkScatter(entry));
  if (entry.bytes < 1) {
    return workloadError(countedText(entry.bytes, "byte") + " cannot be sent; use 1 or more", "/bytes");
  }
  if (entry.count < 1) {
    return workloadError(countedText(entry.count, "time") + " a step cannot be; use 1 or more", "/count");
  }
  P2_TRY(checkFactors(entry));
  P2_TRY(checkOverlap(entry.overlap));
  return checkRouting(entry);
}

Result<void> checkTiming(const Workload& workload) {
  const double seconds = workload.computeSeconds.value_or(0);
  if (!kTimeRange.holds(seconds)) {
    return workloadError(exactNumber(seconds) + " s of computation cannot be; use " + std::string(kTimeRange.text),
                         "/compute_seconds");
  }
  const double slowdown = workload.slowdown.value_or(1);
  if (!kSlowdownRange.holds(slowdown)) {
    return workloadError(
        "a slowdown of " + exactNumber(slowdown) + " cannot be; use " + std::string(kSlowdownRange.text), "/slowdown");
  }
  const double share = workload.usableShare.value_or(1);
  if (share >= 0 && share <= 1) return {};
  return workloadError("a usable share of " + exactNumber(share) + " cannot be; use 0 to 1", "/usable_share");
}

/// All properties of an entry that affect its price.
auto likeness(const WorkloadEntry& entry) {
  std::vector<std::string> axes = entry.axes;
  std::sort(axes.begin(), axes.end());
  std::vector<std::string> scatter = entry.scatter.empty() ? axes : entry.scatter;
  std::sort(scatter.begin(), scatter.end());
  const ExpertRouting routing = entry.routing.value_or(ExpertRouting{});
  return std::tuple(entry.kind, std::move(axes), std::move(scatter), entry.bytes, entry.overlap.extent,
                    entry.overlap.value, entry.closed, routing);
}

/// Factors whose product is the sum of both products: where all but one are equal.
std::vector<CountFactor> summed(std::vector<CountFactor> sum, const std::vector<CountFactor>& other) {
  if (sum.size() != other.size()) return {};
  std::size_t place = 0;
  int differing = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i].name != other[i].name) return {};
    if (sum[i].value == other[i].value) continue;
    place = i;
    ++differing;
  }
  if (differing > 1) return {};
  if (!sum.empty()) sum[place].value += other[place].value;
  return sum;
}

/// "forward, backward, …": a list of names, if they are few.
void addName(std::string& names, const std::string& name, std::set<std::string>& reported) {
  constexpr std::size_t kMostListed = 3;
  if (name.empty() || reported.size() > kMostListed || !reported.insert(name).second) return;
  names += (names.empty() ? "" : ", ") + (reported.size() > kMostListed ? "…" : name);
}

}  // namespace

Result<void> checkExpertGroups(const ExpertRouting& routing) {
  const auto [experts, each, most, groups] = routing;
  if (groups < 0 || most < 0 || groups > kMostExpertGroups) {
    return Error{countedText(most < 0 ? most : groups, "group") + " of experts cannot be; use 0 to " +
                 std::to_string(kMostExpertGroups)};
  }
  if (groups == 0) return {};
  if (experts % groups != 0) {
    return Error{countedText(experts, "expert") + " cannot be cut into " + countedText(groups, "group") +
                 " of equal size; use a divisor"};
  }
  if (most > groups) {
    return Error{"a token cannot go to " + std::to_string(most) + " of " + countedText(groups, "group") +
                 " of experts; use 1 to all of them, or 0 for no limit"};
  }
  if (most == 0 || each <= most * (experts / groups)) return {};
  return Error{"the " + countedText(each, "expert") + " of a token do not fit into " +
               (most == 1 ? "1 group" : countedText(most, "group")) + " of " + std::to_string(experts / groups) +
               "; use more groups for a token, or fewer in all"};
}

Result<void> checkWorkload(const Workload& workload) {
  auto sizes = sizesByName(workload.axes).about("/axes");
  if (!sizes.ok()) return sizes.error();
  if (workload.collectives.empty()) return workloadError("nothing is communicated; add an entry", "/collectives");
  if (workload.collectives.size() > kMostWorkloadEntries) {
    return workloadError("there are " + countedText(workload.collectives.size(), "entry", "entries") + "; at most " +
                             std::to_string(kMostWorkloadEntries) + " can be worked with",
                         "/collectives");
  }
  std::int64_t total = 0;
  for (std::size_t i = 0; i < workload.collectives.size(); ++i) {
    const WorkloadEntry& entry = workload.collectives[i];
    const std::string part = "/collectives/" + std::to_string(i);
    P2_TRY(checkEntry(entry, *sizes).about(part));
    const auto bytes = checkedProduct(entry.bytes, entry.count);
    if (!bytes || *bytes > kMostTotal - total) {
      return workloadError("with " + countedText(entry.count, "time") + " " + countedText(entry.bytes, "byte") +
                               " the step moves over 2^62 bytes; use a smaller count",
                           part + "/count");
    }
    total += *bytes;
  }
  return checkTiming(workload);
}

Workload collapsed(const Workload& workload) {
  Workload result = workload;
  result.collectives.clear();
  std::map<decltype(likeness(WorkloadEntry{})), std::size_t> places;
  std::vector<std::set<std::string>> reported;
  for (const WorkloadEntry& entry : workload.collectives) {
    const auto [place, isNew] = places.emplace(likeness(entry), result.collectives.size());
    if (isNew) {
      result.collectives.push_back(entry);
      reported.push_back({entry.name});
      continue;
    }
    WorkloadEntry& sum = result.collectives[place->second];
    sum.factors = summed(std::move(sum.factors), entry.factors);
    sum.count += std::min(entry.count, INT64_MAX - sum.count);
    addName(sum.name, entry.name, reported[place->second]);
  }
  return result;
}

std::string factorsText(const WorkloadEntry& entry) {
  std::string text;
  for (const CountFactor& factor : entry.factors) {
    if (factor.value != 1) text += (text.empty() ? "" : " · ") + std::to_string(factor.value) + " " + factor.name;
  }
  return text;
}

}  // namespace p2::inline workload
