// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/property.h"

#include <array>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/lists.h"
#include "base/numbers.h"
#include "base/units.h"

namespace p2::inline base {
namespace {

/// How the figures of a kind are spelt.
struct FigureSpelling {
  PropertyKind kind;
  std::string_view unit;
  Result<double> (*parse)(std::string_view);
  std::string (*type)(double);    ///< as people type it, exactly the value
  std::string (*format)(double);  ///< rounded, for people
};

/// "1e18" for 1e+18, "1e6" for 1e+06.
std::string shortNumber(double value) {
  std::string text = exactNumber(value);
  std::erase(text, '+');
  if (const std::size_t at = text.find("e0"); at != std::string::npos) text.erase(at + 1, 1);
  return text;
}

// A property has a range of its own.
Result<double> anyBandwidth(std::string_view text) { return bandwidthWithin(text, kAnyFigure); }
Result<double> anySeconds(std::string_view text) { return secondsWithin(text, kAnyFigure); }
Result<double> anySpeed(std::string_view text) { return flopsWithin(text, kAnyFigure); }
Result<double> anyAmount(std::string_view text) {
  P2_TRY_ASSIGN(const Bytes bytes, bytesWithin(text, kAnyFigure));
  return bytes.value();
}
std::string typedAmount(double bytes) { return typedBytes(Bytes(bytes)); }
std::string formatAmount(double bytes) { return formatBytes(Bytes(bytes)); }

constexpr std::array kSpellings{
    FigureSpelling{PropertyKind::Bandwidth, " B/s", anyBandwidth, typedBandwidth, formatBandwidth},
    FigureSpelling{PropertyKind::Seconds, " s", anySeconds, typedSeconds, formatSeconds},
    FigureSpelling{PropertyKind::Amount, " B", anyAmount, typedAmount, formatAmount},
    FigureSpelling{PropertyKind::Speed, " FLOP/s", anySpeed, typedFlops, formatFlops},
};

/// `kind` is one of figures: isFigure().
const FigureSpelling& spellingOf(PropertyKind kind) {
  const auto found = std::find_if(kSpellings.begin(), kSpellings.end(),
                                  [&](const FigureSpelling& spelling) { return spelling.kind == kind; });
  assert(found != kSpellings.end());
  return *found;
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

Result<PropertyValue> figureFromText(const PropertyInfo& info, std::string_view text) {
  P2_TRY_ASSIGN(const double value, figureFrom(info, text));
  if (isWithin(info, value)) return PropertyValue(value);
  return Error{quoted(text) + " is out of range; use " + rangeText(info)};
}

Result<PropertyValue> numberFromText(const PropertyInfo& info, std::string_view text) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || stop != text.data() + text.size()) {
    return Error{quoted(text) + " is not a number; use " + rangeText(info)};
  }
  if (isWithin(info, value)) return PropertyValue(value);
  return Error{quoted(text) + " is out of range; use " + rangeText(info)};
}

Result<PropertyValue> wholeFromText(const PropertyInfo& info, std::string_view text) {
  const auto number = parseInteger(text);
  if (number && isWithin(info, static_cast<double>(*number))) return PropertyValue(*number);
  if (info.kind == PropertyKind::Whole) {
    return Error{quoted(text) + (number ? " is out of range; use " : " is not a whole number; use ") + rangeText(info)};
  }
  const std::string noun = info.kind == PropertyKind::Count ? "number of instances" : "category";
  return Error{quoted(text) + " is not a " + noun + "; write a whole number of " + rangeText(info)};
}

Result<PropertyValue> choiceFromText(const PropertyInfo& info, std::string_view text) {
  const auto found = std::find_if(info.choices.begin(), info.choices.end(),
                                  [&](std::string_view choice) { return sameName(choice, text); });
  if (found != info.choices.end()) return PropertyValue(std::string(*found));
  const std::string not_ = info.need.empty() ? " is not known" : " is not " + std::string(info.need);
  return Error{quoted(text) + not_ + "; use " + alternatives(info.choices)};
}

Result<PropertyValue> flagFromText(std::string_view text) {
  if (sameName(text, "yes") || sameName(text, "true")) return PropertyValue(true);
  if (sameName(text, "no") || sameName(text, "false")) return PropertyValue(false);
  return Error{quoted(text) + " is neither yes nor no; use one of them"};
}

}  // namespace

std::string alternatives(std::span<const std::string_view> words) { return orList(words); }

std::string labelWord(const PropertyInfo& info) {
  std::string word(info.label);
  std::erase(word, '&');
  word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  return word;
}

std::string optionOf(const PropertyInfo& info) {
  std::string option = "--" + std::string(info.key);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::string rangeText(const PropertyInfo& info) {
  const std::string unit(isFigure(info.kind) ? spellingOf(info.kind).unit : "");
  const std::string range = shortNumber(info.least) + unit + " to " + shortNumber(info.most) + unit;
  return info.none ? range + ", or " + exactNumber(*info.none) + " for none" : range;
}

bool isWithin(const PropertyInfo& info, double value) {
  return value == info.none || (std::isfinite(value) && value >= info.least && value <= info.most);
}

Result<double> figureFrom(const PropertyInfo& info, std::string_view text) {
  if (const auto whole = parseInteger(text); info.none && whole && static_cast<double>(*whole) == *info.none) {
    return *info.none;
  }
  return spellingOf(info.kind).parse(text);
}

Error outOfRange(const PropertyInfo& info, double value) {
  const std::string unit(spellingOf(info.kind).unit);
  return Error{"the " + labelWord(info) + " is " + exactNumber(value) + unit + "; use " + rangeText(info)}.about(
      "/" + std::string(info.key));
}

std::string shownFigure(const PropertyInfo& info, double value) { return spellingOf(info.kind).format(value); }

std::string propertyText(const PropertyInfo& info, const PropertyValue& value) {
  switch (info.kind) {
    case PropertyKind::Text:
    case PropertyKind::Choice:
      return std::get<std::string>(value);
    case PropertyKind::Count:
    case PropertyKind::Whole:
    case PropertyKind::Colour:
      return std::to_string(std::get<std::int64_t>(value));
    case PropertyKind::Number:
      return exactNumber(std::get<double>(value));
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
    case PropertyKind::Whole:
    case PropertyKind::Colour:
      return wholeFromText(info, text);
    case PropertyKind::Number:
      return numberFromText(info, text);
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

}  // namespace p2::inline base
