// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/part_fields.h"

#include <algorithm>

#include "base/numbers.h"
#include "cost/nccl/site_defaults.h"
#include "system/oversubscription.h"
#include "system/part_states.h"
#include "system/properties.h"
#include "training/data_sheets.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/interconnect_kinds.h"
#include "views/system/members_text.h"
#include "views/system/part_field_words.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

QString tr(std::string_view text) { return partFieldText(std::string(text).c_str()); }

/// Placeholder of a number that is not given, by the words of its tooltip.
QString unsetText(const PropertyInfo& info) {
  if (info.tip.find("default") != std::string_view::npos) return partFieldText("default");
  return info.tip.find("unknown") != std::string_view::npos ? partFieldText("unknown") : partFieldText("not set");
}

bool isUnset(const PropertyInfo& info, const PropertyValue& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && info.none && *number == *info.none;
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
  if (isUnset(info, value)) {
    field.placeholder = unsetText(info);
  } else {
    field.value = qs(propertyText(info, value));
  }
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
      fields.push_back(fieldOf(info, property.get(link), fieldKeyOf(info, ofLevel)));
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

/// Behind the bandwidth, which follows from it, where the parts below say how much can be sent.
void addOversubscription(std::vector<PartField>& fields, const System& system, const SystemPart& part) {
  const double ratio = oversubscriptionOf(system, linkPlaceOf(part));
  if (ratio <= 0) return;
  const auto bandwidth =
      std::find_if(fields.begin(), fields.end(), [](const PartField& field) { return field.key == "bandwidth"; });
  if (bandwidth == fields.end()) return;
  fields.insert(bandwidth + 1,
                {kRatioField,
                 partFieldText("O&versubscription"),
                 partFieldText("Ratio of the bandwidth into a port to its own, such as 2:1; at 1:1 nothing blocks"),
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

/// The levels above the devices, among them the nodes' level.
PartField nodeField(const System& system) {
  PartField field{"node",
                  partFieldText("No&des"),
                  partFieldText("The level whose instances share memory, as one machine does"),
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
      {"name", partFieldText("&Name"), partFieldText("Name of the system"), PartField::Kind::Text, {}, qs(system.name)},
      {"disabled",
       partFieldText("&Failed"),
       partFieldText("Failed instances and links, separated by commas, such as NIC 0 of node 2"),
       PartField::Kind::Text,
       {},
       disabledText(system)},
      {"states",
       partFieldText("Degr&aded"),
       partFieldText(
           "Parts that are slow or shared, separated by semicolons, such as rail 3 of node 5: 50%; spine: shared by 2 "
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
    if (fields.back().key != QLatin1String(kDeviceField)) continue;
    for (const std::string& name : knownAccelerators()) fields.back().choices += qs(name);
    fields.back().tip += partFieldText(". A known one brings its memory, bandwidth and peaks");
  }
  return fields;
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
