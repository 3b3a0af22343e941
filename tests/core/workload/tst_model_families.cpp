// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <bit>

#include "text/csv.h"
#include "workload/generate/model_families.h"

using namespace p2;

class TestModelFamilies : public QObject {
  Q_OBJECT
 private slots:
  // Every word of resources/models/families.csv is understood.
  void everyRowIsRead() {
    CsvReader rows(modelFamiliesFile());
    CsvReader::Cells cells;
    QVERIFY(rows.next(cells));
    QCOMPARE(cells, (CsvReader::Cells{"type", "architecture", "traits", "defaults", "other_types"}));
    int families = 0;
    for (; rows.next(cells); ++families) {
      QCOMPARE(cells.size(), std::size_t(5));
      const auto words = [&](int cell) {
        return QString::fromStdString(cells[std::size_t(cell)]).split(' ', Qt::SkipEmptyParts);
      };
      const ModelFamily* family = familyOfType(cells[0]);
      QVERIFY2(family != nullptr && family == familyOfArchitecture(cells[1]), cells[0].c_str());
      QVERIFY2(std::popcount(family->traits) == words(2).size(), cells[2].c_str());
      QCOMPARE(qsizetype(family->defaults.size()), words(3).size());
      for (const ConfigDefault& each : family->defaults) QVERIFY2(each.value > 0, each.key.c_str());
      for (const QString& other : words(4)) QCOMPARE(familyOfType(other.toStdString()), family);
    }
    QVERIFY(families > 70);
  }
};

QTEST_APPLESS_MAIN(TestModelFamilies)
#include "tst_model_families.moc"
