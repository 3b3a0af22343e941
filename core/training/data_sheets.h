// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "system/system.h"

namespace p2::inline training {

/// Names of accelerators with known figures, sorted: products of presets ("H100-SXM5-80GB") and the words with which
/// known names begin ("H100").
[[nodiscard]] const std::vector<std::string>& knownAccelerators();

/// An accelerator by its data sheet: memory in bytes, bandwidth in bytes/s and peaks in FLOP/s, without power and
/// price. None for an accelerator that is not known.
[[nodiscard]] std::optional<Accelerator> dataSheetOf(const std::string& type);

/// A system whose accelerator became another one.
struct OtherAccelerator {
  System system;
  std::vector<std::string> taken;  ///< keys of acceleratorProperties() that follow the new data sheet
  std::vector<std::string> kept;   ///< keys whose figures differ from the former data sheet, so that they stay
  double link = 0;                 ///< new bandwidth of the innermost links, bytes/s; 0 where they stay
};

/// The system with another accelerator, spelt as in knownAccelerators() where only its case differs. If that is known,
/// figures that are unknown or as on the data sheet of the former one follow; figures that were set by hand stay. So do
/// the bandwidth of the innermost links and the generation of the library, where they were the former one's own.
[[nodiscard]] OtherAccelerator withDataSheetOf(System system, const std::string& type);

}  // namespace p2::inline training
