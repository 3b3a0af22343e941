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

  // The interval is wider where the host starts the dispatch to experts, and a sentence says so.
  void widerIntervalsSayWhy() {
    const auto listed = [](const char* dispatch) {
      return runP2({"train", "mixtral-8x7b", "dgx-h100:8", "--batch", "256", "--framework", "megatron", "--best", "1",
                    "--fix", QString("tp=1,cp=1,pp=4,vpp=8,ep=8,ep_overlap=no,microbatch=1,dispatch=%1").arg(dispatch)})
          .out;
    };
    const char* why = "The interval is wider where the host starts the dispatch of tokens to experts";
    QVERIFY2(listed("alltoall,graphs=none").contains(why), qPrintable(listed("alltoall,graphs=none")));
    QVERIFY2(!listed("hybridep,graphs=routing").contains(why), qPrintable(listed("hybridep,graphs=routing")));
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
    QVERIFY2(answer.out.contains("change that makes it fit"), qPrintable(answer.out));
  }

  void choicesAreEvaluatedToo() {
    const QStringList asked{"train",       "llama3-70b", "dgx-h100:8", "--batch", "512",
                            "--framework", "megatron",   "--best",     "1",       "--evaluate"};
    const QJsonObject fitting = jsonFrom(asked + QStringList{"tp=8,pp=2"});
    QCOMPARE(fitting["evaluated"].toObject()["configuration"].toObject()["pp"].toInt(), 2);
    QVERIFY(fitting["evaluated"].toObject()["in_framework"].toObject()["rank"].toInt() > 1);
    const Answer large = runP2(asked + QStringList{"tp=8,pp=1,cp=1,microbatch=8,recompute=none"});
    QCOMPARE(large.status, 1);
    QVERIFY2(large.out.contains("change that makes it fit"), qPrintable(large.out + large.err));
    QVERIFY2(large.out.contains("microbatch 2 instead of 8 and pp 2 instead of 1"), qPrintable(large.out));
    const Answer wrong = runP2(asked + QStringList{"tp=eight"});
    QVERIFY2(wrong.err.contains("--evaluate: "), qPrintable(wrong.err));
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
    QVERIFY2(other.err.contains("plan again with the framework fsdp"), qPrintable(other.err));
    // The exported flags are a configuration of one's own again.
    const QString own = folder.filePath("flags.txt");
    QCOMPARE(runP2({"export", file, "--to", "megatron", "-o", own}).status, 0);
    const QJsonObject again = jsonFrom({"train", "llama3-8b", "dgx-h100:2", "--best", "1", "--evaluate", own});
    QCOMPARE(again["batch"].toInt(), 64);
    QCOMPARE(again["evaluated"].toObject()["configuration"].toObject()["pp"].toInt(), 2);
    // So is the plan itself, which gives the batch.
    const QJsonObject whole = jsonFrom({"train", "llama3-8b", "dgx-h100:2", "--best", "1", "--evaluate", file});
    QCOMPARE(whole["batch"].toInt(), 64);
    QCOMPARE(whole["evaluated"].toObject()["format"].toString(), QStringLiteral("plan of p2 train"));
    // A batch that is given as well is the plan's.
    for (const QStringList& question : {QStringList{"--evaluate", file}, QStringList{"--why", "1", file}}) {
      const Answer differs =
          runP2(QStringList{"train", "llama3-8b", "dgx-h100:2", "--batch", "32", "--best", "1"} + question);
      QCOMPARE(differs.status, 2);
      QVERIFY2(differs.err.contains("the plan has a batch of 64 sequences, and the question has 32"),
               qPrintable(differs.err));
    }
    const auto secondsOf = [](const QJsonObject& answer) {
      return answer["evaluated"].toObject()["configuration"].toObject()["seconds"].toDouble();
    };
    QCOMPARE(secondsOf(whole), secondsOf(again));
    const Answer elsewhere = runP2({"train", "llama3-8b", "dgx-h100:4", "--evaluate", file});
    QCOMPARE(elsewhere.status, 2);
    QVERIFY2(elsewhere.err.contains("the plan is for 16 devices, and the system has 32"), qPrintable(elsewhere.err));
  }

  void everyCommandTakesAModelFromAConfiguration() {
    const QString file = QStringLiteral(P2_TEST_DATA "/training_files/megatron.sh");
    const QStringList machine{"dgx-h100:16", "--batch", "128", "--fix", "tp=8,pp=4"};
    const QJsonObject train = jsonFrom(QStringList{"train", file} + machine + QStringList{"--best", "1"});
    const double seconds = train["configurations"].toArray()[0].toObject()["seconds"].toDouble();
    QVERIFY(seconds > 0);
    const QStringList kept{"--kept", "--vary", "nodes=32"};
    const QJsonObject changed = jsonFrom(QStringList{"what-if", file} + machine + kept);
    QCOMPARE(changed["before"].toObject()["seconds"].toDouble(), seconds);
    const QJsonObject compared =
        jsonFrom({"compare", "dgx-h100:16", "dgx-h200:16", "--train", file, "--batch", "128", "--fix", "tp=8,pp=4"});
    QCOMPARE(compared["step"].toObject()["a"].toObject()["seconds"].toDouble(), seconds);
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
                                  << "these settings have sequences of 4096 tokens, and the question has 8192";
    QTest::newRow("file's degrees") << QStringList{"train", "llama3-8b", "dgx-h100:3", "--evaluate",
                                                   trainingFile("nanotron.yaml")}
                                    << "use a system of 16, or dp 6";
    QTest::newRow("open") << QStringList{"train", "llama3-8b", "dgx-h100:1", "--evaluate", trainingFile("open.sh")}
                          << "depends on TP, which the script does not set; write its value into the file";
    QTest::newRow("mine") << asked + QStringList{"--why", "mine", "1"}
                          << "\"mine\" is the configuration of --evaluate; add it";
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
