// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>

#include "base/numbers.h"
#include "system/figure_spelling.h"

namespace p2 {
namespace {

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

}  // namespace

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

}  // namespace p2
