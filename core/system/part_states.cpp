// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/part_states.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/names.h"
#include "base/near.h"
#include "base/numbers.h"
#include "base/units.h"
#include "system/interconnects.h"
#include "system/oversubscription.h"

namespace p2::inline system {
namespace {

/// "50%", "0.5".
std::optional<double> shareFrom(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
  if (read.ec != std::errc() || !std::isfinite(value)) return {};
  if (rest == "%" || rest == " %") return value / 100;
  if (rest.empty() && value <= 1) return value;
  return {};
}

std::optional<std::int64_t> jobsFrom(std::string_view text) {
  constexpr std::string_view kShared = "shared by ";
  if (sameName(text, "shared")) return 2;
  if (!sameName(text.substr(0, kShared.size()), kShared)) return {};
  const std::string_view rest = text.substr(kShared.size());
  const auto blank = rest.find(' ');
  const std::string_view word = blank == std::string_view::npos ? std::string_view("jobs") : rest.substr(blank + 1);
  const auto jobs = parseInteger(rest.substr(0, blank));
  if (!jobs || *jobs < 1 || *jobs > 1000 || !(sameName(word, "jobs") || sameName(word, "job"))) return {};
  return *jobs;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

constexpr std::array kState{
    property<&PartState::part>({.key = "part",
                                .label = "&Part",
                                .tip = "As in NIC 3 of node 5, rail 3 of node 5, spine, or node 5 for its devices",
                                .need = "a part is a string, as in NIC 3 of node 5",
                                .always = true}),
    property<&PartState::share>(
        {.key = "share",
         .kind = PropertyKind::Number,
         .label = "&Share",
         .tip = "Share that is left of its bandwidth, or of its devices' speed; 0 if it is down",
         .need = "a share is a number from 0 to 1",
         .most = 1}),
    property<&PartState::jobs>(
        {.key = "jobs",
         .kind = PropertyKind::Whole,
         .label = "&Jobs",
         .tip = "Jobs that use its links all the time, this one included: each gets its fair share",
         .need = "jobs are a number from 1 to 1000",
         .least = 1,
         .most = 1000}),
};

bool isOfLinks(const System& system, const PartState& state) {
  const auto part = statePartFrom(system, state.part);
  return part.ok() && part->scope != StatePart::Scope::Devices && part->scope != StatePart::Scope::Whole;
}

/// ", as in spine: 4:1"; empty where nothing can be oversubscribed.
std::string oversubscribedName(const System& system, const std::string& before) {
  const auto place = oversubscribedPart(system);
  if (!place.ok()) return {};
  return before + partName(system, {StatePart::Scope::Whole, *place}) + ": 4:1";
}

bool isInstance(const StatePart& part) {
  using Scope = StatePart::Scope;
  return part.scope == Scope::Devices || part.scope == Scope::Instance || part.scope == Scope::Link;
}

/// A name that no two parts share; for instances and links as in System::disabled.
std::string uniqueName(const System& system, const StatePart& part) {
  using Scope = StatePart::Scope;
  if (part.scope == Scope::Link) return part.link;
  const std::string name = placeName(system, part.place);
  if (isInstance(part)) return name;
  return part.scope == Scope::Between ? "between " + name + " and " + placeName(system, part.at) : "all of " + name;
}

/// Share of its drawn bandwidth that a part has left once it is oversubscribed as "4:1" says. Where nothing says how
/// much can be sent into it, it is drawn 1:1. Errors: devices; a ratio that is none, or below the drawn one.
Result<double> shareAtRatio(const System& system, const StatePart& part, const std::string& name,
                            std::string_view text) {
  P2_TRY_ASSIGN(const double ratio, ratioFrom(text));
  if (part.scope == StatePart::Scope::Devices) {
    return Error{"\"" + name + "\" stands for its devices, which have a speed, as in 80%; " + std::string(text) +
                 " is for a network" + oversubscribedName(system, ", as in ")};
  }
  const double known = part.scope == StatePart::Scope::Link ? 0 : oversubscriptionOf(system, part.place);
  const double drawn = known > 0 ? known : 1;
  if (definitelyLess(ratio, drawn, kDisplayTolerance)) {
    return Error{"\"" + name + "\" is drawn " + ratioText(drawn) + ", and a state takes bandwidth away; write " +
                 ratioText(drawn) + " or more, or give its links a higher bandwidth"};
  }
  return std::min(1.0, drawn / ratio);
}

struct StatedPart {
  StatePart part;
  PartState state;
  std::string name;  ///< uniqueName()
};

Result<StatedPart> statedPartFrom(const System& system, std::string_view text) {
  const auto colon = text.find(": ");
  const auto at = colon == std::string_view::npos ? text.find(':') : colon;
  const std::string_view value = at == std::string_view::npos ? std::string_view() : trimmed(text.substr(at + 1));
  if (value.empty()) {
    return Error{"\"" + std::string(text) + "\" is not a state; write a part and its share, as in rail 3 of node 5: " +
                 "50%, spine: 2:1, NIC 0 of node 2: down or spine: shared by 2 jobs"};
  }
  PartState state{std::string(trimmed(text.substr(0, at)))};
  P2_TRY_ASSIGN(auto part, statePartFrom(system, state.part));
  const bool isWhole = part.scope == StatePart::Scope::Whole;
  if (std::string own = partName(system, part); isWhole || sameName(own, state.part)) state.part = std::move(own);
  bool saysShare = false;
  bool saysJobs = false;
  for (std::string_view rest = value; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view figure = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (const auto jobs = jobsFrom(figure); jobs && !saysJobs) {
      state.jobs = *jobs;
      saysJobs = true;
      continue;
    }
    if (figure.ends_with(":1") && !saysShare && ratioFrom(figure).ok()) {
      P2_TRY_ASSIGN(state.share, shareAtRatio(system, part, state.part, figure));
      saysShare = true;
      continue;
    }
    const auto share = isDownText(figure) ? std::optional(0.0) : shareFrom(figure);
    if (!share || *share > 1 || *share < 0 || saysShare) {
      return Error{"\"" + std::string(value) +
                   "\" is not the state of a part; write 50%, 2:1, down or shared by 2 jobs"};
    }
    state.share = *share;
    saysShare = true;
  }
  std::string name = uniqueName(system, part);
  return StatedPart{std::move(part), std::move(state), std::move(name)};
}

/// The least share of devices or of a whole network.
constexpr double kLeastWholeShare = 0.001;

std::string_view insteadOfDown(const StatePart& part) {
  return part.scope == StatePart::Scope::Devices ? "use a system with one node fewer"
                                                 : "name its instances, one by one";
}

}  // namespace

std::span<const Property<PartState>> stateProperties() { return kState; }

bool isDownText(std::string_view value) {
  const std::string_view figure = trimmed(value);
  return sameName(figure, "down") || shareFrom(figure) == 0.0;
}

std::string stateText(const PartState& state) {
  if (state.share == 0) return "down";
  std::string text;
  if (state.share != 1) text = exactNumber(std::round(state.share * 1e8) / 1e6) + "%";
  if (state.jobs > 1) text += (text.empty() ? "" : ", ") + ("shared by " + countedText(state.jobs, "job"));
  return text.empty() ? "100%" : text;
}

std::string describeStates(const System& system) {
  constexpr std::size_t kMost = 3;
  std::string text;
  std::size_t count = 0;
  const auto add = [&](const std::string& part, const std::string& state) {
    if (++count <= kMost) text += (text.empty() ? "" : "; ") + part + ": " + state;
  };
  for (const std::string& part : system.disabled) add(part, "down");
  for (const PartState& state : system.states) add(state.part, stateText(state));
  return count > kMost ? text + "; " + std::to_string(count - kMost) + " more" : text;
}

Result<System> withState(const System& system, std::string_view text) {
  return withStates(system, {std::string(text)});
}

Result<System> withStates(const System& system, const std::vector<std::string>& texts) {
  std::vector<StatedPart> stated;
  std::map<std::string, std::size_t> last;  // of two states of one part the later one counts
  for (const std::string& text : texts) {
    P2_TRY_ASSIGN(auto each, statedPartFrom(system, text));
    last[each.name] = stated.size();
    stated.push_back(std::move(each));
  }
  System other = system;
  std::erase_if(other.states, [&](const PartState& each) {
    const auto known = statePartFrom(system, each.part);
    return known.ok() && last.contains(uniqueName(system, *known));
  });
  std::erase_if(other.disabled, [&](const std::string& each) { return last.contains(each); });
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const StatedPart& each = stated[i];
    if (last[each.name] != i) continue;
    if (each.state.share == 0 && each.part.scope == StatePart::Scope::Devices) {
      return Error{"\"" + each.state.part + "\" cannot be down as a state, since a step takes all devices; " +
                   (each.part.place.index == 0 ? "use a system with one " + system.levels.front().name + " fewer"
                                               : "leave out its node")};
    }
    if (each.state.share == 0 && isInstance(each.part)) {
      other.disabled.push_back(each.name);
    } else if (each.state.share < 1 || each.state.jobs > 1) {
      other.states.push_back(each.state);
    }
  }
  P2_TRY(checkStates(other));
  return other;
}

double slowestDevices(const System& system) {
  double least = 1;
  for (const PartState& state : system.states) {
    const auto part = statePartFrom(system, state.part);
    if (part.ok() && part->scope == StatePart::Scope::Devices) least = std::min(least, state.share);
  }
  return least;
}

std::string slowestPart(const System& system) {
  const double least = slowestDevices(system);
  for (const PartState& state : system.states) {
    const auto part = statePartFrom(system, state.part);
    if (least < 1 && part.ok() && part->scope == StatePart::Scope::Devices && state.share == least) return state.part;
  }
  return {};
}

std::string describeSlowestDevices(const System& system) {
  const double speed = slowestDevices(system);
  if (speed >= 1) return {};
  return "all devices wait for " + slowestPart(system) + ", whose devices have " + formatPercent(speed) +
         " of their speed";
}

Accelerator slowestAccelerator(const System& system) {
  Accelerator slow = system.accelerator;
  const double speed = slowestDevices(system);
  for (double* figure : {&slow.fp32, &slow.bf16, &slow.fp8, &slow.memoryBandwidth}) *figure *= speed;
  return slow;
}

bool hasLinkStates(const System& system) {
  return std::any_of(system.states.begin(), system.states.end(),
                     [&](const PartState& state) { return isOfLinks(system, state); });
}

System withWholeStates(System system) {
  if (system.states.empty()) return system;
  std::vector<PartState> kept;
  const auto all = interconnects(system);
  for (const PartState& state : system.states) {
    const auto part = statePartFrom(system, state.part);
    if (!part.ok() || part->scope != StatePart::Scope::Whole) {
      kept.push_back(state);
      continue;
    }
    const double left = state.share / static_cast<double>(state.jobs);
    for (const auto& placed : all) {
      if (placed.place != part->place) continue;
      for (double* figure : {&placed.link.bandwidth, &placed.link.core, &placed.link.fittedBandwidth}) *figure *= left;
    }
  }
  system.states = std::move(kept);
  return system;
}

Result<void> checkStates(const System& system) {
  std::set<std::string> known;
  for (std::size_t i = 0; i < system.states.size(); ++i) {
    const PartState& state = system.states[i];
    const std::string place = "/states/" + std::to_string(i);
    const auto part = statePartFrom(system, state.part);
    if (!part.ok()) return part.error().about(place + "/part");
    P2_TRY(checkFigures(stateProperties(), state).about(place));
    const bool whole = part->scope == StatePart::Scope::Devices || part->scope == StatePart::Scope::Whole;
    if (!(state.share >= 0) || (whole && state.share < kLeastWholeShare)) {
      return Error{"\"" + state.part + "\" cannot be down as a state; give a share of 0.1% or more, or " +
                   std::string(insteadOfDown(*part))}
          .about(place + "/share");
    }
    if (part->scope == StatePart::Scope::Devices && state.jobs > 1) {
      return Error{"\"" + state.part + "\" is not a link; several jobs share links, as in spine"}.about(place +
                                                                                                        "/jobs");
    }
    if (!known.insert(state.part).second) {
      return Error{"\"" + state.part + "\" has two states; give it one"}.about(place + "/part");
    }
  }
  return {};
}

}  // namespace p2::inline system
