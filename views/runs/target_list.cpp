// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/target_list.h"

#include <QStringList>
#include <algorithm>
#include <optional>

#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr const char* kGroup = "targets";

std::optional<Target> targetOf(const QVariantMap& entry) {
  const auto text = [&entry](const char* key) { return entry.value(key).toString().toStdString(); };
  Target target{text("name"), text("host"), text("runner"), {}, {}};
  target.launch.launcher = text("launcher");
  target.launch.hostfile = text("hostfile");
  target.launch.mostRanks = entry.value("slots", 64).toInt();
  target.launch.byNode = entry.value("byNode").toBool();
  setEnvironment(target.launch, entry.value("environment").toStringList());
  setArguments(target.launch, entry.value("arguments").toStringList());
  auto usable = validated(std::move(target));
  if (!usable.ok()) return std::nullopt;
  return std::move(usable).value();
}

QVariantMap entryOf(const Target& target) {
  return {{"name", qs(target.name)},
          {"host", qs(target.host)},
          {"runner", qs(target.runner)},
          {"launcher", qs(target.launch.launcher)},
          {"hostfile", qs(target.launch.hostfile)},
          {"slots", target.launch.mostRanks},
          {"byNode", target.launch.byNode},
          {"environment", environmentText(target.launch)},
          {"arguments", argumentText(target.launch)}};
}

}  // namespace

TargetList readTargets(QSettings& settings) {
  TargetList list;
  const int count = settings.beginReadArray(kGroup);
  for (int i = 0; i < count; ++i) {
    settings.setArrayIndex(i);
    QVariantMap entry;
    for (const QString& key : settings.childKeys()) entry.insert(key, settings.value(key));
    if (auto target = targetOf(entry)) {
      list.targets.push_back(std::move(*target));
    } else {
      list.unread.push_back(entry);
    }
  }
  settings.endArray();
  return list;
}

void writeTargets(QSettings& settings, const TargetList& list) {
  std::vector<QVariantMap> entries;
  for (const Target& target : list.targets) entries.push_back(entryOf(target));
  entries.insert(entries.end(), list.unread.begin(), list.unread.end());
  settings.remove(kGroup);
  settings.beginWriteArray(kGroup, int(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    settings.setArrayIndex(int(i));
    for (auto value = entries[i].begin(); value != entries[i].end(); ++value) {
      settings.setValue(value.key(), value.value());
    }
  }
  settings.endArray();
}

std::vector<Target> newTargets(const std::vector<Target>& before, const std::vector<Target>& ours,
                               const std::vector<Target>& theirs) {
  const auto isIn = [](const std::vector<Target>& targets, const Target& target) {
    return std::find(targets.begin(), targets.end(), target) != targets.end();
  };
  std::vector<Target> fresh;
  for (const Target& target : theirs) {
    if (!isIn(before, target) && !isIn(ours, target)) fresh.push_back(target);
  }
  return fresh;
}

QStringList environmentText(const Launch& launch) {
  QStringList texts;
  for (const auto& [name, value] : launch.environment) texts += qs(name + "=" + value);
  return texts;
}

void setEnvironment(Launch& launch, const QStringList& texts) {
  launch.environment.clear();
  for (const QString& text : texts) {
    launch.environment.emplace_back(text.section('=', 0, 0).toStdString(), text.section('=', 1).toStdString());
  }
}

QStringList argumentText(const Launch& launch) {
  QStringList texts;
  for (const std::string& argument : launch.arguments) texts += qs(argument);
  return texts;
}

void setArguments(Launch& launch, const QStringList& texts) {
  launch.arguments.clear();
  for (const QString& text : texts) launch.arguments.push_back(text.toStdString());
}

}  // namespace p2::views
