// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/model_quality.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/median.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr const char* kAllReduce = "all_reduce";

QString collectiveTitle(const std::string& name) {
  static const std::map<std::string, QString> kTitles{{"all_reduce", "AllReduce"}, {"all_gather", "AllGather"},
                                                      {"alltoall", "AllToAll"},    {"reduce_scatter", "ReduceScatter"},
                                                      {"broadcast", "Broadcast"},  {"reduce", "Reduce"}};
  const auto known = kTitles.find(name);
  return known == kTitles.end() ? qs(name) : known->second;
}

void addPoints(const AtlasTable& table, std::vector<QualityPoint>& points) {
  const auto prediction = predictionOf(table);
  if (!prediction.ok()) return;
  std::map<double, std::vector<double>> bySize;
  for (const AtlasRow& row : table.rows) {
    if (row.bytes > 0 && row.seconds > 0) bySize[row.bytes].push_back(row.seconds);
  }
  for (const auto& [bytes, seconds] : bySize) {
    const auto predicted = prediction->seconds.find(bytes);
    if (predicted != prediction->seconds.end())
      points.push_back({&table, bytes, upperMedianOf(seconds), predicted->second});
  }
}

}  // namespace

QString tableTitle(const AtlasTable& table) {
  const int gpus = table.gpusPerNode * table.nodes;
  QString title =
      QObject::tr("%1, %2 × %3 %4")
          .arg(qs(table.machine()), table.nodes == 1 ? QObject::tr("1 node") : QObject::tr("%1 nodes").arg(table.nodes))
          .arg(table.gpusPerNode)
          .arg(qs(table.gpu));
  if (!table.version.empty()) title += QObject::tr(", NCCL %1").arg(qs(table.version));
  if (!table.algorithm.empty()) title += ", " + qs(table.algorithm);
  if (!table.protocol.empty()) title += ", " + qs(table.protocol);
  title += QObject::tr(", %1 of all %2").arg(collectiveTitle(table.collective)).arg(gpus);
  return table.healthy == "no" ? title + QObject::tr(", out of order") : title;
}

QString tableSource(const AtlasTable& table) {
  QStringList parts;
  for (const std::string& part : {table.note, table.source}) {
    if (!part.empty()) parts << qs(part);
  }
  return parts.join(" · ");
}

std::vector<const AtlasTable*> measuredAllReduces(const System& system) {
  if (system.levels.empty()) return {};
  std::vector<const AtlasTable*> tables = tablesLike(system);
  std::erase_if(tables, [](const AtlasTable* table) { return table->collective != kAllReduce; });
  const auto nodes = double(nodeCount(system));
  std::stable_sort(tables.begin(), tables.end(), [nodes](const AtlasTable* a, const AtlasTable* b) {
    return std::abs(std::log(a->nodes / nodes)) < std::abs(std::log(b->nodes / nodes));
  });
  return tables;
}

Result<ModelQuality> modelQuality(const System& system, bool onlyAllReduce, const std::stop_token& stop,
                                  const Progress& progress) {
  P2_TRY(checkParts(system));
  ModelQuality quality;
  for (const AtlasTable* table : tablesLike(system)) {
    const bool wanted = !onlyAllReduce || table->collective == kAllReduce;
    if (wanted && table->healthy != "no") quality.tables.push_back(table);
  }
  std::size_t done = 0;
  for (const AtlasTable* table : quality.tables) {
    if (stop.stop_requested()) return cancelledError();
    addPoints(*table, quality.points);
    if (progress) progress(0.5 * double(++done) / double(quality.tables.size()));
  }
  std::array<std::vector<double>, kSizeBands> errors;
  for (const QualityPoint& point : quality.points) {
    errors[sizeBand(Bytes(point.bytes))].push_back(std::abs(point.predicted / point.measured - 1));
  }
  const std::array<double, kSizeBands> everywhere = nominalErrors(stop);
  if (stop.stop_requested()) return cancelledError();
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    quality.bands[band].sizes = errors[band].size();
    quality.bands[band].everywhere = everywhere[band];
    if (!errors[band].empty()) quality.bands[band].here = upperMedianOf(errors[band]);
  }
  return quality;
}

QString bandTitle(std::size_t band) {
  switch (band) {
    case 0:
      return QObject::tr("below 64 KiB");
    case 1:
      return QObject::tr("from 64 KiB to 4 MiB");
    default:
      return QObject::tr("above 4 MiB");
  }
}

}  // namespace p2::views
