// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "workload/generate/hugging_face.h"

using namespace p2;

namespace {

std::string configWith(const char* type, int layers, const char* keys) {
  return std::string(R"({"model_type": ")") + type + R"(", "num_hidden_layers": )" + std::to_string(layers) +
         R"(, "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 4,
             "head_dim": 16, "vocab_size": 99)" +
         keys + "}";
}

/// Pairs of a token and one that it attends to, counted one by one.
double pairsOf(std::int64_t sequence, std::int64_t window, bool chunks) {
  double pairs = 0;
  for (std::int64_t to = 0; to < sequence; ++to) {
    for (std::int64_t from = 0; from <= to; ++from) {
      const bool seen = window == 0 || (chunks ? from / window == to / window : to - from < window);
      pairs += seen ? 1 : 0;
    }
  }
  return pairs;
}

}  // namespace

/// Which layers of a config.json look back over a window of tokens, and how much work that leaves.
class TestConfigWindow : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Layers with a window as the public classes place them.
  void layersWithAWindowAreCounted_data() {
    QTest::addColumn<std::string>("config");
    QTest::addColumn<std::int64_t>("window");
    QTest::addColumn<std::int64_t>("step");
    QTest::addColumn<std::int64_t>("layers");
    const auto row = [](const char* name, const std::string& config, std::int64_t window, std::int64_t step,
                        std::int64_t layers) { QTest::newRow(name) << config << window << step << layers; };
    row("Mistral 7B v0.1", configWith("mistral", 32, R"(, "sliding_window": 4096)"), 4096, 0, 32);
    row("Mistral 7B v0.3", configWith("mistral", 32, R"(, "sliding_window": null)"), 0, 0, 0);
    row("Phi-3 mini", configWith("phi3", 32, R"(, "sliding_window": 2047)"), 2047, 0, 32);
    row("Gemma 2 27B", configWith("gemma2", 46, R"(, "sliding_window": 4096)"), 4096, 2, 23);
    row("Gemma 3 27B", configWith("gemma3_text", 62, R"(, "sliding_window": 1024, "sliding_window_pattern": 6)"), 1024,
        6, 52);
    row("Command R7B", configWith("cohere2", 32, R"(, "sliding_window": 4096, "sliding_window_pattern": 4)"), 4096, 4,
        24);
    row("EXAONE 4 32B", configWith("exaone4", 64, R"(, "sliding_window": 4096, "sliding_window_pattern": "LLLG")"),
        4096, 4, 48);
    row("layer types", configWith("olmo3", 4, R"(, "sliding_window": 4096, "layer_types": ["sliding_attention",
        "sliding_attention", "sliding_attention", "full_attention"])"),
        4096, 4, 3);
    row("no period", configWith("llama", 4, R"(, "sliding_window": 4096, "layer_types": ["full_attention",
        "sliding_attention", "sliding_attention", "full_attention"])"),
        4096, 0, 2);
    row("Llama 4", configWith("llama4_text", 4, R"(, "attention_chunk_size": 8192, "no_rope_layers": [1, 1, 1, 0])"),
        8192, 4, 3);
    row("Llama 4 by its class", configWith("llama4_text", 48, R"(, "attention_chunk_size": 8192)"), 8192, 4, 36);
    row("Qwen2.5", configWith("qwen2", 28, R"(, "sliding_window": 131072, "use_sliding_window": false,
        "max_window_layers": 28)"),
        0, 0, 0);
    row("Qwen2 with a window", configWith("qwen2", 28, R"(, "sliding_window": 32768, "use_sliding_window": true,
        "max_window_layers": 21)"),
        32768, 0, 7);
    row("all behind none", configWith("qwen2", 28, R"(, "sliding_window": 32768, "use_sliding_window": true,
        "max_window_layers": 28)"),
        0, 0, 0);
    row("no number", configWith("mistral", 32, R"(, "sliding_window": "long")"), 0, 0, 0);
  }
  void layersWithAWindowAreCounted() {
    QFETCH(std::string, config);
    QFETCH(std::int64_t, window);
    QFETCH(std::int64_t, step);
    QFETCH(std::int64_t, layers);
    const ModelShape shape = test::valueOf(modelFromConfig(config)).shape;
    QCOMPARE(shape.window, window);
    QCOMPARE(shape.windowStep, step);
    QCOMPARE(windowedLayers(shape), layers);
    QCOMPARE(shape.windowChunks, config.find("attention_chunk_size") != std::string::npos);
  }

  void anUnknownClassIsAssumedToHaveNone() {
    const auto model = test::valueOf(modelFromConfig(configWith("llama", 4, R"(, "sliding_window": 4096)")));
    QCOMPARE(model.shape.window, std::int64_t{0});
    const std::string assumed = "every token attends to all before it, though sliding_window is 4096";
    QVERIFY(std::find(model.assumed.begin(), model.assumed.end(), assumed) != model.assumed.end());
  }

  // Against all pairs, counted: the mean over layers, in sequences shorter and longer than the window.
  void attendedTokensAreThoseOfThePairs() {
    for (const bool chunks : {false, true}) {
      for (const std::int64_t step : {0, 2, 6}) {
        for (const std::int64_t sequence : {64, 256, 768}) {
          ModelShape shape;
          shape.layers = 12;
          shape.window = 128;
          shape.windowStep = step;
          shape.windowChunks = chunks;
          const auto inside = static_cast<double>(windowedLayers(shape));
          const double all = pairsOf(sequence, 0, false);
          const double mean = (inside * pairsOf(sequence, shape.window, chunks) + (12 - inside) * all) / 12;
          const double share = attendedTokens(shape, sequence) / static_cast<double>(sequence);
          // Half a token at the diagonal is neglected in both.
          QVERIFY2(std::abs(share / (mean / all) - 1) < .02,
                   qPrintable(QString("step %1, %2 tokens: %3").arg(step).arg(sequence).arg(share)));
        }
      }
    }
    QCOMPARE(attendedTokens(ModelShape{.layers = 12}, 256), 256.0);
  }
};

QTEST_APPLESS_MAIN(TestConfigWindow)
#include "tst_config_window.moc"
