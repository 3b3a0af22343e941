// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>
#include <QStringList>
#include <QTest>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/device.h"
#include "synthesis/state_graph.h"
#include "synthesis/synthesis_hierarchy.h"
#include "system/valid_system.h"
#include "workspace/presets.h"
#include "workspace/workspace.h"

namespace p2 {

/// For QCOMPARE.
template <class Tag>
char* toString(const StrongId<Tag>& id) {
  return QTest::toString(id.value());
}
inline char* toString(const Bytes& bytes) { return QTest::toString(bytes.value()); }

}  // namespace p2

namespace p2::test {

/// The value of a result that must be one.
template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) qFatal("unexpected error: %s", result.error().text().c_str());
  return std::move(result).value();
}

/// The set of rules of a name.
inline RuleSet ruleSetOf(std::string_view name) {
  for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
    if (nameOf(rules) == name) return rules;
  }
  qFatal("there is no set of rules %s", std::string(name).c_str());
}

/// The devices of these numbers, in this order.
inline DeviceGroup devices(std::initializer_list<std::int64_t> numbers) { return {numbers.begin(), numbers.end()}; }

/// A system that must be one that can be worked with.
inline ValidSystem valid(const System& system) { return valueOf(validated(system)); }
inline ValidSystem validFrom(const std::string& text) { return valid(valueOf(parseSystem(text))); }

inline Workspace workspaceOf(const std::string& system, const std::string& axes, const std::string& reduce,
                             const std::string& matrix = {}) {
  Workspace workspace;
  workspace.system = valueOf(parseSystem(system));
  workspace.axes = valueOf(withReduction(valueOf(parseAxes(axes)), reduce));
  if (!matrix.empty()) workspace.matrix = valueOf(parseMatrix(matrix));
  return workspace;
}

/// A system with levels a, b, c … of the given sizes.
inline System systemOf(const std::vector<std::int64_t>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += (i == 0 ? "" : " ") + std::string(1, static_cast<char>('a' + i)) + ":" + std::to_string(counts[i]);
  }
  return valueOf(parseSystem(text));
}

/// A network of a system, its members all of one kind.
inline Network networkOf(InterconnectKind kind, double bandwidth, const std::string& name, const std::string& within,
                         std::int64_t instances, const std::string& member, bool gateway = false) {
  Network network;
  network.interconnect.kind = kind;
  network.interconnect.bandwidth = bandwidth;
  network.interconnect.name = name;
  network.within = within;
  network.instances = instances;
  network.members = {{member}};
  network.gateway = gateway;
  return network;
}

/// Everything reduced over the whole system: the placement whose synthesis hierarchy has exactly these levels.
inline Placement wholeReduction(const System& system) {
  ParallelismMatrix matrix(1, system.levels.size());
  for (std::size_t level = 0; level < system.levels.size(); ++level) matrix.set(0, level, system.levels[level].count);
  return Placement({{"all", system.deviceCount(), true}}, matrix);
}

/// Every ordered list of 1 … mostLevels sizes ≥ 2 whose product is at most mostDevices.
inline std::vector<std::vector<std::int64_t>> hierarchiesUpTo(std::int64_t mostDevices, std::size_t mostLevels) {
  std::vector<std::vector<std::int64_t>> all;
  std::vector<std::vector<std::int64_t>> open{{}};
  while (!open.empty()) {
    const std::vector<std::int64_t> prefix = open.back();
    open.pop_back();
    std::int64_t product = 1;
    for (const std::int64_t size : prefix) product *= size;
    if (!prefix.empty()) all.push_back(prefix);
    if (prefix.size() == mostLevels) continue;
    for (std::int64_t size = 2; product * size <= mostDevices; ++size) {
      open.push_back(prefix);
      open.back().push_back(size);
    }
  }
  return all;
}

/// Rows of a comma-separated file under tests/data, quotes resolved, without the header.
inline QList<QStringList> csvRows(const QString& name) {
  QFile file(QStringLiteral(P2_TEST_DATA) + QLatin1Char('/') + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(file.fileName()));
  QList<QStringList> rows;
  for (const QByteArray& line : file.readAll().split('\n')) {
    if (line.isEmpty()) continue;
    QStringList fields{QString()};
    bool quoted = false;
    for (const QChar c : QString::fromUtf8(line)) {
      if (c == QLatin1Char('"')) {
        quoted = !quoted;
      } else if (c == QLatin1Char(',') && !quoted) {
        fields.append(QString());
      } else {
        fields.back().append(c);
      }
    }
    rows.append(fields);
  }
  rows.removeFirst();
  return rows;
}

}  // namespace p2::test
