// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/model_form_entries.h"

#include <QStringList>
#include <algorithm>
#include <map>

#include "base/units.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString listTr(const char* text) { return QObject::tr(text); }
QString listed(const std::vector<std::string>& names) {
  QStringList texts;
  for (const std::string& name : names) texts += qs(name);
  return texts.join(QStringLiteral(", "));
}

QString kindText(const WorkloadEntry& entry) {
  const std::string_view name = nameOf(entry.kind);
  return listTr("%1 over %2").arg(qs(name), listed(entry.axes));
}

QString extentText(const CommunicationOverlap& overlap) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return listTr("exposed");
    case CommunicationOverlap::Extent::Compute:
      return listTr("may overlap");
    case CommunicationOverlap::Extent::Fraction:
      return listTr("%1 may").arg(qs(formatPercent(overlap.value)));
    case CommunicationOverlap::Extent::Window:
      return listTr("up to %1").arg(secondsText(overlap.value));
  }
  return {};
}

QString formulaText(const WorkloadEntry& entry) {
  QString bytes = qs(entry.formula);
  const QString count = qs(factorsText(entry));
  if (count.isEmpty()) return bytes;
  return bytes.isEmpty() ? count : bytes + QStringLiteral("\n× ") + count;
}

QString listOf(const QString& title, const std::vector<std::string>& things) {
  if (things.empty()) return {};
  QString items;
  for (const std::string& thing : things) {
    items += QStringLiteral("<li>%1</li>").arg(qs(thing).toHtmlEscaped());
  }
  return QStringLiteral("<p><b>%1</b></p><ul>%2</ul>").arg(title, items);
}

}  // namespace

void ModelFormEntries::setEntries(std::vector<WorkloadEntry> entries) {
  reset([&] { m_entries = std::move(entries); });
}

std::vector<TableColumn> ModelFormEntries::columns() const {
  return {{tr("Entry"), tr("The communication, its collective and its axes")},
          {tr("Bytes"), tr("Size of the full tensor, gathered or not yet reduced"), true},
          {tr("Times"), tr("How often in a step"), true},
          {tr("Computation"), tr("Exposed, or overlapped with computation")},
          {tr("Formula and factors"), tr("The formula of the bytes, and the factors of the count")}};
}

QString ModelFormEntries::toolTip(int row, int) const {
  const WorkloadEntry& entry = m_entries[std::size_t(row)];
  return tr("%1: %2, %3\n%4")
      .arg(qs(entry.name), counted(entry.bytes, tr("byte"), tr("bytes")), counted(entry.count, tr("time"), tr("times")),
           formulaText(entry))
      .trimmed();
}

QString ModelFormEntries::text(int row, int column) const {
  const WorkloadEntry& entry = m_entries[std::size_t(row)];
  switch (column) {
    case Entry:
      return qs(entry.name) + '\n' + kindText(entry);
    case Bytes:
      return bytesText(p2::Bytes(double(entry.bytes)));
    case Count:
      return QString::number(entry.count);
    case Overlap:
      return extentText(entry.overlap);
    default:
      return formulaText(entry);
  }
}

QString bytesByAxes(const Workload& workload) {
  std::map<QString, double> bytes;
  for (const WorkloadEntry& entry : workload.collectives) {
    bytes[listed(entry.axes)] += static_cast<double>(entry.bytes) * static_cast<double>(entry.count);
  }
  std::vector<std::pair<double, QString>> order;
  for (const auto& [axes, sum] : bytes) order.emplace_back(-sum, axes);
  std::sort(order.begin(), order.end());
  QStringList parts;
  const auto entries = workload.collectives.size();
  parts += entries == 1 ? listTr("1 entry") : listTr("%1 entries").arg(entries);
  for (const auto& [sum, axes] : order) {
    parts += axes + ' ' + bytesText(p2::Bytes(-sum));
  }
  return parts.join(QStringLiteral(" · ")) + listTr(" in a step");
}

QString htmlOf(const WorkloadNotes& reported) {
  return listOf(listTr("Published"), reported.published) + listOf(listTr("Understood"), reported.understood) +
         listOf(listTr("Assumed"), reported.assumed) + listOf(listTr("Ignored"), reported.ignored);
}

}  // namespace p2::views
