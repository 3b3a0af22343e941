// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>
#include <numeric>
#include <random>

#include "support/warnings.h"
#include "training/frameworks.h"
#include "training/memory.h"
#include "training/model_argument.h"
#include "training/stage_layouts.h"
#include "training/step_estimate.h"

using namespace p2;

namespace {

std::int64_t sumOf(const StageLayout& layout) { return std::accumulate(layout.begin(), layout.end(), std::int64_t{0}); }

ModelShape modelCalled(const char* name) {
  const auto source = modelFromArgument(name);
  if (!source.ok()) qFatal("no model %s", name);
  return source->shape;
}

TrainingConfiguration pipelineOf(std::int64_t stages, std::int64_t chunks, std::int64_t microbatches) {
  TrainingConfiguration made;
  made.plan.pipeline = stages;
  made.plan.chunks = chunks;
  made.plan.data = 1;
  made.plan.microbatch = 1;
  made.plan.microbatches = microbatches;
  made.plan.globalBatch = microbatches;
  made.plan.devices = stages;
  return made;
}

/// The published table of DeepSpeed's partition, of items of weight 1: the least difference of largest and smallest
/// part, the last of equal cuts.
StageLayout partitionByTable(std::size_t layers, std::size_t stages) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max() / 4;
  const std::vector<std::int64_t> row(stages + 1, kNone);
  std::vector<std::vector<std::int64_t>> most(layers + 1, row);
  auto least = most;
  auto cost = most;
  auto cut = most;
  most[0][0] = cost[0][0] = 0;
  for (std::size_t i = 1; i <= layers; ++i) {
    for (std::size_t j = 1; j <= std::min(i, stages); ++j) {
      for (std::size_t k = 0; k < i; ++k) {
        const auto part = static_cast<std::int64_t>(i - k);
        const std::int64_t high = std::max(most[k][j - 1], part);
        const std::int64_t low = std::min(least[k][j - 1], part);
        if (high == kNone || cost[i][j] < high - low) continue;
        cost[i][j] = high - low;
        most[i][j] = high;
        least[i][j] = low;
        cut[i][j] = static_cast<std::int64_t>(k);
      }
    }
  }
  StageLayout layout(stages);
  std::size_t end = layers;
  for (std::size_t j = stages; j > 0; --j) {
    const auto before = static_cast<std::size_t>(cut[end][j]);
    layout[j - 1] = static_cast<std::int64_t>(end - before);
    end = before;
  }
  return layout;
}

}  // namespace

class TestStageLayouts : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Every layer once, no chunk below none, and the ends as many layers shorter as asked.
  void balancedLayoutsHoldAllLayers() {
    for (std::int64_t layers = 1; layers <= 70; ++layers) {
      for (std::int64_t stages = 2; stages <= 16; ++stages) {
        for (std::int64_t chunks = 1; chunks <= 4; ++chunks) {
          for (std::int64_t first = -1; first <= 1; ++first) {
            for (std::int64_t last = 0; last <= 3; ++last) {
              const StageLayout layout = balancedLayout(layers, stages, chunks, first, last);
              if (layout.empty()) continue;
              QCOMPARE(static_cast<std::int64_t>(layout.size()), stages * chunks);
              QCOMPARE(sumOf(layout), layers);
              QVERIFY(*std::min_element(layout.begin(), layout.end()) >= 0);
              // Between the ends no two stages differ by more than a layer.
              const auto byStage = layersByStage(layout, stages, false);
              if (stages < 4) continue;
              const auto [low, high] = std::minmax_element(byStage.begin() + 1, byStage.end() - 1);
              QVERIFY(*high - *low <= 1);
            }
          }
        }
      }
    }
  }

  void publishedLayouts() {
    // Llama 3 405B, 126 layers on 16 stages (arXiv 2407.21783, §3.3.2): one layer less in the first and the last stage.
    const StageLayout llama = balancedLayout(126, 16, 1, 1, 1);
    QCOMPARE(stageLayoutText(llama), std::string("7+14*8+7"));
    // Its first chunk has the embedding alone, and its last one the head.
    const StageLayout interleaved = balancedLayout(126, 16, 8, 1, 1);
    QCOMPARE(stageLayoutText(interleaved), std::string("0+126*1+0"));
    // DeepSeek-V3 of Megatron's guide.
    const auto read = megatronLayoutFrom("Et*3|(tt|)*29,m|L");
    QVERIFY(read.ok() && read->predictedTokens == 1);
    QCOMPARE(stageLayoutText(read->layers), std::string("3+29*2+2*0"));
    QCOMPARE(sumOf(read->layers), 61);
    // TorchTitan, 3 layers of which embedding and head count as 2 each.
    QCOMPARE(stageLayoutText(leadingLayout(3, 2, 2, 2)), std::string("2+1"));
  }

  void deepSpeedsPartitionIsThatOfItsTable() {
    for (std::size_t layers = 1; layers <= 40; ++layers) {
      for (std::size_t stages = 1; stages <= layers; ++stages) {
        QCOMPARE(partitionedLayout(static_cast<std::int64_t>(layers), static_cast<std::int64_t>(stages)),
                 partitionByTable(layers, stages));
      }
    }
  }

  void textsAreReadBack() {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
      StageLayout layout;
      const auto size = 2 + random() % 20;
      while (layout.size() < size)
        layout.insert(layout.end(), 1 + random() % 5, static_cast<std::int64_t>(random() % 6));
      QCOMPARE(stageLayoutFrom(stageLayoutText(layout)).value(), layout);
      const auto megatron = megatronLayoutFrom(megatronLayoutText(layout));
      QVERIFY2(megatron.ok(), megatronLayoutText(layout).c_str());
      QVERIFY2(megatron->layers == layout, megatronLayoutText(layout).c_str());
    }
    QCOMPARE(stageLayoutFrom("even").value(), StageLayout{});
  }

  void badTextsAreRefused() {
    for (const char* text : {"", "+", "3+", "3*", "*3", "a", "-1", "0*4", "3++4", "99999999*2"}) {
      QVERIFY2(!stageLayoutFrom(text).ok(), text);
    }
    for (const char* text :
         {"", "EL|", "tt|L", "Ett|t", "E(t|L", "E(t|)L", "Ex|L", "Et*999999999|L", "E(t*60000)*60000|L", "L|E"}) {
      QVERIFY2(!megatronLayoutFrom(text).ok(), text);
    }
  }

  void wordsSayTheLayers() {
    QCOMPARE(describeStageLayout({8, 8, 8, 8}), std::string("8 each"));
    QCOMPARE(describeStageLayout({7, 8, 8, 7}), std::string("8 each, first 7, last 7"));
    QCOMPARE(describeStageLayout({4, 4, 3, 4, 2}), std::string("4 each, 1 other 3, last 2"));
    QCOMPARE(describeStageLayout({5, 4}), std::string("first 5, last 4"));
    QCOMPARE(describeStageLayout({5, 5}), std::string("5 each"));
  }

  // A layout that the search offers is one that the framework's own rules accept.
  void offeredLayoutsKeepTheRules() {
    std::mt19937 random(11);
    int offered = 0;
    for (const TrainingFramework* framework : trainingFrameworks()) {
      if (framework->layouts == nullptr) continue;
      for (int round = 0; round < 200; ++round) {
        ModelShape model = modelCalled("llama3-8b");
        model.layers = 3 + static_cast<std::int64_t>(random() % 70);
        const auto chunks = static_cast<std::int64_t>(framework->interleaves ? 1 + random() % 4 : 1);
        auto made = pipelineOf(2 + static_cast<std::int64_t>(random() % 8), chunks, 64);
        made.plan.microbatches = made.plan.globalBatch = 64 * made.plan.pipeline;
        made.family = framework->family;
        if (framework->applyDefaults != nullptr) framework->applyDefaults(made);
        made.plan.zero = framework->zeroStages.front();
        for (const StageLayout& layout : framework->layouts(model, made)) {
          made.layersPerStage = layout;
          QVERIFY(checkConfiguration(model, made).ok());
          QCOMPARE(sumOf(chunkLayers(model, made)), model.layers);
          const FrameworkRule* rule = brokenRule(*framework, model, made);
          QVERIFY2(rule == nullptr, rule == nullptr ? "" : (std::string(rule->name) + describe(made)).c_str());
          ++offered;
        }
      }
    }
    QVERIFY(offered > 1000);
  }

  // The fullest device, by a count that shares no code: microbatches in flight times layers of every chunk.
  void activationsFollowTheLayers() {
    ModelShape model = modelCalled("llama3-8b");
    model.layers = 14;
    auto made = pipelineOf(4, 1, 16);
    made.layersPerStage = {2, 4, 4, 4};
    const auto uneven = stageMemory(model, made);
    const double layer = layerActivations(model, made, false);
    for (std::size_t stage = 0; stage < 3; ++stage) {
      const double kept = static_cast<double>(made.layersPerStage[stage]) * static_cast<double>(4 - stage) * layer;
      QVERIFY(std::abs(uneven[stage].activations / kept - 1) < 1e-9);
    }
    // Interleaved, chunks of 3 and 1 layers: stage 0 holds 4 + 3 microbatches of the first and 4 of the second.
    made = pipelineOf(4, 2, 16);
    made.layersPerStage = {3, 2, 2, 1, 1, 2, 2, 1};
    const double first = stageMemory(model, made)[0].activations;
    QVERIFY(std::abs(first / ((3 * 7 + 1 * 4) * layer) - 1) < 1e-9);
  }
};

QTEST_APPLESS_MAIN(TestStageLayouts)
#include "tst_stage_layouts.moc"
