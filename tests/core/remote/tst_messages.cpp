// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "remote/messages.h"

using namespace p2;

namespace {

RunResult someResult() {
  return {"mpi",
          "Open MPI 4.1.4",
          "0.1.0",
          "af63dc4c8601ec8c",
          {"n0", "n1"},
          Bytes(4096),
          3,
          0,
          {0.1, 0.2, 0.35},
          {{"AllReduce", 2, Bytes(4096), {0.1, 0.2, 0.3}, 20480, 20480}},
          4};
}

Launch someLaunch() {
  return {"srun", "hosts.txt", 128, true, {{"NCCL_DEBUG", "INFO \"quoted\""}, {"A", ""}}, {"--mca", "x y"}};
}

}  // namespace

class TestMessages : public QObject {
  Q_OBJECT
 private slots:
  void everyMessageComesBack_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < samples().size(); ++i) {
      QTest::newRow(qPrintable(QString::number(samples()[i].index()))) << int(i);
    }
  }
  void everyMessageComesBack() {
    QFETCH(int, index);
    const Message message = samples()[std::size_t(index)];
    const std::string line = messageLine(message);
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), 1);
    QCOMPARE(line.back(), '\n');
    const auto back = messageFrom(line.substr(0, line.size() - 1));
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
    QVERIFY(*back == message);
  }

  void everyKindIsSampled() {
    std::set<std::size_t> kinds;
    for (const Message& message : samples()) kinds.insert(message.index());
    QCOMPARE(kinds.size(), std::variant_size_v<Message>);
  }

  void textThatIsNotUtf8IsReplaced() {
    const auto back = messageFrom(messageLine(RunLog{1, "caf\xe9"}));
    QVERIFY(back.ok());
    QCOMPARE(std::get<RunLog>(*back).text, std::string("caf\xef\xbf\xbd"));
  }

  void refuses_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nothing") << ""
                             << "not a message";
    QTest::newRow("banner") << "Welcome to node 7!"
                            << "Welcome to node 7!";
    QTest::newRow("half") << R"({"type":"hello")"
                          << "not a message";
    QTest::newRow("list") << "[1]"
                          << "not a message";
    QTest::newRow("no type") << "{}"
                             << "\"type\" is missing";
    QTest::newRow("type") << R"({"type":7})"
                          << "/type: 7 is not a string";
    QTest::newRow("kind") << R"({"type":"shutdown"})"
                          << "no message \"shutdown\"";
    QTest::newRow("missing") << R"({"type":"hello","protocol":1,"version":"1"})"
                             << "\"host\" is missing";
    QTest::newRow("fraction") << R"({"type":"cancel","id":1.5})"
                              << "whole number";
    QTest::newRow("negative") << R"({"type":"cancel","id":-1})"
                              << "whole number";
    QTest::newRow("large") << R"({"type":"cancel","id":99999999999})"
                           << "whole number";
    QTest::newRow("truth") << R"({"type":"error","id":1,"message":"x","cancelled":"no"})"
                           << "true or false";
    QTest::newRow("object") << R"({"type":"result","id":1,"result":[]})"
                            << "an object";
    QTest::newRow("text list") << R"({"type":"capabilities","backends":[],"launchers":[1],"devices":[],"cores":1})"
                               << "a list of strings";
  }
  void refuses() {
    QFETCH(QString, line);
    QFETCH(QString, sentence);
    const auto message = messageFrom(line.toStdString());
    QVERIFY(!message.ok());
    QVERIFY2(QString::fromStdString(message.error().text()).contains(sentence), message.error().text().c_str());
  }

  // Cutting a message anywhere, or changing any one byte of it, gives a message or a sentence and nothing else.
  void survivesDamage() {
    for (const Message& message : samples()) {
      const std::string line = messageLine(message);
      for (std::size_t at = 0; at < line.size(); ++at) {
        (void)messageFrom(line.substr(0, at));
        for (const char c : {'0', '"', '{', '\xff', '\0'}) {
          std::string damaged = line;
          damaged[at] = c;
          const auto read = messageFrom(damaged);
          QVERIFY(read.ok() || !read.error().message.empty());
        }
      }
    }
  }

 private:
  static std::vector<Message> samples() {
    return {Hello{1, "0.1.0", "vm"},
            Capabilities{{{"mpi", "Open MPI 4.1.4", ""}, {"nccl", "", "no GPU"}}, {"mpirun"}, {"H200"}, 16},
            RunRequest{7, "{\"format\":\"p2-plan\"}\n", "nccl", Bytes(4096), 10, 2, 60, someLaunch(), 4},
            RunProgress{7, "running", 3, 10, 2, 3},
            RunFinished{7, someResult()},
            RunFailed{7, "rank 3 was killed", false},
            RunFailed{7, "cancelled", true},
            RunLog{7, "line with \"quotes\" and \t tabs"},
            CancelRun{7},
            Alive{}};
  }
};

QTEST_APPLESS_MAIN(TestMessages)
#include "tst_messages.moc"
