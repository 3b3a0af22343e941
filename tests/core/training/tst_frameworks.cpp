// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QtTest>
#include <set>

#include "support/warnings.h"
#include "training/frameworks.h"
#include "training/planner.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

namespace {

ModelShape modelOf(const char* name) { return resolved(bundledRecipe(name).value().model); }

TrainingConfiguration megatronOf(std::int64_t tensor, std::int64_t pipeline, std::int64_t data) {
  TrainingConfiguration made;
  made.plan.tensor = tensor;
  made.plan.pipeline = pipeline;
  made.plan.data = data;
  made.plan.sequence = 8192;
  made.plan.microbatches = 8 * pipeline;
  made.plan = resolved(made.plan);
  return made;
}

QString ruleOf(const TrainingFramework& framework, const ModelShape& model, const TrainingConfiguration& made) {
  const FrameworkRule* rule = brokenRule(framework, model, made);
  return rule == nullptr ? QString() : QString::fromUtf8(rule->name.data(), static_cast<int>(rule->name.size()));
}

}  // namespace

class TestFrameworks : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  void everyFrameworkIsComplete() {
    std::set<std::string_view> names;
    for (const TrainingFramework* framework : trainingFrameworks()) {
      QVERIFY(names.insert(framework->name).second);
      QVERIFY(!framework->label.empty() && !framework->release.empty() && !framework->rules.empty());
      QVERIFY(!framework->zeroStages.empty() && !framework->recomputations.empty() && !framework->orders.empty());
      QVERIFY(framework->pipelines == !framework->schedules.empty());
      QVERIFY(!framework->platforms.empty());
      for (const FrameworkRule& rule : framework->rules) {
        QVERIFY(!rule.name.empty() && !rule.source.empty() && rule.broken != nullptr);
      }
      QCOMPARE(trainingFrameworkFrom(framework->name).value(), framework);
    }
    QVERIFY(QString::fromStdString(trainingFrameworkFrom("pax").error().message).contains("megatron, torchtitan"));
  }

  // Nemotron-H has Mamba-2 blocks, Jamba those of the first version, Qwen3-Next gated delta blocks.
  void frameworksHaveSomeBlocks() {
    const auto with = [](const char* blocks) {
      ModelShape model = modelOf("llama3-8b");
      model.otherBlocks = blocks;
      TrainingConfiguration alone;
      alone.plan.data = 8;
      alone.plan.sequence = 4096;
      alone.plan = resolved(alone.plan);
      QStringList names;
      for (const TrainingFramework* each : trainingFrameworks()) {
        if (ruleOf(*each, model, alone) != "blocks of the model") {
          names << QString::fromUtf8(each->name.data(), static_cast<int>(each->name.size()));
        }
      }
      return names.join(' ');
    };
    QCOMPARE(with(""), "megatron torchtitan deepspeed fsdp maxtext neuronx");
    QCOMPARE(with("Mamba-2 blocks"), "megatron deepspeed fsdp");
    QCOMPARE(with("gated delta blocks"), "megatron torchtitan deepspeed fsdp maxtext");
    QCOMPARE(with("Mamba-2 blocks, Mamba blocks"), "deepspeed fsdp");
    ModelShape jamba = modelOf("llama3-8b");
    jamba.otherBlocks = "Mamba blocks";
    const auto refused = checkFramework(*trainingFrameworkFrom("megatron").value(), jamba, megatronOf(1, 1, 8));
    QVERIFY(QString::fromStdString(refused.error().message).contains("it has no Mamba blocks"));
    // ZeRO takes any model; Megatron-DeepSpeed's degrees do not.
    const TrainingFramework& deepSpeed = *trainingFrameworkFrom("deepspeed").value();
    QCOMPARE(ruleOf(deepSpeed, jamba, megatronOf(1, 1, 8)), QString());
    QCOMPARE(ruleOf(deepSpeed, jamba, megatronOf(2, 1, 8)), "blocks of the model");
    jamba.name = "jamba";
    QVERIFY(launchGap(jamba, deepSpeed).find("some layers of jamba have Mamba blocks") != std::string::npos);
    QCOMPARE(launchGap(jamba, *trainingFrameworkFrom("fsdp").value()), std::string());
    QCOMPARE(launchGap(modelOf("llama3-8b"), deepSpeed), std::string());
  }

  void frameworksRunOnSomePlatforms() {
    const auto on = [](AcceleratorPlatform platform) {
      QStringList names;
      for (const TrainingFramework* each : frameworksOn(platform, trainingFrameworks())) {
        names << QString::fromUtf8(each->name.data(), static_cast<int>(each->name.size()));
      }
      return names.join(' ');
    };
    QCOMPARE(on(AcceleratorPlatform::Cuda), "megatron torchtitan deepspeed fsdp maxtext");
    QCOMPARE(on(AcceleratorPlatform::Tpu), "maxtext");
    QCOMPARE(on(AcceleratorPlatform::OneApi), "torchtitan deepspeed fsdp");
    QCOMPARE(on(AcceleratorPlatform::Neuron), "neuronx");
    const TrainingFramework& megatron = *trainingFrameworkFrom("megatron").value();
    QCOMPARE(checkPlatform(megatron, AcceleratorPlatform::Tpu).error().message,
             "Megatron-Core does not run on TPUs; use maxtext");
    QCOMPARE(checkPlatform(megatron, AcceleratorPlatform::Neuron).error().message,
             "Megatron-Core does not run on AWS Trainium; use neuronx");
  }

  // Each row breaks one rule of a framework that runs its neighbour.
  void rulesRefuseWhatTheFrameworkRefuses_data() {
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("rule");
    QTest::newRow("Megatron, fits") << "megatron"
                                    << "llama3-70b"
                                    << "";
    QTest::newRow("heads") << "megatron"
                           << "llama3-70b"
                           << "query groups divide by tp";
    QTest::newRow("microbatches") << "megatron"
                                  << "llama3-70b"
                                  << "microbatches of an interleaved schedule divide by pp";
    QTest::newRow("layers") << "megatron"
                            << "llama3-70b"
                            << "layers divide by stages";
    QTest::newRow("experts") << "megatron"
                             << "mixtral-8x7b"
                             << "experts divide by ep";
    QTest::newRow("sp") << "megatron"
                        << "mixtral-8x7b"
                        << "experts with tp need sp";
    QTest::newRow("cp") << "megatron"
                        << "llama3-70b"
                        << "sequence divides by 2·cp";
    QTest::newRow("cp of a window") << "megatron"
                                    << "llama3-70b"
                                    << "cp with a window needs a2a or allgather";
    QTest::newRow("gathered cp of a window") << "megatron"
                                             << "llama3-70b"
                                             << "";
    QTest::newRow("chunks of attention") << "megatron"
                                         << "llama3-70b"
                                         << "attention within chunks";
    QTest::newRow("graphs") << "megatron"
                            << "mixtral-8x7b"
                            << "CUDA graphs of layers exclude full recomputation";
    QTest::newRow("graphs elsewhere") << "torchtitan"
                                      << "mixtral-8x7b"
                                      << "CUDA graphs hold the whole step";
    QTest::newRow("compiled zbv") << "torchtitan"
                                  << "llama3-70b"
                                  << "zbv is not compiled";
    QTest::newRow("graphs of FSDP") << "deepspeed"
                                    << "mixtral-8x7b"
                                    << "no CUDA graphs";
    QTest::newRow("dispatch") << "deepspeed"
                              << "mixtral-8x7b"
                              << "experts by AllToAll";
    QTest::newRow("ZeRO") << "deepspeed"
                          << "llama3-70b"
                          << "no ZeRO 2 or 3 with pp";
    QTest::newRow("copied heads") << "neuronx"
                                  << "llama3-70b"
                                  << "";
    QTest::newRow("uncopied heads") << "neuronx"
                                    << "llama3-70b"
                                    << "heads of keys divide by tp, or tp by them";
    QTest::newRow("latent attention") << "neuronx"
                                      << "deepseek-v3"
                                      << "no latent attention";
    QTest::newRow("whole experts") << "neuronx"
                                   << "mixtral-8x7b"
                                   << "etp is tp";
    QTest::newRow("FSDP") << "fsdp"
                          << "llama3-70b"
                          << "data parallelism alone";
    QTest::newRow("stages") << "torchtitan"
                            << "llama3-70b"
                            << "as many microbatches as stages";
    QTest::newRow("rounds") << "torchtitan"
                            << "llama3-70b"
                            << "microbatches of an interleaved schedule divide by rounds";
    QTest::newRow("GPipe") << "torchtitan"
                           << "llama3-70b"
                           << "GPipe has one chunk";
    QTest::newRow("larger rounds") << "torchtitan"
                                   << "llama3-70b"
                                   << "";
    QTest::newRow("resharding") << "torchtitan"
                                << "llama3-70b"
                                << "no resharding under a pipeline";
  }
  void rulesRefuseWhatTheFrameworkRefuses() {
    QFETCH(QString, framework);
    QFETCH(QString, model);
    QFETCH(QString, rule);
    ModelShape shape = modelOf(qPrintable(model));
    TrainingConfiguration made = megatronOf(8, 4, 4);
    const QString row = QTest::currentDataTag();
    if (row.endsWith("cp of a window")) made.plan.context = 2, shape.window = 1024;
    if (row == "gathered cp of a window") made.plan.contextCollective = ContextCollective::AllGather;
    if (row == "chunks of attention") shape.window = 1024, shape.windowChunks = true;
    if (row == "heads") made.plan.tensor = 16;
    if (row == "copied heads") made.plan.tensor = 32;
    if (row == "uncopied heads") shape.kvHeads = 5;
    if (row == "microbatches") made.plan.chunks = 2, made.plan.microbatches = 6;
    if (row == "layers") made.plan.pipeline = 7;
    if (row == "experts") made.plan.expert = 3;
    if (row == "sp") made.plan.sequenceParallel = SequenceParallelism::None;
    if (row == "cp") made.plan.context = 3;
    if (row.startsWith("graphs")) made.graphs = GraphScope::Layers, made.recomputation = RecomputeKind::Full;
    if (row == "compiled zbv") {
      made.schedule = ScheduleKind::ZeroBubbleV;
      made.compiled = true;
      made.plan.chunks = 2;
      made.plan.zero = 3;
      made.plan.reshard = false;
    }
    if (row == "graphs elsewhere") made.plan.pipeline = 1, made.plan.data = 16, made.plan.zero = 3;
    if (row == "dispatch") made.dispatch = ExpertDispatch::HybridEp;
    if (row == "ZeRO") made.plan.zero = 3;
    if (row == "stages") made.plan.microbatches = 3, made.plan.zero = 3, made.plan.reshard = false;
    // 17 in 4 rounds leave one over, 18 are 2 rounds of 9 with 8 stages.
    if (row == "rounds") made.plan.chunks = 4, made.plan.microbatches = 17;
    if (row == "larger rounds") made.plan.pipeline = 8, made.plan.chunks = 2, made.plan.microbatches = 18;
    if (row == "GPipe") made.schedule = ScheduleKind::GPipe, made.plan.chunks = 2;
    if (row.endsWith("rounds") || row == "GPipe") made.plan.zero = 3, made.plan.reshard = false;
    if (row == "resharding") made.plan.zero = 3;
    const TrainingFramework& asked = *trainingFrameworkFrom(framework.toStdString()).value();
    QCOMPARE(ruleOf(asked, shape, made), rule);
    if (rule.isEmpty()) return;
    const auto checked = checkFramework(asked, shape, made);
    QVERIFY(!checked.ok());
    QVERIFY(QString::fromStdString(checked.error().message).contains("refuses this"));
  }

  // An independent reader: the product of the degrees that the flags name is the number of devices, and micro-batch
  // times accumulation times data parallelism the global batch.
  void launchFlagsSayTheDegrees() {
    const ModelShape model = modelOf("llama3-70b");
    TrainingConfiguration made = megatronOf(8, 4, 4);
    made.plan.chunks = 5;
    made.plan.context = 2;
    made.recomputation = RecomputeKind::Full;
    constexpr std::int64_t kInside[] = {1, 1, 1, 8, 1, 1};
    for (const TrainingFramework* framework : trainingFrameworks()) {
      const QString text = QString::fromStdString(
          framework->launchText({model, made, framework->orders.front(), std::span<const std::int64_t>(kInside)}));
      QVERIFY2(!text.isEmpty(), framework->name.data());
      const auto valueOf = [&](const QString& name) {
        const QRegularExpressionMatch found =
            QRegularExpression("(?:^|\n|\")(?:--)?" + QRegularExpression::escape(name) + "\"?[ =:]+(\\S+?),?\n")
                .match(text);
        return found.captured(1);
      };
      if (framework->name == "megatron") {
        QCOMPARE(valueOf("tensor-model-parallel-size"), "8");
        QCOMPARE(valueOf("num-layers-per-virtual-pipeline-stage"), "4");
        QCOMPARE(valueOf("recompute-method"), "uniform");
        QVERIFY(text.contains("--sequence-parallel\n") && text.contains("--use-distributed-optimizer\n"));
      } else if (framework->name == "torchtitan") {
        QCOMPARE(valueOf("parallelism.pipeline_parallel_schedule"), "Interleaved1F1B");
        QCOMPARE(valueOf("parallelism.num_pp_microbatches"), QString::number(made.plan.microbatches));
        QCOMPARE(valueOf("training.num_tokens_per_train_step").toLongLong(),
                 made.plan.globalBatch * made.plan.sequence);
      } else if (framework->name == "deepspeed") {
        QCOMPARE(valueOf("train_batch_size").toLongLong(), made.plan.globalBatch);
      } else if (framework->name == "maxtext") {
        QCOMPARE(valueOf("ici_tensor_parallelism"), "8");
        QCOMPARE(valueOf("dcn_pipeline_parallelism"), "4");
      } else if (framework->name == "neuronx") {
        QCOMPARE(valueOf("  tensor_model_parallel_size"), "8");
        QCOMPARE(valueOf("  virtual_pipeline_model_parallel_size"), "5");
        QVERIFY(text.contains("    ring_attention: True\n") && text.contains("granularity: full\n"));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestFrameworks)
#include "tst_frameworks.moc"
