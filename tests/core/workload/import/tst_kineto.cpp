// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>

#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <stop_token>

#include "import_fixtures.h"
#include "workload/import/kineto_import.h"
#include "workload/import/torch_names.h"

using namespace p2;
using namespace p2::test;

namespace {

std::string replacedAll(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

void writePacked(const QString& path, const std::string& text) {
  const gzFile file = gzopen(path.toLocal8Bit().constData(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

const char* const kResNet =
    "1 AllReduce 31502336 world\n1 AllReduce 26550272 world\n1 AllReduce 26255360 world\n"
    "1 AllReduce 9724160 world 0.5\n1 AllReduce 8196000 world\n1 Broadcast 212480 world\n1 Broadcast 424 world";

}  // namespace

/// Traces of the PyTorch profiler.
class TestKineto : public QObject {
  Q_OBJECT
 private slots:
  void resNetHasItsParameters() {
    const auto source = sourceOf(importOf(fixtureText("kineto_resnet50.json")));
    QCOMPARE(listed(source.workload), QString(kResNet));
    QCOMPARE(axesText(source.workload), QString("world=2"));
    std::int64_t sum = 0;
    for (const WorkloadEntry& entry : source.workload.collectives) {
      if (entry.kind == CommunicationKind::AllReduce) sum += entry.bytes * entry.count;
    }
    QCOMPARE(sum, std::int64_t(102'228'128));
    QCOMPARE(sum, std::int64_t(4) * 25'557'032);
    QVERIFY(mentions(source.understood, "2 steps"));
    QVERIFY(mentions(source.ignored, "1 collective outside the steps"));
    QVERIFY(mentions(source.ignored, "2 times wait"));
  }

  void overlapIsMeasured() {
    // Kernels of 9 ms, and two that together run 2 ms, of which 1 ms beside the last bucket's 2 ms.
    const auto source = sourceOf(importOf(fixtureText("kineto_resnet50.json")));
    QVERIFY(source.workload.computeSeconds.has_value());
    QVERIFY(qAbs(*source.workload.computeSeconds - 0.011) < 1e-9);
    QCOMPARE(source.workload.collectives[3].overlap.extent, CommunicationOverlap::Extent::Fraction);
    QCOMPARE(source.workload.collectives[3].overlap.value, 0.5);
  }

  void ranksMakeAxesAndBytesAreOfTheFullTensor() {
    const auto source = sourceOf(importOf(fixtureText("kineto_mesh.json")));
    QCOMPARE(axesText(source.workload), QString("pipeline=2 data=4 tensor=8"));
    QCOMPARE(listed(source.workload),
             QString("4 AllGather 16777216 tensor\n4 ReduceScatter 16777216 tensor\n1 ReduceScatter 16777216 data\n"
                     "1 Shift 262144 pipeline\n1 AllToAll 131072 data tensor\n1 AllReduce 4 pipeline data tensor"));
    QVERIFY(!source.workload.collectives[3].closed);
    QVERIFY(mentions(source.assumed, "the whole trace is one step"));
    for (const char* part :
         {"one rank", "Quaternion", "barrier", "the other ends of sends", "do not form a block of a mesh"}) {
      QVERIFY2(mentions(source.ignored, part), part);
    }
  }

  // A trace that ends with a step, or one that was cut, gives it no duration.
  void stepsMayTakeNoTime() {
    const auto source = sourceOf(importOf(
        R"({"traceEvents": [{"ph": "X", "name": "ProfilerStep#3", "pid": 1, "ts": 1000},)"
        R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 1, "ts": 1000, "dur": 5, "args": {)"
        R"("Collective name": "allreduce", "In msg nelems": 1024, "Out msg nelems": 1024, "Group size": 2,)"
        R"("dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}}]})"));
    QVERIFY(mentions(source.understood, "1 step"));
    QCOMPARE(source.workload.collectives.size(), std::size_t(1));
    QCOMPARE(source.workload.collectives[0].bytes, std::int64_t(4096));
  }

  // Kernels on multicast memory and of other libraries move data outside NCCL.
  void kernelsOutsideNcclAreNoComputation() {
    const std::vector<std::string> paths{std::string(P2_TEST_DATA) + "/pasted/trace01_multimem_allreduce.json"};
    const auto source = importWorkload(paths);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    QVERIFY(!source->workload.computeSeconds);
    const bool reported = std::any_of(source->ignored.begin(), source->ignored.end(), [](const std::string& sentence) {
      return sentence.starts_with("73 kernels that communicate outside NCCL, for 2.12 ms: ") &&
             sentence.find("multimem_all_reduce_kernel") != std::string::npos;
    });
    QVERIFY(reported);
  }

  void kernelsAloneSuffice() {
    const std::string text = replacedAll(fixtureText("kineto_resnet50.json"), "record_param_comms", "something else");
    const auto source = sourceOf(importOf(text));
    QCOMPARE(listed(source.workload), QString(kResNet));
    QVERIFY(mentions(source.assumed, "every kernel is one collective"));
  }

  void headIsNotNeeded() {
    const std::string text = replacedAll(fixtureText("kineto_resnet50.json"), "\"distributedInfo\"", "\"other\"");
    const auto source = sourceOf(importOf(text));
    QCOMPARE(listed(source.workload), QString(kResNet));
    QVERIFY(mentions(source.assumed, "2 ranks in all"));
  }

  void packedTracesAreRead() {
    const QTemporaryDir folder;
    const std::string text = fixtureText("kineto_resnet50.json");
    writePacked(folder.filePath("trace.json.gz"), text);
    const std::vector<std::string> paths{folder.filePath("trace.json.gz").toStdString()};
    QCOMPARE(listed(sourceOf(importWorkload(paths)).workload), QString(kResNet));
    QCOMPARE(listed(sourceOf(workloadFromArgument(paths[0])).workload), QString(kResNet));

    QFile packed(folder.filePath("trace.json.gz"));
    QVERIFY(packed.open(QIODevice::ReadWrite));
    QVERIFY(packed.resize(packed.size() / 2));
    packed.close();
    const auto broken = importWorkload(paths);
    QVERIFY(!broken.ok());
    QVERIFY2(mentions(broken.error(), "the packed file ends too early"), broken.error().text().c_str());
  }

  // What unpacks to a multiple of itself that no trace has is given up before all of it is read.
  void whatUnpacksToFarTooMuchIsRefused() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("trace.json.gz");
    const std::string head = R"({"distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [)";
    writePacked(path, head + std::string(std::size_t{80} << 20, ' '));
    QVERIFY(QFileInfo(path).size() < 200'000);
    const auto bomb = workloadFromArgument(path.toStdString());
    QVERIFY(!bomb.ok());
    QCOMPARE(bomb.error().kind, ErrorKind::TooLarge);
    QVERIFY2(mentions(bomb.error(), "it unpacks to over 100 times its size"), bomb.error().text().c_str());
  }

  void damagedPackedFilesAreAnswered() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("trace.json.gz");
    writePacked(path, fixtureText("kineto_resnet50.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    file.close();
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 100; ++i) {
      QByteArray damaged = whole;
      damaged[qsizetype(10 + random() % (damaged.size() - 10))] = static_cast<char>(random());
      if (i % 4 == 0) damaged.truncate(qsizetype(random() % damaged.size()));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(damaged);
      file.close();
      const auto result = workloadFromArgument(path.toStdString());
      QVERIFY(result.ok() || !result.error().message.empty());
      refused += result.ok() ? 0 : 1;
    }
    QVERIFY(refused > 80);
  }

  void everyCutIsOneSentence() {
    const std::string text = fixtureText("kineto_resnet50.json");
    for (std::size_t size = 200; size + 4 < text.size(); size += 997) {
      const auto result = importOf(text.substr(0, size));
      QVERIFY(!result.ok());
      QVERIFY2(mentions(result.error(), "breaks off"), result.error().text().c_str());
    }
    QVERIFY(mentions(importOf(text.substr(0, 3000)).error(), "item "));
  }

  void wrongTracesAreRefused_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char* name, const char* from, const char* to, const char* sentence) {
      QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(sentence);
    };
    row("no metadata", "\"Collective name\"", "\"Name\"", "PyTorch 2.3");
    row("only oddities", "\"Float\"", "\"Odd\"", "");
    row("no events", "\"traceEvents\"", "\"events\"", "no \"traceEvents\"");
    row("a comma", "\"cat\": \"kernel\",", "\"cat\": \"kernel\"", "");
    row("huge world", "\"world_size\": 2,", "\"world_size\": 2147483648,", "at most 2^31");
  }
  void wrongTracesAreRefused() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, sentence);
    const std::string text = fixtureText("kineto_resnet50.json");
    QVERIFY(text.find(from.toStdString()) != std::string::npos);
    const auto result = importOf(replacedAll(text, from.toStdString(), to.toStdString()));
    if (sentence.isEmpty()) {
      // Kernels that cannot be read leave the calls.
      QVERIFY(result.ok());
      QVERIFY(!result->ignored.empty());
      return;
    }
    QVERIFY(!result.ok());
    QVERIFY2(mentions(result.error(), sentence.toStdString()), result.error().text().c_str());
  }

  // As PyTorch 2.6 writes of a job on CPUs.
  void tracesOfGlooSayWhy() {
    const auto result = importOf(R"({"schemaVersion": 1, "distributedInfo": {"backend": "gloo", "rank": 0,
      "world_size": 4, "pg_count": 1, "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "backend_config":
      "cpu:gloo,cuda:gloo", "pg_size": 4, "ranks": [0, 1, 2, 3]}]}, "traceEvents": [{"ph": "X", "cat":
      "user_annotation", "name": "gloo:all_reduce", "pid": 13, "tid": 30, "ts": 4635476240107.28, "dur": 2690.217,
      "args": {"Input type": ["float"], "Input Dims": [[262656]]}}]})");
    QVERIFY(!result.ok());
    QVERIFY2(mentions(result.error(), "recorded with gloo, whose events have no bytes"), result.error().text().c_str());
  }

  void severalRanksAreRefused() {
    std::string text = fixtureText("kineto_resnet50.json");
    const std::size_t last = text.rfind("\"pid\": 100");
    text.replace(last, 10, "\"pid\": 101");
    const auto result = importOf(text);
    QVERIFY(!result.ok());
    QVERIFY2(mentions(result.error(), "2 processes; import the trace of one rank"), result.error().text().c_str());
    QVERIFY(!importOf(fixtureText("kineto_resnet50.json"), fixtureText("kineto_mesh.json")).ok());
  }

  void readingIsCancelled() {
    std::stop_source stop;
    stop.request_stop();
    const std::vector<std::string> paths{workloadFixture("kineto_resnet50.json")};
    const auto result = importWorkload(paths, stop.get_token());
    QVERIFY(!result.ok());
    QCOMPARE(result.error().kind, ErrorKind::Cancelled);
  }

  void namesOfTorchAreKnown() {
    QCOMPARE(torchKind("_allgather_base"), std::optional(CommunicationKind::AllGather));
    QCOMPARE(torchKind("reduce_scatter_tensor_coalesced"), std::optional(CommunicationKind::ReduceScatter));
    QCOMPARE(torchKind("all_to_allv"), std::optional(CommunicationKind::AllToAll));
    QCOMPARE(torchKind("reduce"), std::optional(CommunicationKind::Reduce));
    QVERIFY(!torchKind("barrier"));
    QCOMPARE(torchTypeBytes("c10::BFloat16"), std::optional<std::int64_t>(2));
    QCOMPARE(torchTypeBytes("Float8_e4m3fn"), std::optional<std::int64_t>(1));
    QCOMPARE(axisNameFrom("TENSOR_MODEL_PARALLEL_GROUP"), std::string("tensor"));
    QCOMPARE(axisNameFrom("mesh_dp_shard"), std::string("data"));
    QVERIFY(axisNameFrom("default_pg").empty());
    QVERIFY(!fullElements(CommunicationKind::AllGather, INT64_MAX / 2, 0, 8));
  }
};

QTEST_APPLESS_MAIN(TestKineto)
#include "tst_kineto.moc"
