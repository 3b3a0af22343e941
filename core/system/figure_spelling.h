// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system: properties that are figures, numbers with a unit.
#pragma once

#include <string>
#include <string_view>

#include "system/properties.h"

namespace p2 {

/// How the figures of a kind are spelt.
struct FigureSpelling {
  PropertyKind kind;
  std::string_view unit;
  Result<double> (*parse)(std::string_view);
  std::string (*type)(double);    ///< as people type it, exactly the value
  std::string (*format)(double);  ///< rounded, for people
};

/// `kind` is one of figures: isFigure().
[[nodiscard]] const FigureSpelling& spellingOf(PropertyKind kind);

/// "1 B/s to 1e18 B/s, or 0 for none": the range of a number, with or without unit.
[[nodiscard]] std::string rangeText(const PropertyInfo& info);
[[nodiscard]] bool isWithin(const PropertyInfo& info, double value);
/// The figure written in a text, of any range; errors name the text and the remedy.
[[nodiscard]] Result<double> figureFrom(const PropertyInfo& info, std::string_view text);

}  // namespace p2
