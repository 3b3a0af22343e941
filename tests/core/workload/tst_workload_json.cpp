// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QtTest>
#include <map>

#include "support/warnings.h"
#include "text/json_document.h"
#include "text/text_file.h"
#include "workload/sources.h"
#include "workload/workload.h"

using namespace p2;

namespace {

const char* const kWorkloadFile = R"({"format": "p2-workload", "version": 1, "name": "70B", "x-top": [1],
  "axes": {"data": 32, "tensor": 8},
  "collectives": [
    {"name": "weights", "axes": ["data"], "kind": "allgather", "bytes": 213913600, "count": {"layers": 80, "passes": 2}, "overlap": "compute", "x-one": true},
    {"name": "weights", "axes": ["data", "tensor"], "kind": "Shift", "bytes": 9007199254740993, "closed": false, "overlap": 0.25, "x-two": 2},
    {"axes": ["tensor"], "kind": "Dispatch", "bytes": 8, "count": 3, "overlap": {"seconds": 0.5},
     "routing": {"experts": 8, "experts_per_token": 2}}]})";

QString changed(const char* from, const char* to) {
  const QString text = QString::fromUtf8(kWorkloadFile);
  Q_ASSERT(text.contains(QString::fromUtf8(from)));
  return QString(text).replace(QString::fromUtf8(from), QString::fromUtf8(to));
}

}  // namespace

class TestWorkloadJson : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void readsWhatIsThere() {
    const auto workload = workloadFromJson(kWorkloadFile);
    QVERIFY2(workload.ok(), workload.ok() ? "" : workload.error().text().c_str());
    QCOMPARE(workload->name, std::string("70B"));
    QCOMPARE(workload->axes, (std::vector<Axis>{{"data", 32}, {"tensor", 8}}));
    const WorkloadEntry& weights = workload->collectives.at(0);
    QCOMPARE(weights.kind, CommunicationKind::AllGather);
    QCOMPARE(weights.bytes, 213'913'600);
    QCOMPARE(weights.count, 160);
    QCOMPARE(weights.factors, (std::vector<CountFactor>{{"layers", 80}, {"passes", 2}}));
    QCOMPARE(weights.overlap.extent, CommunicationOverlap::Extent::Compute);
    QVERIFY(weights.closed);
    const WorkloadEntry& shift = workload->collectives.at(1);
    QCOMPARE(shift.axes, (std::vector<std::string>{"data", "tensor"}));
    QCOMPARE(shift.bytes, 9'007'199'254'740'993);
    QCOMPARE(shift.count, 1);
    QVERIFY(!shift.closed);
    QCOMPARE(shift.overlap, (CommunicationOverlap{CommunicationOverlap::Extent::Fraction, 0.25}));
    const WorkloadEntry& tokens = workload->collectives.at(2);
    QCOMPARE(tokens.overlap, (CommunicationOverlap{CommunicationOverlap::Extent::Window, 0.5}));
    QCOMPARE(tokens.routing, (ExpertRouting{8, 2, 0}));
    QVERIFY(tokens.name.empty());
  }

  // Unknown keys stay with their entries, though two have the same name.
  void roundTrips() {
    auto workload = workloadFromJson(kWorkloadFile);
    QVERIFY(workload.ok());
    const std::string text = workloadToJson(*workload);
    const auto again = workloadFromJson(text);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
    QCOMPARE(workloadToJson(*again), text);
    QCOMPARE(again->collectives, workload->collectives);
    const auto json = parseJson(text).value();
    QCOMPARE(json["x-top"].dump(), std::string("[1]"));
    QVERIFY(json["collectives"][0]["x-one"].get<bool>());
    QVERIFY(!json["collectives"][1].contains("x-one"));
    QCOMPARE(json["collectives"][1]["x-two"].get<int>(), 2);
    QVERIFY(!json["collectives"][0].contains("closed"));
    // What changes leaves nothing behind.
    workload.value().collectives[0].factors = {{"stages", 4}};
    workload.value().collectives[0].count = 4;
    workload.value().axes[0].size = 16;
    workload.value().collectives.erase(workload.value().collectives.begin() + 1);
    const auto edited = parseJson(workloadToJson(*workload)).value();
    QCOMPARE(edited["collectives"][0]["count"].dump(), std::string(R"({"stages":4})"));
    QCOMPARE(edited["collectives"].size(), 2U);
    QCOMPARE(edited["axes"].dump(), std::string(R"({"data":16,"tensor":8})"));
  }

  void keepsTheScatteredAxes() {
    const QString text =
        changed(R"("axes": ["tensor"], "kind": "Dispatch", "bytes": 8, "count": 3, "overlap": {"seconds": 0.5},
     "routing": {"experts": 8, "experts_per_token": 2}})",
                R"("axes": ["data", "tensor"], "kind": "ReduceScatter", "scatter": ["data"], "bytes": 8})");
    auto workload = workloadFromJson(text.toStdString());
    QVERIFY2(workload.ok(), workload.ok() ? "" : workload.error().text().c_str());
    QCOMPARE(workload->collectives[2].scatter, std::vector<std::string>{"data"});
    const auto again = workloadFromJson(workloadToJson(*workload));
    QVERIFY(again.ok());
    QCOMPARE(again->collectives, workload->collectives);
    // Others are other entries.
    workload.value().collectives.push_back(workload->collectives[2]);
    workload.value().collectives.back().scatter.clear();
    QCOMPARE(collapsed(*workload).collectives.size(), 4U);
    workload.value().collectives.back().scatter = {"data"};
    QCOMPARE(collapsed(*workload).collectives.size(), 3U);
    const QString none = QString(text).replace(R"("scatter": ["data"])", R"("scatter": [])");
    QVERIFY(workloadFromJson(none.toStdString()).error().text().find("/collectives/2/scatter: it is empty") !=
            std::string::npos);
  }

  void keepsHowAStepRuns() {
    const QString text = changed(
        "\"x-top\": [1],", R"("compute_seconds": 6.2, "slowdown": 1.3, "usable_share": 0.8, "concurrent": true,)");
    auto workload = workloadFromJson(text.toStdString());
    QVERIFY2(workload.ok(), workload.ok() ? "" : workload.error().text().c_str());
    QCOMPARE(workload->slowdown, std::optional(1.3));
    QCOMPARE(workload->usableShare, std::optional(0.8));
    QVERIFY(workload->concurrent);
    const auto again = workloadFromJson(workloadToJson(*workload));
    QVERIFY(again.ok());
    QCOMPARE(std::tie(again->slowdown, again->usableShare, again->concurrent),
             std::tie(workload->slowdown, workload->usableShare, workload->concurrent));
    // What is taken back leaves no key behind.
    workload.value().slowdown.reset();
    workload.value().usableShare.reset();
    workload.value().concurrent = false;
    const auto json = parseJson(workloadToJson(*workload)).value();
    for (const char* key : {"slowdown", "usable_share", "concurrent"}) QVERIFY2(!json.contains(key), key);
  }

  void axesAreAListToo() {
    const QString list = changed(R"({"data": 32, "tensor": 8})",
                                 R"([{"name": "data", "size": 32, "x": 1}, {"name": "tensor", "size": 8}])");
    const auto workload = workloadFromJson(list.toStdString());
    QVERIFY(workload.ok());
    QCOMPARE(workload->axes, workloadFromJson(kWorkloadFile)->axes);
    const auto json = parseJson(workloadToJson(*workload)).value();
    QCOMPARE(json["axes"].dump(), std::string(R"([{"name":"data","size":32,"x":1},{"name":"tensor","size":8}])"));
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* from, const char* to, const char* error) {
      QTest::addRow("%s", to) << changed(from, to) << QString::fromUtf8(error);
    };
    row("p2-workload", "p2-plan", "/format: \"p2-plan\" is not a format");
    row("\"version\": 1", "\"version\": 2", "/version: written by a newer version (2)");
    row("\"axes\": {\"data\": 32, \"tensor\": 8},", "", "the key \"axes\" is missing");
    row("\"data\": 32", "\"data\": 0", "/axes/data: 0 is out of range");
    row("\"data\": 32", "\"data\": 3.5", "/axes/data: 3.5 is not a whole number");
    row("{\"data\": 32, \"tensor\": 8}", "[3]", "/axes/0: 3 is not an object");
    row("{\"data\": 32, \"tensor\": 8}", "\"data\"", "/axes: \"data\" is not an object");
    row("{\"data\": 32, \"tensor\": 8}", "{\"data\": 32, \"data\": 8}", "data");
    row("\"bytes\": 213913600", "\"bytes\": 0", "/collectives/0/bytes: 0 is out of range");
    row("\"bytes\": 213913600", "\"bytes\": -1", "/collectives/0/bytes: -1 is out of range");
    row("\"bytes\": 213913600", "\"bytes\": 1.5", "/collectives/0/bytes: 1.5 is not a whole number");
    row("\"bytes\": 213913600", "\"bytes\": 1e30", "/collectives/0/bytes: 1e+30 is out of range");
    row("\"bytes\": 213913600", "\"bytes\": \"1GiB\"", "/collectives/0/bytes: \"1GiB\" is not a whole number");
    row("\"bytes\": 213913600", "\"bytes\": 4611686018427387904", "/collectives/0/count: with 160 times");
    row("\"allgather\"", "\"gossip\"",
        "/collectives/0/kind: unknown kind of communication \"gossip\"; use one of AllReduce");
    row("[\"tensor\"]", "[\"tensr\"]", "/collectives/2/axes/0: there is no axis \"tensr\"; use data, tensor");
    row("[\"tensor\"]", "[]", "/collectives/2/axes: it goes over no axis");
    row("[\"tensor\"]", "\"tensor\"", "/collectives/2/axes: \"tensor\" is not a list");
    row("\"count\": 3", "\"count\": 0", "/collectives/2/count: 0 is out of range");
    row("\"count\": 3", "\"count\": {}", "/collectives/2/count: there are no factors");
    row("\"count\": 3", "\"count\": {\"a\": 0}", "/collectives/2/count/a: 0 is out of range");
    row("\"count\": 3", "\"count\": {\"a\": 4611686018427387904, \"b\": 2}",
        "/collectives/2/count: the factors multiply to over 2^63");
    row("\"overlap\": 0.25", "\"overlap\": 1.25", "/collectives/1/overlap: 1.25 is out of range");
    row("\"overlap\": 0.25", "\"overlap\": \"all\"", "/collectives/1/overlap: \"all\" is not an overlap; use \"none\"");
    row("{\"seconds\": 0.5}", "{\"seconds\": -1}", "/collectives/2/overlap/seconds: -1 is out of range");
    row("\"experts_per_token\": 2", "\"experts_per_token\": 9", "/collectives/2/routing: a token cannot go to 9 of 8");
    row("\"tensor\": 8}", "\"tensor\": 1}", "/collectives/2/axes: every axis it goes over has size 1");
    row("\"x-top\": [1],", "\"slowdown\": 0.5,", "/slowdown: 0.5 is out of range");
    row("\"x-top\": [1],", "\"usable_share\": 2,", "/usable_share: 2 is out of range");
    row("\"x-top\": [1],", "\"concurrent\": 1,", "/concurrent: 1 is not");
    row("\"x-top\": [1],", "\"x-top\": [1,", "line 2");
  }
  void saysWhatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    const auto workload = workloadFromJson(text.toStdString());
    QVERIFY(!workload.ok());
    QVERIFY2(QString::fromStdString(workload.error().text()).contains(error), workload.error().text().c_str());
  }

  // Cut anywhere, a file is refused in one sentence.
  void refusesEveryBeginning() {
    const std::string text = kWorkloadFile;
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto workload = workloadFromJson(text.substr(0, length));
      QVERIFY(!workload.ok());
      QVERIFY(!workload.error().text().empty());
    }
  }

  void readsTenThousandEntries() {
    Workload workload{"", {{"data", 4}, {"tensor", 2}}, {}, {}, {}};
    for (int i = 0; i < 10'000; ++i) {
      workload.collectives.push_back({.name = "layer", .axes = {i % 2 == 0 ? "data" : "tensor"}, .bytes = 1 + i % 5});
    }
    auto read = workloadFromJson(workloadToJson(workload));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(workloadToJson(*read), read->source);
    read.value().source.clear();
    QVERIFY(*read == workload);
    QCOMPARE(collapsed(*read).collectives.size(), 10U);
  }

  // Of every format there is a file that its row alone recognises first.
  void everyFormatHasAFile() {
    std::map<const WorkloadFormat*, int> files;
    for (const char* folder : {P2_TEST_DATA "/workload", P2_TEST_DATA "/models", P2_RESOURCES "/workloads"}) {
      const QFileInfoList found = QDir(folder).entryInfoList(QDir::Files);
      QVERIFY(!found.isEmpty());
      for (const QFileInfo& file : found) {
        const auto format = workloadFormatOf(file.filePath().toStdString());
        if (format.ok()) ++files[*format];
      }
    }
    QCOMPARE(workloadFormats().front().recognises(kWorkloadFile), true);
    ++files[&workloadFormats().front()];
    QVERIFY(workloadFormats().size() >= 8);
    for (const WorkloadFormat& format : workloadFormats()) QVERIFY2(files[&format] > 0, format.name.data());
  }

  void filesAreToldByContent() {
    const auto source = workloadFromText(kWorkloadFile, "any.name");
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    QCOMPARE(source->workload.collectives.size(), 3U);
    QCOMPARE(source->understood.size(), 1U);
    const auto nothing = workloadFromText("hello", "any.name");
    QVERIFY(!nothing.ok());
    QVERIFY2(nothing.error().text().starts_with("any.name: unknown workload format; use"),
             nothing.error().text().c_str());
    const auto degrees = workloadFromText(kWorkloadFile, "any.name", {{{"tp", "8"}}, {}});
    QVERIFY(!degrees.ok());
    QVERIFY2(degrees.error().message.starts_with("\"tp\" changes a model"), degrees.error().text().c_str());
    QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    QVERIFY(writeTextFile("plain", kWorkloadFile).ok());
    const auto plain = workloadFromArgument("plain");
    QDir::setCurrent(before);
    QVERIFY2(plain.ok(), plain.ok() ? "" : plain.error().text().c_str());
    const auto missing = workloadFromArgument("/nowhere/at/all.json");
    QVERIFY(!missing.ok());
    QVERIFY2(missing.error().text().find("/nowhere/at/all.json") != std::string::npos, missing.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestWorkloadJson)
#include "tst_workload_json.moc"
