// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/part_states.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/names.h"
#include "base/numbers.h"
#include "system/interconnects.h"

namespace p2::inline system {
namespace {

/// "NIC 3": words, and the number at their end.
struct Numbered {
  std::string name;
  std::int64_t number = 0;
};

std::optional<Numbered> numberedFrom(std::string_view text) {
  const auto blank = text.rfind(' ');
  if (blank == std::string_view::npos) return {};
  const auto number = parseInteger(text.substr(blank + 1));
  if (!number || *number < 0) return {};
  return Numbered{std::string(text.substr(0, blank)), *number};
}

std::vector<std::string> piecesOf(std::string_view text) {
  constexpr std::string_view kOf = " of ";
  std::vector<std::string> pieces;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(kOf, from);
    pieces.emplace_back(text.substr(from, to == std::string_view::npos ? to : to - from));
    if (to == std::string_view::npos) return pieces;
    from = to + kOf.size();
  }
}

std::optional<std::size_t> levelCalled(const System& system, const std::string& name) {
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    if (system.levels[i].name == name) return i;
  }
  return {};
}

std::optional<std::size_t> networkCalled(const System& system, const std::string& name) {
  for (std::size_t i = 0; i < system.networks.size(); ++i) {
    if (system.networks[i].interconnect.name == name) return i;
  }
  return {};
}

Error noSuchNumber(const std::string& name, std::int64_t number, std::int64_t count) {
  return Error{"there is no " + name + " " + std::to_string(number) + "; use " + name + " 0 to " + name + " " +
               std::to_string(count - 1)};
}

Error noSuchPart(const System& system, std::string_view name) {
  return Error{"nothing is called \"" + std::string(name) + "\"; there are " + statePartNames(system)};
}

/// The instance of a level that pieces say, innermost first: {"gpu 3", "node 5"}. Levels with one instance may be left
/// out.
Result<Place> levelPlace(const System& system, std::span<const std::string> pieces, std::string_view whole) {
  const auto innermost = numberedFrom(pieces.front());
  const auto level = innermost ? levelCalled(system, innermost->name) : std::nullopt;
  if (!level) return noSuchPart(system, whole);
  std::vector<std::int64_t> digits(*level + 1, -1);
  for (const std::string& piece : pieces) {
    const auto numbered = numberedFrom(piece);
    const auto at = numbered ? levelCalled(system, numbered->name) : std::nullopt;
    if (!at || *at > *level || digits[*at] >= 0) return noSuchPart(system, whole);
    if (numbered->number >= system.levels[*at].count) {
      return noSuchNumber(numbered->name, numbered->number, system.levels[*at].count);
    }
    digits[*at] = numbered->number;
  }
  std::int64_t instance = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] < 0 && system.levels[i].count > 1) {
      return Error{"\"" + std::string(whole) + "\" names no " + system.levels[i].name + "; add \" of " +
                   system.levels[i].name + " 0\""};
    }
    instance = instance * system.levels[i].count + std::max<std::int64_t>(0, digits[i]);
  }
  return Place{Place::Kind::Level, *level, instance};
}

/// "NIC 3 of node 5", or "rail 3 of node 5" where the network is not in a node.
Result<StatePart> networkPart(const System& system, std::size_t index, std::int64_t number,
                              std::span<const std::string> outer, std::string_view whole) {
  using Scope = StatePart::Scope;
  const Network& network = system.networks[index];
  if (number >= network.instances) return noSuchNumber(network.interconnect.name, number, network.instances);
  // Systems that are being edited may name a level that does not exist yet.
  if (!network.within.empty() && !levelCalled(system, network.within)) return noSuchPart(system, whole);
  const std::size_t depth = depthWithin(system, network.within);
  if (outer.empty()) {
    std::int64_t enclosures = 1;
    for (std::size_t i = 0; i < depth; ++i) enclosures *= system.levels[i].count;
    if (enclosures == 1) return StatePart{Scope::Instance, {Place::Kind::Network, index, number}};
    return Error{"\"" + std::string(whole) + "\" names no " + network.within + "; add \" of " + network.within +
                 " 0\""};
  }
  P2_TRY_ASSIGN(const Place at, levelPlace(system, outer, whole));
  std::int64_t enclosure = at.instance;
  for (std::size_t i = at.index + 1; i > depth; --i) enclosure /= system.levels[i - 1].count;
  const Place place{Place::Kind::Network, index, enclosure * network.instances + number};
  if (at.index + 1 == depth) return StatePart{Scope::Instance, place};
  if (at.index + 1 < depth) return noSuchPart(system, whole);
  return StatePart{Scope::Between, place, at};
}

std::optional<StatePart> wholePart(const System& system, std::string_view name) {
  const auto all = interconnects(system);
  for (const CarryingLink& link : carryingLinks(system)) {
    if (link.name == name) return StatePart{StatePart::Scope::Whole, all[link.index].place};
  }
  return {};
}

/// "gpu switch of node 1": what joins the children of an instance.
Result<StatePart> joinPart(const System& system, std::size_t level, std::span<const std::string> outer,
                           std::string_view whole) {
  std::int64_t instance = 0;
  if (level > 0 && !outer.empty()) {
    P2_TRY_ASSIGN(const Place at, levelPlace(system, outer, whole));
    if (at.index + 1 != level) return noSuchPart(system, whole);
    instance = at.instance;
  }
  if (level > 0 && outer.empty()) return noSuchPart(system, whole);
  return StatePart{StatePart::Scope::Instance, {Place::Kind::Interconnect, level, instance}};
}

/// "50%", "0.5", "2:1".
std::optional<double> shareFrom(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
  if (read.ec != std::errc() || !std::isfinite(value)) return {};
  if (rest == "%" || rest == " %") return value / 100;
  if (rest == ":1" && value >= 1) return 1 / value;
  if (rest.empty() && value <= 1) return value;
  return {};
}

std::optional<std::int64_t> jobsFrom(std::string_view text) {
  constexpr std::string_view kShared = "shared by ";
  if (text == "shared") return 2;
  if (!text.starts_with(kShared)) return {};
  const std::string_view rest = text.substr(kShared.size());
  const auto blank = rest.find(' ');
  const std::string_view word = blank == std::string_view::npos ? std::string_view("jobs") : rest.substr(blank + 1);
  const auto jobs = parseInteger(rest.substr(0, blank));
  if (!jobs || *jobs < 1 || *jobs > 1000 || (word != "jobs" && word != "job")) return {};
  return *jobs;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string numbersText(const std::string& name, std::int64_t count, const std::string& of) {
  return (count == 1 ? name + " 0" : name + " 0 to " + name + " " + std::to_string(count - 1)) + of;
}

constexpr std::array kState{
    property<&PartState::part>({.key = "part",
                                .label = "&Part",
                                .tip = "As in NIC 3 of node 5, rail 3 of node 5, spine, or node 5 for its devices",
                                .need = "a part is a text, as in NIC 3 of node 5",
                                .always = true}),
    property<&PartState::share>({.key = "share",
                                 .kind = PropertyKind::Number,
                                 .label = "&Share",
                                 .tip = "Left of its bandwidth, or of the speed of its devices; 0 for out of order",
                                 .need = "a share is a number from 0 to 1",
                                 .most = 1}),
    property<&PartState::jobs>({.key = "jobs",
                                .kind = PropertyKind::Whole,
                                .label = "&Jobs",
                                .tip = "That use its links all the time, this one included: each gets its fair share",
                                .need = "jobs are a number from 1 to 1000",
                                .least = 1,
                                .most = 1000}),
};

bool isOfLinks(const System& system, const PartState& state) {
  const auto part = statePartFrom(system, state.part);
  return part.ok() && part->scope != StatePart::Scope::Devices && part->scope != StatePart::Scope::Whole;
}

}  // namespace

std::span<const Property<PartState>> stateProperties() { return kState; }

std::string statePartNames(const System& system) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const bool inner = i > 0 && system.levels[i - 1].count > 1;
    add(numbersText(system.levels[i].name, system.levels[i].count,
                    inner ? " of each " + system.levels[i - 1].name : std::string()));
  }
  for (const Network& network : system.networks) {
    add(numbersText(network.interconnect.name, network.instances,
                    network.within.empty() ? std::string() : " of each " + network.within));
  }
  for (const CarryingLink& link : carryingLinks(system)) {
    if (link.name != link.place || interconnects(system)[link.index].place.kind == Place::Kind::Network) {
      add("all of " + link.name);
    }
  }
  return names;
}

Result<StatePart> statePartFrom(const System& system, std::string_view name) {
  using Scope = StatePart::Scope;
  if (name.starts_with("all of ")) name.remove_prefix(7);
  if (const auto whole = wholePart(system, name)) return *whole;
  const bool isLink = name.find("→") != std::string_view::npos || name.ends_with("↑") || name.ends_with("↓");
  if (isLink) return StatePart{Scope::Link, {}, {}, std::string(name)};
  const std::vector<std::string> pieces = piecesOf(name);
  const std::span<const std::string> outer = std::span(pieces).subspan(1);
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    const Level& own = system.levels[level];
    if (pieces.front() == own.name + " " + std::string(nameOf(own.interconnect.kind))) {
      return joinPart(system, level, outer, name);
    }
  }
  const auto numbered = numberedFrom(pieces.front());
  if (!numbered) return noSuchPart(system, name);
  if (const auto network = networkCalled(system, numbered->name)) {
    return networkPart(system, *network, numbered->number, outer, name);
  }
  P2_TRY_ASSIGN(const Place place, levelPlace(system, pieces, name));
  return StatePart{Scope::Devices, place};
}

std::string stateText(const PartState& state) {
  if (state.share == 0) return "down";
  std::string text;
  if (state.share != 1) text = exactNumber(std::round(state.share * 1e8) / 1e6) + "%";
  if (state.jobs > 1) text += (text.empty() ? "" : ", ") + ("shared by " + countedText(state.jobs, "job"));
  return text.empty() ? "100%" : text;
}

std::vector<std::string> stateTexts(const System& system) {
  std::vector<std::string> texts;
  for (const PartState& state : system.states) texts.push_back(state.part + ": " + stateText(state));
  for (const std::string& name : system.disabled) texts.push_back(name + ": down");
  return texts;
}

Result<System> withState(const System& system, std::string_view text) {
  const auto colon = text.find(": ");
  const auto at = colon == std::string_view::npos ? text.find(':') : colon;
  const std::string_view value = at == std::string_view::npos ? std::string_view() : trimmed(text.substr(at + 1));
  if (value.empty()) {
    return Error{"\"" + std::string(text) + "\" is not a state; write a part and its share, as in rail 3 of node 5: " +
                 "50%, spine: 2:1, NIC 0 of node 2: down or spine: shared by 2 jobs"};
  }
  PartState state{std::string(trimmed(text.substr(0, at)))};
  P2_TRY_ASSIGN(const auto part, statePartFrom(system, state.part));
  const bool down = value == "down";
  const auto jobs = jobsFrom(value);
  const auto share = down ? std::optional(0.0) : jobs ? std::optional(1.0) : shareFrom(value);
  if (!share || *share > 1 || *share < 0) {
    return Error{"\"" + std::string(value) + "\" is not the state of a part; write 50%, 2:1, down or shared by 2 jobs"};
  }
  state.share = *share;
  state.jobs = jobs.value_or(1);
  System other = system;
  std::erase_if(other.states, [&](const PartState& each) {
    const auto known = statePartFrom(system, each.part);
    return known.ok() && *known == part;
  });
  std::erase(other.disabled, state.part);
  const bool isInstance = part.scope == StatePart::Scope::Devices || part.scope == StatePart::Scope::Instance ||
                          part.scope == StatePart::Scope::Link;
  if (state.share == 0 && isInstance) {
    other.disabled.push_back(part.scope == StatePart::Scope::Link ? part.link : placeName(system, part.place));
  } else if (state.share < 1 || state.jobs > 1) {
    other.states.push_back(state);
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
    if (!(state.share >= 0) || (whole && state.share < 0.001)) {
      return Error{"\"" + state.part + "\" cannot be down as a state; name its instances, one by one, or give a share"}
          .about(place + "/share");
    }
    if (part->scope == StatePart::Scope::Devices && state.jobs > 1) {
      return Error{"\"" + state.part + "\" is no link; several jobs share links, as in spine"}.about(place + "/jobs");
    }
    if (!known.insert(state.part).second) {
      return Error{"\"" + state.part + "\" has two states; give it one"}.about(place + "/part");
    }
  }
  return {};
}

}  // namespace p2::inline system
