// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: bytes of numbers in memory.
#pragma once

namespace p2::inline training {

inline constexpr double kHalf = 2;    ///< bytes of a bf16 or fp16 number
inline constexpr double kSingle = 4;  ///< bytes of an fp32 number
/// Two numbers in fp32 of every parameter that Adam updates.
inline constexpr double kMoments = 2 * kSingle;

}  // namespace p2::inline training
