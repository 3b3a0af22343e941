// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "base/units.h"
#include "system/properties.h"

namespace p2 {
namespace {

/// "1e18" for 1e+18, "1e6" for 1e+06.
std::string shortNumber(double value) {
  std::string text = exactNumber(value);
  std::erase(text, '+');
  if (const std::size_t at = text.find("e0"); at != std::string::npos) text.erase(at + 1, 1);
  return text;
}

/// How the figures of a kind are spelt.
struct Spelling {
  PropertyKind kind;
  std::string_view unit;
  Result<double> (*parse)(std::string_view);
  std::string (*type)(double);
  std::string (*format)(double);
};

Result<double> parseAmount(std::string_view text) {
  P2_TRY_ASSIGN(const Bytes bytes, parseBytes(text));
  return bytes.value();
}
std::string typedAmount(double bytes) { return typedBytes(Bytes(bytes)); }
std::string formatAmount(double bytes) { return formatBytes(Bytes(bytes)); }

constexpr std::array kSpellings{
    Spelling{PropertyKind::Bandwidth, " B/s", parseBandwidth, typedBandwidth, formatBandwidth},
    Spelling{PropertyKind::Seconds, " s", parseSeconds, typedSeconds, formatSeconds},
    Spelling{PropertyKind::Amount, " B", parseAmount, typedAmount, formatAmount},
    Spelling{PropertyKind::Speed, " FLOP/s", parseFlops, typedFlops, formatFlops},
};

/// Of a figure.
const Spelling& spellingOf(PropertyKind kind) {
  const auto found = std::find_if(kSpellings.begin(), kSpellings.end(),
                                  [&](const Spelling& spelling) { return spelling.kind == kind; });
  assert(found != kSpellings.end());
  return *found;
}

/// "1 B/s to 1e18 B/s, or 0 for none".
std::string rangeText(const PropertyInfo& info) {
  const std::string unit(isFigure(info.kind) ? spellingOf(info.kind).unit : "");
  const std::string range = shortNumber(info.least) + unit + " to " + shortNumber(info.most) + unit;
  return info.none ? range + ", or " + exactNumber(*info.none) + " for none" : range;
}

bool isWithin(const PropertyInfo& info, double value) {
  return value == info.none || (std::isfinite(value) && value >= info.least && value <= info.most);
}

/// Whatever its range.
Result<double> figureFrom(const PropertyInfo& info, std::string_view text) {
  if (const auto whole = parseInteger(text); info.none && whole && static_cast<double>(*whole) == *info.none) {
    return *info.none;
  }
  return spellingOf(info.kind).parse(text);
}

Result<PropertyValue> figureFromText(const PropertyInfo& info, std::string_view text) {
  P2_TRY_ASSIGN(const double value, figureFrom(info, text));
  if (isWithin(info, value)) return PropertyValue(value);
  return Error{"\"" + std::string(text) + "\" is out of range; use " + rangeText(info)};
}

Result<PropertyValue> wholeFromText(const PropertyInfo& info, std::string_view text) {
  const auto number = parseInteger(text);
  if (number && isWithin(info, static_cast<double>(*number))) return PropertyValue(*number);
  const std::string noun = info.kind == PropertyKind::Count ? "number of instances" : "category";
  return Error{"\"" + std::string(text) + "\" is not a " + noun + "; write a whole number of " + rangeText(info)};
}

Result<PropertyValue> choiceFromText(const PropertyInfo& info, std::string_view text) {
  if (std::find(info.choices.begin(), info.choices.end(), text) != info.choices.end()) {
    return PropertyValue(std::string(text));
  }
  return Error{"\"" + std::string(text) + "\" is not " + std::string(info.need) + "; use " +
               alternatives(info.choices)};
}

Result<PropertyValue> flagFromText(std::string_view text) {
  if (text == "yes" || text == "no") return PropertyValue(text == "yes");
  return Error{"\"" + std::string(text) + "\" is neither yes nor no; use one of them"};
}

/// Whether a line of text says it.
bool isInLine(const PropertyInfo& info) {
  return info.inForm && info.kind != PropertyKind::Text && info.kind != PropertyKind::Colour;
}

/// Whether it can be told by its looks, without a key.
bool needsNoKey(const PropertyInfo& info) {
  return info.key == "kind" || info.key == "bandwidth" || info.key == "latency";
}

/// "core 1.00 TB/s", "half duplex".
std::string phraseOf(const PropertyInfo& info, const PropertyValue& value) {
  if (info.kind == PropertyKind::Flag) return std::get<bool>(value) ? labelWord(info) : std::string(info.whenOff);
  std::string text = propertyText(info, value);
  if (isFigure(info.kind)) text = spellingOf(info.kind).format(std::get<double>(value));
  return labelWord(info) + " " + text;
}

/// Whatever its range, which is checked with the whole system.
Result<PropertyValue> bareValue(const PropertyInfo& info, std::string_view text) {
  if (info.kind == PropertyKind::Choice) return choiceFromText(info, text);
  P2_TRY_ASSIGN(const double value, figureFrom(info, text));
  return PropertyValue(value);
}

template <class Part>
Result<void> checkFigures(std::span<const Property<Part>> properties, const Part& part) {
  for (const Property<Part>& property : properties) {
    const PropertyInfo& info = property.info;
    if (!isFigure(info.kind)) continue;
    const double value = std::get<double>(property.get(part));
    if (isWithin(info, value)) continue;
    const std::string unit(spellingOf(info.kind).unit);
    return Error{"the " + labelWord(info) + " is " + exactNumber(value) + unit + "; use " + rangeText(info)}.about(
        "/" + std::string(info.key));
  }
  return {};
}

/// Numbers with dots between them, or nothing.
bool isVersion(std::string_view text) {
  if (text.empty()) return true;
  const bool spelt = std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return spelt && text.size() <= 32 && text.front() != '.' && text.back() != '.' &&
         text.find("..") == std::string_view::npos;
}

/// Reads one attribute of a line and returns which it is.
Result<const PropertyInfo*> readAttribute(std::string_view text, Interconnect& link) {
  const std::size_t sign = text.find('=');
  for (const Property<Interconnect>& property : interconnectProperties()) {
    const PropertyInfo& info = property.info;
    if (!isInLine(info)) continue;
    if (sign != std::string_view::npos) {
      if (info.key != text.substr(0, sign)) continue;
      P2_TRY_ASSIGN(const auto value, propertyFromText(info, text.substr(sign + 1)));
      property.set(link, value);
      return &info;
    }
    // A bare number is a bandwidth; times are taken only with their unit.
    if (!needsNoKey(info) || (info.kind == PropertyKind::Seconds && !text.ends_with('s'))) continue;
    if (const auto value = bareValue(info, text); value.ok()) {
      property.set(link, *value);
      return &info;
    }
  }
  const std::string quoted = "\"" + std::string(text) + "\"";
  if (!text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos) {
    return Error{quoted + " has no unit; write, for example, " + std::string(text) + "GB/s for a bandwidth or " +
                 std::string(text) + "us for a latency"};
  }
  return Error{quoted + " is no bandwidth, latency or kind of interconnect; write, for example, @270GB/s,2us,ring"};
}

}  // namespace

Result<void> checkProperties(const Interconnect& link) { return checkFigures(interconnectProperties(), link); }

Result<void> checkProperties(const Library& library) {
  const bool known = std::find(kGenerations.begin(), kGenerations.end(), library.generation) != kGenerations.end();
  if (!library.generation.empty() && !known) {
    return Error{"\"" + library.generation + "\" is not a generation of GPUs; use " + alternatives(kGenerations)}.about(
        "/generation");
  }
  if (!isVersion(library.version)) {
    return Error{"\"" + library.version + "\" is not a version; write numbers with dots between them, as in 2.18"}
        .about("/version");
  }
  return checkFigures(libraryProperties(), library);
}

Result<void> checkProperties(const Accelerator& accelerator) {
  return checkFigures(acceleratorProperties(), accelerator);
}

std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  }
  return text;
}

std::string labelWord(const PropertyInfo& info) {
  std::string word(info.label);
  std::erase(word, '&');
  word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  return word;
}

std::string propertyText(const PropertyInfo& info, const PropertyValue& value) {
  switch (info.kind) {
    case PropertyKind::Text:
    case PropertyKind::Choice:
      return std::get<std::string>(value);
    case PropertyKind::Count:
    case PropertyKind::Colour:
      return std::to_string(std::get<std::int64_t>(value));
    case PropertyKind::Bandwidth:
    case PropertyKind::Seconds:
    case PropertyKind::Amount:
    case PropertyKind::Speed:
      return std::get<double>(value) == info.none ? exactNumber(*info.none)
                                                  : spellingOf(info.kind).type(std::get<double>(value));
    case PropertyKind::Flag:
      return std::get<bool>(value) ? "yes" : "no";
    case PropertyKind::Members:
      break;
  }
  return {};
}

Result<PropertyValue> propertyFromText(const PropertyInfo& info, std::string_view text) {
  switch (info.kind) {
    case PropertyKind::Text:
    case PropertyKind::Members:
      break;
    case PropertyKind::Choice:
      return choiceFromText(info, text);
    case PropertyKind::Count:
    case PropertyKind::Colour:
      return wholeFromText(info, text);
    case PropertyKind::Bandwidth:
    case PropertyKind::Seconds:
    case PropertyKind::Amount:
    case PropertyKind::Speed:
      return figureFromText(info, text);
    case PropertyKind::Flag:
      return flagFromText(text);
  }
  return PropertyValue(std::string(text));
}

std::string figuresText(const Library& library) {
  std::string text = library.generation;
  if (!library.version.empty()) text += (text.empty() ? "" : ", ") + ("library " + library.version);
  if (library.launch > 0) text += (text.empty() ? "" : ", ") + ("launch " + formatSeconds(library.launch));
  return text;
}

std::string figuresText(const Accelerator& accelerator) {
  std::string text = accelerator.type;
  const auto add = [&](const std::string& figure) { text += (text.empty() ? "" : ", ") + figure; };
  if (accelerator.memory > 0) add(formatBytes(Bytes(accelerator.memory)));
  if (accelerator.memoryBandwidth > 0) add(formatBandwidth(accelerator.memoryBandwidth));
  if (accelerator.bf16 > 0) {
    add("bf16 " + formatFlops(accelerator.bf16));
  } else if (accelerator.fp32 > 0) {
    add("fp32 " + formatFlops(accelerator.fp32));
  }
  return text;
}

std::string figuresText(const Interconnect& link) {
  const auto fitted = [](bool is, const std::string& text) { return is ? " (fitted " + text + ")" : ""; };
  std::string text =
      formatBandwidth(link.bandwidth) + fitted(link.fittedBandwidth > 0, formatBandwidth(link.fittedBandwidth));
  if (link.latency > 0 || link.fittedLatency >= 0) {
    text += ", " + formatSeconds(link.latency) + fitted(link.fittedLatency >= 0, formatSeconds(link.fittedLatency));
  }
  const Interconnect plain;
  for (const Property<Interconnect>& property : interconnectProperties()) {
    const PropertyValue value = property.get(link);
    const bool said = isInLine(property.info) && !needsNoKey(property.info) && value != property.get(plain);
    if (said && (!property.applies || property.applies(link))) text += ", " + phraseOf(property.info, value);
  }
  for (const std::string_view key : {"fittedRingCap", "fittedTreeCap"}) {
    const Property<Interconnect>& property = *propertyOf(interconnectProperties(), key);
    const PropertyValue value = property.get(link);
    if (std::get<double>(value) > 0) text += ", " + phraseOf(property.info, value);
  }
  return text;
}

std::string attributesOf(const Interconnect& link) {
  const Interconnect plain;
  std::string bare;
  std::string keyed;
  std::string kind;
  for (const Property<Interconnect>& property : interconnectProperties()) {
    const PropertyInfo& info = property.info;
    const PropertyValue value = property.get(link);
    if (!isInLine(info) || (value == property.get(plain) && info.key != "bandwidth")) continue;
    const std::string text = propertyText(info, value);
    if (info.key == "kind") {
      kind = "," + text;
    } else if (needsNoKey(info)) {
      bare += (bare.empty() ? "" : ",") + text;
    } else {
      keyed += "," + std::string(info.key) + "=" + text;
    }
  }
  return bare + kind + keyed;
}

Result<void> readAttributes(std::string_view text, Interconnect& link) {
  std::vector<std::string_view> said;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string_view attribute = text.substr(from, to - from);
    P2_TRY_ASSIGN(const PropertyInfo* const info, readAttribute(attribute, link));
    if (std::find(said.begin(), said.end(), info->key) != said.end()) {
      return Error{"\"" + std::string(attribute) + "\" gives the " + labelWord(*info) + " a second time; give it once"};
    }
    said.push_back(info->key);
    from = to + 1;
  }
  return {};
}

}  // namespace p2
