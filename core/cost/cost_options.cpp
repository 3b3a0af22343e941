// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_options.h"

#include <algorithm>
#include <array>

namespace p2::inline cost {
namespace {

constexpr std::array<std::string_view, kAlgorithms + 1> kAlgorithmNames{"ring", "tree",    "nvls",   "nvlstree",
                                                                        "pat",  "collnet", "direct", "auto"};
constexpr std::array<std::string_view, 4> kProtocolNames{"", "LL", "LL128", "Simple"};

}  // namespace

std::string_view nameOf(Algorithm algorithm) { return kAlgorithmNames[static_cast<std::size_t>(algorithm)]; }

Result<Algorithm> algorithmFrom(std::string_view name) {
  const auto found = std::find(kAlgorithmNames.begin(), kAlgorithmNames.end(), name);
  if (found != kAlgorithmNames.end()) return static_cast<Algorithm>(found - kAlgorithmNames.begin());
  return Error{
      "\"" + std::string(name) +
      "\" is not an algorithm; use ring, tree or auto, or under the nccl model nvls, nvlstree, pat, collnet or direct"};
}

Result<Protocol> protocolFrom(std::string_view name) {
  const auto found = std::find(kProtocolNames.begin() + 1, kProtocolNames.end(), name);
  if (found != kProtocolNames.end()) return static_cast<Protocol>(found - kProtocolNames.begin());
  return Error{"\"" + std::string(name) + "\" is not a protocol; use LL, LL128 or Simple"};
}

std::string_view nameOf(Protocol protocol) { return kProtocolNames[static_cast<std::size_t>(protocol)]; }

}  // namespace p2::inline cost
