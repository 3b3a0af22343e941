// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_groups.h"

#include <QObject>
#include <algorithm>
#include <map>
#include <tuple>

#include "base/units.h"
#include "cost/ranking_quality.h"
#include "views/common/quantity_text.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr std::size_t kTop = 10;

QString runsText(std::size_t runs) { return counted(std::int64_t(runs), QObject::tr("run"), QObject::tr("runs")); }

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

QString RunGroup::title() const {
  const QString title = QObject::tr("%1 · %2 · %3 on %4").arg(system, shownBytes(bytes), backend, target);
  return overlaps ? QObject::tr("%1 · overlapping").arg(title) : title;
}

QString RunGroup::quality() const {
  if (rows.empty()) return {};
  std::vector<Comparison> all;
  std::vector<double> ratios;
  for (const RunRow& row : rows) {
    all.push_back({*row.predicted, row.result->seconds.median});
    ratios.push_back(row.result->seconds.median / *row.predicted);
  }
  const QString than = QObject::tr("%1 than predicted").arg(slowerThan(medianOf(ratios), 1));
  if (all.size() < 2) return QObject::tr("1 run, %1; run a second program to compare rankings.").arg(than);
  const std::size_t top = std::min(kTop, all.size());
  return QObject::tr("%1 · %2 (median) · top-%3 F1 %4 · Spearman %5 · the best predicted takes %6 of the best measured")
      .arg(runsText(all.size()), than)
      .arg(top)
      .arg(topKF1(all, top), 0, 'f', 2)
      .arg(spearman(all), 0, 'f', 2)
      .arg(qs(formatFactor(regret(all))));
}

std::vector<RunGroup> groupsOf(const std::vector<RunRow>& rows) {
  std::vector<RunGroup> groups;
  std::map<std::tuple<QString, double, QString, QString, bool>, std::size_t> known;
  for (const RunRow& row : rows) {
    if (row.failed() || !row.isCompared() || !(*row.predicted > 0)) continue;
    const QString backend = qs(row.result->backend);
    const bool overlaps = row.result->pieces > 1;
    const auto key = std::tuple(row.system, row.result->bytes.value(), backend, row.target, overlaps);
    const auto [at, isNew] = known.emplace(key, groups.size());
    if (isNew) groups.push_back({row.system, row.result->bytes, backend, row.target, overlaps, {}});
    groups[at->second].rows.push_back(row);
  }
  return groups;
}

}  // namespace p2::views
