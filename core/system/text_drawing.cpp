// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/text_drawing.h"

#include "base/counted.h"
#include "base/lists.h"
#include "system/properties.h"

namespace p2::inline system {
namespace {

std::string times(std::int64_t count) { return count == 1 ? "" : " ×" + std::to_string(count); }

/// "gpu", "gpu 3", "gpu 4–7", "gpus from 2 on".
std::string memberText(const Member& member) {
  if (member.count == 1) return member.of + " " + std::to_string(member.first);
  if (member.count > 1) {
    return member.of + " " + std::to_string(member.first) + "–" + std::to_string(member.first + member.count - 1);
  }
  return "all " + member.of + (member.first == 0 ? "" : " from " + std::to_string(member.first) + " on");
}

std::string networkLine(const Network& network) {
  const std::string members = joined(network.members, ", ", [](const Member& member) { return memberText(member); });
  std::string text = network.interconnect.name + times(network.instances) + ": " +
                     std::string(nameOf(network.interconnect.kind)) + " of " + members;
  if (network.instances > 1)
    text += network.assignment == Network::Assignment::Blocks ? ", contiguous" : ", round robin";
  text += ", " + figuresText(network.interconnect);
  return network.gateway ? text + ", uplink" : text;
}

}  // namespace

std::string drawnAsText(const System& system) {
  std::string text = (system.name.empty() ? shapeOf(system) : system.name) + ", " +
                     countedText(system.deviceCount(), "device") + (system.node == kRootName ? ", one node" : "") +
                     (system.calibrated ? ", calibrated" : "");
  if (const std::string library = figuresText(system.library); !library.empty()) text += ", " + library;
  text += '\n';
  if (const std::string device = figuresText(system.accelerator); !device.empty()) text += "  device: " + device + "\n";
  std::string within;
  std::string indent = "  ";
  for (const Level& level : system.levels) {
    const Interconnect& link = level.interconnect;
    if (link.kind != InterconnectKind::None) {
      text += indent + (link.name.empty() ? "" : link.name + ": ") + std::string(nameOf(link.kind)) + " of " +
              countedText(level.count, level.name) + ", " + figuresText(link) + "\n";
    }
    for (const Network& network : system.networks) {
      if (network.within == within) text += indent + networkLine(network) + "\n";
    }
    const bool isNode = !system.node.empty() && level.name == system.node;
    text += indent + level.name + times(level.count) + (isNode ? ", a node each" : "") + "\n";
    within = level.name;
    indent += "  ";
  }
  for (const std::string& name : system.disabled) text += "  out of order: " + name + "\n";
  return text;
}

}  // namespace p2::inline system
