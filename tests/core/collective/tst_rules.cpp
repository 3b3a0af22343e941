// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "collective/rules.h"
#include "support/fixtures.h"

using namespace p2;

class TestRules : public QObject {
  Q_OBJECT

  static std::variant<std::vector<DeviceState>, PremiseFailure> apply(Collective rule, const QString& before) {
    std::vector<DeviceState> states;
    for (const QString& text : before.split(QLatin1Char(' '))) {
      states.push_back(test::valueOf(DeviceState::fromText(text.toStdString())));
    }
    std::vector<const DeviceState*> members;
    GroupNames names;
    for (std::size_t i = 0; i < states.size(); ++i) {
      members.push_back(&states[i]);
      names.devices.emplace_back(std::int64_t(10 * i + 1));
    }
    for (int column = 0; column < states[0].size(); ++column) names.contributors.emplace_back(10 * column + 1);
    return applyRule(rule, members, names);
  }

 private slots:
  // The five rules of Fig. 8, and two more, on four devices, the first two of which form the group.
  void effects_data() {
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("AllReduce") << "AllReduce"
                               << "1.../1.../1.../1... .1../.1../.1../.1.."
                               << "11../11../11../11.. 11../11../11../11..";
    QTest::newRow("ReduceScatter") << "ReduceScatter"
                                   << "1.../1.../1.../1... .1../.1../.1../.1.."
                                   << "11../11../..../.... ..../..../11../11..";
    QTest::newRow("ReduceScatter of some rows") << "ReduceScatter"
                                                << "1.../..../1.../.... .1../..../.1../...."
                                                << "11../..../..../.... ..../..../11../....";
    QTest::newRow("AllGather") << "AllGather"
                               << "11../11../..../.... ..../..../11../11.."
                               << "11../11../11../11.. 11../11../11../11..";
    QTest::newRow("Reduce") << "Reduce"
                            << "1.../1.../1.../1... .1../.1../.1../.1.."
                            << "11../11../11../11.. ..../..../..../....";
    QTest::newRow("Broadcast to an empty one") << "Broadcast"
                                               << "11../11../11../11.. ..../..../..../...."
                                               << "11../11../11../11.. 11../11../11../11..";
    QTest::newRow("Broadcast to one that knows less") << "Broadcast"
                                                      << "11../11../..../.... 1.../..../..../...."
                                                      << "11../11../..../.... 11../11../..../....";
    QTest::newRow("AllToAll") << "AllToAll"
                              << "1.../1.../1.../1... .1../.1../.1../.1.."
                              << "11../11../..../.... ..../..../11../11..";
    QTest::newRow("AllToAll of blocks from several") << "AllToAll"
                                                     << "11../11../..../.... ..11/..11/..../...."
                                                     << "1111/..../..../.... ..../1111/..../....";
    QTest::newRow("Scatter") << "Scatter"
                             << "1111/1111/1111/1111 ..../..../..../...."
                             << "1111/1111/..../.... ..../..../1111/1111";
    QTest::newRow("Scatter of some rows") << "Scatter"
                                          << "..../1111/..../1111 ..../..../..../...."
                                          << "..../1111/..../.... ..../..../..../1111";
  }
  void effects() {
    QFETCH(QString, rule);
    QFETCH(QString, before);
    QFETCH(QString, after);
    const auto outcome = apply(test::valueOf(collectiveFrom(rule.toStdString())), before);
    QVERIFY(std::holds_alternative<std::vector<DeviceState>>(outcome));
    QStringList states;
    for (const DeviceState& state : std::get<0>(outcome)) states.append(QString::fromStdString(state.text()));
    QCOMPARE(states.join(QLatin1Char(' ')), after);
  }

  void failures_data() {
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("before");
    QTest::addColumn<int>("premise");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, const char* rule, const char* before, Premise premise, const char* sentence) {
      QTest::newRow(name) << QString::fromLatin1(rule) << QString::fromLatin1(before) << int(premise)
                          << QString::fromLatin1(sentence);
    };
    row("empty member", "AllReduce", "1./1. ../..", Premise::MembersNonEmpty, "device 11 holds nothing");
    row("other chunks", "AllReduce", "11/.. ../11", Premise::RowsEqual,
        "device 1 holds chunk 0 but device 11 does not");
    row("counted twice", "AllReduce", "1.../1.../1.../1.1. .1../.1../.1../..1.", Premise::ColumnsDisjoint,
        "chunk 3 already contains device 21's contribution on both device 1 and device 11");
    row("the first failing premise is named", "ReduceScatter", "../.. 1./1.", Premise::MembersNonEmpty,
        "device 1 holds nothing");
    row("uneven", "ReduceScatter", "1../.../... .1./.../...", Premise::SizeDividesRows,
        "1 chunk cannot be divided evenly among 2 devices");
    row("unequal counts", "AllGather", "11./11./... .../.../11.", Premise::RowCountsEqual,
        "device 1 holds 2 chunks but device 11 holds 1");
    row("held twice", "AllGather", "11/.. 11/..", Premise::RowsDisjoint,
        "device 1 and device 11 both hold chunk 0, and AllGather only copies: one overwrites the other");
    row("reducing twice", "Reduce", "1./1. 1./1.", Premise::ColumnsDisjoint,
        "chunk 0 already contains device 1's contribution on both device 1 and device 11");
    row("empty root", "Broadcast", "../.. 1./1.", Premise::RootNonEmpty, "the root, device 1, holds nothing");
    row("overwriting", "Broadcast", "1./1. .1/.1", Premise::MembersWithinRoot,
        "Broadcast would erase device 11's contribution to chunk 0 from device 11: the root, device 1, does not have "
        "it");
    row("apart, from the same device twice", "AllToAll", "1./1. 1./1.", Premise::ColumnsDisjoint,
        "chunk 0 already contains device 1's contribution on both device 1 and device 11");
    row("nothing to scatter", "Scatter", "../.. ../..", Premise::RootNonEmpty, "the root, device 1, holds nothing");
    row("scattering to one that holds something", "Scatter", "11/11 1./..", Premise::OthersEmpty,
        "device 11 holds something already; only the root, device 1, may");
    row("uneven parts", "Scatter", "111/111/111 .../.../...", Premise::SizeDividesRows,
        "3 chunks cannot be divided evenly among 2 devices");
    row("nothing new", "Broadcast", "11/11 11/11", Premise::RootTellsSomething,
        "every member already holds everything the root, device 1, would send");
  }
  void failures() {
    QFETCH(QString, rule);
    QFETCH(QString, before);
    QFETCH(int, premise);
    QFETCH(QString, sentence);
    const auto outcome = apply(test::valueOf(collectiveFrom(rule.toStdString())), before);
    QVERIFY(std::holds_alternative<PremiseFailure>(outcome));
    const auto& failure = std::get<PremiseFailure>(outcome);
    QCOMPARE(int(failure.premise), premise);
    QCOMPARE(QString::fromStdString(failure.sentence), sentence);
    QCOMPARE(failure.group, test::devices({1, 11}));
  }

  void aFailureKnowsItsRowsAndColumns() {
    const auto outcome = apply(Collective::AllReduce, QStringLiteral("1../1../1.1 .1./.1./..1"));
    const auto& failure = std::get<PremiseFailure>(outcome);
    QCOMPARE(failure.members, test::devices({1, 11}));
    QCOMPARE(failure.rows, std::vector<int>{2});
    QCOMPARE(failure.columns, std::vector<int>{2});
  }

  void everyRuleIsNamedBothWays() {
    for (const Collective collective : kCollectives) {
      QCOMPARE(test::valueOf(collectiveFrom(nameOf(collective))), collective);
      QCOMPARE(test::valueOf(collectiveFrom(shortNameOf(collective))), collective);
      QVERIFY(!traitsOf(collective).premises.empty());
      QVERIFY(!traitsOf(collective).effect.empty());
    }
    const auto unknown = collectiveFrom("Gather");
    QCOMPARE(unknown.error().text(),
             std::string("\"Gather\" is not a collective; use AllReduce, ReduceScatter, AllGather, Reduce, Broadcast, "
                         "AllToAll or Scatter"));
  }
};

QTEST_APPLESS_MAIN(TestRules)
#include "tst_rules.moc"
