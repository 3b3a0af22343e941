// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/numbers.h"
#include "system/oversubscription.h"
#include "system/part_states.h"
#include "system/properties.h"
#include "training/data_sheets.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/system/members_text.h"
#include "views/system/part_field_words.h"
#include "views/system/part_fields.h"
#include "views/system/system_edits.h"

namespace p2::views {
namespace {

/// "rail 3 of node 5: 50%; spine: shared by 2 jobs".
Result<System> withTypedStates(System system, const QString& text) {
  system.states.clear();
  std::vector<std::string> states;
  for (const QString& state : text.split(';', Qt::SkipEmptyParts)) {
    if (!state.trimmed().isEmpty()) states.push_back(state.trimmed().toStdString());
  }
  return withStates(system, states);
}

/// The text typed over `before`; a bandwidth without a unit takes the one of `unit`.
Result<PropertyValue> typedValue(const System& system, const PropertyInfo& info, const std::string& text,
                                 const PropertyValue& before, double unit = 0) {
  if (info.kind == PropertyKind::Colour) {
    return PropertyValue(std::int64_t{colourNames().indexOf(qs(text)) - 1});
  }
  if (info.kind == PropertyKind::Members) {
    P2_TRY_ASSIGN(auto members, membersFrom(system, qs(text)));
    return PropertyValue(std::move(members));
  }
  if (info.key == "within" && text == systemItself().toStdString()) return PropertyValue(std::string());
  if (info.none && text.empty() && std::holds_alternative<double>(before)) return PropertyValue(*info.none);
  const bool none = info.none && text == exactNumber(*info.none);
  if (none || !isFigure(info.kind)) {
    return propertyFromText(info, text);
  }
  const bool unset = info.none && std::get<double>(before) == *info.none;
  const PropertyValue shown = unset ? PropertyValue(unit) : before;
  return propertyFromText(info, withShownUnit(qs(text), qs(propertyText(info, shown))));
}

/// The row of an interconnect that a field of the form shows.
const Property<Interconnect>* linkProperty(const QString& key, bool ofLevel) {
  for (const Property<Interconnect>& property : interconnectProperties()) {
    if ((ofLevel || property.info.key != "name") && fieldKeyOf(property.info, ofLevel) == key) return &property;
  }
  return nullptr;
}

Result<System> withLevelField(System system, int index, const QString& key, const std::string& text) {
  if (key == "name") {
    const SystemPart other = partNamed(system, text);
    if (other.kind == SystemPart::Kind::Network && other.index >= 0) {
      return Error{"the name \"" + text + "\" already names a network; give every level and network its own"};
    }
    system = renamed(std::move(system), {SystemPart::Kind::Level, index}, text);
  } else if (const auto* property = propertyOf(levelProperties(), key.toStdString())) {
    P2_TRY_ASSIGN(const auto value,
                  typedValue(system, property->info, text, property->get(system.levels[std::size_t(index)])));
    property->set(system.levels[std::size_t(index)], value);
  }
  P2_TRY(checkLevels(system));
  return system;
}

Result<System> withNetworkField(System system, int index, const QString& key, const std::string& text) {
  Network& network = system.networks[std::size_t(index)];
  if (key == "name") {
    if (text.empty()) return Error{"a network needs a name, as in NIC"};
    if (partNamed(system, text).index >= 0 && text != network.interconnect.name) {
      return Error{"the name \"" + text + "\" is used twice; give every level and network its own"};
    }
    system = renamed(std::move(system), {SystemPart::Kind::Network, index}, text);
  } else if (const auto* property = propertyOf(networkProperties(), key.toStdString())) {
    P2_TRY_ASSIGN(const auto value, typedValue(system, property->info, text, property->get(network)));
    property->set(network, value);
  }
  return system;
}

/// Fields of the library or the accelerator of a system, whose choices may also be unknown.
template <class Part>
Result<System> withPartField(System system, Part System::*part, const Property<Part>& property,
                             const std::string& text) {
  if (property.info.kind == PropertyKind::Choice && text == unknownChoice().toStdString()) {
    property.set(system.*part, std::string());
    return system;
  }
  P2_TRY_ASSIGN(const auto value, typedValue(system, property.info, text, property.get(system.*part)));
  property.set(system.*part, value);
  P2_TRY(checkProperties(system.*part));
  return system;
}

Result<System> withSystemField(System system, const QString& key, const QString& text) {
  if (const auto* property = propertyOf(libraryProperties(), key.toStdString())) {
    return withPartField(std::move(system), &System::library, *property, text.trimmed().toStdString());
  }
  if (key == QLatin1String(kDeviceField))
    return withDataSheetOf(std::move(system), text.trimmed().toStdString()).system;
  if (const auto* property = propertyOf(acceleratorProperties(), key.toStdString())) {
    return withPartField(std::move(system), &System::accelerator, *property, text.trimmed().toStdString());
  }
  if (key == "node") {
    system.node = text == innermostNode() ? std::string()
                  : text == wholeSystem() ? std::string(kRootName)
                                          : text.toStdString();
  }
  if (key == "name") system.name = text.toStdString();
  if (key == "states") return withTypedStates(std::move(system), text);
  if (key != "disabled") return system;
  system.disabled.clear();
  for (const QString& name : text.split(',', Qt::SkipEmptyParts)) {
    if (!name.trimmed().isEmpty()) system.disabled.push_back(name.trimmed().toStdString());
  }
  return system;
}

}  // namespace

Result<System> withField(System system, const std::optional<SystemPart>& part, const QString& key,
                         const QString& text) {
  if (!part) return withSystemField(std::move(system), key, text);
  const std::string typed = text.trimmed().toStdString();
  if (key == QLatin1String(kRatioField)) {
    P2_TRY_ASSIGN(const double ratio, ratioFrom(typed));
    return withOversubscription(system, linkPlaceOf(*part), ratio);
  }
  if (const auto* property = linkProperty(key, part->kind != SystemPart::Kind::Network)) {
    Interconnect& link = interconnectOf(system, *part);
    P2_TRY_ASSIGN(const auto value, typedValue(system, property->info, typed, property->get(link), link.bandwidth));
    property->set(link, value);
    return system;
  }
  if (part->kind == SystemPart::Kind::Network) return withNetworkField(std::move(system), part->index, key, typed);
  return withLevelField(std::move(system), part->index, key, typed);
}

}  // namespace p2::views
