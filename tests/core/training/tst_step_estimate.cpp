// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "training/detail/kernels.h"
#include "training/detail/ring_prices.h"
#include "training/memory.h"
#include "training/step_estimate.h"
#include "training/training_runs.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

namespace {

/// A step by a calculator of its own: parameters counted by hand, one efficiency, rings, the bubble's formula.
struct Simple {
  double layers, hidden, ffn, matrices, keyValueShare, vocabulary;
  double sequence, batch, microbatch, tensor, pipeline, chunks, data;
  double peak, efficiency, link;
  bool recomputes = false;

  [[nodiscard]] double flop() const {
    const double layer = 2 * hidden * hidden * (1 + keyValueShare) + matrices * hidden * ffn;
    const double tokens = batch * sequence;
    return 6 * tokens * (layers * layer + vocabulary * hidden) + 6 * tokens * sequence * hidden * layers;
  }
  [[nodiscard]] double seconds() const {
    const double devices = tensor * pipeline * data;
    const double computation = flop() * (recomputes ? 4.0 / 3 : 1) / (devices * peak * efficiency);
    const double microbatches = batch / microbatch / data;
    const double perLayer = 4 * 2 * (tensor - 1) / tensor * 2 * microbatch * sequence * hidden / link;
    const double tensorSeconds = perLayer * (recomputes ? 1.5 : 1) * layers / pipeline * microbatches;
    return (computation + tensorSeconds) * (1 + (pipeline - 1) / (chunks * microbatches));
  }
};

ModelShape shapeOf(const Simple& simple, std::int64_t heads) {
  ModelShape model;
  model.layers = std::int64_t(simple.layers);
  model.hidden = std::int64_t(simple.hidden);
  model.ffn = std::int64_t(simple.ffn);
  model.heads = heads;
  model.kvHeads = std::int64_t(double(heads) * simple.keyValueShare);
  model.vocabulary = std::int64_t(simple.vocabulary);
  model.gatedMlp = simple.matrices == 3;
  return resolved(model);
}

TrainingConfiguration configurationOf(const Simple& simple) {
  TrainingConfiguration configuration;
  configuration.plan.tensor = std::int64_t(simple.tensor);
  configuration.plan.pipeline = std::int64_t(simple.pipeline);
  configuration.plan.chunks = std::int64_t(simple.chunks);
  configuration.plan.data = std::int64_t(simple.data);
  configuration.plan.sequence = std::int64_t(simple.sequence);
  configuration.plan.microbatch = std::int64_t(simple.microbatch);
  configuration.plan.globalBatch = std::int64_t(simple.batch);
  configuration.plan = resolved(configuration.plan);
  if (simple.recomputes) configuration.recomputation = RecomputeKind::Full;
  return configuration;
}

Result<StepEstimate> estimated(const ModelShape& model, const TrainingConfiguration& configuration,
                               const TrainingAccelerator& accelerator) {
  const StepConstants constants(trainingConstants(),
                                trainingConstants().numbersFor(accelerator.generation, configuration));
  const RingPrices prices(accelerator, configuration.plan, model.expertsPerToken, constants);
  return estimateStep(model, configuration, accelerator, prices);
}

const Simple kLlama70{80, 8192, 28672, 3, .125, 128256, 4096, 512, 1, 8, 4, 5, 4, 989e12, .6, 250e9};
const Simple kGpt175{96, 12288, 49152, 2, 1, 51200, 2048, 1536, 1, 8, 8, 1, 16, 312e12, .6, 160e9, true};
const Simple kLlama405{126, 16384, 53248, 3, .0625, 128256, 8192, 1024, 1, 8, 9, 1, 16, 989e12, .6, 250e9};

}  // namespace

class TestStepEstimate : public QObject {
  Q_OBJECT
 private slots:
  void aSecondCalculatorAgrees() {
    const struct {
      const Simple* simple;
      std::int64_t heads;
      const char* device;
    } cases[] = {{&kLlama70, 64, "H100"}, {&kGpt175, 96, "A100"}, {&kLlama405, 128, "H100"}};
    for (const auto& each : cases) {
      const ModelShape model = shapeOf(*each.simple, each.heads);
      const TrainingConfiguration configuration = configurationOf(*each.simple);
      // Norms and biases are counted in one of them alone.
      QVERIFY(std::abs(modelFlop(model, configuration) / each.simple->flop() - 1) < 1e-3);
      const auto estimate = estimated(model, configuration, *trainingAcceleratorOf(each.device));
      QVERIFY2(estimate.ok(), estimate.ok() ? "" : estimate.error().message.c_str());
      const double ratio = estimate->seconds / each.simple->seconds();
      QVERIFY2(ratio > .8 && ratio < 1.25, qPrintable(QString("%1: %2").arg(each.device).arg(ratio)));
    }
  }

  void partsSumAndNothingIsFasterThanThePeak() {
    std::size_t runs = 0;
    for (const TrainingRun& run : trainingRuns()) {
      if (!run.isScored()) continue;
      const auto estimate = estimateRun(run);
      QVERIFY2(estimate.ok(), qPrintable(QString::fromStdString(run.table)));
      const StepParts& parts = estimate->parts;
      QVERIFY(std::abs(parts.sum() / estimate->seconds - 1) < 1e-9);
      QVERIFY(estimate->mfu > 0 && estimate->mfu < 1);
      QVERIFY(estimate->low < estimate->seconds && estimate->seconds < estimate->high);
      double least = std::min({parts.compute, parts.inefficiency, parts.recompute, parts.bubble, parts.imbalance,
                               parts.optimizer, parts.host});
      for (const double exposed : parts.exposed) least = std::min(least, exposed);
      QVERIFY2(least >= -1e-12, qPrintable(QString::fromStdString(run.table + " " + run.note)));
      ++runs;
    }
    QVERIFY(runs > 1700);
  }

  /// Attention of layers with a window takes less work and time, and as much memory: the work by pairs of tokens, each
  /// of which takes four FLOP of every element of a head forward and twice as many backward.
  void aWindowShortensAttentionAlone() {
    Simple simple = kLlama70;
    simple.sequence = 16384;
    const ModelShape whole = shapeOf(simple, 64);
    ModelShape windowed = whole;
    windowed.window = 4096;
    windowed.windowStep = 4;
    const TrainingConfiguration configuration = configurationOf(simple);
    const auto of = [&](const ModelShape& model) {
      return estimated(model, configuration, *trainingAcceleratorOf("H100"));
    };
    const double saved = modelFlop(whole, configuration) - modelFlop(windowed, configuration);
    double pairs = 0;
    for (double token = 0; token < simple.sequence; ++token) pairs += std::max(0.0, token + 1 - 4096);
    const double expected = 12 * pairs * simple.hidden * 60 * simple.batch;
    QVERIFY2(std::abs(saved / expected - 1) < 1e-3, qPrintable(QString::number(saved / expected)));
    QVERIFY(of(windowed)->seconds < .95 * of(whole)->seconds);
    const double counted = of(windowed)->mfu * of(windowed)->seconds / (of(whole)->mfu * of(whole)->seconds);
    QVERIFY(std::abs(counted / (1 - saved / modelFlop(whole, configuration)) - 1) < 1e-9);
    QCOMPARE(peakMemory(windowed, configuration).total(), peakMemory(whole, configuration).total());
    // A window that takes in the whole sequence changes nothing.
    windowed.window = 16384;
    QCOMPARE(of(windowed)->seconds, of(whole)->seconds);
  }

  void moreOfTheSameTakesLonger() {
    const auto seconds = [](const Simple& simple) {
      return estimated(shapeOf(simple, 64), configurationOf(simple), *trainingAcceleratorOf("H100"))->seconds;
    };
    Simple longer = kLlama70;
    longer.sequence *= 2;
    QVERIFY(seconds(longer) > 2 * seconds(kLlama70));
    Simple larger = kLlama70;
    larger.batch *= 2;
    QVERIFY(seconds(larger) > 1.8 * seconds(kLlama70) && seconds(larger) < 2 * seconds(kLlama70));
    Simple recomputed = kLlama70;
    recomputed.recomputes = true;
    QVERIFY(seconds(recomputed) > 1.2 * seconds(kLlama70) && seconds(recomputed) < 1.45 * seconds(kLlama70));
    Simple whole = kLlama70;
    whole.chunks = 1;
    QVERIFY(seconds(whole) > seconds(kLlama70));
  }

  /// A stage that releases its parameters saves their bytes and gathers them again for every microbatch.
  void releasedParametersAreGatheredAgain() {
    TrainingConfiguration kept =
        configurationOf({80, 8192, 28672, 3, .125, 128256, 512, 512, 1, 1, 4, 1, 32, 989e12, .6, 250e9});
    kept.family = FrameworkFamily::Jax;
    kept.schedule = ScheduleKind::GPipe;
    kept.recomputation = RecomputeKind::Full;
    kept.plan.zero = 3;
    kept.plan.reshard = false;
    kept.plan.accumulate = true;
    TrainingConfiguration released = kept;
    released.plan.reshard = true;
    released.plan.accumulate = false;
    const ModelShape model = shapeOf(kLlama70, 64);
    const auto accelerator = trainingAcceleratorOf("H100");
    QVERIFY(accelerator.ok());
    const auto often = estimated(model, released, *accelerator);
    const auto once = estimated(model, kept, *accelerator);
    QVERIFY(often.ok() && once.ok());
    const auto data = [](const StepEstimate& each) { return each.parts.exposed[std::size_t(ExposedAxis::Data)]; };
    // Two gathers of a stage's 17.6 billion parameters by four nodes at 400 GB/s each, in each of 16 microbatches.
    const double gathers = 16 * 2 * 2 * 70.6e9 / 4 * 31 / 32 / 400e9;
    const double computation = often->parts.compute + often->parts.inefficiency + often->parts.recompute;
    QVERIFY(gathers > 1.1 * computation);
    QVERIFY2(data(*often) > gathers - computation, qPrintable(QString::number(data(*often))));
    QVERIFY(data(*often) > 4 * data(*once));
    const double freed = peakMemory(model, kept).total() - peakMemory(model, released).total();
    QVERIFY2(freed > .8 * 2 * 2 * 70.6e9 / 4, qPrintable(QString::number(freed)));
  }

  /// Devices of tensor parallelism without sequence parallelism gather the copies of all tokens after the experts, once
  /// in each direction; experts that are split among them add up their outputs.
  void expertsOfDevicesWithTheSameTokens() {
    ModelShape model;
    model.layers = 8;
    model.hidden = 4096;
    model.heads = 32;
    model.vocabulary = 32000;
    model.experts = 8;
    model.expertFfn = 14336;
    TrainingConfiguration configuration;
    configuration.family = FrameworkFamily::DeepSpeed;
    configuration.plan.tensor = 4;
    configuration.plan.data = 8;
    configuration.plan.expert = 8;
    configuration.plan.sequence = 4096;
    configuration.plan.microbatch = 1;
    configuration.plan.globalBatch = 32;
    configuration.plan.sequenceParallel = SequenceParallelism::None;
    configuration.plan = resolved(configuration.plan);
    const TrainingAccelerator accelerator = *trainingAcceleratorOf("H100");
    const auto tensorSeconds = [&](std::int64_t perToken) {
      model.expertsPerToken = perToken;
      const auto estimate = estimated(resolved(model), configuration, accelerator);
      return estimate->parts.exposed[std::size_t(ExposedAxis::Tensor)];
    };
    const double token = 2 * 4096.0;
    const double ways = 8 * 4 * 2;  // layers, microbatches, directions
    // A ring of four at 450 GB/s takes 3/4 of the copies' bytes at the share of the link that rings reach.
    const double gathered = 4096 * token * 3 / 4 / 450e9 * ways;
    const double added = tensorSeconds(2) - tensorSeconds(1);
    QVERIFY2(added > gathered && added < 2.5 * gathered, qPrintable(QString::number(added / gathered)));
    configuration.plan.expertTensor = 4;
    configuration.plan.expert = 2;
    const double summed = tensorSeconds(2) - tensorSeconds(1);
    QVERIFY2(std::abs(summed / added - 2) < .01, qPrintable(QString::number(summed / added)));
    configuration.plan.sequenceParallel = SequenceParallelism::Megatron;
    QVERIFY(tensorSeconds(2) < tensorSeconds(4));
  }

  /// Experts that are split among devices compute as much as whole ones, whichever devices these are.
  void splitExpertsComputeTheSame() {
    ModelShape model = bundledRecipe("mixtral-8x7b").value().model;
    model.layers = 4;
    const TrainingAccelerator accelerator = *trainingAcceleratorOf("H100");
    for (const std::int64_t tensor : {1, 2}) {
      const auto kernels = [&](std::int64_t expertTensor) {
        TrainingConfiguration configuration;
        configuration.plan.tensor = tensor;
        configuration.plan.data = 8 / tensor;
        configuration.plan.expert = 2;
        configuration.plan.expertTensor = expertTensor;
        configuration.plan.sequence = 4096;
        configuration.plan.globalBatch = 32;
        configuration.plan.sequenceParallel = SequenceParallelism::Megatron;
        configuration.plan = resolved(configuration.plan);
        const auto made = estimated(resolved(model), configuration, accelerator);
        return made->parts.compute + made->parts.inefficiency;
      };
      for (const std::int64_t expertTensor : {2, 4}) {
        const double ratio = kernels(expertTensor) / kernels(1);
        QVERIFY2(ratio > .97 && ratio < 1.2, qPrintable(QString::number(ratio)));
      }
    }
  }

  /// Stages that wait for every message go at the pace of the slower neighbour; XLA does less again.
  void whatStepsWaitFor() {
    Simple across = kLlama70;
    across.chunks = 1;
    across.tensor = 8;
    const auto imbalance = [](const Simple& simple, bool blocking) {
      TrainingConfiguration configuration = configurationOf(simple);
      configuration.blockingPipeline = blocking;
      const auto made = estimated(shapeOf(simple, 64), configuration, *trainingAcceleratorOf("H100"));
      return made->parts.imbalance / made->seconds;
    };
    Simple virtualStages = across;
    virtualStages.chunks = 5;
    QVERIFY(imbalance(across, false) > imbalance(virtualStages, false) + .005);
    QVERIFY(imbalance(across, true) > imbalance(across, false) + .03);
    Simple recomputed = kGpt175;
    TrainingConfiguration configuration = configurationOf(recomputed);
    const TrainingAccelerator a100 = *trainingAcceleratorOf("A100");
    const double torch = estimated(shapeOf(recomputed, 96), configuration, a100)->parts.recompute;
    configuration.family = FrameworkFamily::Jax;
    const double xla = estimated(shapeOf(recomputed, 96), configuration, a100)->parts.recompute;
    QVERIFY2(xla < .85 * torch && xla > .5 * torch, qPrintable(QString::number(xla / torch)));
  }

  void wavesOfTiles() {
    QVERIFY(std::abs(waveWaste({256 * 132, 4096, 128}, 132) - 1) < 1e-9);
    QVERIFY(waveWaste({256 * 133, 4096, 128}, 132) > 1.01);
    QVERIFY(waveWaste({128, 512, 128}, 132) > 20);
    QCOMPARE(waveWaste({1, 1, 1}, 0), 1.0);
  }

  void badInputIsASentence() {
    Simple simple = kLlama70;
    TrainingConfiguration configuration = configurationOf(simple);
    configuration.layersPerStage = {20, 20, 20};
    const auto estimate = estimated(shapeOf(simple, 64), configuration, *trainingAcceleratorOf("H100"));
    QVERIFY(!estimate.ok());
    QCOMPARE(QString::fromStdString(estimate.error().message),
             "has 3 stages, but the pipeline has 4 with 5 virtual stages each");
    QCOMPARE(trainingAcceleratorOf("h200")->begins, std::string("H200"));
    // A dash or a space: one card.
    QCOMPARE(trainingAcceleratorOf("RTX-4090")->bf16, trainingAcceleratorOf("rtx 4090")->bf16);
    QCOMPARE(trainingAcceleratorOf("A100 SXM4 40GB")->begins, std::string("A100-SXM4-40GB"));
    const auto unknown = trainingAcceleratorOf("Abacus");
    QVERIFY(!unknown.ok());
    QVERIFY(QString::fromStdString(unknown.error().message).contains("no figures are known of \"Abacus\""));
  }
};

QTEST_GUILESS_MAIN(TestStepEstimate)
#include "tst_step_estimate.moc"
