// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "training/model_argument.h"
#include "training_files/stated_training.h"
#include "workspace/workspace.h"

using namespace p2;

/// Settings of a file that are priced as others, which the answer says.
class TestAssumedSettings : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Policies that keep a part of a layer are nearer to full recomputation than to none.
  void policiesOfRematerialisation() {
    const auto stated = [](const std::string& policy) {
      return readTraining("model_name: llama3-8b\nici_fsdp_parallelism: 8\nremat_policy: " + policy + "\n").value();
    };
    for (const char* keeps : {"minimal", "minimal_flash", "none"}) {
      QCOMPARE(stated(keeps).recomputation, std::optional(RecomputeKind::None));
      QVERIFY(stated(keeps).assumed.empty());
    }
    QVERIFY(stated("full").assumed.empty());
    const StatedTraining part = stated("save_dot_with_context_except_mlp");
    QCOMPARE(part.recomputation, std::optional(RecomputeKind::Full));
    QCOMPARE(part.assumed,
             std::vector<std::string>{"remat_policy save_dot_with_context_except_mlp counts as full recomputation"});
  }

  // Modules that Megatron-Core recomputes are read in the forms of scripts and recipes; those of layers that are not
  // priced are named.
  void recomputedModulesAreNamed() {
    const auto assumed = [](const std::string& modules) {
      const auto stated = readTraining("--tensor-model-parallel-size 2 --recompute-granularity selective " + modules +
                                       " --micro-batch-size 1 --global-batch-size 64 --seq-length 2048");
      std::string all;
      for (const std::string& each : stated.value().assumed) all += each + "\n";
      return all;
    };
    QCOMPARE(assumed("--recompute-modules mla_up_proj moe_act layernorm"), assumed(""));
    const std::string unknown = assumed("--recompute-modules moe_act gdn_norm_out");
    QVERIFY2(unknown.find("recomputation of gdn_norm_out has no effect here") != std::string::npos, unknown.c_str());
    using enum RecomputedModule;
    const auto modules = [](const std::string& text) {
      return readTraining("tensor_model_parallel_size: 2\nrecompute_granularity: selective\n" + text +
                          "\nmicro_batch_size: 1\nglobal_batch_size: 64\nseq_length: 2048\n")
          .value();
    };
    const std::optional three(RecomputedModules{LatentUpProjection, ExpertActivation, LayerNorm});
    QVERIFY(readTraining("--tensor-model-parallel-size 2 --recompute-granularity selective --recompute-modules "
                         "mla_up_proj moe_act layernorm --micro-batch-size 1 --seq-length 2048")
                .value()
                .recomputedModules == three);
    QVERIFY(modules("recompute_modules: [mla_up_proj, moe_act, layernorm]").recomputedModules == three);
    QVERIFY(!modules("recompute_modules: [core_attn]").recomputedModules);
    QVERIFY(modules("moe_layer_recompute: true").recomputedModules == RecomputedModules({CoreAttention, Experts}));
  }

  // What the device does not have is not priced, and the answer says so.
  void whatTheDeviceLacksIsNamed() {
    const auto shape = modelFromArgument("llama3-8b");
    const auto machine = systemFromArgument("abci-v100:4");
    QVERIFY(shape.ok() && machine.ok());
    auto stated = readTraining(
        "--tensor-model-parallel-size 4 --use-flash-attn --fp8-format hybrid --micro-batch-size 1 "
        "--global-batch-size 64 --seq-length 2048");
    QVERIFY(stated.ok());
    const auto made = configurationOf(stated.value(), shape->shape, *machine, {});
    QVERIFY(made.ok());
    QVERIFY(!made->fusedAttention && made->precision == ProductPrecision::Bf16);
    const auto says = [&](const char* words) {
      return std::any_of(stated->assumed.begin(), stated->assumed.end(),
                         [&](const std::string& each) { return each.find(words) != std::string::npos; });
    };
    QVERIFY(says("attention is not fused, although the file asks for it"));
    QVERIFY(says("products in bf16: V100 has no fp8"));
  }
};

QTEST_APPLESS_MAIN(TestAssumedSettings)
#include "tst_assumed_settings.moc"
