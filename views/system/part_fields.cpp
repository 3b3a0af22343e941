// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/part_fields.h"

#include <QCoreApplication>
#include <algorithm>

#include "base/numbers.h"
#include "cost/site_defaults.h"
#include "system/oversubscription.h"
#include "system/part_states.h"
#include "system/properties.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/interconnect_kinds.h"
#include "views/system/members_text.h"
#include "views/system/system_edits.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr int kColours = 8;

QString tr(const char* text) { return QCoreApplication::translate("PartFields", text); }
QString systemItself() { return tr("the system"); }
QString innermostNode() { return tr("above the devices"); }
QString wholeSystem() { return tr("the whole system"); }
QString unknownChoice() { return tr("unknown"); }
QString ownColour() { return tr("the theme's"); }

QStringList colourNames() {
  QStringList names{ownColour()};
  for (int i = 0; i < kColours; ++i) names += Theme::categoryLetter(i);
  return names;
}

QString tr(std::string_view text) { return tr(std::string(text).c_str()); }

/// The name of a level's interconnect is not the level's.
QString keyOf(const PropertyInfo& info, bool ofLevelLink) {
  return ofLevelLink && info.key == "name" ? QStringLiteral("network") : qs(info.key);
}

PartField fieldOf(const PropertyInfo& info, const PropertyValue& value, const QString& key) {
  PartField field{key, tr(info.label), tr(info.tip), PartField::Kind::Text, {}, {}};
  switch (info.kind) {
    case PropertyKind::Flag:
      field.kind = PartField::Kind::Check;
      break;
    case PropertyKind::Choice:
      field.kind = PartField::Kind::Choice;
      for (const std::string_view choice : info.choices) field.choices += qs(choice);
      break;
    case PropertyKind::Colour: {
      const auto colour = int(std::get<std::int64_t>(value));
      field.kind = PartField::Kind::Choice;
      field.choices = colourNames();
      field.value = colour < 0 ? ownColour() : Theme::categoryLetter(colour);
      return field;
    }
    case PropertyKind::Members:
      field.value = membersText(std::get<std::vector<Member>>(value));
      return field;
    default:
      break;
  }
  field.value = qs(propertyText(info, value));
  return field;
}

/// The interconnect's kind, then its properties.
void addInterconnect(std::vector<PartField>& fields, const Interconnect& link, bool ofLevel) {
  const auto add = [&](bool figures) {
    for (const Property<Interconnect>& property : interconnectProperties()) {
      const PropertyInfo& info = property.info;
      const bool isAbility = info.kind != PropertyKind::Choice && info.kind != PropertyKind::Text;
      // Fitted values are shown once there are some.
      const bool isThere = info.inForm || property.get(link) != property.get(Interconnect{});
      if (!isThere || isAbility != figures || (!ofLevel && info.key == "name")) continue;
      if (property.applies && !property.applies(link)) continue;
      fields.push_back(fieldOf(info, property.get(link), keyOf(info, ofLevel)));
      // A network that joins nothing is none.
      if (!ofLevel && info.key == "kind") fields.back().choices = kindNames(false);
    }
  };
  add(false);
  add(true);
}

QString statesText(const System& system) {
  QStringList texts;
  for (const PartState& state : system.states) texts += qs(state.part + ": " + stateText(state));
  return texts.join(QStringLiteral("; "));
}

/// "rail 3 of node 5: 50%; spine: shared by 2 jobs".
Result<System> withStates(System system, const QString& text) {
  system.states.clear();
  for (const QString& state : text.split(';', Qt::SkipEmptyParts)) {
    if (state.trimmed().isEmpty()) continue;
    P2_TRY_ASSIGN(system, withState(system, state.trimmed().toStdString()));
  }
  return system;
}

constexpr const char* kRatioKey = "oversubscription";

Place placeOf(const SystemPart& part) {
  const bool isNetwork = part.kind == Kind::Network;
  return {isNetwork ? Kind::Network : Kind::Interconnect, std::size_t(part.index), 0};
}

/// Behind the bandwidth, which follows from it, where the parts below say how much can be sent.
void addOversubscription(std::vector<PartField>& fields, const System& system, const SystemPart& part) {
  const double ratio = oversubscriptionOf(system, placeOf(part));
  if (ratio <= 0) return;
  const auto bandwidth =
      std::find_if(fields.begin(), fields.end(), [](const PartField& field) { return field.key == "bandwidth"; });
  if (bandwidth == fields.end()) return;
  fields.insert(bandwidth + 1,
                {kRatioKey,
                 tr("O&versubscription"),
                 tr("Bandwidth into a port over the bandwidth of the port: 1:1 does not block, such as 2:1"),
                 PartField::Kind::Text,
                 {},
                 qs(ratioText(ratio))});
}

std::vector<PartField> levelFields(const System& system, int index) {
  const Level& level = system.levels[std::size_t(index)];
  std::vector<PartField> fields;
  for (const Property<Level>& property : levelProperties()) {
    fields.push_back(fieldOf(property.info, property.get(level), qs(property.info.key)));
  }
  addInterconnect(fields, level.interconnect, true);
  addOversubscription(fields, system, {Kind::Level, index});
  return fields;
}

/// A network stands in a level above the devices, or in the system.
void offerLevels(PartField& field, const System& system) {
  field.kind = PartField::Kind::Choice;
  field.choices = {systemItself()};
  for (std::size_t i = 0; i + 1 < system.levels.size(); ++i) {
    field.choices += qs(system.levels[i].name);
  }
  if (field.value.isEmpty()) field.value = systemItself();
  if (!field.choices.contains(field.value)) field.choices += field.value;
}

std::vector<PartField> networkFields(const System& system, int index) {
  const Network& network = system.networks[std::size_t(index)];
  std::vector<PartField> fields;
  for (const Property<Network>& property : networkProperties()) {
    fields.push_back(fieldOf(property.info, property.get(network), qs(property.info.key)));
    if (property.info.key == "within") offerLevels(fields.back(), system);
    if (property.info.key == "name") addInterconnect(fields, network.interconnect, false);
  }
  addOversubscription(fields, system, {Kind::Network, index});
  return fields;
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
    if ((ofLevel || property.info.key != "name") && keyOf(property.info, ofLevel) == key) return &property;
  }
  return nullptr;
}

Result<System> withLevelField(System system, int index, const QString& key, const std::string& text) {
  if (key == "name") {
    const SystemPart other = partNamed(system, text);
    if (other.kind == Kind::Network && other.index >= 0) {
      return Error{"the name \"" + text + "\" already names a network; give every level and network its own"};
    }
    system = renamed(std::move(system), {Kind::Level, index}, text);
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
    system = renamed(std::move(system), {Kind::Network, index}, text);
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
  if (const auto* property = propertyOf(acceleratorProperties(), key.toStdString())) {
    return withPartField(std::move(system), &System::accelerator, *property, text.trimmed().toStdString());
  }
  if (key == "node") {
    system.node = text == innermostNode() ? std::string()
                  : text == wholeSystem() ? std::string(kRootName)
                                          : text.toStdString();
  }
  if (key == "name") system.name = text.toStdString();
  if (key == "states") return withStates(std::move(system), text);
  if (key != "disabled") return system;
  system.disabled.clear();
  for (const QString& name : text.split(',', Qt::SkipEmptyParts)) {
    if (!name.trimmed().isEmpty()) system.disabled.push_back(name.trimmed().toStdString());
  }
  return system;
}

/// The levels above the devices, among them the nodes' level.
PartField nodeField(const System& system) {
  PartField field{"node",
                  tr("No&des"),
                  tr("The level whose instances share memory, as one machine does"),
                  PartField::Kind::Choice,
                  {wholeSystem()},
                  system.node.empty()        ? innermostNode()
                  : system.node == kRootName ? wholeSystem()
                                             : qs(system.node)};
  for (std::size_t i = 0; i + 1 < system.levels.size(); ++i) {
    field.choices += qs(system.levels[i].name);
  }
  field.choices += innermostNode();
  return field;
}

PartField libraryField(const Property<Library>& property, const Library& library) {
  PartField field = fieldOf(property.info, property.get(library), qs(property.info.key));
  if (field.kind != PartField::Kind::Choice) return field;
  field.choices.prepend(unknownChoice());
  if (field.value.isEmpty()) field.value = unknownChoice();
  return field;
}

QString disabledText(const System& system) {
  QStringList names;
  for (const std::string& name : system.disabled) names += qs(name);
  return names.join(QStringLiteral(", "));
}

}  // namespace

std::vector<PartField> fieldsOf(const System& system, const std::optional<SystemPart>& part) {
  if (part && part->kind == Kind::Network) return networkFields(system, part->index);
  if (part) return levelFields(system, part->index);
  std::vector<PartField> fields{
      {"name", tr("&Name"), tr("Name of the system"), PartField::Kind::Text, {}, qs(system.name)},
      {"disabled",
       tr("&Failed"),
       tr("Failed instances and links, separated by commas, such as NIC 0 of node 2"),
       PartField::Kind::Text,
       {},
       disabledText(system)},
      {"states",
       tr("Degr&aded"),
       tr("Parts that are slow or shared, separated by semicolons, such as rail 3 of node 5: 50%; spine: shared by 2 "
          "jobs; "
          "node 5: 80%"),
       PartField::Kind::Text,
       {},
       statesText(system)},
      nodeField(system)};
  for (const Property<Library>& property : libraryProperties()) {
    fields.push_back(libraryField(property, system.library));
    if (const std::string text = siteDefaultText(system, property.info.key); !text.empty())
      fields.back().tip += QStringLiteral(". ") + qs(text);
  }
  for (const Property<Accelerator>& property : acceleratorProperties()) {
    fields.push_back(fieldOf(property.info, property.get(system.accelerator), qs(property.info.key)));
  }
  return fields;
}

Result<System> withField(System system, const std::optional<SystemPart>& part, const QString& key,
                         const QString& text) {
  if (!part) return withSystemField(std::move(system), key, text);
  const std::string typed = text.trimmed().toStdString();
  if (key == QLatin1String(kRatioKey)) {
    P2_TRY_ASSIGN(const double ratio, ratioFrom(typed));
    return withOversubscription(system, placeOf(*part), ratio);
  }
  if (const auto* property = linkProperty(key, part->kind != Kind::Network)) {
    Interconnect& link = interconnectOf(system, *part);
    P2_TRY_ASSIGN(const auto value, typedValue(system, property->info, typed, property->get(link), link.bandwidth));
    property->set(link, value);
    return system;
  }
  if (part->kind == Kind::Network) return withNetworkField(std::move(system), part->index, key, typed);
  return withLevelField(std::move(system), part->index, key, typed);
}

QString doubtOf(const System& before, const System& after, const std::optional<SystemPart>& part) {
  if (!part) return {};
  const Interconnect& old = interconnectOf(before, *part);
  const Interconnect& link = interconnectOf(after, *part);
  for (const QString& doubt : {doubtOfBandwidth(old.bandwidth, link.bandwidth), doubtOfBandwidth(old.core, link.core),
                               doubtOfSeconds(old.latency, link.latency)}) {
    if (!doubt.isEmpty()) return doubt;
  }
  return {};
}

}  // namespace p2::views
