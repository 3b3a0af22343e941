// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/part_fields.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "base/numbers.h"
#include "base/units.h"
#include "views/common/quantity_text.h"
#include "views/common/theme.h"
#include "views/system/system_edits.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr double kLeastBandwidth = 1;
constexpr double kMostBandwidth = 1e18;
constexpr double kMostLatency = 1e6;
constexpr int kColours = 8;

QString tr(const char* text) { return QCoreApplication::translate("PartFields", text); }
QString yesNo(bool yes) { return yes ? QStringLiteral("yes") : QStringLiteral("no"); }
QString systemItself() { return tr("the system"); }
QString ownColour() { return tr("the theme's"); }

QStringList colourNames() {
  QStringList names{ownColour()};
  for (int i = 0; i < kColours; ++i) names += Theme::categoryLetter(i);
  return names;
}

void addInterconnect(std::vector<PartField>& fields, const Interconnect& link) {
  const bool bus = link.kind == InterconnectKind::Bus;
  fields.push_back({"bandwidth",
                    tr("&Bandwidth"),
                    bus ? tr("Of all messages together, as in 32GB/s")
                        : tr("Per port or link and per direction, as in 270GB/s or 100Gbit/s"),
                    PartField::Kind::Text,
                    {},
                    editableBandwidth(link.bandwidth)});
  fields.push_back({"latency",
                    tr("&Latency"),
                    tr("To cross it once, as in 2us"),
                    PartField::Kind::Text,
                    {},
                    editableSeconds(link.latency)});
  if (link.kind == InterconnectKind::Switch) {
    fields.push_back({"core",
                      tr("C&ore"),
                      tr("Through all of the switch, as in 1TB/s; 0 when it does not block"),
                      PartField::Kind::Text,
                      {},
                      link.core == 0 ? QStringLiteral("0") : editableBandwidth(link.core)});
  }
  if (!bus) {
    fields.push_back({"halfDuplex",
                      tr("&Half duplex"),
                      tr("The two directions of a port or link share its bandwidth"),
                      PartField::Kind::Check,
                      {},
                      yesNo(link.halfDuplex)});
  }
  if (link.kind == InterconnectKind::Ring || link.kind == InterconnectKind::Mesh) {
    fields.push_back({"forwards",
                      tr("&Forwards"),
                      tr("A member passes on what is not meant for it"),
                      PartField::Kind::Check,
                      {},
                      yesNo(link.forwards)});
  }
  fields.push_back({"colour", tr("Colo&ur"), tr("In the drawing, with its letter"), PartField::Kind::Choice,
                    colourNames(), link.colour < 0 ? ownColour() : Theme::categoryLetter(link.colour)});
}

std::vector<PartField> levelFields(const System& system, int index) {
  const Level& level = system.levels[std::size_t(index)];
  const Interconnect& link = level.interconnect;
  std::vector<PartField> fields{
      {"name",
       tr("&Name"),
       tr("What the instances of this level are called"),
       PartField::Kind::Text,
       {},
       QString::fromStdString(level.name)},
      {"count",
       tr("&Count"),
       tr("How many there are in each instance of the level above"),
       PartField::Kind::Text,
       {},
       QString::number(level.count)},
      {"kind", tr("&Joined by"), tr("How these instances are joined; none leaves it to the networks"),
       PartField::Kind::Choice, kindNames(true), QString::fromUtf8(nameOf(link.kind).data())}};
  if (link.kind == InterconnectKind::None) return fields;
  fields.push_back({"network",
                    tr("N&etwork"),
                    tr("What this interconnect is called"),
                    PartField::Kind::Text,
                    {},
                    QString::fromStdString(link.name)});
  addInterconnect(fields, link);
  return fields;
}

std::vector<PartField> networkFields(const System& system, int index) {
  const Network& network = system.networks[std::size_t(index)];
  QStringList places{systemItself()};
  for (std::size_t i = 0; i + 1 < system.levels.size(); ++i) places += QString::fromStdString(system.levels[i].name);
  const QString within = network.within.empty() ? systemItself() : QString::fromStdString(network.within);
  if (!places.contains(within)) places += within;
  std::vector<PartField> fields{{"name",
                                 tr("&Name"),
                                 tr("What this network is called"),
                                 PartField::Kind::Text,
                                 {},
                                 QString::fromStdString(network.interconnect.name)},
                                {"kind", tr("&Kind"), tr("How its members are joined"), PartField::Kind::Choice,
                                 kindNames(false), QString::fromUtf8(nameOf(network.interconnect.kind).data())}};
  addInterconnect(fields, network.interconnect);
  fields.push_back({"within", tr("&Within"), tr("It stands in every instance of this level"), PartField::Kind::Choice,
                    places, within});
  fields.push_back({"instances",
                    tr("&Instances"),
                    tr("How many of it stand there"),
                    PartField::Kind::Text,
                    {},
                    QString::number(network.instances)});
  fields.push_back({"members",
                    tr("&Members"),
                    tr("Levels and networks that it joins, as in gpu, or gpu 0-3, NIC"),
                    PartField::Kind::Text,
                    {},
                    membersText(network.members)});
  fields.push_back({"deal",
                    tr("&Dealt"),
                    tr("To its instances: in blocks of neighbours, or in turn, like cards"),
                    PartField::Kind::Choice,
                    {QString::fromUtf8(nameOf(Network::Deal::Blocks).data()),
                     QString::fromUtf8(nameOf(Network::Deal::InTurn).data())},
                    QString::fromUtf8(nameOf(network.deal).data())});
  fields.push_back({"gateway",
                    tr("&Gateway"),
                    tr("What it stands in talks to the outside through it alone"),
                    PartField::Kind::Check,
                    {},
                    yesNo(network.gateway)});
  return fields;
}

Result<std::int64_t> numberFrom(const std::string& text, const std::string& noun) {
  const auto number = parseInteger(text);
  if (number && *number >= 1 && *number <= kMostDevices) return *number;
  return Error{"\"" + text + "\" is not a number of " + noun + "; write a whole number of 1 to " +
               std::to_string(kMostDevices)};
}

Result<double> bandwidthFrom(const std::string& text, double before) {
  auto read = typedBandwidth(QString::fromStdString(text), before);
  if (!read.ok() || (*read >= kLeastBandwidth && *read <= kMostBandwidth)) return read;
  return Error{"\"" + text + "\" is out of range; use 1 B/s to 1e18 B/s"};
}

/// Writes what every interconnect has. Nothing is returned for other fields.
std::optional<Result<void>> setInterconnect(Interconnect& link, const QString& key, const std::string& text) {
  if (key == "halfDuplex" || key == "forwards") {
    (key == "forwards" ? link.forwards : link.halfDuplex) = text == "yes";
  } else if (key == "colour") {
    link.colour = int(colourNames().indexOf(QString::fromStdString(text))) - 1;
  } else if (key == "kind") {
    const auto kind = interconnectKindFrom(text);
    if (!kind.ok()) return kind.error();
    link.kind = *kind;
  } else if (key == "core" && parseInteger(text) == 0) {
    link.core = 0;
  } else if (key == "bandwidth" || key == "core") {
    const auto read = bandwidthFrom(text, key == "core" && link.core > 0 ? link.core : link.bandwidth);
    if (!read.ok()) return read.error();
    (key == "core" ? link.core : link.bandwidth) = *read;
  } else if (key == "latency") {
    const auto read = typedSeconds(QString::fromStdString(text), link.latency);
    if (!read.ok()) return read.error();
    if (*read > kMostLatency) return Error{"\"" + text + "\" is out of range; use 0 s to 1e6 s"};
    link.latency = *read;
  } else {
    return std::nullopt;
  }
  return Result<void>();
}

Result<System> withLevelField(System system, int index, const QString& key, const std::string& text) {
  Level& level = system.levels[std::size_t(index)];
  if (key == "network") level.interconnect.name = text;
  if (key == "count") {
    const auto count = numberFrom(text, "instances");
    if (!count.ok()) return count.error();
    level.count = *count;
  }
  if (key == "name") {
    const SystemPart other = partNamed(system, text);
    if (other.kind == Kind::Network && other.index >= 0) {
      return Error{"the name \"" + text + "\" is that of a network; give every level and network its own"};
    }
    system = renamed(std::move(system), {Kind::Level, index}, text);
  }
  if (auto checked = checkLevels(system); !checked.ok()) return checked.error();
  return system;
}

Result<System> withNetworkField(System system, int index, const QString& key, const std::string& text) {
  Network& network = system.networks[std::size_t(index)];
  if (key == "instances") {
    const auto instances = numberFrom(text, "instances");
    if (!instances.ok()) return instances.error();
    network.instances = *instances;
  } else if (key == "gateway") {
    network.gateway = text == "yes";
  } else if (key == "deal") {
    const auto deal = dealFrom(text);
    if (!deal.ok()) return deal.error();
    network.deal = *deal;
  } else if (key == "within") {
    network.within = text == systemItself().toStdString() ? std::string() : text;
  } else if (key == "members") {
    auto members = membersFrom(system, QString::fromStdString(text));
    if (!members.ok()) return members.error();
    network.members = std::move(members).value();
  } else if (key == "name") {
    if (text.empty()) return Error{"a network needs a name, as in NIC"};
    if (partNamed(system, text).index >= 0 && text != network.interconnect.name) {
      return Error{"the name \"" + text + "\" is used twice; give every level and network its own"};
    }
    system = renamed(std::move(system), {Kind::Network, index}, text);
  }
  return system;
}

Result<System> withSystemField(System system, const QString& key, const QString& text) {
  if (key == "name") system.name = text.toStdString();
  if (key != "disabled") return system;
  system.disabled.clear();
  for (const QString& name : text.split(',', Qt::SkipEmptyParts)) {
    if (!name.trimmed().isEmpty()) system.disabled.push_back(name.trimmed().toStdString());
  }
  return system;
}

QString disabledText(const System& system) {
  QStringList names;
  for (const std::string& name : system.disabled) names += QString::fromStdString(name);
  return names.join(QStringLiteral(", "));
}

}  // namespace

QStringList kindNames(bool withNone) {
  QStringList names;
  for (const InterconnectKind kind : {InterconnectKind::Switch, InterconnectKind::Ring, InterconnectKind::Mesh,
                                      InterconnectKind::Bus, InterconnectKind::None}) {
    if (withNone || kind != InterconnectKind::None) names += QString::fromUtf8(nameOf(kind).data());
  }
  return names;
}

std::vector<PartField> fieldsOf(const System& system, const std::optional<SystemPart>& part) {
  if (part && part->kind == Kind::Network) return networkFields(system, part->index);
  if (part) return levelFields(system, part->index);
  return {{"name",
           tr("&Name"),
           tr("What the system is called"),
           PartField::Kind::Text,
           {},
           QString::fromStdString(system.name)},
          {"disabled",
           tr("&Out of order"),
           tr("Instances and links, as in NIC 0 of node 2, separated by commas"),
           PartField::Kind::Text,
           {},
           disabledText(system)}};
}

Result<System> withField(System system, const std::optional<SystemPart>& part, const QString& key,
                         const QString& text) {
  if (!part) return withSystemField(std::move(system), key, text);
  const std::string typed = text.trimmed().toStdString();
  if (const auto set = setInterconnect(interconnectOf(system, *part), key, typed)) {
    return set->ok() ? Result<System>(std::move(system)) : Result<System>(set->error());
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

QString membersText(const std::vector<Member>& members) {
  QStringList texts;
  for (const Member& member : members) {
    QString text = QString::fromStdString(member.of);
    if (member.count == 1) {
      text += QStringLiteral(" %1").arg(member.first);
    } else if (member.count > 1) {
      text += QStringLiteral(" %1-%2").arg(member.first).arg(member.first + member.count - 1);
    } else if (member.first > 0) {
      text += QStringLiteral(" %1-").arg(member.first);
    }
    texts += text;
  }
  return texts.join(QStringLiteral(", "));
}

Result<std::vector<Member>> membersFrom(const System& system, const QString& text) {
  static const QRegularExpression kRange(QStringLiteral("^(.*) (\\d{1,9})([-–](\\d{1,9})?)?$"));
  std::vector<Member> members;
  for (const QString& piece : text.split(',', Qt::SkipEmptyParts)) {
    const QString word = piece.trimmed();
    if (word.isEmpty()) continue;
    Member member{word.toStdString()};
    const QRegularExpressionMatch range = kRange.match(word);
    if (partNamed(system, member.of).index < 0 && range.hasMatch()) {
      member.of = range.captured(1).trimmed().toStdString();
      member.first = range.captured(2).toLongLong();
      const std::int64_t last = range.captured(4).isEmpty() ? member.first : range.captured(4).toLongLong();
      if (last < member.first) {
        return Error{"\"" + word.toStdString() + "\" ends before it begins; write it as in gpu 0-3"};
      }
      const bool open = !range.captured(3).isEmpty() && range.captured(4).isEmpty();
      member.count = open ? 0 : last - member.first + 1;
    }
    if (partNamed(system, member.of).index < 0) {
      return Error{"\"" + member.of + "\" is neither a level nor a network; name what is there, as in gpu or gpu 0-3"};
    }
    members.push_back(std::move(member));
  }
  if (members.empty()) return Error{"a network needs members; name a level or a network, as in gpu"};
  return members;
}

}  // namespace p2::views
