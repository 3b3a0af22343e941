// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "text/host_list.h"

using namespace p2;

class TestHostList : public QObject {
  Q_OBJECT
 private slots:
  // Open MPI's and MPICH's files, lists of Slurm, and what people paste.
  void hostfilesAreRead() {
    const auto hosts = test::valueOf(hostsFromFile("# all\nn1 slots=8\n\n  n2.example\tmax\r\nn-3 # last"));
    QVERIFY((hosts == std::vector<std::string>{"n1", "n2.example", "n-3"}));
    QVERIFY((test::valueOf(hostsFromFile("10.0.0.1:8\n10.0.0.2:8 ifhn=x\n")) ==
             std::vector<std::string>{"10.0.0.1", "10.0.0.2"}));
    QVERIFY((test::valueOf(hostsFromFile("gpu[01-02,07]\nlogin,head\r\n")) ==
             std::vector<std::string>{"gpu01", "gpu02", "gpu07", "login", "head"}));
    QVERIFY((test::valueOf(hostsFromList("gpu[01-02,07],x7")) ==
             std::vector<std::string>{"gpu01", "gpu02", "gpu07", "x7"}));
    QVERIFY(hostsFromFile("fe80::1\n").error().text().find("\"fe80::1\" is not the name of a host") !=
            std::string::npos);
    QVERIFY(hostsFromFile("gpu[01-\n").error().text().find("has no closing bracket") != std::string::npos);
    QVERIFY(!hostsFromFile("# nothing\n").ok());
    QCOMPARE(hostsFromFile("a\nb\na\n").error().text(),
             std::string("hosts: the host \"a\" is named twice; name every node once"));
  }

  // `scontrol show hostnames` writes the same lists.
  void namesHaveSeveralRanges() {
    const auto hosts = test::valueOf(hostsFromList("r[0-3]n[0-7]"));
    QCOMPARE(hosts.size(), std::size_t{32});
    QCOMPARE(hosts[1], std::string("r0n1"));
    QCOMPARE(hosts[8], std::string("r1n0"));
    QCOMPARE(hosts[31], std::string("r3n7"));
    QVERIFY((test::valueOf(hostsFromList("r[08,10]-n[1-2]-ib,login")) ==
             std::vector<std::string>{"r08-n1-ib", "r08-n2-ib", "r10-n1-ib", "r10-n2-ib", "login"}));
    QVERIFY((test::valueOf(hostsFromList("x[1-2][3-4]c[09-10]")).size() == 8));
    QVERIFY((test::valueOf(hostsFromFile("r[1-2]n[1] slots=8\n")) == std::vector<std::string>{"r1n1", "r2n1"}));
    QCOMPARE(hostsFromList("r[0-3]n[0-").error().text(),
             std::string("hosts: \"r[0-3]n[0-\" has no closing bracket; write node[01-16]"));
    QCOMPARE(hostsFromList("r[0-1]n[]").error().text(),
             std::string("hosts: \"r[0-1]n[]\" is not a range of hosts; write node[01-16]"));
  }

  void listsHaveNoMoreThanAHundredThousand_data() {
    QTest::addColumn<QString>("list");
    QTest::newRow("one range") << "n[0-100000]";
    QTest::newRow("two ranges") << "n[0-99999,100000]";
    QTest::newRow("two words") << "n[0-99999],m";
    QString ranges = "0-99999";
    for (int i = 0; i < 1000; ++i) ranges += ",0-99999";
    QTest::newRow("a thousand ranges") << "n[" + ranges + "]";
    QTest::newRow("a product") << "r[0-316]n[0-316]";
    QString groups;
    for (int i = 0; i < 1000; ++i) groups += "[0-99999]";
    QTest::newRow("a thousand brackets") << groups;
    QTest::newRow("all numbers") << "n[0-9223372036854775807]";
  }
  void listsHaveNoMoreThanAHundredThousand() {
    QFETCH(QString, list);
    QCOMPARE(hostsFromList(list.toStdString()).error().text(),
             std::string("hosts: more than 100000 hosts; name only the nodes of the run"));
  }

  void aHundredThousandAreRead() {
    const auto hosts = test::valueOf(hostsFromList("n[0-49999,50000-99998],m"));
    QCOMPARE(hosts.size(), std::size_t{100000});
    QCOMPARE(hosts[99998], std::string("n99998"));
    QCOMPARE(hosts[99999], std::string("m"));
  }

  void rangesHaveNumbers() {
    for (const char* list : {"gpu[]", "gpu[1,]", "gpu[,1]", "gpu[1,,2]", "gpu[3-1]", "gpu[a-b]", "gpu[-3]"}) {
      QCOMPARE(hostsFromList(list).error().text(),
               std::string("hosts: \"") + list + "\" is not a range of hosts; write node[01-16]");
    }
  }

  // Digits that would be written out for every host.
  void namesAreShort() {
    const std::string zeros(252, '0');
    QCOMPARE(test::valueOf(hostsFromList("n[" + zeros + "-1]")).size(), std::size_t{2});
    for (const std::string& list : {"n[0" + zeros + "-99999]", zeros + zeros + "[1-2]", "n[" + zeros + "-1]n[1-2]"}) {
      QCOMPARE(hostsFromList(list).error().text(),
               std::string("hosts: a name of a host has more than 253 characters; write node[01-16]"));
    }
  }

  void filesNameAHost() {
    for (const char* text : {"", "# nothing\n", "slots=8\n", "\n  slots=8 max\n"}) {
      QCOMPARE(hostsFromFile(text).error().text(), std::string("there is no host in it; write one name per line"));
    }
  }
};

QTEST_APPLESS_MAIN(TestHostList)
#include "tst_host_list.moc"
