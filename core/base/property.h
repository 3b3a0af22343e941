// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/names.h"
#include "base/result.h"

namespace p2::inline base {

// A described field: one row {key, unit, range, help, get, set} from which its option on the command line, its JSON
// key, its row of a form and its line of the manual are made.

/// The type and unit of a property's value.
enum class PropertyKind {
  Text,       ///< std::string
  Count,      ///< std::int64_t, a number of instances
  Whole,      ///< std::int64_t
  Number,     ///< double without a unit
  Bandwidth,  ///< double, bytes/s
  Seconds,    ///< double
  Amount,     ///< double, bytes
  Speed,      ///< double, FLOP/s
  Flag,       ///< bool
  Choice,     ///< std::string, one of the choices
  Colour,     ///< std::int64_t, a category of the palette; −1 for none
  Members,    ///< std::vector<Member>
};

/// Members of a network: some instances of a level or of another network, counted from 0 within each instance of the
/// level that the network is in.
struct Member {
  std::string of;  ///< a level's or a network's name
  std::int64_t first = 0;
  std::int64_t count = 0;  ///< 0 for all from `first` on
  friend bool operator==(const Member&, const Member&) = default;
};

/// A value of any kind, see PropertyKind.
using PropertyValue = std::variant<bool, std::int64_t, double, std::string, std::vector<Member>>;

/// The description of a property, without its accessors. Its default is the value of a default-constructed part.
struct PropertyInfo {
  std::string_view key = {};  ///< in files, forms, texts, and in ErrorPlace::part; --kv-heads for kv_heads as an option
  PropertyKind kind = PropertyKind::Text;
  std::string_view label = {};  ///< in a form, with & before the letter of its shortcut
  std::string_view tip = {};    ///< its meaning, with an example: a sentence without its full stop
  std::string_view need = {};   ///< the remedy in errors about files; for a Choice its noun
  double least = 0;             ///< of numbers …
  double most = std::numeric_limits<double>::max();
  std::optional<double> none = {};                 ///< the number that stands for none, in or out of the range
  std::span<const std::string_view> choices = {};  ///< of Choice
  bool always = false;                             ///< whether files say it even where it has its default
  std::string_view whenOff = {};                   ///< shown in drawings where a Flag that is set by default is not
  bool inForm = true;                              ///< whether it can be edited; else it is shown once it is known
};

/// Whether it is a double with a unit.
[[nodiscard]] constexpr bool isFigure(PropertyKind kind) {
  return kind == PropertyKind::Bandwidth || kind == PropertyKind::Seconds || kind == PropertyKind::Amount ||
         kind == PropertyKind::Speed;
}
/// Whether it is a std::int64_t.
[[nodiscard]] constexpr bool isWhole(PropertyKind kind) {
  return kind == PropertyKind::Count || kind == PropertyKind::Whole || kind == PropertyKind::Colour;
}

/// One property of a part: of an Interconnect, a ModelShape, … A row of its table is all that options, forms, files
/// and texts need.
template <class Part>
struct Property {
  PropertyInfo info;
  PropertyValue (*get)(const Part&) = nullptr;
  /// The value must have the type of the kind, and be one of the choices.
  void (*set)(Part&, const PropertyValue&) = nullptr;
  /// Whether the property applies to the present state of this part; null for always.
  bool (*applies)(const Part&) = nullptr;
};

namespace detail {
template <class Part, class Value>
Part partOf(Value Part::*);
template <auto Field>
using PartOf = decltype(partOf(Field));
template <const auto& Words>
inline constexpr auto kWordsOf = [] {
  std::array<std::string_view, Words.size()> words{};
  for (std::size_t i = 0; i < Words.size(); ++i) words[i] = Words[i].second;
  return words;
}();
}  // namespace detail

/// The row of a plain field: `property<&Level::count>({.key = "count", .kind = PropertyKind::Count, …})`.
template <auto Field>
[[nodiscard]] constexpr Property<detail::PartOf<Field>> property(
    PropertyInfo info, bool (*applies)(const detail::PartOf<Field>&) = nullptr) {
  using Part = detail::PartOf<Field>;
  return {info, [](const Part& part) -> PropertyValue { return part.*Field; },
          [](Part& part, const PropertyValue& value) {
            using Held = std::remove_reference_t<decltype(part.*Field)>;
            part.*Field = std::get<Held>(value);
          },
          applies};
}

/// The row of a field that is one of the words of a table `Words` of {value, word}; choices are the words.
template <auto Field, const auto& Words>
[[nodiscard]] constexpr Property<detail::PartOf<Field>> choiceProperty(PropertyInfo info) {
  using Part = detail::PartOf<Field>;
  info.kind = PropertyKind::Choice;
  info.choices = detail::kWordsOf<Words>;
  return {info,
          [](const Part& part) -> PropertyValue {
            const auto found =
                std::find_if(Words.begin(), Words.end(), [&](const auto& word) { return word.first == part.*Field; });
            return std::string(found == Words.end() ? std::string_view() : found->second);
          },
          [](Part& part, const PropertyValue& value) {
            const auto found = std::find_if(Words.begin(), Words.end(), [&](const auto& word) {
              return word.second == std::get<std::string>(value);
            });
            if (found != Words.end()) part.*Field = found->first;
          }};
}

/// The row of that key; null when there is none.
template <class Part>
[[nodiscard]] const Property<Part>* propertyOf(std::span<const Property<Part>> properties, std::string_view key) {
  for (const Property<Part>& property : properties) {
    if (property.info.key == key) return &property;
  }
  return nullptr;
}

/// Whether all figures are within their ranges. The error's part is "/" and the key.
template <class Part>
[[nodiscard]] Result<void> checkFigures(std::span<const Property<Part>> properties, const Part& part);

/// "bandwidth": the label as a word of a sentence.
[[nodiscard]] std::string labelWord(const PropertyInfo& info);
/// "switch, ring or bus": words that can be chosen from, as sentences list them.
[[nodiscard]] std::string alternatives(std::span<const std::string_view> words);
/// "--kv-heads" of kv_heads.
[[nodiscard]] std::string optionOf(const PropertyInfo& info);
/// "1 B/s to 1e18 B/s, or 0 for none": the range of a number.
[[nodiscard]] std::string rangeText(const PropertyInfo& info);
[[nodiscard]] bool isWithin(const PropertyInfo& info, double value);

/// "270GB/s", "2us", "yes", "ring", as people type it and exactly the value. Members have no text of their own.
[[nodiscard]] std::string propertyText(const PropertyInfo& info, const PropertyValue& value);
/// "270 GB/s", "2.00 µs": a figure rounded, for people.
[[nodiscard]] std::string shownFigure(const PropertyInfo& info, double value);
/// The value of a text; errors name the text and the remedy. Not for Members.
[[nodiscard]] Result<PropertyValue> propertyFromText(const PropertyInfo& info, std::string_view text);
/// The figure of a text, without a check of its range; errors name the text and the remedy.
[[nodiscard]] Result<double> figureFrom(const PropertyInfo& info, std::string_view text);
/// "the latency is -1 s; use 0 s to 1e6 s": a figure that is out of its range.
[[nodiscard]] Error outOfRange(const PropertyInfo& info, double value);

/// Sets a property by its text. The error's position is the key.
template <class Part>
[[nodiscard]] Result<void> setProperty(const Property<Part>& property, Part& part, std::string_view text) {
  auto value = propertyFromText(property.info, text);
  if (!value.ok()) return value.error().at(std::string(property.info.key));
  property.set(part, *value);
  return {};
}

/// The help of an option: its meaning, its choices and its default.
template <class Part>
[[nodiscard]] std::string optionHelp(const Property<Part>& property) {
  std::string help(property.info.tip);
  if (!property.info.choices.empty()) help += ": " + alternatives(property.info.choices);
  const std::string standard = propertyText(property.info, property.get(Part{}));
  return standard.empty() ? help : help + " (" + standard + ")";
}

template <class Part>
Result<void> checkFigures(std::span<const Property<Part>> properties, const Part& part) {
  for (const Property<Part>& property : properties) {
    if (!isFigure(property.info.kind)) continue;
    const double value = std::get<double>(property.get(part));
    if (!isWithin(property.info, value)) return outOfRange(property.info, value);
  }
  return {};
}

}  // namespace p2::inline base
