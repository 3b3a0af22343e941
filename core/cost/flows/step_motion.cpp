// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/step_motion.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "cost/flows/detail/group_messages.h"

namespace p2::inline cost {
namespace {

/// Share of its slot that a message takes; then its landing can be read.
constexpr double kMoving = 0.8;
/// Shares of the time for sending: the most for all leaders together, and for each of them.
constexpr double kLeadShare = 0.6;
constexpr double kLeadEach = 0.16;
/// Leaders with a full slot; the slot of every later one is shorter than the one before.
constexpr std::size_t kUnhurried = 7;
constexpr double kSumStands = 0.04;  // share of the step's time after the last part has come

struct Span {
  double from = 0;
  double to = 1;

  [[nodiscard]] Span part(std::size_t at, std::size_t count) const {
    const double each = (to - from) / static_cast<double>(std::max<std::size_t>(count, 1));
    return {from + each * static_cast<double>(at), from + each * static_cast<double>(at + 1)};
  }
};

/// Slots of the leaders: the first kUnhurried are as long as each other, later ones ever shorter.
std::vector<Span> leadSlots(Span whole, std::size_t leaders) {
  const auto lasts = [](std::size_t i) { return i < kUnhurried ? 1.0 : double(kUnhurried) / double(i + 1); };
  double sum = 0;
  for (std::size_t i = 0; i < leaders; ++i) sum += lasts(i);
  std::vector<Span> slots;
  double at = whole.from;
  for (std::size_t i = 0; i < leaders; ++i) {
    const double from = at;
    at += (whole.to - whole.from) * lasts(i) / sum;
    slots.push_back({from, at});
  }
  return slots;
}

void timeIn(Span slot, StepMessage& message) {
  message.start = slot.from;
  message.end = slot.from + kMoving * (slot.to - slot.from);
}

/// Gives every message its time: leaders one by one, then pass by pass the rounds of all groups together.
void schedule(StepMotion& made, std::vector<UntimedMessage> all) {
  std::stable_sort(all.begin(), all.end(), [](const UntimedMessage& a, const UntimedMessage& b) {
    return std::tuple(!a.message.leads, a.pass, a.round) < std::tuple(!b.message.leads, b.pass, b.round);
  });
  const auto leaders = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const UntimedMessage& each) { return each.message.leads; }));
  const Span whole{StepMotion::kAnnounced, StepMotion::kArrived};
  const double lead = std::min(kLeadShare, kLeadEach * static_cast<double>(leaders)) * (whole.to - whole.from);
  const Span ahead{whole.from, whole.from + lead};
  const Span rest{ahead.to, whole.to};
  made.leadTo = ahead.to;
  const std::vector<Span> slots = leadSlots(ahead, leaders);
  std::map<int, int> rounds;  // by pass
  for (const UntimedMessage& each : all) {
    if (!each.message.leads) rounds[each.pass] = std::max(rounds[each.pass], each.round + 1);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    UntimedMessage& each = all[i];
    if (each.message.leads) {
      timeIn(slots[i], each.message);
    } else {
      const auto pass = static_cast<std::size_t>(std::distance(rounds.begin(), rounds.find(each.pass)));
      const auto count = static_cast<std::size_t>(rounds[each.pass]);
      timeIn(rest.part(pass, rounds.size()).part(static_cast<std::size_t>(each.round), count), each.message);
    }
    made.messages.push_back(std::move(each.message));
  }
  if (!made.inSwitch) return;
  // Parts stand until the sum has formed.
  const Span parts = rest.part(0, rounds.size());
  made.sumFrom = std::min(parts.to, made.leadTo);
  made.sumTo = parts.to + kSumStands;
  for (const StepMessage& each : made.messages) {
    if (each.to.isNone()) made.sumFrom = std::min(made.sumFrom, each.end);
  }
}

}  // namespace

StepMotion stepMotion(const ProgramTrace& trace, StepId step, const StepManner& manner,
                      const std::vector<DeviceGroup>& groups, std::size_t mostMessages) {
  StepMotion made;
  std::size_t devices = 0;
  for (const DeviceGroup& group : groups) {
    if (group.size() < 2) continue;
    made.groups.push_back(group);
    devices += group.size();
  }
  if (made.groups.empty()) return made;
  const DeviceGroup& first = made.groups.front();
  const std::size_t eachRound = devices * static_cast<std::size_t>(passesOf(manner, first));
  const int mostRounds = static_cast<int>(std::max<std::size_t>(1, mostMessages / eachRound));
  const bool bundled = manner.of(first) == Manner::Pairs && withoutRails(manner.shape()) != FlowShape::Spread &&
                       eachRound * (first.size() - 1) > mostMessages;
  made.manner = mannerText(manner, first, mostRounds);
  if (bundled) made.manner += " (simplified: after the first receiver, bundles by way of the middle)";
  made.simplified = made.manner.find("simplified") != std::string::npos;
  std::vector<UntimedMessage> all;
  for (std::size_t i = 0; i < made.groups.size(); ++i) {
    const DeviceGroup& group = made.groups[i];
    made.inSwitch = made.inSwitch || manner.of(group) == Manner::Switch;
    std::vector<UntimedMessage> messages = bundled ? bundledMessages(trace, step, manner, group, i == 0)
                                                   : groupMessages(trace, step, manner, group, mostRounds, i == 0);
    for (UntimedMessage& each : messages) {
      each.message.group = i;
      all.push_back(std::move(each));
    }
  }
  schedule(made, std::move(all));
  return made;
}

void addCargo(DeviceState& state, const ProgramTrace& trace, StepId step, const DeviceGroup& group,
              const Cargo& cargo) {
  for (std::size_t i = 0; i < cargo.count; ++i) {
    const DeviceState& held = trace.matrixOf(group[(cargo.first + i) % group.size()], static_cast<int>(step.value()));
    for (const ChunkRange& range : cargo.rows) {
      for (int row = static_cast<int>(range.from); row < static_cast<int>(range.to); ++row) {
        for (const int column : held.columns(row)) state.set(row, column);
      }
    }
  }
}

std::int64_t sumOfRow(const DeviceState& state, int row) {
  std::int64_t sum = 0;
  for (const int column : state.columns(row)) sum += column + 1;
  return sum;
}

std::optional<Addition> additionOf(const ProgramTrace& trace, StepId step, const DeviceGroup& group,
                                   const StepMessage& message) {
  if (!message.leads || !message.adds || message.rows.empty() || message.cargo.empty()) return {};
  const int row = static_cast<int>(message.rows.front().from);
  const auto sum = [&](const std::vector<Cargo>& cargoes) {
    DeviceState state(static_cast<int>(trace.chunks()));
    for (const Cargo& cargo : cargoes) addCargo(state, trace, step, group, cargo);
    return sumOfRow(state, row);
  };
  const std::int64_t brought = sum(message.cargo);
  if (!message.to.isNone()) {
    if (message.landed.empty()) return {};
    return Addition{sum(message.landed) - brought, brought};
  }
  // In the switch, the parts of the members before it have come.
  const std::size_t earlier = message.cargo.front().first;
  if (earlier == 0) return {};
  return Addition{sum({{message.rows, 0, earlier}}), brought};
}

}  // namespace p2::inline cost
