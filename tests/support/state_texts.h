// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "system/part_states.h"
#include "system/system.h"

namespace p2::test {

/// "NIC 3 of node 5: 50%" for every state, "NIC 0 of node 2: down" for everything disabled, in this order.
inline std::vector<std::string> stateTexts(const System& system) {
  std::vector<std::string> texts;
  for (const PartState& state : system.states) texts.push_back(state.part + ": " + stateText(state));
  for (const std::string& name : system.disabled) texts.push_back(name + ": down");
  return texts;
}

}  // namespace p2::test
