// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "remote/nccl_choice_log.h"
#include "support/damages.h"
#include "support/fixtures.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

const std::string kChoiceLog =
    "gpu1:77:77 [0] NCCL INFO comm 0x55 rank 0 nRanks 8 nNodes 1 localRanks 8 localRank 0 MNNVL 0\n"
    "gpu1:77:77 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x7f count 1 datatype 7 op 0 root 0 comm 0x55\n"
    "gpu1:77:77 [0] NCCL INFO AllReduce: 4 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n"
    "gpu1:77:77 [0] NCCL INFO AllReduce: 268435456 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n"
    "gpu1:77:77 [0] NCCL INFO AllReduce: 268435456 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n"
    "gpu1:77:77 [0] NCCL INFO AllGather: 16777216 Bytes -> Algo 1 proto 2 time 1234.5\n"
    "gpu1:77:77 [0] NCCL INFO Broken: many Bytes -> Algo RING proto LL\n";

}  // namespace

/// What NCCL logs of its choices, next to the model's.
class TestNcclChoiceLog : public QObject {
  Q_OBJECT
 private slots:
  void choicesAreRead() {
    const std::vector<LoggedChoice> choices = ncclChoicesIn(kChoiceLog);
    QCOMPARE(choices.size(), std::size_t{3});
    QCOMPARE(choices[0], (LoggedChoice{"AllReduce", Bytes(4), 8, "TREE", "LL", 1, 1}));
    QCOMPARE(choices[1], (LoggedChoice{"AllReduce", Bytes(268435456), 8, "RING", "SIMPLE", 16, 2}));
    // Numbers of earlier versions; a gather's message is a rank's part.
    QCOMPARE(choices[2], (LoggedChoice{"AllGather", Bytes(16777216.0 * 8), 8, "RING", "SIMPLE", 0, 1}));
    QVERIFY(ncclChoicesIn("nothing of the kind").empty());
  }

  // Each line is looked up once, however many different ones there are.
  void manyDifferentChoicesAreCounted() {
    std::string log;
    for (int turn = 0; turn < 3; ++turn) {
      for (int i = 1; i <= 1200; ++i) {
        log += "gpu1:77:77 [0] NCCL INFO AllReduce: " + std::to_string(4 * i) + " Bytes -> Algo TREE proto LL\n";
      }
    }
    const std::vector<LoggedChoice> choices = ncclChoicesIn(log);
    QCOMPARE(choices.size(), std::size_t{1000});
    for (std::size_t i = 0; i < choices.size(); ++i) {
      QCOMPARE(choices[i].bytes, Bytes(4.0 * static_cast<double>(i + 1)));
      QCOMPARE(choices[i].times, std::int64_t{3});
    }
  }

  void theyStandNextToTheModels() {
    const System node = test::valueOf(parseSystem("dgx-a100:1"));
    const auto compared = test::valueOf(compareChoices(ncclChoicesIn(kChoiceLog), node));
    QCOMPARE(compared.size(), std::size_t{3});
    for (const ComparedChoice& row : compared) {
      QVERIFY(row.seconds > 0);
      QVERIFY(!row.algorithm.empty() && !row.protocol.empty());
    }
    // 256 MiB in a DGX A100: a ring with Simple, by all accounts.
    QVERIFY(compared[1].agrees());
    QVERIFY(compared[1].seconds > 1e-3 && compared[1].seconds < 4e-3);
    QCOMPARE(compared[1].loggedSeconds, compared[1].seconds);
    // A gather of 128 MiB moves seven eighths of what an AllReduce of 256 MiB moves, halved.
    QVERIFY(compared[2].seconds > 0.15 * compared[1].seconds && compared[2].seconds < 0.6 * compared[1].seconds);
    // More ranks than devices have no price.
    QVERIFY(test::valueOf(compareChoices({{"AllReduce", Bytes(1024), 64, "RING", "LL", 1, 1}}, node)).empty());
  }

  // Whatever happens to a log, its choices have bytes, names and a price.
  void damagedLogsAreAnswered() {
    const System node = test::valueOf(parseSystem("dgx-a100:1"));
    std::mt19937 random(7);
    std::size_t priced = 0;
    for (int i = 0; i < 200; ++i) {
      const auto choices = ncclChoicesIn(test::damaged(kChoiceLog, random, {}));
      for (const LoggedChoice& choice : choices) {
        QVERIFY(choice.bytes.value() >= 1 && choice.channels >= 0 && choice.channels <= 1024 && choice.times >= 1);
      }
      const auto compared = test::valueOf(compareChoices(choices, node));
      for (const ComparedChoice& row : compared) QVERIFY(row.seconds > 0);
      priced += compared.size();
    }
    QVERIFY2(priced > 100, qPrintable(QString::number(priced)));
  }
};

QTEST_APPLESS_MAIN(TestNcclChoiceLog)
#include "tst_nccl_choice_log.moc"
