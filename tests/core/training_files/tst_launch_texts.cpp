// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QtTest>
#include <random>
#include <set>

#include "support/filled.h"
#include "support/warnings.h"
#include "text/text_file.h"
#include "training/framework_placements.h"
#include "training/model_argument.h"
#include "training_files/stated_training.h"
#include "workload/generate/fields.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

constexpr std::size_t kRounds = 200;

/// A configuration with everything that its launch text depends on.
struct Drawn {
  ModelShape model;
  System system;
  PlannedConfiguration planned;
};

ModelShape modelOf(const char* name) {
  const auto source = modelFromArgument(name);
  if (!source.ok()) qFatal("no model %s", name);
  return source->shape;
}
System systemOf(const char* name) {
  const auto system = systemFromArgument(name);
  if (!system.ok()) qFatal("no system %s", name);
  return *system;
}

/// Whether nothing is left to shard, so that ZeRO stages are one.
bool isDegenerate(const TrainingFramework& framework, const TrainingPlan& plan) {
  const std::int64_t experts = framework.name == "maxtext" ? plan.expert : 1;
  // Without sharding every rank is a replica.
  if (plan.zero == 0 && plan.replicas > 1) return true;
  return framework.replicates && plan.data == plan.replicas * experts && (plan.replicas > 1 || plan.zero == 0);
}

/// The sizes that all texts with a model state.
std::vector<std::int64_t> sizesOf(const ModelShape& model) {
  return {model.layers, model.hidden, model.ffn, model.heads, model.experts, model.expertsPerToken};
}

/// Configurations that the framework runs and places, drawn from its whole space.
std::vector<Drawn> drawnOf(const TrainingFramework& framework, std::mt19937& random) {
  constexpr std::array kModels{"llama3-8b",    "llama3-70b", "gpt3-175b",     "mixtral-8x7b", "deepseek-v3",
                               "gpt-oss-120b", "qwen2.5-7b", "qwen3-30b-a3b", "glm-4.5-air"};
  constexpr std::array kSystems{"dgx-h100:1", "dgx-h100:4", "dgx-h100:16", "dgx-a100:2"};
  constexpr std::array<std::int64_t, 4> kBatches{64, 96, 384, 1024};
  std::vector<Drawn> drawn;
  while (drawn.size() < kRounds) {
    const ModelShape model = modelOf(kModels[random() % kModels.size()]);
    const System system = systemOf(kSystems[random() % kSystems.size()]);
    const TrainingAccelerator accelerator = trainingAcceleratorOf(system).value();
    FixedChoices fixed;
    if (framework.replicates && random() % 3 == 0) fixed.replicas = 2;
    const auto precision = random() % 3 == 0 ? ProductPrecision::Fp8 : ProductPrecision::Bf16;
    // Only these two have an option for it.
    const bool chooses = framework.name == "megatron" || framework.name == "maxtext";
    const SearchSpace space{model,
                            system.deviceCount(),
                            kBatches[random() % kBatches.size()],
                            2048,
                            chooses ? precision : ProductPrecision::Bf16,
                            framework,
                            fixed,
                            &accelerator};
    std::vector<TrainingConfiguration> kept;
    std::size_t seen = 0;
    (void)space.forEach([&](const TrainingConfiguration& each) {
      if (brokenRule(framework, model, each) != nullptr) return true;
      ++seen;
      if (kept.size() < 20) {
        kept.push_back(each);
      } else if (random() % seen < kept.size()) {
        kept[random() % kept.size()] = each;
      }
      return true;
    });
    const PlacementPricer placements = frameworkPlacements(model, system);
    for (const TrainingConfiguration& each : kept) {
      const auto placed = placements(framework, each, {});
      if (!placed.ok() || placed->empty() || drawn.size() >= kRounds || isDegenerate(framework, each.plan)) continue;
      const PricedPlacement& one = (*placed)[random() % placed->size()];
      drawn.push_back({model, system, {&framework, each, one.axes, one.matrix, one.orders, {}, {}, {}}});
    }
  }
  return drawn;
}

}  // namespace

class TestLaunchTexts : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void textsAreReadBack_data() {
    QTest::addColumn<QString>("name");
    for (const TrainingFramework* framework : trainingFrameworks()) {
      const QString name = QString::fromUtf8(framework->name.data(), static_cast<int>(framework->name.size()));
      QTest::newRow(qPrintable(name)) << name;
    }
  }
  void textsAreReadBack() {
    QFETCH(QString, name);
    const TrainingFramework& framework = **trainingFrameworkFrom(name.toStdString());
    std::mt19937 random(20261126);
    const auto drawn = drawnOf(framework, random);
    QCOMPARE(drawn.size(), kRounds);
    for (const Drawn& each : drawn) {
      const std::string text = launchTextOf(each.model, each.system, each.planned);
      auto stated = readTraining(text);
      QVERIFY2(stated.ok(), stated.ok() ? "" : (stated.error().text() + "\n" + text).c_str());
      QVERIFY2(stated->framework == &framework, text.c_str());
      QVERIFY2(stated->unknown.empty() && stated->open.empty(), text.c_str());
      const auto made = configurationOf(stated.value(), each.model, each.system, {});
      const std::string wanted = describe(each.planned.configuration);
      QVERIFY2(made.ok(), made.ok() ? "" : (made.error().text() + "\n" + wanted + "\n" + text).c_str());
      QVERIFY2(*made == each.planned.configuration, (describe(*made) + "\n" + wanted + "\n" + text).c_str());
      if (framework.name == "megatron") {
        const std::string order = stated->order.value_or(std::string(framework.orders.front()));
        QVERIFY2(std::find(each.planned.orders.begin(), each.planned.orders.end(), order) != each.planned.orders.end(),
                 text.c_str());
      }
      if (stated->model.layers == 0) continue;
      QVERIFY2(sizesOf(stated->model) == sizesOf(each.model), text.c_str());
      ModelShape declared = resolved(stated->model);
      declared.name = each.model.name;
      if (framework.name != "megatron") continue;
      for (const auto& field : modelFields()) {
        // Megatron has no model without it.
        if (field.info.key == "final_norm") continue;
        QVERIFY2(field.get(declared) == field.get(each.model), (std::string(field.info.key) + "\n" + text).c_str());
      }
    }
  }

  /// Switches and states of Megatron-LM that a user's file has and the search does not choose.
  void switchesAreReadBack() {
    const TrainingFramework& megatron = *trainingFrameworkFrom("megatron").value();
    std::mt19937 random(42);
    const auto chance = [&random] { return random() % 2 == 0; };
    std::set<std::string> texts;
    for (Drawn& each : drawnOf(megatron, random)) {
      TrainingConfiguration& made = each.planned.configuration;
      TrainingPlan& plan = made.plan;
      made.overlapsData = plan.data == 1 || chance();
      made.graphs = static_cast<GraphScope>(random() % 4);
      if (each.model.experts == 0 && made.graphs == GraphScope::Routing) made.graphs = GraphScope::None;
      if (each.model.experts > 0) made.dispatch = static_cast<ExpertDispatch>(random() % 3);
      made.deterministic = chance();
      made.fullPrecisionSums = chance();
      if (plan.context == 1) made.fusedAttention = chance();
      if (plan.context > 2 && plan.context % 2 == 0 && chance()) {
        plan.contextCollective = ContextCollective::Hierarchy;
        plan.contextInner = 2;
      }
      plan.tensorOverlap = plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None && chance();
      plan.expertOverlap = each.model.experts > 0 && chance();
      if (plan.pipeline == 1 && chance()) plan.zero = 2 + static_cast<int>(random() % 2);
      const std::int64_t layers = each.model.layers / plan.pipeline;
      if (made.recomputation == RecomputeKind::Full && layers > 2 && chance()) {
        made.recomputedLayers = 1 + static_cast<std::int64_t>(random()) % (layers - 1);
      }
      const std::string text = launchTextOf(each.model, each.system, each.planned);
      texts.insert(text);
      auto stated = readTraining(text);
      QVERIFY2(stated.ok(), stated.ok() ? "" : (stated.error().text() + "\n" + text).c_str());
      QVERIFY2(stated->unknown.empty() && stated->ignored.empty(), text.c_str());
      const auto read = configurationOf(stated.value(), each.model, each.system, {});
      QVERIFY2(read.ok(), read.ok() ? "" : (read.error().text() + "\n" + text).c_str());
      QVERIFY2(*read == made, (describe(*read) + "\n" + describe(made) + "\n" + text).c_str());
    }
    QVERIFY(texts.size() > kRounds / 2);
  }

  void namesAreThoseOfTheParsers_data() { textsAreReadBack_data(); }
  void namesAreThoseOfTheParsers() {
    QFETCH(QString, name);
    const auto list = readTextFile(P2_RESOURCES "/training/arguments.csv");
    QVERIFY(list.ok());
    const QStringList listed = QString::fromStdString(*list).split('\n');
    // Names of the loop around PyTorch's FSDP, which has no parser.
    const std::set<QString> loop{"batch_size", "gradient_accumulation_steps", "sequence_length",
                                 "activation_checkpointing"};
    const TrainingFramework& framework = **trainingFrameworkFrom(name.toStdString());
    std::mt19937 random(4);
    std::set<QString> used;
    for (const Drawn& each : drawnOf(framework, random)) {
      const QString text = QString::fromStdString(launchTextOf(each.model, each.system, each.planned));
      static const QRegularExpression kName("^ *(--)?\"?([A-Za-z_][\\w.-]*)", QRegularExpression::MultilineOption);
      for (auto match = kName.globalMatch(text); match.hasNext();) {
        const auto found = match.next();
        QString argument = found.captured(2);
        QString parser = name;
        if (name == "deepspeed" && !found.captured(1).isEmpty()) {
          parser = "megatron-deepspeed";
          argument.replace('_', '-');  // as the list has them
        }
        if (argument == "activation-checkpoint" || (name == "fsdp" && loop.count(argument) > 0)) continue;
        used.insert(parser + "," + argument);
      }
    }
    QVERIFY(used.size() > 5 || name == "fsdp");
    for (const QString& each : test::filled(used)) QVERIFY2(listed.contains(each), qPrintable(each));
  }

  /// Numbers of a model that no time or memory depends on, but the trained model does.
  void normsAndTheBalanceOfExpertsAreWritten_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("megatron") << "megatron" << QStringList{"--norm-epsilon 1e-06", "--moe-aux-loss-coeff 0.001"};
    QTest::newRow("deepspeed") << "deepspeed" << QStringList{"--layernorm-epsilon 1e-06", "--moe-loss-coeff 0.001"};
    QTest::newRow("maxtext") << "maxtext"
                             << QStringList{"normalization_layer_epsilon: 1e-06", "load_balance_loss_weight: 0.001"};
  }
  void normsAndTheBalanceOfExpertsAreWritten() {
    QFETCH(QString, name);
    QFETCH(QStringList, lines);
    const auto list = readTextFile(P2_RESOURCES "/training/arguments.csv");
    QVERIFY(list.ok());
    const QStringList listed = QString::fromStdString(*list).split('\n');
    const TrainingFramework& framework = **trainingFrameworkFrom(name.toStdString());
    std::mt19937 random(7);
    bool hadExperts = false;
    for (Drawn& each : drawnOf(framework, random)) {
      const QString before = QString::fromStdString(launchTextOf(each.model, each.system, each.planned));
      each.model.normEpsilon = 1e-6;
      if (each.model.experts > 0) each.model.auxiliaryLoss = 0.001;
      hadExperts = hadExperts || each.model.experts > 0;
      const std::string text = launchTextOf(each.model, each.system, each.planned);
      for (const QString& line : lines.mid(0, each.model.experts > 0 ? 2 : 1)) {
        QVERIFY2(!before.contains(line) && QString::fromStdString(text).contains(line + '\n'), text.c_str());
        const QString parser = name == "deepspeed" ? "megatron-deepspeed" : name;
        const QString argument = line.section(' ', 0, 0).remove(QRegularExpression("^--|:$"));
        QVERIFY2(listed.contains(parser + ',' + argument), qPrintable(argument));
      }
      const auto stated = readTraining(text);
      QVERIFY2(stated.ok() && stated->unknown.empty(), text.c_str());
      QCOMPARE(stated->model.normEpsilon, each.model.normEpsilon);
      QCOMPARE(stated->model.auxiliaryLoss, each.model.auxiliaryLoss);
    }
    QVERIFY(hadExperts);
  }

  /// Choices that the search does not make, but a user's file does.
  void choicesOfAFileAreWrittenToo() {
    const ModelShape model = modelOf("llama3-70b");
    const System system = systemOf("dgx-h100:16");
    auto stated = readTraining(
        "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 4 --sequence-parallel --tp-comm-overlap "
        "--micro-batch-size 1 --global-batch-size 512 --seq-length 8192 --bf16 --grad-reduce-in-bf16 "
        "--recompute-granularity full --recompute-method block --recompute-num-layers 3 "
        "--decoder-first-pipeline-num-layers 18 --decoder-last-pipeline-num-layers 18 --use-megatron-fsdp "
        "--data-parallel-sharding-strategy optim_grads --cuda-graph-impl local --deterministic-mode");
    QVERIFY(stated.ok());
    const auto made = configurationOf(stated.value(), model, system, {});
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
    QCOMPARE(made->layersPerStage, (std::vector<std::int64_t>{18, 22, 22, 18}));
    QCOMPARE(made->plan.zero, std::int64_t{2});
    const PlannedConfiguration planned{stated->framework, *made, {}, {}, {"Megatron-LM"}, {}, {}, {}};
    auto again = readTraining(launchTextOf(model, system, planned));
    QVERIFY(again.ok());
    const auto reread = configurationOf(again.value(), model, system, {});
    QVERIFY2(reread.ok(), reread.ok() ? "" : reread.error().text().c_str());
    QVERIFY(*reread == *made);
  }
};

QTEST_APPLESS_MAIN(TestLaunchTexts)
#include "tst_launch_texts.moc"
