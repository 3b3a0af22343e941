// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "tests/support/schemas.h"
#include "training_answer/training_plan_file.h"
#include "workload/generate/generator.h"
#include "workload/generate/hugging_face.h"
#include "workload/workload_json.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

TrainingPlanFile planOf(const std::string& framework, const char* model = "llama3-8b", const char* fixed = "") {
  TrainingRequest request;
  request.batch = 64;
  request.framework = framework;
  request.fixed = fixed;
  auto source = modelFromArgument(model);
  auto system = systemFromArgument(framework == "neuronx" ? "aws-trn1:2" : "dgx-h100:2");
  if (!source.ok() || !system.ok()) qFatal("model or system");
  auto input = readTrainingRequest(request, std::move(source.value()), std::move(system.value()));
  if (!input.ok()) qFatal("%s", input.error().text().c_str());
  const auto answer = answerTraining(*input);
  if (!answer.ok()) qFatal("%s", answer.error().text().c_str());
  input.value().question.reserve = answer->reserve;
  return {model, input->question, answer->configurations.front()};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) qFatal("%s is not in the text", from.c_str());
  return text.replace(at, from.size(), to);
}

}  // namespace

class TestTrainingPlanFile : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void aPlanIsReadBack_data() {
    QTest::addColumn<QString>("framework");
    for (const TrainingFramework* framework : trainingFrameworks()) {
      const QString name = QString::fromUtf8(framework->name.data(), static_cast<int>(framework->name.size()));
      QTest::newRow(qPrintable(name)) << name;
    }
  }
  void aPlanIsReadBack() {
    QFETCH(QString, framework);
    const TrainingPlanFile plan = planOf(framework.toStdString());
    const std::string text = trainingPlanToJson(plan);
    QVERIFY(isTrainingPlan(text));
    QVERIFY(test::schemaAccepts("p2-training", text));
    const auto read = trainingPlanFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QVERIFY(read->planned.configuration == plan.planned.configuration);
    QVERIFY(read->question.model == plan.question.model);
    QCOMPARE(read->planned.matrix, plan.planned.matrix);
    QCOMPARE(read->planned.estimate.seconds, plan.planned.estimate.seconds);
    QCOMPARE(trainingPlanToJson(*read), text);
    const auto launched = exportTrainingPlan(*read, framework.toStdString());
    QVERIFY(launched.ok());
    QCOMPARE(*launched, launchTextOf(plan.question.model, plan.question.system, plan.planned));
  }

  void assumptionsStayWithThePlan() {
    TrainingPlanFile plan = planOf("megatron");
    plan.assumed = {"tokens are spread evenly", kPredictingLayers};
    const std::string text = trainingPlanToJson(plan);
    QVERIFY(test::schemaAccepts("p2-training", text));
    const auto read = trainingPlanFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->assumed, plan.assumed);
    const auto report = exportTrainingPlan(*read, "report");
    QVERIFY(report.ok());
    for (const char* part : {"tokens are spread evenly", "Left out", "mtp=1"}) {
      QVERIFY2(report->find(part) != std::string::npos, report->c_str());
    }
  }

  // How experts run is two words today; earlier plans had switches.
  void plansOfMixturesKeepTheirKernels() {
    const TrainingPlanFile plan = planOf("megatron", "mixtral-8x7b", "ep=8,graphs=layers");
    const std::string text = trainingPlanToJson(plan);
    QVERIFY(test::schemaAccepts("p2-training", text));
    const auto read = trainingPlanFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->planned.configuration.dispatch, ExpertDispatch::HybridEp);
    QCOMPARE(read->planned.configuration.graphs, GraphScope::Layers);
    QCOMPARE(read->planned.estimate.seconds, plan.planned.estimate.seconds);
    std::string earlier = replaced(text, "\"dispatch\": \"hybridep\",", "");
    earlier = replaced(earlier, "\"graphs\": \"layers\",", "");
    const auto kernelsOf = [&](const char* switches) {
      const auto made =
          trainingPlanFromJson(replaced(earlier, "\"switches\": {", "\"switches\": {" + std::string(switches)));
      if (!made.ok()) qFatal("%s", made.error().text().c_str());
      const TrainingConfiguration& configuration = made->planned.configuration;
      return std::pair(configuration.dispatch, configuration.graphs);
    };
    QCOMPARE(kernelsOf("\"once_for_every_node\": true,"), std::pair(ExpertDispatch::HybridEp, GraphScope::None));
    QCOMPARE(kernelsOf("\"once_for_every_node\": false,"), std::pair(ExpertDispatch::AllToAll, GraphScope::None));
    QCOMPARE(kernelsOf("\"fused_routing\": true,"), std::pair(ExpertDispatch::HybridEp, GraphScope::All));
  }

  void theWorkloadLosesNothing() {
    const TrainingPlanFile plan = planOf("megatron", "llama3-8b", "tp=2,pp=2,cp=1");
    const auto text = exportTrainingPlan(plan, "workload");
    QVERIFY(text.ok());
    const auto read = workloadFromJson(*text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    const auto generated = generateWorkload(plan.question.model, workloadPlanOf(plan.planned.configuration));
    QVERIFY(generated.ok());
    QCOMPARE(read->collectives.size(), generated->workload.collectives.size());
    for (std::size_t i = 0; i < read->collectives.size(); ++i) {
      const WorkloadEntry& a = read->collectives[i];
      const WorkloadEntry& b = generated->workload.collectives[i];
      QVERIFY(a.axes == b.axes && a.kind == b.kind && a.bytes == b.bytes && a.count == b.count);
    }
    const StepParts& parts = plan.planned.estimate.parts;
    QVERIFY(std::abs(read->computeSeconds.value_or(0) - (parts.compute + parts.inefficiency + parts.recompute)) < 1e-9);
  }

  void hostsAreThoseThatAreNamed() {
    const TrainingPlanFile plan = planOf("fsdp");
    const auto slurm = exportTrainingPlan(plan, "slurm", {"a", "b"});
    QVERIFY(slurm.ok());
    QCOMPARE(QString::fromStdString(*slurm).count("a\n"), 8);
    const auto openmpi = exportTrainingPlan(plan, "openmpi", {"a", "b"});
    QVERIFY(openmpi.ok());
    QCOMPARE(*openmpi, std::string("a slots=8\nb slots=8\n"));
    const auto torchrun = exportTrainingPlan(plan, "torchrun", {"a", "b"});
    QVERIFY(torchrun.ok());
    QVERIFY(torchrun->find("--nnodes 2 --nproc-per-node 8") != std::string::npos);
    const auto few = exportTrainingPlan(plan, "slurm", {"a"});
    QVERIFY(!few.ok());
    QVERIFY(few.error().message.find("1 host for 2 nodes") != std::string::npos);
  }

  void everyNameOfTheListIsAFormat() {
    const TrainingPlanFile plan = planOf("megatron");
    int written = 0;
    for (const TrainingExport& each : trainingExports()) {
      const auto text = exportTrainingPlan(plan, each.name);
      // Another framework can refuse; an unknown name says so.
      if (!text.ok()) QVERIFY(text.error().message.find("is not an export format") == std::string::npos);
      written += text.ok() ? 1 : 0;
    }
    QVERIFY(written >= 6);
    const auto unknown = exportTrainingPlan(plan, "msccl-xml");
    QVERIFY(!unknown.ok());
    QVERIFY(unknown.error().message.find("use one of json, megatron") != std::string::npos);
  }

  void anotherFrameworkIsWrittenWhereItRunsTheSame() {
    const TrainingPlanFile plan = planOf("fsdp", "llama3-8b", "zero=3,recompute=full");
    const auto titan = exportTrainingPlan(plan, "torchtitan");
    QVERIFY2(titan.ok(), titan.ok() ? "" : titan.error().text().c_str());
    QVERIFY(titan->find("--parallelism.data_parallel_shard_degree 16") != std::string::npos);
    const TrainingPlanFile tensor = planOf("megatron", "llama3-8b", "tp=2,zero=1");
    const auto fsdp = exportTrainingPlan(tensor, "fsdp");
    QVERIFY(!fsdp.ok());
    QVERIFY(fsdp.error().message.find("plan again with the framework fsdp") != std::string::npos);
  }

  void brokenPlansNameTheirPlace_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("stated");
    QTest::newRow("newer") << "\"version\": 1,\n  \"model_name\""
                           << "\"version\": 7,\n  \"model_name\""
                           << "/version: version 7 is newer";
    QTest::newRow("framework") << "\"framework\": \"megatron\""
                               << "\"framework\": \"pax\""
                               << "use one of megatron";
    QTest::newRow("degree") << "\"tp\": 2"
                            << "\"tp\": 3"
                            << "tp 3 does not divide the 32 attention heads";
    QTest::newRow("word") << "\"schedule\": \"1f1b\""
                          << "\"schedule\": \"zigzag\""
                          << "/schedule";
    QTest::newRow("model") << "\"layers\": 32"
                           << "\"layers\": 0"
                           << "layers";
    QTest::newRow("no JSON") << "{"
                             << ""
                             << "JSON";
  }
  void brokenPlansNameTheirPlace() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, stated);
    const std::string text = trainingPlanToJson(planOf("megatron", "llama3-8b", "tp=2"));
    const auto read = trainingPlanFromJson(replaced(text, from.toStdString(), to.toStdString()));
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().text()).contains(stated), read.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestTrainingPlanFile)
#include "tst_training_plan_file.moc"
