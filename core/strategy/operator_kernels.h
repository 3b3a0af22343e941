// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/bytes.h"
#include "kernels/kernel_rates.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Seconds of one pass of an operator through a training step.
struct PassSeconds {
  double forward = 0;
  double backward = 0;
};

/// The forward product of an operator's part; backward are the gradients of its input and of its weights. Rows are
/// the dimensions that the output spans and the weights do not, columns those that both span, depth those that are
/// summed over; dimensions that input, weights and output all span count separate products (experts, batches of ONNX's
/// MatMul, groups of a convolution). Without a parameter the second input has the part of the weights. Together
/// they are the points of the iteration domain. Precondition: a kind that is a product (gemm, convolution, LSTM,
/// experts). O(tensors · dimensions).
[[nodiscard]] Product productOf(const Operator& op, const Configuration& configuration);

/// Seconds that kernels at these rates take for one microbatch on each device: products by their shape, attention as
/// one fused kernel (a causal one computes half), everything else by its passes over memory. At least multiplyAdds() at
/// the peak, but for attention, since causal masks skip half.
[[nodiscard]] PassSeconds kernelSeconds(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                                        const KernelRates& rates);

}  // namespace p2::inline strategy
