// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "collective/collective_traits.h"

namespace p2::inline cost {

/// How a collective moves its bytes.
enum class Algorithm {
  Ring,      ///< neighbours in device order
  Tree,      ///< AllReduce by chains inside nodes and a double binary tree between them; everything else as Ring
  Nvls,      ///< AllReduce inside a node by switches that add up and copy (NVLink SHARP)
  NvlsTree,  ///< NVLS inside nodes, double binary trees between them
  Pat,       ///< ReduceScatter and AllGather between nodes of one device each in logarithmic steps
  CollNet,   ///< AllReduce in networks that add up (SHARP)
  Direct,    ///< a message for every pair: AllToAll, Scatter; on request others, of registered buffers
  Auto,      ///< the cheapest of the others but Direct, step by step
};
inline constexpr std::size_t kAlgorithms = 7;  ///< without Auto

[[nodiscard]] std::string_view nameOf(Algorithm algorithm);
[[nodiscard]] Result<Algorithm> algorithmFrom(std::string_view name);

/// How a library hands bytes from one device to the next.
enum class Protocol {
  None,    ///< the model knows none
  LL,      ///< flags next to the data: low latency, half of the bandwidth or less
  LL128,   ///< flags in lines of 128 bytes, over NVLink
  Simple,  ///< all of the bandwidth, the most latency
};
/// "LL128"; empty for None.
[[nodiscard]] std::string_view nameOf(Protocol protocol);
[[nodiscard]] Result<Protocol> protocolFrom(std::string_view name);

/// Question to a cost model: `repeat` runs of a program on vectors of `bytes` per device, by a model of costModels().
/// The defaults are the paper's experiment: 10 runs on 2^29 float32 per device.
struct CostOptions {
  Algorithm algorithm = Algorithm::Ring;
  Bytes bytes{2147483648.0};
  int repeat = 10;
  std::string model = "paper";
  bool overlap = false;  ///< also what programs take when their steps overlap, see overlapped()
  friend bool operator==(const CostOptions&, const CostOptions&) = default;
};

}  // namespace p2::inline cost
