// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"
#include "training_answer/training_request.h"
#include "workspace/training_fields.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::runP2;

namespace {

QString trainingFile(const char* name) { return QStringLiteral(P2_TEST_DATA "/training_files/") + name; }

}  // namespace

class TestCliTrain : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void theKeysAreThoseOfTheFormat() {
    const QJsonObject answer = jsonFrom({"train", "llama3-8b", "dgx-h100:2", "--batch", "64", "--best", "3"});
    for (const char* key : {"model", "system", "framework", "batch", "sequence", "precision", "considered", "excluded",
                            "assumed", "configurations"}) {
      QVERIFY2(answer.contains(key), key);
    }
    const QJsonArray configurations = answer["configurations"].toArray();
    QCOMPARE(configurations.size(), 3);
    for (const auto& each : configurations) {
      const QJsonObject made = each.toObject();
      for (const char* key : {"tp",
                              "sp",
                              "cp",
                              "cp_kind",
                              "pp",
                              "vpp",
                              "ep",
                              "etp",
                              "dp",
                              "replicas",
                              "zero",
                              "microbatch",
                              "microbatches",
                              "recompute",
                              "schedule",
                              "layers_per_stage",
                              "layers_per_chunk",
                              "layout",
                              "rank_file",
                              "axes",
                              "matrix",
                              "orders",
                              "seconds",
                              "seconds_low",
                              "seconds_high",
                              "tokens_per_second",
                              "mfu",
                              "memory",
                              "memory_parts",
                              "parts",
                              "ties_with"}) {
        QVERIFY2(made.contains(key), key);
      }
      QCOMPARE(made["tp"].toInt() * made["cp"].toInt() * made["pp"].toInt() * made["dp"].toInt(), 16);
      QCOMPARE(made["microbatch"].toInt() * made["microbatches"].toInt() * made["dp"].toInt(), 64);
      const QJsonObject parts = made["parts"].toObject();
      double sum = 0;
      for (const auto& part : parts) sum += part.toDouble();
      for (const auto& part : parts["exposed"].toObject()) sum += part.toDouble();
      QVERIFY(std::abs(sum / made["seconds"].toDouble() - 1) < 1e-6);
    }
  }

  void aModelThatDoesNotFitIsANo() {
    const Answer answer = runP2({"train", "llama3-405b", "dgx-h100:1", "--batch", "64", "--framework", "megatron"});
    QCOMPARE(answer.status, 1);
    QVERIFY2(answer.err.contains("no configuration fits"), qPrintable(answer.err));
  }

  void logsCalibrate() {
    QTemporaryDir folder;
    QFile log(folder.filePath("run.log"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    for (int i = 0; i < 10; ++i) log.write("iteration | elapsed time per iteration (ms): 9000.0 | lm loss: 2\n");
    log.close();
    const QStringList asked{"train", "llama3-70b", "dgx-h100:16", "--batch", "256", "--framework", "megatron"};
    const QJsonObject plain = jsonFrom(asked);
    const QJsonObject answer = jsonFrom(asked + QStringList{"--measured", log.fileName() + ":tp=8,pp=2"});
    const QJsonObject calibration = answer["calibration"].toObject();
    QVERIFY(calibration["left_out_error"].isNull());
    const QJsonObject run = calibration["measured"].toArray()[0].toObject();
    QCOMPARE(run["framework"].toString(), QStringLiteral("Megatron-LM"));
    QCOMPARE(run["steps"].toInt(), 10);
    QCOMPARE(run["measured_seconds"].toDouble(), 9.0);
    QVERIFY(run["predicted_seconds"].toDouble() < 9);
    QVERIFY(calibration["factors"].toObject()["computation"].toDouble() > 1);
    const auto best = [](const QJsonObject& each) { return each["configurations"].toArray()[0].toObject(); };
    QVERIFY(best(answer)["seconds"].toDouble() > best(plain)["seconds"].toDouble());
    QVERIFY(!plain.contains("calibration"));
    const Answer unstated = runP2(asked + QStringList{"--measured", log.fileName()});
    QCOMPARE(unstated.status, 2);
    QVERIFY2(unstated.err.contains("needs its configuration"), qPrintable(unstated.err));
  }

  // ProfilerStep marks of a trace, in microseconds: 9.5, 9, 9 and 9 seconds.
  void profilerTracesCalibrate() {
    QTemporaryDir folder;
    QFile trace(folder.filePath("rank0.json"));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write("{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": [\n");
    const int starts[] = {0, 9'500'000, 18'500'000, 27'500'000};
    for (int i = 0; i < 4; ++i) {
      trace.write(
          QStringLiteral("{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%1\", \"pid\": 1, "
                         "\"tid\": 1, \"ts\": %2, \"dur\": 9000000},\n")
              .arg(i + 3)
              .arg(starts[i])
              .toUtf8());
    }
    trace.write(
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 7, \"ts\": 5, \"dur\": 10}]}\n");
    trace.close();
    const QStringList asked{"train", "llama3-70b", "dgx-h100:16", "--batch", "256", "--framework", "megatron"};
    const QJsonObject answer = jsonFrom(asked + QStringList{"--measured", trace.fileName() + ":tp=8,pp=2"});
    const QJsonObject run = answer["calibration"].toObject()["measured"].toArray()[0].toObject();
    QCOMPARE(run["framework"].toString(), QStringLiteral("PyTorch profiler"));
    QCOMPARE(run["steps"].toInt(), 4);
    QCOMPARE(run["measured_seconds"].toDouble(), 9.0);
    // Without marks the trace says nothing about steps.
    QVERIFY(trace.open(QIODevice::ReadOnly));
    QByteArray bare = trace.readAll();
    bare.replace("ProfilerStep#", "forward_");
    QFile other(folder.filePath("bare.json"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write(bare);
    other.close();
    const Answer refused = runP2(asked + QStringList{"--measured", other.fileName() + ":tp=8,pp=2"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("call profiler.step() after every training step"), qPrintable(refused.err));
  }

  // A plan next to a recorded step of 10 s, of which kernels compute for 6 and communicate for 3.
  void aRecordedStepIsComparedWithItsPlan() {
    QTemporaryDir folder;
    const QString plan = folder.filePath("plan.json");
    const Answer made =
        runP2({"train", "llama3-8b", "dgx-h100:1", "--batch", "128", "--framework", "megatron", "-o", plan});
    QCOMPARE(made.status, 0);
    QFile trace(folder.filePath("rank0.json"));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    const auto event = [&](const char* category, const char* name, double start, double seconds) {
      return QStringLiteral(
                 "{\"ph\": \"X\", \"cat\": \"%1\", \"name\": \"%2\", \"pid\": 0, \"tid\": 7, \"ts\": %3, "
                 "\"dur\": %4}")
          .arg(category, name)
          .arg(start * 1e6, 0, 'f', 0)
          .arg(seconds * 1e6, 0, 'f', 0);
    };
    const QStringList events{event("user_annotation", "ProfilerStep#1", 0, 10), event("kernel", "sm90_gemm", 0, 6),
                             event("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 6, 3)};
    trace.write(("{\"schemaVersion\": 1, \"traceEvents\": [" + events.join(", ") + "]}").toUtf8());
    trace.close();
    const QJsonObject answer = jsonFrom({"compare-run", trace.fileName(), "--plan", plan});
    QCOMPARE(answer["steps"].toInt(), 1);
    QCOMPARE(answer["step_seconds"].toDouble(), 10.0);
    QCOMPARE(answer["computation_seconds"].toDouble(), 6.0);
    QCOMPARE(answer["exposed_seconds"].toDouble(), 3.0);
    QCOMPARE(answer["idle_seconds"].toDouble(), 1.0);
    const QJsonArray parts = answer["parts"].toArray();
    QCOMPARE(parts.size(), 4);
    double predicted = 0;
    for (qsizetype i = 1; i < parts.size(); ++i) predicted += parts[i]["predicted_seconds"].toDouble();
    QVERIFY(std::abs(predicted / parts[0]["predicted_seconds"].toDouble() - 1) < 1e-9);
    QVERIFY(predicted > 1 && predicted < 60);
  }

  void unevenExpertsTakeLonger() {
    const QStringList asked{"train", "mixtral-8x7b", "dgx-h100:8", "--batch", "256", "--framework", "megatron"};
    const auto best = [](const QJsonObject& each) { return each["configurations"].toArray()[0].toObject(); };
    const double even = best(jsonFrom(asked))["seconds"].toDouble();
    const QJsonObject uneven = jsonFrom(asked + QStringList{"--expert-load", "power:1"});
    QVERIFY(best(uneven)["seconds"].toDouble() > even);
    const Answer dropped = runP2(asked + QStringList{"--expert-load", "power:1", "--capacity", "1.2"});
    QVERIFY2(dropped.out.contains("of the copies are dropped"), qPrintable(dropped.out));
    const Answer dense = runP2({"train", "llama3-8b", "dgx-h100:1", "--batch", "64", "--expert-load", "power:1"});
    QCOMPARE(dense.status, 2);
    QVERIFY2(dense.err.contains("--expert-load: the model has no experts"), qPrintable(dense.err));
  }

  void anOwnConfigurationHasItsPlace() {
    const QJsonObject answer = jsonFrom({"train", "llama3-70b", "dgx-h100:16", "--best", "2", "--framework", "megatron",
                                         "--evaluate", trainingFile("megatron.sh")});
    QCOMPARE(answer["batch"].toInt(), 1024);
    QCOMPARE(answer["sequence"].toInt(), 8192);
    const QJsonObject evaluated = answer["evaluated"].toObject();
    QCOMPARE(evaluated["format"].toString(), QStringLiteral("Megatron-LM arguments"));
    QCOMPARE(evaluated["configuration"].toObject()["vpp"].toInt(), 5);
    QVERIFY(evaluated["excluded"].isNull());
    const QJsonObject here = evaluated["in_framework"].toObject();
    const QJsonObject all = evaluated["in_all"].toObject();
    QVERIFY(here["rank"].toInt() > 1);
    QVERIFY(here["of"].toInt() > here["rank"].toInt());
    QVERIFY(all["of"].toInt() > here["of"].toInt());
    QVERIFY(all["rank"].toInt() >= here["rank"].toInt());
    const QJsonArray changes = evaluated["changes"].toArray();
    QCOMPARE(changes.size(), 3);
    for (const auto& each : changes) {
      const double gain = each.toObject()["gain_seconds"].toDouble();
      QVERIFY(gain > 0);
      const double after = each.toObject()["configuration"].toObject()["seconds"].toDouble();
      QVERIFY(std::abs(evaluated["configuration"].toObject()["seconds"].toDouble() - gain - after) < 1e-6 * after);
    }
    QCOMPARE(evaluated["unknown"].toArray(), QJsonArray{"tp_com_overlap"});
  }

  void anOwnConfigurationIsReadAloud() {
    const Answer answer =
        runP2({"train", "llama3-70b", "dgx-h100:4", "--best", "1", "--evaluate", trainingFile("maxtext.yml")});
    QCOMPARE(answer.status, 1);
    QVERIFY2(answer.out.contains("Yours: MaxText, dp 32"), qPrintable(answer.out));
    QVERIFY2(answer.out.contains("It does not fit: the fullest device needs"), qPrintable(answer.out));
    QVERIFY2(answer.out.contains("change that makes it run"), qPrintable(answer.out));
  }

  void theFileCanDeclareTheModel() {
    const QString file = trainingFile("megatron.sh");
    const QJsonObject own = jsonFrom({"train", file, "dgx-h100:16", "--best", "1", "--evaluate", file});
    const QJsonObject bundled = jsonFrom({"train", "llama3-70b", "dgx-h100:16", "--best", "1", "--evaluate", file});
    const auto seconds = [](const QJsonObject& answer) {
      return answer["evaluated"].toObject()["configuration"].toObject()["seconds"].toDouble();
    };
    QVERIFY(seconds(own) > 0);
    QCOMPARE(seconds(own), seconds(bundled));
  }

  void twoAreComparedLineByLine() {
    const QStringList asked{"train",    "llama3-70b", "dgx-h100:16",
                            "--best",   "3",          "--framework",
                            "megatron", "--evaluate", trainingFile("megatron.sh")};
    const QJsonObject answer = jsonFrom(asked + QStringList{"--why", "mine", "1"});
    double step = 0;
    double parts = 0;
    for (const auto& each : answer["rows"].toArray()) {
      const QJsonObject row = each.toObject();
      const QString what = row["what"].toString();
      if (what == "step") step = row["difference"].toDouble();
      if (what == "memory") break;
      if (what.startsWith("  ")) parts += row["difference"].toDouble();
    }
    QVERIFY(step < 0);
    // Parts below a thousandth of the step are left out.
    QVERIFY(std::abs(parts - step) < 8e-3 * answer["a_configuration"].toObject()["seconds"].toDouble());
    const Answer text = runP2(asked + QStringList{"--why", "1", trainingFile("megatron.sh")});
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.contains("longer than 1:"), qPrintable(text.out));
    // A faster configuration that does not fit is no advice.
    QVERIFY(!text.out.contains("does not fit"));
    const Answer tight = runP2(asked + QStringList{"--reserve", "50GB", "--why", "mine", "1"});
    QVERIFY2(tight.out.contains("\nmine does not fit: it needs "), qPrintable(tight.out + tight.err));
  }

  void aPlanIsWrittenAndExported() {
    QTemporaryDir folder;
    const QString file = folder.filePath("plan.json");
    const Answer planned = runP2({"train", "llama3-8b", "dgx-h100:2", "--batch", "64", "--framework", "megatron",
                                  "--fix", "tp=2,pp=2", "--best", "1", "-o", file});
    QCOMPARE(planned.status, 0);
    const Answer flags = runP2({"export", file, "--to", "megatron"});
    QVERIFY2(flags.out.contains("--tensor-model-parallel-size 2\n"), qPrintable(flags.err));
    const Answer hosts = runP2({"export", file, "--to", "torchrun", "--hosts", "a,b"});
    QVERIFY2(hosts.out.contains("--master-addr a"), qPrintable(hosts.err));
    const QString workload = folder.filePath("workload.json");
    QCOMPARE(runP2({"export", file, "--to", "workload", "-o", workload}).status, 0);
    const QJsonObject step = jsonFrom({"step", "dgx-h100:2", "--workload", workload, "--best", "1"});
    QVERIFY(!step["placements"].toArray().isEmpty());
    const Answer other = runP2({"export", file, "--to", "fsdp"});
    QCOMPARE(other.status, 2);
    QVERIFY2(other.err.contains("plan again with --framework fsdp"), qPrintable(other.err));
    // The exported flags are a configuration of one's own again.
    const QString own = folder.filePath("flags.txt");
    QCOMPARE(runP2({"export", file, "--to", "megatron", "-o", own}).status, 0);
    const QJsonObject again = jsonFrom({"train", "llama3-8b", "dgx-h100:2", "--best", "1", "--evaluate", own});
    QCOMPARE(again["batch"].toInt(), 64);
    QCOMPARE(again["evaluated"].toObject()["configuration"].toObject()["pp"].toInt(), 2);
  }

  void optionsAreRowsOfTheirTables() {
    const QString help = QString(runP2({"train", "--help"}).out).simplified();
    QVERIFY(p2::trainingSearchFields().size() >= 5);
    for (const auto& field : p2::trainingSearchFields()) {
      const std::string option = p2::optionOf(field.info);
      QVERIFY2(help.contains(QString::fromStdString(option)), option.c_str());
      QVERIFY2(help.contains(QString::fromUtf8(field.info.tip.data(), qsizetype(field.info.tip.size()))),
               option.c_str());
    }
    int shared = 0;
    for (const auto& field : p2::trainingFields()) {
      shared += help.contains(QString::fromUtf8(field.info.tip.data(), qsizetype(field.info.tip.size())));
    }
    QCOMPARE(shared, 6);  // not the model, which is an argument, nor its text and one's own configuration
  }

  void badInputSaysWhatWouldBeRight_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("error");
    const QStringList asked{"train", "llama3-8b", "dgx-h100:2", "--batch", "64"};
    QTest::newRow("model") << QStringList{"train", "llama9", "dgx-h100:2", "--batch", "64"}
                           << "there is no model called \"llama9\"; use one of llama3-8b, ";
    QTest::newRow("model with a dot") << QStringList{"train", "qwen2.5-72b", "dgx-h100:2", "--batch", "64"}
                                      << "there is no model called \"qwen2.5-72b\"; use one of llama3-8b, ";
    QTest::newRow("model, too long for a file")
        << QStringList{"train", QString(5000, 'm'), "dgx-h100:2", "--batch", "64"} << "there is no model called \"mmm";
    QTest::newRow("model file") << QStringList{"train", "none.json", "dgx-h100:2", "--batch", "64"}
                                << "none.json: there is no such file; check the name";
    QTest::newRow("framework") << asked + QStringList{"--framework", "pax"} << "use one of megatron, torchtitan";
    QTest::newRow("fix") << asked + QStringList{"--fix", "tp"} << "is not of the form key=value";
    QTest::newRow("accelerator") << QStringList{"train", "llama3-8b", "node:2 gpu:8", "--batch", "64"}
                                 << "the system names no accelerator; give";
    QTest::newRow("batch") << QStringList{"train", "llama3-8b", "dgx-h100:2"}
                           << "--batch: a number of sequences is needed";
    QTest::newRow("batch of none") << QStringList{"train", "llama3-8b", "dgx-h100:2", "--batch", "0"}
                                   << "--batch: \"0\" is out of range; use 1 to 1073741824; see p2 train --help";
    QTest::newRow("what-if") << QStringList{"what-if", "llama3-8b", "dgx-h100:2", "--vary", "nodes=4"}
                             << "--batch: a number of sequences is needed";
    QTest::newRow("sequence") << asked + QStringList{"--sequence", "long"}
                              << "--sequence: \"long\" is not a whole number";
    QTest::newRow("bytes") << asked + QStringList{"--reserve", "lots"}
                           << "--reserve: \"lots\" is not a number of bytes";
    QTest::newRow("capacity") << asked + QStringList{"--capacity", "0.001"}
                              << "--capacity: \"0.001\" is out of range; use 0.01 to 1e6, or 0 for none";
    QTest::newRow("listed") << asked + QStringList{"--best", "20000"}
                            << "--best: \"20000\" is out of range; use 1 to 10000";
    QTest::newRow("reserve") << asked + QStringList{"--reserve", "90GB"}
                             << "a reserve of 90.0 GB leaves nothing of a device's 80.0 GB; reserve less";
    QTest::newRow("no file") << asked + QStringList{"--evaluate", "none.toml"} << "--evaluate: none.toml";
    QTest::newRow("file's batch") << asked + QStringList{"--evaluate", trainingFile("nemo.yaml"), "--sequence", "8192"}
                                  << "the file states sequences of 4096 tokens, not of 8192";
    QTest::newRow("file's degrees") << QStringList{"train", "llama3-8b", "dgx-h100:3", "--evaluate",
                                                   trainingFile("nanotron.yaml")}
                                    << "use a system of 16, or dp 6";
    QTest::newRow("open") << QStringList{"train", "llama3-8b", "dgx-h100:1", "--evaluate", trainingFile("open.sh")}
                          << "depends on TP, which the script does not set; write its value into the file";
    QTest::newRow("mine") << asked + QStringList{"--why", "mine", "1"} << "\"mine\" is the file of --evaluate; add it";
    QTest::newRow("compared") << asked + QStringList{"--best", "2", "--why", "1", "7"}
                              << "--why: 7 is not in the listing of 2 configurations; raise --best";
    QTest::newRow("place") << asked + QStringList{"--best", "2", "--flags", "3"} << "raise --best";
  }
  void badInputSaysWhatWouldBeRight() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, error);
    const Answer answer = runP2(arguments);
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.contains(error), qPrintable(answer.err));
  }
};

QTEST_APPLESS_MAIN(TestCliTrain)
#include "tst_cli_train.moc"
