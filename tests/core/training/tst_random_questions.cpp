// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <random>

#include "support/filled.h"
#include "support/warnings.h"
#include "training/framework_placements.h"
#include "training/planner.h"
#include "workspace/machine_parts.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

/// Draws models, machines and questions; equal numbers give equal ones on every platform.
class Draw {
 public:
  explicit Draw(std::uint32_t number) : m_random(number) {}

  std::size_t below(std::size_t end) { return m_random() % end; }
  template <class T>
  T of(std::initializer_list<T> list) {
    return *(list.begin() + static_cast<std::ptrdiff_t>(below(list.size())));
  }

  ModelShape model() {
    ModelShape model;
    model.name = "random";
    model.headSize = of<std::int64_t>({64, 128});
    model.heads = of<std::int64_t>({8, 12, 16, 24, 32, 40, 64, 96});
    model.hidden = model.heads * model.headSize;
    model.kvHeads = below(2) == 0 ? model.heads : std::max<std::int64_t>(1, model.heads / of<std::int64_t>({4, 8}));
    model.layers = of<std::int64_t>({12, 24, 27, 32, 36, 48, 61, 80});
    model.ffn = model.hidden * of<std::int64_t>({3, 4});
    model.vocabulary = of<std::int64_t>({32000, 50257, 128256, 250880});
    model.gatedMlp = below(2) == 0;
    model.tiedEmbeddings = below(2) == 0;
    if (below(3) == 0) addExperts(model);
    return resolved(model);
  }

  System system() {
    if (below(6) == 0) {
      return systemFromArgument(of<const char*>({"tpu-v4:16", "tpu-v4-host", "rtx4090-pcie", "mi355x"})).value();
    }
    MachineParts parts;
    struct Gpu {
      const char* name;
      const char* link;
      std::int64_t perNode;
    };
    const Gpu gpu = of<Gpu>({{"V100-SXM2-32GB", "cube mesh", 8},
                             {"A100-SXM4-40GB", "NVSwitch", 8},
                             {"A100-SXM4-80GB", "NVSwitch", 4},
                             {"H100-SXM5-80GB", "NVSwitch", 8},
                             {"H200", "NVSwitch", 8},
                             {"B200", "NVSwitch", 8},
                             {"MI300X", "Infinity Fabric", 8},
                             {"GB200", "MNNVL", 4}});
    parts.gpu = gpu.name;
    parts.nvlink = gpu.link;
    parts.gpusPerNode = gpu.perNode;
    parts.nodes = of<std::int64_t>({1, 2, 3, 4, 8, 12, 16, 32});
    parts.fabric = "IB";
    return systemOf(parts).value();
  }

  TrainingQuestion question() {
    TrainingQuestion question;
    question.model = model();
    question.system = system();
    question.sequence = of<std::int64_t>({512, 1024, 2048, 4096, 8192, 32768});
    question.batch = of<std::int64_t>({8, 16, 64, 96, 256, 1000, 1024, 2048});
    question.precision = of({ProductPrecision::Bf16, ProductPrecision::Bf16, ProductPrecision::Fp8});
    const auto accelerator = trainingAcceleratorOf(question.system);
    const auto all = frameworksOn(accelerator->platform, trainingFrameworks());
    const std::size_t one = below(all.size() + 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (one == all.size() || one == i) question.frameworks.push_back(all[i]);
    }
    question.best = 5;
    return question;
  }

 private:
  void addExperts(ModelShape& model) {
    model.experts = of<std::int64_t>({8, 16, 64, 128});
    model.expertsPerToken = of<std::int64_t>({1, 2, 8});
    model.expertFfn = below(2) == 0 ? model.ffn / 4 : model.ffn;
    model.sharedFfn = below(2) == 0 ? model.expertFfn : 0;
    model.denseLayers = below(3) == 0 ? 1 : 0;
  }

  std::mt19937 m_random;
};

}  // namespace

/// What holds for the plans of any model on any machine.
class TestRandomQuestions : public QObject {
  Q_OBJECT

  static void checkPlan(const TrainingQuestion& question, const TrainingAnswer& answer,
                        const PlannedConfiguration& planned) {
    const TrainingConfiguration& configuration = planned.configuration;
    const TrainingPlan& plan = configuration.plan;
    const StepEstimate& estimate = planned.estimate;
    QCOMPARE(plan.tensor * plan.context * plan.pipeline * plan.data, question.system.deviceCount());
    QCOMPARE(plan.data * plan.microbatch * plan.microbatches, question.batch);
    QVERIFY(checkConfiguration(question.model, configuration).ok());
    QVERIFY(brokenRule(*planned.framework, question.model, configuration) == nullptr);
    QVERIFY(checkPlatform(*planned.framework, trainingAcceleratorOf(question.system)->platform).ok());
    QVERIFY(planned.memory.total() > 0 && planned.memory.total() + answer.reserve <= answer.memory);
    QVERIFY2(estimate.mfu > 0 && estimate.mfu < 1, qPrintable(QString::number(estimate.mfu)));
    QVERIFY(estimate.parts.compute <= estimate.seconds);
    QVERIFY(estimate.low <= estimate.seconds && estimate.seconds <= estimate.high);
    QVERIFY(std::abs(estimate.parts.sum() / estimate.seconds - 1) < 1e-9);
    for (const double exposed : test::filled(estimate.parts.exposed)) QVERIFY(exposed >= 0);
    QVERIFY(!launchTextOf(question.model, question.system, planned).empty());
  }

  /// With a batch that all devices can share, an engineer keeps tensor parallelism in the node, fills the pipeline, and
  /// gives kernels parts of sequences that are worth a launch.
  static void checkSense(const TrainingQuestion& question, const PlannedConfiguration& best) {
    const TrainingPlan& plan = best.configuration.plan;
    QVERIFY(plan.context == 1 || question.sequence / plan.context >= 1024);
    if (question.batch < 2 * question.system.deviceCount()) return;
    const std::int64_t node = devicesPerNode(question.system);
    const bool hasOneDomain = node == 1 || question.system.levels.size() == 1;
    QVERIFY2(plan.tensor <= node || hasOneDomain, qPrintable(QString::number(plan.tensor)));
    const double bubble = best.estimate.parts.bubble / best.estimate.seconds;
    QVERIFY2(bubble < .3, qPrintable(QString::number(bubble)));
    QVERIFY(plan.microbatches >= plan.pipeline);
  }

 private slots:
  void init() { p2::test::failOnWarnings(); }

  void plansOfAnyModelOnAnyMachine_data() {
    QTest::addColumn<int>("first");
    for (int first = 0; first < 200; first += 20) QTest::addRow("from %d", first) << first;
  }
  void plansOfAnyModelOnAnyMachine() {
    QFETCH(int, first);
    int answered = 0;
    for (int number = first; number < first + 20; ++number) {
      const TrainingQuestion question = Draw(static_cast<std::uint32_t>(number)).question();
      const TrainingPlacements placements = trainingPlacements(question.model, question.system);
      const auto answer = planTraining(question, placements.orders, {}, {}, placements.rankFiles);
      if (!answer.ok()) {
        QVERIFY2(answer.error().message.size() > 20, answer.error().message.c_str());
        continue;
      }
      ++answered;
      QVERIFY(!answer->configurations.empty());
      for (const PlannedConfiguration& planned : answer->configurations) {
        checkPlan(question, *answer, planned);
        if (QTest::currentTestFailed()) break;
      }
      if (!QTest::currentTestFailed()) checkSense(question, answer->configurations.front());
      if (QTest::currentTestFailed()) {
        const PlannedConfiguration& best = answer->configurations.front();
        QFAIL(("question " + std::to_string(number) + ", " + question.system.name + ": " + describe(best.configuration))
                  .c_str());
      }
    }
    QVERIFY2(answered >= 8, qPrintable(QString::number(answered)));
  }
};

QTEST_GUILESS_MAIN(TestRandomQuestions)
#include "tst_random_questions.moc"
