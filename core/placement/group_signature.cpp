// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/group_signature.h"

namespace p2::inline placement {

std::vector<std::int64_t> groupSignature(const Topology& topology, const ParallelismMatrix& matrix, AxisSet axes,
                                         AxisSet replicated) {
  std::vector<std::int64_t> signature;
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    const bool anywhere = topology.isUniform() && topology.levels()[level].kind == InterconnectKind::Switch;
    std::int64_t stride = 1;
    std::int64_t factors = 1;
    for (std::size_t axis = matrix.rows(); axis-- > 0;) {
      const std::int64_t factor = matrix.at(axis, level);
      if ((axes >> axis & 1) != 0 && factor > 1) {
        factors *= factor;
        if (replicated != 0) signature.insert(signature.end(), {factor, -1 - std::int64_t(replicated >> axis & 1)});
        // Adjacent axes act as one axis for their group.
        const bool goesOn = replicated == 0 && !anywhere && !signature.empty() && signature.back() > 0 &&
                            stride == signature.back() * signature[signature.size() - 2];
        if (goesOn) {
          signature[signature.size() - 2] *= factor;
        } else if (!anywhere) {
          signature.insert(signature.end(), {factor, stride});
        }
      }
      stride *= factor;
    }
    signature.insert(signature.end(), {factors, 0});
  }
  return signature;
}

}  // namespace p2::inline placement
