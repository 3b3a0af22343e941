// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "text/text_file.h"
#include "training/model_argument.h"
#include "training_files/stated_training.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

const std::string kFiles = P2_TEST_DATA "/training_files/";
const std::string kRecipes = kFiles + "checkout/src/megatron/bridge/perf_recipes/qwen/h100/qwen3_moe.py";

/// What a file means for Qwen3 30B on H100s, or the error.
Result<TrainingConfiguration> meant(const std::string& file, const std::string& system, StatedTraining& stated) {
  P2_TRY_ASSIGN(stated, readTrainingFile(file));
  P2_TRY_ASSIGN(const auto model, modelFromArgument("qwen3-30b-a3b"));
  P2_TRY_ASSIGN(const auto machine, systemFromArgument(system));
  return configurationOf(stated, model.shape, machine, {});
}

}  // namespace

/// Recipes whose settings are in several functions and files.
class TestPythonRecipes : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Base recipes and helpers of other files are read in the order in which they would run: the last value counts, also
  // None, and branches whose condition does not hold are left out.
  void recipesAreFollowedThroughTheirCheckout() {
    StatedTraining stated;
    const auto made = meant(kRecipes + ":qwen3_bf16_config", "dgx-h100:4", stated);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    QCOMPARE(stated.format, std::string("Megatron-Bridge recipe"));
    QVERIFY(stated.skipped.empty());
    QCOMPARE(made->plan.tensor, std::int64_t{2});
    QCOMPARE(made->plan.pipeline, std::int64_t{2});
    QCOMPARE(made->plan.chunks, std::int64_t{1});
    QCOMPARE(made->plan.context, std::int64_t{1});
    QCOMPARE(made->plan.expert, std::int64_t{8});
    QCOMPARE(made->plan.microbatch, std::int64_t{1});
    QCOMPARE(made->plan.globalBatch, std::int64_t{128});
    QCOMPARE(made->plan.sequence, std::int64_t{4096});
    QVERIFY(made->plan.sequenceParallel == SequenceParallelism::Megatron);
    QVERIFY(made->recomputation == RecomputeKind::None);
    QVERIFY(made->precision == ProductPrecision::Bf16);
    QVERIFY(!made->fullPrecisionSums);
  }

  // An argument of a call is the value of the parameter. Recomputation of an empty list of modules is none.
  void argumentsOfCallsCount() {
    StatedTraining stated;
    const auto made = meant(kRecipes + ":qwen3_fp8_config", "dgx-h100:4", stated);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    QCOMPARE(made->plan.globalBatch, std::int64_t{256});
    QVERIFY(made->precision == ProductPrecision::Fp8);
    QVERIFY(made->recomputation == RecomputeKind::None);
  }

  // What a recipe leaves to Megatron-Bridge has its defaults, and the answer says so: experts are not cut by tp, and
  // replicas share the optimizer's states.
  void frameworksHaveTheirDefaults() {
    const std::string text =
        "from megatron.bridge.perf_recipes.qwen.common import _benchmark_common, base_config\n"
        "def recipe():\n"
        "    cfg = base_config()\n"
        "    cfg.model.tensor_model_parallel_size = 2\n"
        "    cfg.model.expert_model_parallel_size = 16\n"
        "    cfg.model.sequence_parallel = True\n"
        "    cfg.train.global_batch_size = 64\n"
        "    cfg.train.micro_batch_size = 1\n"
        "    _benchmark_common(cfg)\n"
        "    return cfg\n";
    auto stated = readTraining(text);
    QVERIFY(stated.ok());
    const auto model = modelFromArgument("qwen3-30b-a3b");
    const auto machine = systemFromArgument("dgx-h100:2");
    const auto made = configurationOf(stated.value(), model->shape, *machine, {});
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    QCOMPARE(made->plan.expertTensor, std::int64_t{1});
    QCOMPARE(made->plan.zero, std::int64_t{1});
    QVERIFY(!made->fullPrecisionSums);
    QCOMPARE(stated->skipped.size(), std::size_t{1});
    QVERIFY(stated->skipped.front().starts_with("the settings of base_config(), because its file is missing"));
    QVERIFY(!stated->assumed.empty());
    QVERIFY(stated->assumed.front().starts_with("as in recipes of Megatron-Bridge: "));
  }

  // Options of an object count where the object is used, and converters name the precision.
  void objectsHaveTheirOptions() {
    const auto stated = readTraining(
        "def llama3_405b():\n"
        "    compile_config = CompileConfig(enable=True, enable_async_tensor_parallel=True)\n"
        "    model_spec = model_registry(\"405B\", "
        "converters=[Float8LinearConverter.Config(filter_fqns=[\"lm_head\"])])\n"
        "    return Trainer.Config(\n"
        "        profiler=Profiler.Config(enable=False),\n"
        "        model_spec=model_spec,\n"
        "        training=TrainingConfig(num_tokens_per_microbatch_per_dp_rank=2 * 8192, max_context_length=8192),\n"
        "        parallelism=ParallelismConfig(tensor_parallel_degree=8),\n"
        "        activation_checkpoint=SelectiveAC.Config(per_op=[\"mm\"]),\n"
        "        compile=compile_config,\n"
        "    )\n");
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().message.c_str());
    QCOMPARE(stated->format, std::string("TorchTitan configuration"));
    QVERIFY(stated->compiled == true);
    QVERIFY(stated->tensorOverlap == true);
    QVERIFY(stated->precision == ProductPrecision::Fp8);
    QVERIFY(stated->recomputation == RecomputeKind::Selective);
    QVERIFY(stated->microbatch == std::int64_t{2});
    QVERIFY(stated->tensor == std::int64_t{8});
  }

  // The batch of a schedule is the last, and the answer says so.
  void schedulesOfBatchesEndWithTheBatch() {
    const auto stated = readTraining(
        "--tensor-model-parallel-size 2 --micro-batch-size 4 --seq-length 4096 "
        "--step-batch-size-schedule \"0:384 200B:768 400B:1152\"");
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().message.c_str());
    QVERIFY(stated->globalBatch == std::int64_t{1152});
    QVERIFY(!stated->assumed.empty());
    QVERIFY(stated->assumed.front().starts_with("a batch of 1152 sequences, the last"));
  }

  // Presets are values of a file, and say their precision by name. Settings of the others are not theirs.
  void presetsAreNamedValues() {
    StatedTraining stated;
    const auto made =
        meant(kFiles + "bridge_presets.py:QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_BF16_V1", "dgx-h100:2", stated);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    QCOMPARE(made->plan.expert, std::int64_t{16});
    QCOMPARE(made->plan.globalBatch, std::int64_t{512});
    QVERIFY(made->plan.expertOverlap);
    QCOMPARE(made->plan.zero, std::int64_t{1});
    QVERIFY(made->dispatch == ExpertDispatch::HybridEp);
    QVERIFY(made->recomputation == RecomputeKind::Selective);
    QVERIFY(made->recomputedModules == RecomputedModules{RecomputedModule::ExpertActivation});
    const auto eight =
        meant(kFiles + "bridge_presets.py:QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_FP8_CS_V1", "dgx-h100:2", stated);
    QVERIFY(eight.ok() && eight->precision == ProductPrecision::Fp8);
    const auto several = readTrainingFile(kFiles + "bridge_presets.py");
    QVERIFY(!several.ok());
    QVERIFY(several.error().message.find("name one behind a colon") != std::string::npos);
  }

  void recipesWithoutAnAnswerAreRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* text, const char* reason) {
      QTest::newRow(name) << text << reason;
    };
    row("presets that a run looks up",
        "from utils.overrides import get_workload_base_config\n"
        "def pretrain(gpu):\n    base = get_workload_base_config(gpu=gpu)\n    cfg.model.tensor_model_parallel_size = "
        "1\n",
        "the recipe looks its degrees up when it runs");
    row("adapters",
        "def tune(peft_scheme='lora'):\n    cfg.model.tensor_model_parallel_size = 1\n"
        "    cfg.train.global_batch_size = 32\n    cfg.train.micro_batch_size = 1\n",
        "it trains adapters (lora)");
    row("experts that exceed the devices",
        "--tensor-model-parallel-size 2 --sequence-parallel --num-experts 128 --expert-model-parallel-size 16 "
        "--micro-batch-size 1 --global-batch-size 64 --seq-length 4096",
        "etp 2 · ep 16 · pp 1 are 32 devices, which do not divide the 16 of the system; use "
        "expert_tensor_parallel_size 1");
  }
  void recipesWithoutAnAnswerAreRefused() {
    QFETCH(QString, text);
    QFETCH(QString, reason);
    auto stated = readTraining(text.toStdString());
    std::string problem;
    if (stated.ok()) {
      const auto model = modelFromArgument("qwen3-30b-a3b");
      const auto machine = systemFromArgument("dgx-h100:2");
      const auto made = configurationOf(stated.value(), model->shape, *machine, {});
      problem = made.ok() ? "" : made.error().message;
    } else {
      problem = stated.error().message;
    }
    QVERIFY2(problem.find(reason.toStdString()) != std::string::npos, problem.c_str());
  }

  // Text that breaks off, calls itself or nests without end gives settings or an error, and ends.
  void brokenTextsEnd() {
    const std::string loop =
        "def a(x=1):\n    b(a(x=2))\n    cfg.model.tensor_model_parallel_size = 1\n    cfg.train.micro_batch_size = 1\n"
        "def b(y):\n    a(b(y))\n    cfg.model.pipeline_model_parallel_size = 1\n";
    QVERIFY(readTraining(loop, "a").ok());
    const std::string whole = readTextFile(kRecipes).value();
    for (std::size_t length = 0; length <= whole.size(); length += 7) {
      const auto part = readTraining(whole.substr(0, length), "qwen3_fp8_config");
      QVERIFY(part.ok() || !part.error().message.empty());
    }
  }
};

QTEST_GUILESS_MAIN(TestPythonRecipes)
#include "tst_python_recipes.moc"
