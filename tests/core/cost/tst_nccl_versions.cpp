// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "cost/nccl/detail/nccl_model.h"
#include "cost/nccl/nccl_versions.h"
#include "tests/core/cost/step_of_all.h"

using namespace p2;
using test::costOf;
using test::stepOfAll;

/// What versions of the library differ in.
class TestNcclVersions : public QObject {
  Q_OBJECT
 private slots:
  void switchesThatAddUpAreUsedSinceTheLibraryKnowsThem() {
    QCOMPARE(costOf("dgx-h100:1", 1e9).algorithm, Algorithm::Nvls);
    QVERIFY(costOf("dgx-a100:1", 1e9).algorithm != Algorithm::Nvls);
    System old = test::valueOf(parseSystem("dgx-h100:1"));
    old.library.version = "2.16";
    const Topology topology(test::valid(old));
    const CostOptions options{Algorithm::Auto, Bytes(1e9), 1, "nccl"};
    QCOMPARE(simulateStep(topology, stepOfAll(Collective::AllReduce, topology), options).algorithm, Algorithm::Ring);
  }

  void versionsAreInOrderAndNameTheTagThatHasThemFirst() {
    int before = 0;
    std::set<std::string> features;
    for (const NcclChange& change : ncclChanges()) {
      const int version = libraryVersion(change.since);
      QVERIFY2(version >= before && change.tag.starts_with("v" + change.since + "."), change.tag.c_str());
      QVERIFY2(!change.text.empty(), change.tag.c_str());
      before = version;
      if (!change.feature.empty()) features.insert(change.feature);
    }
    QCOMPARE(features.size(), kNcclFeatures);
    QVERIFY(libraryVersion(ncclChanges().front().since) <= 212 && before >= 229);
  }

  void versionsOfAnotherFileSayWhatIsWrong_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* from, const char* to, const char* says) {
      QTest::newRow(to) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(says);
    };
    row("\"LL128\"", "\"LL129\"", "/changes/0/has: \"LL129\" is not something that the model prices; use multicast");
    row("[\"volta\"]", "[\"vulcan\"]", "/changes/0/on/0: \"vulcan\" is not a generation of GPUs");
    row("\"2.7\"", "\"2\"", "/changes/1/since: \"2\" is not a version of NCCL");
    row("\"2.5\"", "\"2.9\"", "/changes/1/since: \"2.7\" comes after a newer version; sort the rows by it");
    row("39e9, 39e9", "39e9",
        "/most LL/0/one, two, more nodes: 2 numbers are not the bytes/s on one, two and more nodes");
    row("\"cdna3\"", "\"hopper\"", "no row says what LL carries on cdna3");
    row("\"starts\": [{", "\"starts\": [], \"more\": [{", "no row says what starts take");
    row("\"narrow LL\": 0.5", "\"narrow LL\": 5", "/narrow LL: 5 is out of range; a share is a number from 0 to 1");
    row("\"tag\": \"v2.7\", ", "", "/changes/1: the key \"tag\" is missing; a change needs the tag of its source");
  }
  void versionsOfAnotherFileSayWhatIsWrong() {
    const QString file = R"({"narrow LL": 0.5, "most LL": [
      {"since": "2.8", "on": ["volta", "turing"], "one, two, more nodes": [39e9, 39e9, 20e9]},
      {"since": "2.8", "on": ["unknown", "ampere", "ada", "hopper", "blackwell", "cdna2", "cdna3", "cdna4"],
       "one, two, more nodes": [88e9, 40e9, 20e9]}],
      "starts": [{"since": "2.8", "ring, LL, LL128": [3e-6, 9e-6], "tree, LL, LL128": [4e-6, 4e-6]}],
      "changes": [{"since": "2.5", "has": "LL128", "on": ["volta"], "tag": "v2.5", "text": "LL128 on Volta"},
                  {"since": "2.7", "tag": "v2.7", "text": "other figures"}]})";
    QCOMPARE(test::valueOf(ncclChangesFrom(file.toStdString())).size(), std::size_t(2));
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    QVERIFY(file.contains(from));
    const auto read = ncclChangesFrom(QString(file).replace(from, to).toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().text()).contains(says), read.error().text().c_str());
  }

  // Before the oldest that is known there is what that had, after the newest what that has.
  void unknownVersionsAreTheNearest() {
    const auto seconds = [](const char* version) {
      System system = test::valueOf(parseSystem("dgx-h100:2"));
      system.library.version = version;
      const Topology topology(test::valid(system));
      const CostOptions options{Algorithm::Auto, Bytes(1e5), 1, "nccl"};
      return simulateStep(topology, stepOfAll(Collective::AllReduce, topology), options).seconds;
    };
    QCOMPARE(seconds("3.4.1"), seconds(""));
    QCOMPARE(seconds("2.99"), seconds("2.30.7"));
    QCOMPARE(seconds("1.3"), seconds("2.4.8"));
    QVERIFY(seconds("1.3") != seconds(""));
  }

  // A system's version, not the newest, decides what there is; that of a generation only on that generation.
  void versionsHaveWhatTheirSourceHas_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<Protocol>("protocol");
    QTest::addColumn<Collective>("collective");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("since");
    const auto row = [](const char* name, const char* system, Algorithm algorithm, Protocol protocol,
                        const char* before, const char* since, Collective collective = Collective::AllReduce) {
      QTest::newRow(name) << system << algorithm << protocol << collective << before << since;
    };
    row("LL128 on Volta", "dgx2:2", Algorithm::Ring, Protocol::LL128, "2.4.8", "2.5.6");
    row("LL128 on Ampere", "dgx-a100:2", Algorithm::Ring, Protocol::LL128, "2.6.4", "2.7.3");
    row("LL128 on Hopper", "dgx-h100:2", Algorithm::Tree, Protocol::LL128, "2.14.3", "2.15.5");
    row("LL128 on Blackwell", "dgx-b200:1", Algorithm::Ring, Protocol::LL128, "2.24.3", "2.25.1");
    row("NVLS", "dgx-h100:1", Algorithm::Nvls, Protocol::None, "2.16.5", "2.17.1");
    row("NVLSTree", "dgx-h100:2", Algorithm::NvlsTree, Protocol::None, "2.17.1", "2.18.1");
    row("PAT", "node:4@50GB/s,3us gpu:1@400GB/s,1us", Algorithm::Pat, Protocol::None, "2.22.3", "2.23.4",
        Collective::AllGather);
    row("NVLS one way", "dgx-h100:1", Algorithm::Nvls, Protocol::None, "2.18.5", "2.19.1", Collective::AllGather);
    row("registered buffers", "dgx-h100:1", Algorithm::Direct, Protocol::None, "2.26.6", "2.27.3");
  }
  void versionsHaveWhatTheirSourceHas() {
    QFETCH(QString, system);
    QFETCH(Algorithm, algorithm);
    QFETCH(Protocol, protocol);
    QFETCH(Collective, collective);
    QFETCH(QString, before);
    QFETCH(QString, since);
    const auto runs = [&](const QString& version) {
      System described = test::valueOf(parseSystem(system.toStdString()));
      described.library.version = version.toStdString();
      const Topology topology(test::valid(described));
      const NcclModel model;
      const Traffic traffic = trafficOf(topology, stepOfAll(collective, topology), model, algorithm);
      return std::isfinite(model.price(traffic, Bytes(1e6), protocol).seconds);
    };
    QVERIFY(!runs(before) && runs(since) && runs(""));
  }

  void llIsNarrowBeforeItsVersion() {
    const auto seconds = [&](const char* version) {
      System described = test::valueOf(parseSystem("node:2@12.5GB/s,3us gpu:1@300GB/s,1us"));
      described.library.version = version;
      const Topology topology(test::valid(described));
      const NcclModel model;
      const Traffic traffic = trafficOf(topology, stepOfAll(Collective::AllReduce, topology), model, Algorithm::Ring);
      return model.price(traffic, Bytes(4e6), Protocol::LL).seconds;
    };
    QVERIFY(seconds("2.20.5") > 1.1 * seconds("2.21.5"));
    QCOMPARE(seconds("2.18.1"), seconds("2.20.5"));
    QCOMPARE(seconds("2.29.2"), seconds(""));
  }

  // NCCL's own figures: Hopper carries more LL than Ampere since 2.21, and each network limits it.
  void llCarriesWhatItsVersionSays() {
    const auto most = [](Generation generation, int version, std::int64_t nodes) {
      LibraryView machine;
      machine.generation = generation;
      machine.version = version;
      return mostLL(machine, nodes);
    };
    QCOMPARE(most(Generation::Volta, 0, 1), 39e9);
    QCOMPARE(most(Generation::Ampere, 212, 1), 87.7e9);
    QCOMPARE(most(Generation::Hopper, 220, 1), 87.7e9);
    QCOMPARE(most(Generation::Hopper, 221, 1), 141e9);
    QCOMPARE(most(Generation::Blackwell, 229, 1), 282e9);
    QCOMPARE(most(Generation::Unknown, 0, 1), 87.7e9);
    QCOMPARE(most(Generation::Hopper, 0, 2), 39e9);
    QCOMPARE(most(Generation::Blackwell, 0, 16), 20.4e9);
    QVERIFY(paceOf(Generation::Volta) < 0.5 && paceOf(Generation::Hopper) > 1.5);
  }

  void startsAreThoseOfTheVersion() {
    LibraryView machine;
    machine.version = 217;
    QCOMPARE(startShare(machine, Algorithm::Ring, Protocol::LL), 3.6 / 6.6);
    QCOMPARE(startShare(machine, Algorithm::Tree, Protocol::LL128), 4.4 / 14);
    QCOMPARE(startShare(machine, Algorithm::Ring, Protocol::Simple), 1.0);
    machine.version = 218;
    QCOMPARE(startShare(machine, Algorithm::Tree, Protocol::LL), 1.0);
    machine.version = 0;
    QCOMPARE(startShare(machine, Algorithm::Ring, Protocol::LL128), 1.0);
  }
};

QTEST_APPLESS_MAIN(TestNcclVersions)
#include "tst_nccl_versions.moc"
