// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <string>
#include <vector>

#include "workload/import/import.h"

namespace p2::test {

/// The workload that must come of an import.
inline WorkloadSource sourceOf(Result<WorkloadSource> result) {
  if (!result.ok()) qFatal("unexpected error: %s", result.error().text().c_str());
  return std::move(result).value();
}

inline std::string workloadFixture(const std::string& name) { return std::string(P2_TEST_DATA "/workload/") + name; }

inline std::string fixtureText(const std::string& name) {
  QFile file(QString::fromStdString(workloadFixture(name)));
  if (!file.open(QIODevice::ReadOnly)) qFatal("no fixture %s", name.c_str());
  return file.readAll().toStdString();
}

inline Result<WorkloadSource> importOf(const std::string& text, const std::string& second = {}) {
  std::vector<WorkloadText> texts{{"first", text}};
  if (!second.empty()) texts.push_back({"second", second});
  return importWorkloadTexts(texts);
}

/// "80 AllReduce 20971520 tensor", in the workload's order; with the overlap behind where there is one.
inline QString listed(const Workload& workload) {
  QStringList lines;
  for (const WorkloadEntry& entry : workload.collectives) {
    QString line = QString("%1 %2 %3")
                       .arg(entry.count)
                       .arg(QString::fromStdString(std::string(nameOf(entry.kind))))
                       .arg(entry.bytes);
    for (const std::string& axis : entry.axes) line += " " + QString::fromStdString(axis);
    if (entry.overlap.extent == CommunicationOverlap::Extent::Compute) line += " compute";
    if (entry.overlap.value > 0) line += QString(" %1").arg(entry.overlap.value);
    lines << line;
  }
  return lines.join('\n');
}

/// "data=16 tensor=8".
inline QString axesText(const Workload& workload) {
  QStringList words;
  for (const Axis& axis : workload.axes) words << QString::fromStdString(axis.name + "=" + std::to_string(axis.size));
  return words.join(' ');
}

/// How often entries of a name come, of one kind and size.
inline std::int64_t countOf(const Workload& workload, const std::string& name, CommunicationKind kind,
                            std::int64_t bytes) {
  std::int64_t count = 0;
  for (const WorkloadEntry& entry : workload.collectives) {
    if (entry.name == name && entry.kind == kind && entry.bytes == bytes) count += entry.count;
  }
  return count;
}

inline bool mentions(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

inline bool mentions(const Error& error, const std::string& part) {
  return error.text().find(part) != std::string::npos;
}

}  // namespace p2::test
