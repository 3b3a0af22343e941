// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "chakra_encoding.h"
#include "import_fixtures.h"
#include "workload/import/protobuf_wire.h"

using namespace p2;
using namespace p2::test;

/// Execution traces of Chakra, as protocol buffers and as JSON.
class TestChakra : public QObject {
  Q_OBJECT
 private slots:
  void binaryTraceIsRead() {
    const std::string groups = "{\"0\": [0, 1, 2, 3, 4, 5, 6, 7], \"1\": [4, 5, 6, 7]}";
    const auto source = sourceOf(importOf(chakraTrace(), groups));
    QCOMPARE(axesText(source.workload), QString("axis1=2 axis0=4"));
    // comm_size of an AllGather is the input of one rank: 4 of them give the full tensor.
    QCOMPARE(listed(source.workload), QString("3 AllReduce 4096 axis1 axis0\n1 AllGather 4096 axis0"));
    QVERIFY(mentions(source.ignored, "1 × communication node without comm_size"));
    QCOMPARE(listed(sourceOf(importOf(groups, chakraTrace())).workload), listed(source.workload));
  }

  void groupsMayBeInTheTraceItself() {
    const std::string init =
        wholeField(1, 1) + bytesField(2, "## process_group:init ##") + wholeField(3, 1) +
        bytesField(8, bytesField(1,
                                 "[\"[{\\\"pg_name\\\": \\\"1\\\", \\\"ranks\\\": [0, 1, 2, 3]}, {\\\"pg_name\\\": "
                                 "\\\"0\\\", \\\"ranks\\\": [0, 1, 2, 3, 4, 5, 6, 7]}]\"]"));
    const auto source = sourceOf(importOf(chakraTrace() + delimited(init)));
    QCOMPARE(listed(source.workload), QString("3 AllReduce 4096 axis1 axis0\n1 AllGather 4096 axis0"));
  }

  void sendsAreShifts() {
    const std::string groups = "{\"2\": [0, 4], \"0\": [0, 1, 2, 3, 4, 5, 6, 7]}";
    const std::string text = delimited(bytesField(1, "0.0.4")) + delimited(communicationNode(5, 0, 2048, "2"));
    const auto source = sourceOf(importOf(text, groups));
    QCOMPARE(listed(source.workload), QString("1 Shift 2048 axis1"));
    QVERIFY(!source.workload.collectives[0].closed);
  }

  void jsonTracesAreRead() {
    const auto feeder = sourceOf(importOf(fixtureText("chakra_graph.json"), fixtureText("comm_group.json")));
    QCOMPARE(listed(feeder.workload),
             QString("1 AllReduce 4096 axis1 axis0\n2 AllGather 4096 axis0\n1 Shift 2048 axis1"));
    const auto symbolic = sourceOf(importOf(fixtureText("stg.json"), fixtureText("comm_group.json")));
    QCOMPARE(listed(symbolic.workload), QString("1 AllReduce 512 axis0\n1 ReduceScatter 512 axis1 axis0"));
  }

  void whatIsMissingIsAskedFor() {
    const auto alone = importOf(chakraTrace());
    QVERIFY(!alone.ok());
    QVERIFY2(mentions(alone.error(), "name its comm_group.json as well"), alone.error().text().c_str());
    const auto other = importOf(chakraTrace(), "{\"0\": [0, 1]}");
    QVERIFY2(mentions(other.error(), "the ranks of process group \"1\" are not known"), other.error().text().c_str());
    QVERIFY(mentions(importOf(fixtureText("comm_group.json")).error(), "name the trace of a rank as well"));
    QVERIFY(mentions(importOf(chakraTrace(), chakraTrace()).error(), "name these two only"));
  }

  void everyCutIsOneSentence() {
    const std::string whole = chakraTrace();
    const std::string groups = fixtureText("comm_group.json");
    int cut = 0;
    for (std::size_t size = 9; size < whole.size(); ++size) {
      const auto result = importOf(whole.substr(0, size), groups);
      if (result.ok()) continue;  // between messages it is a shorter trace
      ++cut;
      QVERIFY(!result.error().message.empty());
    }
    QVERIFY(cut > 100);
    QVERIFY(mentions(importOf(whole.substr(0, whole.size() - 1), groups).error(), "message 6: the file breaks off"));
  }

  void otherBytesAreNoTrace() {
    QVERIFY(!foreignFormatOf(std::string(4096, '\0')));
    QVERIFY(
        !foreignFormatOf("\x7F"
                         "ELF\x02\x01\x01"));
    QVERIFY(!foreignFormatOf("{\"name\": [1]}"));
    QVERIFY(!foreignFormatOf(""));
  }

  void wireFormatIsBounded() {
    WireReader wide(std::string_view("\x0A\xFF\xFF\xFF\xFF\x0F", 6));
    QVERIFY(!wide.next());
    QVERIFY(wide.damaged());
    WireReader zero(std::string_view("\x00\x00", 2));
    QVERIFY(!zero.next());
    QVERIFY(zero.damaged());
    std::string_view endless("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11);
    QVERIFY(!takeVarint(endless));
    WireReader fixed(std::string_view("\x09\x01\0\0\0\0\0\0\0\x15\x02\0\0\0", 14));
    QCOMPARE(fixed.next()->value, std::uint64_t(1));
    QCOMPARE(fixed.next()->value, std::uint64_t(2));
    QVERIFY(!fixed.next());
    QVERIFY(!fixed.damaged());
  }
};

QTEST_APPLESS_MAIN(TestChakra)
#include "tst_chakra.moc"
