// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/text_drawing.h"

#include "base/units.h"

namespace p2 {
namespace {

std::string plural(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string times(std::int64_t count) { return count == 1 ? "" : " ×" + std::to_string(count); }

std::string fittedText(bool fitted, const std::string& text) { return fitted ? " (fitted " + text + ")" : ""; }

/// "270 GB/s, 2.00 µs, half duplex".
std::string figuresOf(const Interconnect& link) {
  std::string text =
      formatBandwidth(link.bandwidth) + fittedText(link.fittedBandwidth > 0, formatBandwidth(link.fittedBandwidth));
  if (link.latency > 0 || link.fittedLatency >= 0) {
    text += ", " + formatSeconds(link.latency) + fittedText(link.fittedLatency >= 0, formatSeconds(link.fittedLatency));
  }
  if (link.core > 0) text += ", core " + formatBandwidth(link.core);
  if (link.halfDuplex) text += ", half duplex";
  const bool passesOn = link.kind == InterconnectKind::Ring || link.kind == InterconnectKind::Mesh;
  if (passesOn && !link.forwards) text += ", members forward nothing";
  return text;
}

/// "gpu", "gpu 3", "gpu 4–7", "gpus from 2 on".
std::string memberText(const Member& member) {
  if (member.count == 1) return member.of + " " + std::to_string(member.first);
  if (member.count > 1) {
    return member.of + " " + std::to_string(member.first) + "–" + std::to_string(member.first + member.count - 1);
  }
  return "all " + member.of + (member.first == 0 ? "" : " from " + std::to_string(member.first) + " on");
}

std::string networkLine(const Network& network) {
  std::string members;
  for (const Member& member : network.members) members += (members.empty() ? "" : ", ") + memberText(member);
  std::string text = network.interconnect.name + times(network.instances) + ": " +
                     std::string(nameOf(network.interconnect.kind)) + " of " + members;
  if (network.instances > 1) text += network.deal == Network::Deal::Blocks ? " in blocks" : " in turn";
  text += ", " + figuresOf(network.interconnect);
  return network.gateway ? text + ", the way out" : text;
}

}  // namespace

std::string drawnAsText(const System& system) {
  std::string text = (system.name.empty() ? shapeOf(system) : system.name) + ", " +
                     plural(system.deviceCount(), "device") + (system.calibrated ? ", calibrated" : "") + "\n";
  std::string within;
  std::string indent = "  ";
  for (const Level& level : system.levels) {
    const Interconnect& link = level.interconnect;
    if (link.kind != InterconnectKind::None) {
      text += indent + (link.name.empty() ? "" : link.name + ": ") + std::string(nameOf(link.kind)) + " of " +
              plural(level.count, level.name) + ", " + figuresOf(link) + "\n";
    }
    for (const Network& network : system.networks) {
      if (network.within == within) text += indent + networkLine(network) + "\n";
    }
    text += indent + level.name + times(level.count) + "\n";
    within = level.name;
    indent += "  ";
  }
  for (const std::string& name : system.disabled) text += "  out of order: " + name + "\n";
  return text;
}

}  // namespace p2
