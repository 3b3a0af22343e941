// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "placement/axis_roles.h"
#include "placement/containment.h"
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

  void blanksPart_data() {
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::newRow("commas") << "data=8,model=2,axis2=4"
                            << "data,axis2";
    QTest::newRow("blanks") << "data=8 model=2 4"
                            << "0 2";
    QTest::newRow("both") << " data = 8 , model =2, 4 "
                          << " data , 2 ";
    QTest::newRow("no equals") << "data 8, model 2, axis2 4"
                               << "data axis2";
    QTest::newRow("nothing but blanks") << "data 8 model\t2 4"
                                        << "0\taxis2";
  }
  /// Sizes and names that blanks part are several: "4 4" is not 44, and "0 2" is not axis 2 alone.
  void blanksPart() {
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    const auto read = test::valueOf(withReduction(test::valueOf(parseAxes(axes.toStdString())), reduce.toStdString()));
    const std::vector<Axis> expected{{"data", 8, true}, {"model", 2, false}, {"axis2", 4, true}};
    QCOMPARE(read, expected);
  }

  void aNameMayHaveBlanksInIt() {
    const auto axes = test::valueOf(parseAxes("data parallel=8 model 2"));
    QCOMPARE(axes, (std::vector<Axis>{{"data parallel", 8, false}, {"model", 2, false}}));
    const auto read = test::valueOf(withReduction(axes, "data parallel, model"));
    QVERIFY(read[0].reduce && read[1].reduce);
    QVERIFY(!withReduction(axes, "data model").ok());
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
    QTest::newRow("name without a size") << "8,data"
                                         << "0"
                                         << "\"data\" is not an axis";
    QTest::newRow("two sizes") << "data=8=8"
                               << "0"
                               << "'='";
    QTest::newRow("no name") << "=64"
                             << "0"
                             << "no name";
    QTest::newRow("nothing between commas") << "8,,8"
                                            << "0"
                                            << "\"\" is not an axis";
    QTest::newRow("twice") << "a=8,a=8"
                           << "0"
                           << "twice";
    QTest::newRow("no such index") << "8,8"
                                   << "2"
                                   << "\"2\"";
    QTest::newRow("no such name") << "8,tensor=8"
                                  << "data"
                                  << "\"data\" to reduce over; use axis0 or tensor, or their numbers from 0";
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

  void axesThatStayInside() {
    const System system = test::valueOf(parseSystem("rack:2 node:2 gpu:8"));
    const auto axes = test::valueOf(parseAxes("data=4,tensor=8"));
    const auto kept = test::valueOf(withInside(system, axes, "tensor=node, 0=rack"));
    QCOMPARE(kept[1].inside, std::string("node"));
    QCOMPARE(test::valueOf(withInside(system, axes, "tensor = node 0=rack")), kept);
    QVERIFY(!withInside(system, axes, "tensor=node data").ok());
    QVERIFY(!withInside(system, axes, "tensor=node,").ok());
    QCOMPARE(firstLevels(system, kept), (std::vector<std::size_t>{1, 2}));
    QVERIFY(countMatricesOf(system, axes) > Count(1));
    QCOMPARE(firstLevels(system, axes), (std::vector<std::size_t>{0, 0}));
    const auto tensor = test::valueOf(withInside(system, axes, "tensor=node"));
    QCOMPARE(countMatricesOf(system, tensor), Count(1));
    QVERIFY(checkInside(system, tensor).ok());
    MatrixEnumerator matrices = matricesOf(system, tensor);
    QVERIFY(matrices.next());
    QCOMPARE(matrices.matrix().text(), std::string("[[2,2,1],[1,1,8]]"));
    const auto broken = checkMatrix(system, tensor, test::valueOf(parseMatrix("[[1,1,4],[2,2,2]]")));
    QVERIFY(!broken.ok());
    QVERIFY(QString::fromStdString(broken.error().message)
                .contains(QStringLiteral("splits axis tensor across racks, and it is to stay inside a node")));
  }

  void badInside_data() {
    QTest::addColumn<QString>("inside");
    QTest::addColumn<QString>("says");
    QTest::newRow("no axis") << "model=node"
                             << "there is no axis \"model\"";
    QTest::newRow("no level") << "tensor=pod"
                              << "no such level; use rack, node";
    QTest::newRow("a device") << "tensor=gpu"
                              << "a single device; use rack, node";
    QTest::newRow("half") << "tensor"
                          << "write, for example, tensor=node";
    QTest::newRow("twice") << "tensor=node,1=rack"
                           << "named twice";
    QTest::newRow("too large") << "data=node"
                               << "data is to stay inside a node, and 16 is more than the 8 devices of one";
    QTest::newRow("too large together") << "tensor=rack,data=rack"
                                        << "16·2 = 32 is more than the 16 devices of one";
  }

  void badInside() {
    QFETCH(QString, inside);
    QFETCH(QString, says);
    const System system = test::valueOf(parseSystem("rack:2 node:2 gpu:8"));
    const auto axes = withInside(system, test::valueOf(parseAxes("data=16,tensor=2")), inside.toStdString());
    const auto checked = axes.ok() ? checkInside(system, *axes) : Result<void>(axes.error());
    QVERIFY(!checked.ok());
    const QString sentence = QString::fromStdString(checked.error().text());
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
  }

  // Names that the mesh of a strategy has where no framework has such a degree.
  void meshAxesSayWhatTheyAre() {
    QCOMPARE(meshAxisText("data-2"),
             std::string("\"data-2\" is another axis of data; a framework has one degree for each"));
    QCOMPARE(
        meshAxisText("tensor-data"),
        std::string("\"tensor-data\" is tensor and data, of different operators; a framework has one degree for each"));
    for (const char* name : {"data", "data-expert", "x", "my-data", "2", ""}) {
      QVERIFY2(meshAxisText(name).empty(), name);
    }
  }

  void nothingReducedIsSaid() { QVERIFY(!checkReduction(test::valueOf(parseAxes("8,8"))).ok()); }
};

QTEST_APPLESS_MAIN(TestAxis)
#include "tst_axis.moc"
