// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include "base/units.h"
#include "system/properties.h"

namespace p2::inline system {
namespace {

/// Whether a line of text says it.
bool isInLine(const PropertyInfo& info) {
  return info.inForm && info.kind != PropertyKind::Text && info.kind != PropertyKind::Colour;
}

/// Whether the text identifies the property without its key.
bool needsNoKey(const PropertyInfo& info) {
  return info.key == "kind" || info.key == "bandwidth" || info.key == "latency";
}

/// "core 1.00 TB/s", "half duplex".
std::string phraseOf(const PropertyInfo& info, const PropertyValue& value) {
  if (info.kind == PropertyKind::Flag) return std::get<bool>(value) ? labelWord(info) : std::string(info.whenOff);
  std::string text = propertyText(info, value);
  if (isFigure(info.kind)) text = shownFigure(info, std::get<double>(value));
  return labelWord(info) + " " + text;
}

/// Of any range; the range is checked with the whole system.
Result<PropertyValue> bareValue(const PropertyInfo& info, std::string_view text) {
  if (info.kind == PropertyKind::Choice) return propertyFromText(info, text);
  P2_TRY_ASSIGN(const double value, figureFrom(info, text));
  return PropertyValue(value);
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
  return Error{quoted + " is not a bandwidth, latency or kind of interconnect; write, for example, @270GB/s,2us,ring"};
}

}  // namespace

std::string figuresText(const Library& library) {
  std::string text = library.generation;
  if (!library.version.empty()) text += (text.empty() ? "" : ", ") + ("library " + library.version);
  const auto add = [&](const std::string& figure) { text += (text.empty() ? "" : ", ") + figure; };
  if (library.launch > 0) add("launch " + formatSeconds(library.launch));
  if (library.nicShare > 0) add("NIC share " + exactNumber(library.nicShare));
  if (library.congestion >= 0) add("congestion " + exactNumber(library.congestion));
  if (library.hop > 0) add("hop " + formatSeconds(library.hop));
  if (!library.pxn) add("without PXN");
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
    const bool stated = isInLine(property.info) && !needsNoKey(property.info) && value != property.get(plain);
    if (stated && (!property.applies || property.applies(link))) text += ", " + phraseOf(property.info, value);
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
  std::vector<std::string_view> stated;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string_view attribute = text.substr(from, to - from);
    P2_TRY_ASSIGN(const PropertyInfo* const info, readAttribute(attribute, link));
    if (std::find(stated.begin(), stated.end(), info->key) != stated.end()) {
      return Error{"\"" + std::string(attribute) + "\" gives the " + labelWord(*info) + " a second time; give it once"};
    }
    stated.push_back(info->key);
    from = to + 1;
  }
  return {};
}

}  // namespace p2::inline system
