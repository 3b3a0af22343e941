// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "system/system.h"

namespace p2 {

/// The type of a property's value.
enum class PropertyKind {
  Text,       ///< std::string
  Count,      ///< std::int64_t, 1 … kMostDevices
  Bandwidth,  ///< double, bytes/s
  Seconds,    ///< double
  Amount,     ///< double, bytes
  Speed,      ///< double, FLOP/s
  Flag,       ///< bool
  Choice,     ///< std::string, one of the choices
  Colour,     ///< std::int64_t, a category of the palette; −1 for none
  Members,    ///< std::vector<Member>
};

/// A value of any kind, see PropertyKind.
using PropertyValue = std::variant<bool, std::int64_t, double, std::string, std::vector<Member>>;

/// Description of a property: how to show, read, write and check it.
struct PropertyInfo {
  std::string_view key = {};  ///< in files, forms, texts, and in ErrorPlace::part
  PropertyKind kind = PropertyKind::Text;
  std::string_view label = {};  ///< of a field of a form, & before the letter of its shortcut
  std::string_view tip = {};    ///< its meaning, with an example
  std::string_view need = {};   ///< the valid values, for errors of files; of a Choice its subject
  double least = 0;             ///< of numbers …
  double most = std::numeric_limits<double>::max();
  std::optional<double> none = {};                 ///< the number that means none, outside the range
  std::span<const std::string_view> choices = {};  ///< of Choice
  bool always = false;                             ///< whether files say it even where it has its default
  std::string_view whenOff = {};                   ///< for a Flag set by default: the text of a drawing when it is off
  bool inForm = true;                              ///< whether people say it; else they see it once it was found
};

/// Whether it is a double with a unit.
[[nodiscard]] constexpr bool isFigure(PropertyKind kind) {
  return kind == PropertyKind::Bandwidth || kind == PropertyKind::Seconds || kind == PropertyKind::Amount ||
         kind == PropertyKind::Speed;
}

/// One property of a part: of Interconnect, Level, Network, Library or Accelerator. A row of its table is all that
/// form, files and texts need.
template <class Part>
struct Property {
  PropertyInfo info;
  PropertyValue (*get)(const Part&) = nullptr;
  /// The value must have the type of the kind, and be one of the choices.
  void (*set)(Part&, const PropertyValue&) = nullptr;
  /// Whether the property applies to this part in its present state; nothing for always.
  bool (*applies)(const Part&) = nullptr;
};

/// kind, bandwidth, latency, name, core, halfDuplex, forwards, reduces, shared, ringCap, treeCap, colour, and the
/// fitted bandwidth, latency and caps.
[[nodiscard]] std::span<const Property<Interconnect>> interconnectProperties();
/// name, count.
[[nodiscard]] std::span<const Property<Level>> levelProperties();
/// name, within, instances, deal, members, gateway.
[[nodiscard]] std::span<const Property<Network>> networkProperties();
/// generation, version, launch.
[[nodiscard]] std::span<const Property<Library>> libraryProperties();
/// type, memory, memoryBandwidth, fp32, bf16, fp8.
[[nodiscard]] std::span<const Property<Accelerator>> acceleratorProperties();

/// The row of that key; null when there is none.
template <class Part>
[[nodiscard]] const Property<Part>* propertyOf(std::span<const Property<Part>> properties, std::string_view key) {
  for (const Property<Part>& property : properties) {
    if (property.info.key == key) return &property;
  }
  return nullptr;
}

/// Whether all figures are within their ranges, and of a library that it is known. The error's part is the key.
[[nodiscard]] Result<void> checkProperties(const Interconnect& link);
[[nodiscard]] Result<void> checkProperties(const Library& library);
[[nodiscard]] Result<void> checkProperties(const Accelerator& accelerator);

/// "bandwidth": the label as a word of a sentence.
[[nodiscard]] std::string labelWord(const PropertyInfo& info);
/// "switch, ring or bus": words that can be chosen from, as sentences list them.
[[nodiscard]] std::string alternatives(std::span<const std::string_view> words);
/// "270GB/s", "2us", "yes", "ring", as people type it and exactly the value. Members have no text of their own.
[[nodiscard]] std::string propertyText(const PropertyInfo& info, const PropertyValue& value);
/// The value of a text; errors name the text and the remedy. Not for Members.
[[nodiscard]] Result<PropertyValue> propertyFromText(const PropertyInfo& info, std::string_view text);

/// "hopper, library 2.18, launch 18.0 µs": the known figures, for people.
[[nodiscard]] std::string figuresText(const Library& library);
/// "H100-SXM5-80GB, 80.0 GB, 3.35 TB/s, bf16 989 TFLOP/s": the known figures, for people.
[[nodiscard]] std::string figuresText(const Accelerator& accelerator);
/// "270 GB/s (fitted 250 GB/s), 2.00 µs, half duplex": all figures that differ from their defaults, for people.
[[nodiscard]] std::string figuresText(const Interconnect& link);

/// All properties of a level's interconnect that one line of text can hold, without name, colour and fitted figures:
/// "270GB/s,2us,ring,halfDuplex=yes". Defaults are omitted, except the bandwidth.
[[nodiscard]] std::string attributesOf(const Interconnect& link);
/// Reads such attributes. A bandwidth, a time with its unit and a kind need no key. Errors: an attribute that is none
/// or lacks its unit, one that is given twice.
[[nodiscard]] Result<void> readAttributes(std::string_view text, Interconnect& link);

}  // namespace p2
