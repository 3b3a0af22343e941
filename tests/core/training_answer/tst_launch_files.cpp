// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "base/units.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "tests/core/training_answer/file_called.h"
#include "training/framework_placements.h"
#include "training/model_argument.h"
#include "training_answer/launch_files.h"
#include "training_answer/training_request.h"
#include "training_files/stated_training.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

using namespace p2;
using test::fileCalled;

class TestLaunchFiles : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void aReportIsOnTheStep() {
    TrainingQuestion question;
    question.model = resolved(bundledRecipe("llama3-8b").value().model);
    question.system = systemFromArgument("dgx-h100:4").value();
    question.batch = 128;
    question.sequence = 8192;
    question.frameworks = {trainingFrameworkFrom("megatron").value()};
    question.fixed = fixedChoicesFrom("tp=2,pp=2").value();
    const TrainingPlacements placements = trainingPlacements(question.model, question.system);
    const auto answer = planTraining(question, placements.orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const PlannedConfiguration& planned = answer->configurations.front();
    // An assumption as the command line states it; its option is not for people at the window.
    const std::vector<std::string> assumed{"6.00 GB of a device kept free (--reserve)", "blocks (of two kinds)"};
    const auto files = launchFiles(question, planned, {}, assumed).value();
    const std::string& report = fileCalled(files, "report").text;
    QVERIFY2(report.ends_with("\nAssumed\n  6.00 GB of a device kept free\n  blocks (of two kinds)\n"), report.c_str());
    for (const std::string& part : {std::string("32 devices"), std::string("128 sequences of 8192 tokens"),
                                    describe(planned.configuration), formatSeconds(planned.estimate.seconds),
                                    formatPercent(planned.estimate.mfu), formatBytes(Bytes(planned.memory.total())),
                                    std::string("Where the time goes"), std::string("computation at the peak")}) {
      QVERIFY2(report.find(part) != std::string::npos, (part + "\n" + report).c_str());
    }
  }

  /// Layers of multi-token prediction that a plan leaves out are named wherever its flags are read, unless it trains
  /// them.
  void untrainedLayersAreNamed_data() {
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QString>("stated");
    const char* way = "; plan with the fixed choice mtp=1 to train one";
    QTest::newRow("left out") << "megatron"
                              << "tp=1,pp=1" << way;
    QTest::newRow("trained") << "megatron"
                             << "tp=1,pp=1,mtp=1"
                             << "";
    QTest::newRow("in a file") << "maxtext"
                               << "tp=1,pp=1" << way;
    QTest::newRow("not to be had") << "fsdp"
                                   << ""
                                   << ": PyTorch FSDP has no multi-token prediction";
  }
  void untrainedLayersAreNamed() {
    QFETCH(QString, framework);
    QFETCH(QString, fixed);
    QFETCH(QString, stated);
    const ModelSource glm = bundledModelNamed("glm-4.5-air").value();
    TrainingQuestion question;
    question.model = glm.shape;
    question.system = systemFromArgument("gcp-a3ultra:8").value();
    question.batch = 256;
    question.sequence = 4096;
    question.listsLarge = true;
    question.frameworks = {trainingFrameworkFrom(framework.toStdString()).value()};
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    const auto answer = answerTraining({question, glm.assumed});
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const auto& listed = answer->configurations.empty() ? answer->large : answer->configurations;
    const PlannedConfiguration& planned = listed.front();
    const std::string left = untrainedPart(question.model, planned, answer->assumed);
    QCOMPARE(left.empty(), stated.isEmpty());
    QVERIFY2(QString::fromStdString(left).endsWith(stated), left.c_str());
    const auto files = launchFiles(question, planned, {}, answer->assumed).value();
    const auto names = [&](const std::string& text) {
      return text.find("predicts further tokens") != std::string::npos;
    };
    QCOMPARE(names(fileCalled(files, "flags").about), !left.empty());
    QCOMPARE(names(fileCalled(files, "report").text), !left.empty());
    const bool isFile = framework == "maxtext";
    if (!isFile) QCOMPARE(names(fileCalled(files, "torchrun").text), !left.empty());
    // Arguments go to a command as they are; files may have comments, and are read back with them.
    const std::string text = commentedLaunchText(question.model, question.system, planned, answer->assumed);
    const bool hasComments = isFile || framework == "fsdp";
    QCOMPARE(text.starts_with("# The layers"), hasComments && !left.empty());
    const auto read = readTraining(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
  }

  /// Without a rank file there are still the flags, the workload and the report.
  void onlyTheRankFileMayBeMissing() {
    TrainingQuestion question;
    question.model = resolved(bundledRecipe("llama3-8b").value().model);
    question.system = systemFromArgument("dgx-h100:2").value();
    question.batch = 64;
    question.frameworks = {trainingFrameworkFrom("megatron").value()};
    question.fixed = fixedChoicesFrom("tp=2,pp=2").value();
    const TrainingPlacements placements = trainingPlacements(question.model, question.system);
    const auto answer = planTraining(question, placements.orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    PlannedConfiguration planned = answer->configurations.front();
    const auto whole = launchFiles(question, planned).value();
    planned.orders.clear();
    planned.axes.front().name = "x";
    const auto files = launchFiles(question, planned).value();
    QCOMPARE(files.size(), whole.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      const bool starts = files[i].name == "openmpi" || files[i].name == "slurm" || files[i].name == "torchrun";
      QCOMPARE(!files[i].problem.empty(), starts);
      if (files[i].name == "flags" || files[i].name == "workload") QCOMPARE(files[i].text, whole[i].text);
      if (starts) QCOMPARE(files[i].text, "# Megatron-Core has no order of ranks for the axes of the plan\n");
    }
  }

  void scriptsGiveTheArgumentsThatAShellReads_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("layers of experts") << "deepseek-v3"
                                       << "megatron"
                                       << "tp=2,pp=4,vpp=1,ep=8"
                                       << QStringList{"pretrain_gpt.py", "([0]*3+[1]*58)", "sigmoid"};
    QTest::newRow("a layout of stages") << "llama3-8b"
                                        << "megatron"
                                        << "tp=1,pp=2,vpp=1,layers=15+17" << QStringList{"Et*15|t*17L"};
    QTest::newRow("flags of TorchTitan") << "llama3-8b"
                                         << "torchtitan"
                                         << "tp=2,pp=1"
                                         << QStringList{"torchtitan.train", "activation-checkpoint:none"};
    QTest::newRow("a file of DeepSpeed") << "llama3-8b"
                                         << "deepspeed"
                                         << "tp=1,pp=1" << QStringList{"YOUR_SCRIPT", "ds_config.json"};
  }
  /// bash runs the script with a torchrun that prints its arguments.
  void scriptsGiveTheArgumentsThatAShellReads() {
    QFETCH(QString, model);
    QFETCH(QString, framework);
    QFETCH(QString, fixed);
    QFETCH(QStringList, expected);
    TrainingQuestion question;
    question.model = resolved(bundledRecipe(model.toStdString()).value().model);
    question.system = systemFromArgument("gcp-a3ultra:64").value();
    question.batch = 4096;
    question.sequence = 4096;
    question.frameworks = {trainingFrameworkFrom(framework.toStdString()).value()};
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    const auto answer = planTraining(question, trainingPlacements(question.model, question.system).orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const PlannedConfiguration& planned = answer->configurations.front();
    const auto files = launchFiles(question, planned).value();
    QTemporaryDir folder;
    QProcess bash;
    bash.setWorkingDirectory(folder.path());
    const QString script = QString::fromStdString(fileCalled(files, "torchrun").text);
    bash.start("bash", {"-euc", "NODE_RANK=3; torchrun() { printf '%s\\n' \"$@\"; }\n" + script});
    QVERIFY(bash.waitForFinished());
    QCOMPARE(bash.readAllStandardError(), QByteArray());
    const QStringList arguments = QString::fromUtf8(bash.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    for (const QString& each : test::filled(expected))
      QVERIFY2(arguments.contains(each), qPrintable(each + "\n" + script));
    if (framework == "deepspeed") {
      const QByteArray config = QString::fromStdString(fileCalled(files, "config").text).toUtf8();
      QFile written(folder.filePath("ds_config.json"));
      QVERIFY(written.open(QIODevice::ReadOnly));
      QCOMPARE(written.readAll(), config);
      QVERIFY(QJsonDocument::fromJson(config).isObject());
    }
  }

  /// Megatron does not start on Hopper with tensor parallelism and another number of queues.
  void environmentOfMegatron_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QString>("line");
    const QString one = "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
    QTest::newRow("tp on H100") << "llama3-8b"
                                << "dgx-h100:2"
                                << "megatron"
                                << "tp=2,pp=1,cp=1" << one;
    QTest::newRow("cp on A100") << "llama3-8b"
                                << "dgx-a100:2"
                                << "megatron"
                                << "tp=1,pp=2,cp=2" << one;
    QTest::newRow("tp on B200") << "llama3-8b"
                                << "dgx-b200:2"
                                << "megatron"
                                << "tp=2,pp=1,cp=1"
                                << "";
    QTest::newRow("neither") << "llama3-8b"
                             << "dgx-h100:2"
                             << "megatron"
                             << "tp=1,pp=2,cp=1"
                             << "";
    QTest::newRow("experts") << "mixtral-8x7b"
                             << "dgx-h100:8"
                             << "megatron"
                             << "tp=2,pp=1,ep=8,ep_overlap=yes"
                             << "export CUDA_DEVICE_MAX_CONNECTIONS=32\n";
    QTest::newRow("TorchTitan") << "llama3-8b"
                                << "dgx-h100:2"
                                << "torchtitan"
                                << "tp=2,pp=1,cp=1"
                                << "";
  }
  void environmentOfMegatron() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(QString, framework);
    QFETCH(QString, fixed);
    QFETCH(QString, line);
    TrainingQuestion question;
    question.model = resolved(bundledRecipe(model.toStdString()).value().model);
    question.system = systemFromArgument(system.toStdString()).value();
    question.batch = 256;
    question.sequence = 4096;
    question.listsLarge = true;
    question.frameworks = {trainingFrameworkFrom(framework.toStdString()).value()};
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    const auto answer = planTraining(question, trainingPlacements(question.model, question.system).orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const auto& listed = answer->configurations.empty() ? answer->large : answer->configurations;
    const auto files = launchFiles(question, listed.front()).value();
    const QString script = QString::fromStdString(fileCalled(files, "torchrun").text);
    QCOMPARE(script.contains("CUDA_DEVICE_MAX_CONNECTIONS"), !line.isEmpty());
    QVERIFY2(script.contains(line), qPrintable(script));
    QCOMPARE(QString::fromStdString(fileCalled(files, "flags").about).contains("CUDA_DEVICE_MAX_CONNECTIONS"),
             !line.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestLaunchFiles)
#include "tst_launch_files.moc"
