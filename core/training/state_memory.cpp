// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters, gradients and optimizer states as frameworks keep them.
#include "training/detail/number_bytes.h"
#include "training/memory.h"

namespace p2::inline training {

double quantizedCopyBytes(const TrainingConfiguration& configuration) {
  const bool engine =
      configuration.family == FrameworkFamily::MegatronCore || configuration.family == FrameworkFamily::MlPerf;
  if (!engine || configuration.plan.zero >= 2 || configuration.fp8Parameters) return 0;
  constexpr double kScaleOf16 = 1.0 / 16;
  if (configuration.precision == ProductPrecision::Fp4) return 2 * (.5 + kScaleOf16);
  return configuration.precision == ProductPrecision::Fp8 ? 2 : 0;
}

StateBytes stateBytesOf(const TrainingConfiguration& configuration) {
  if (configuration.adapters) return {kHalf, 0, 0};
  const bool single = configuration.fullPrecisionSums;
  switch (configuration.family) {
    case FrameworkFamily::Fsdp:
    case FrameworkFamily::Jax:
      // One fp32 copy is the parameter and the master copy. Without fp32 everything is kept in 16 bits; gradients that
      // wait for the last microbatch are in the number type of the reduction.
      if (configuration.halfStates) {
        return {kHalf, single && configuration.plan.accumulate ? kSingle : kHalf, kMoments / 2};
      }
      return single ? StateBytes{kSingle, kSingle, kMoments} : StateBytes{kHalf, kHalf, kMoments / 2};
    case FrameworkFamily::MegatronEager:
    case FrameworkFamily::DeepSpeed: {
      // DeepSpeed keeps the 16-bit gradient next to the fp32 sum, and an fp32 gradient of the part that it updates; in
      // bf16 without ZeRO that is a part of the sum.
      const double part = configuration.plan.zero > 0 || !single ? kSingle : 0;
      return {kHalf, single ? kHalf + kSingle : kHalf, kMoments + kSingle + part};
    }
    case FrameworkFamily::MegatronCore:
    case FrameworkFamily::MlPerf:
      break;
  }
  return {kHalf, single ? kSingle : kHalf, (configuration.halfMoments ? kMoments / 2 : kMoments) + kSingle};
}

}  // namespace p2::inline training
