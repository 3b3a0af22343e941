// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "workload/generate/hugging_face.h"

using namespace p2;

namespace {

std::string llamaWith(const char* keys) {
  return std::string(R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128,
    "num_attention_heads": 4, "vocab_size": 99)") +
         keys + "}";
}

}  // namespace

/// Positions of a config.json, which launch flags need.
class TestConfigPositions : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Under the names that models have for it, of the layers with full attention where layers differ.
  void theBaseOfRotaryPositionsIsRead() {
    const auto baseOf = [](const char* keys) {
      const auto model = modelFromConfig(llamaWith(keys));
      return model.ok() ? model->shape.rotaryBase : -1;
    };
    QCOMPARE(baseOf(""), std::int64_t{0});
    QCOMPARE(baseOf(R"(, "rope_theta": 500000.0)"), std::int64_t{500000});
    QCOMPARE(baseOf(R"(, "rope_theta": null, "rotary_emb_base": 10000)"), std::int64_t{10000});
    QCOMPARE(baseOf(R"(, "rope_parameters": {"rope_theta": 1e6, "rope_type": "default"})"), std::int64_t{1000000});
    QCOMPARE(baseOf(R"(, "rope_parameters": {"sliding_attention": {"rope_theta": 1e4},
                       "full_attention": {"rope_theta": 1e6}})"),
             std::int64_t{1000000});
    QCOMPARE(baseOf(R"(, "rope_theta": 1234.5)"), std::int64_t{0});
    QCOMPARE(baseOf(R"(, "rope_theta": "large")"), std::int64_t{0});
  }

  // GLM-4.5 and StableLM rotate a part of each head.
  void theShareThatRotatesIsRead() {
    const auto shareOf = [](const char* keys) {
      return test::valueOf(modelFromConfig(llamaWith(keys))).shape.rotaryShare;
    };
    QCOMPARE(shareOf(""), 0.0);
    QCOMPARE(shareOf(R"(, "partial_rotary_factor": 0.5)"), 0.5);
    QCOMPARE(shareOf(R"(, "rotary_pct": 0.25)"), 0.25);
    QCOMPARE(shareOf(R"(, "rope_parameters": {"rope_theta": 1e6, "partial_rotary_factor": 0.25})"), 0.25);
    QCOMPARE(shareOf(R"(, "partial_rotary_factor": 1.0)"), 0.0);
    QCOMPARE(shareOf(R"(, "partial_rotary_factor": "half")"), 0.0);
  }

  void normsAndTheBalanceOfExpertsAreRead() {
    const auto shapeOf = [](const char* keys) { return test::valueOf(modelFromConfig(llamaWith(keys))).shape; };
    QCOMPARE(shapeOf("").normEpsilon, 0.0);
    QCOMPARE(shapeOf(R"(, "rms_norm_eps": 1e-06)").normEpsilon, 1e-6);
    QCOMPARE(shapeOf(R"(, "layer_norm_epsilon": 1e-12)").normEpsilon, 1e-12);
    QCOMPARE(shapeOf(R"(, "rms_norm_eps": "small")").normEpsilon, 0.0);
    const ModelShape mixtral = test::valueOf(modelFromConfig(R"({"model_type": "mixtral", "num_hidden_layers": 4,
        "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 99,
        "num_local_experts": 8, "num_experts_per_tok": 2, "router_aux_loss_coef": 0.02})"))
                                   .shape;
    QCOMPARE(mixtral.auxiliaryLoss, 0.02);
  }

  // As Llama 3.1 stretches them, or YaRN of latent attention. Others have no flags of Megatron-LM.
  void stretchedPositionsAreRead() {
    const auto shapeOf = [](const char* keys) { return test::valueOf(modelFromConfig(llamaWith(keys))).shape; };
    constexpr const char* kLlama31 =
        R"(, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "rope_type": "llama3"})";
    QCOMPARE(shapeOf(kLlama31).ropeFactor, 8.0);
    QCOMPARE(shapeOf("").ropeFactor, 0.0);
    QCOMPARE(shapeOf(R"(, "rope_scaling": null)").ropeFactor, 0.0);
    QCOMPARE(shapeOf(R"(, "rope_scaling": {"factor": 4.0, "type": "yarn"})").ropeFactor, 0.0);
    const ModelShape deepSeek = test::valueOf(modelFromConfig(R"({"model_type": "deepseek_v3", "num_hidden_layers": 4,
        "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "vocab_size": 99, "kv_lora_rank": 16,
        "q_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16, "v_head_dim": 16, "n_routed_experts": 8,
        "num_experts_per_tok": 2, "moe_intermediate_size": 32, "routed_scaling_factor": 2.5,
        "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0}})"))
                                    .shape;
    QCOMPARE(deepSeek.ropeFactor, 40.0);
    QCOMPARE(deepSeek.ropeMagnitude, 1.0);
    QCOMPARE(deepSeek.routerScale, 2.5);
  }
};

QTEST_APPLESS_MAIN(TestConfigPositions)
#include "tst_config_positions.moc"
