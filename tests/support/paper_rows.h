// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "cost/calibration/measured_time.h"
#include "support/fixtures.h"

namespace p2::test {

/// What the paper measured of one placement, in seconds; 0 where it prints nothing.
struct PaperRow {
  enum Column { AllReduceRing, AllReduceTree, BestRing, BestTree, Columns };

  QString gpu;  ///< "A100" or "V100"
  QString nodes;
  QString axes;    ///< as p2 takes them
  QString reduce;  ///< likewise
  QString matrix;
  int programs = 0;  ///< over all placements of the configuration; 0 where it is not said
  std::array<double, Columns> measured{};

  [[nodiscard]] std::string preset() const { return "gcp-" + (gpu.toLower() + ':' + nodes).toStdString(); }
  [[nodiscard]] QString text() const { return QStringList{gpu, nodes, axes, reduce, matrix}.join(QLatin1Char(' ')); }
};

/// Of resources/paper/results.csv (appendix A) or paper_tables.csv (tables 3 and 4, which have placements that the
/// former lacks).
inline QList<PaperRow> paperRows(const QString& file) {
  QList<PaperRow> rows;
  const bool bundled = file == QStringLiteral("paper_results.csv");
  for (const QStringList& fields :
       csvRows(bundled ? QStringLiteral("../../resources/paper/results.csv") : QStringLiteral("paper/") + file)) {
    const auto plain = [](const QString& list) { return list.mid(1, list.size() - 2); };
    PaperRow row{fields[0], fields[1], plain(fields[3]), plain(fields[4]), fields[5], fields.value(10).toInt(), {}};
    for (int column = 0; column < PaperRow::Columns; ++column)
      row.measured[std::size_t(column)] = fields[6 + column].toDouble();
    rows.append(row);
  }
  return rows;
}

/// The AllReduce times of rows of one kind of GPU: all rings, then the trees of the same rows.
inline std::vector<MeasuredTime> allReduceTimes(const QList<PaperRow>& rows, const QString& gpu) {
  std::string csv = "axes,reduce,matrix,algorithm,nodes,seconds\n";
  for (const auto& [algorithm, column] :
       {std::pair{"ring", PaperRow::AllReduceRing}, std::pair{"tree", PaperRow::AllReduceTree}}) {
    for (const PaperRow& row : rows) {
      if (row.gpu != gpu || row.measured[column] == 0) continue;
      csv += QStringLiteral("\"%1\",\"%2\",\"%3\",%4,%5,%6\n")
                 .arg(row.axes, row.reduce, row.matrix, QString::fromLatin1(algorithm), row.nodes)
                 .arg(row.measured[column])
                 .toStdString();
    }
  }
  return valueOf(measuredTimesFromCsv(csv));
}

}  // namespace p2::test
