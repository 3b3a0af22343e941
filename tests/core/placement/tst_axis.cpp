// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"

using namespace p2;

class TestAxis : public QObject {
  Q_OBJECT
 private slots:
  void namesAndSizes() {
    const auto axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=8, model=2,shards=4")), "data,2"));
    QCOMPARE(axes.size(), 3u);
    QCOMPARE(axes[1], (Axis{"model", 2, false}));
    QVERIFY(axes[0].reduce && axes[2].reduce);
    QCOMPARE(test::valueOf(parseAxes("8,4"))[1].name, std::string("axis1"));
  }

  void badAxes_data() {
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<QString>("names");
    QTest::newRow("empty") << ""
                           << "0"
                           << "axis";
    QTest::newRow("zero") << "8,0"
                          << "0"
                          << "size 0";
    QTest::newRow("negative") << "-8,-8"
                              << "0"
                              << "-8";
    QTest::newRow("word") << "8,four"
                          << "0"
                          << "four";
    QTest::newRow("huge") << "99999999999999999999"
                          << "0"
                          << "99999999999999999999";
    QTest::newRow("twice") << "a=8,a=8"
                           << "0"
                           << "twice";
    QTest::newRow("no such index") << "8,8"
                                   << "2"
                                   << "\"2\"";
    QTest::newRow("no such name") << "8,8"
                                  << "data"
                                  << "data";
    QTest::newRow("negative index") << "8,8"
                                    << "-1"
                                    << "-1";
    QTest::newRow("product too small") << "8,4"
                                       << "0"
                                       << "8·4 = 32";
    QTest::newRow("product overflows") << "4000000000,4000000000,4000000000"
                                       << "0"
                                       << "64";
    QTest::newRow("only ones reduced") << "64,1"
                                       << "1"
                                       << "size 1";
  }
  void badAxes() {
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(QString, names);
    const System system = test::valueOf(parseSystem("gcp-a100:4"));
    QString sentence;
    const auto parsed = parseAxes(axes.toStdString());
    if (!parsed.ok()) {
      sentence = QString::fromStdString(parsed.error().text());
    } else if (const auto reduced = withReduction(*parsed, reduce.toStdString()); !reduced.ok()) {
      sentence = QString::fromStdString(reduced.error().text());
    } else if (const auto fits = checkAxes(system, *reduced); !fits.ok()) {
      sentence = QString::fromStdString(fits.error().text());
    } else if (const auto reduces = checkReduction(*reduced); !reduces.ok()) {
      sentence = QString::fromStdString(reduces.error().text());
    }
    QVERIFY2(sentence.contains(names), qPrintable(sentence));
  }

  void theSizeThatWouldFit() {
    const System system = test::valueOf(parseSystem("gcp-a100:4"));
    const auto axes = test::valueOf(parseAxes("data=8,model=2,shards=3"));
    QCOMPARE(fittingSize(system, axes, 2), 4);
    QCOMPARE(fittingSize(system, axes, 0), 0);
    const auto fits = checkAxes(system, axes);
    QVERIFY(QString::fromStdString(fits.error().message).contains(QStringLiteral("shards = 4 would fit")));
  }

  void nothingReducedIsSaid() { QVERIFY(!checkReduction(test::valueOf(parseAxes("8,8"))).ok()); }
};

QTEST_APPLESS_MAIN(TestAxis)
#include "tst_axis.moc"
