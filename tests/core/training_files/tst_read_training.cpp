// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "support/warnings.h"
#include "text/text_file.h"
#include "training/model_argument.h"
#include "training_files/stated_training.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

std::string dataFile(const QString& name) {
  return (QStringLiteral(P2_TEST_DATA "/training_files/") + name).toStdString();
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

class TestReadTraining : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void aFileMeansAConfiguration_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("meaning");
    const auto row = [](const char* file, const char* format, const char* model, const char* system, int batch,
                        const char* meaning) {
      QTest::newRow(file) << file << format << model << system << batch << meaning;
    };
    row("megatron.sh", "Megatron-LM arguments", "llama3-70b", "dgx-h100:16", 0,
        "tp 8, pp 4, vpp 5, dp 4, microbatch 1 × 256, ZeRO 1, selective recomputation, interleaved 1F1B");
    row("megatron.yaml", "Megatron-LM arguments", "llama3-8b", "dgx-h100:2", 0,
        "tp 2, pp 2, dp 4, microbatch 2 × 8, ZeRO 1, full recomputation, 1f1b");
    row("megatron.log", "Megatron-LM arguments", "llama3-8b", "dgx-h100:2", 0,
        "tp 2, pp 2, dp 4, microbatch 2 × 8, ZeRO 1, full recomputation, 1f1b");
    row("nemo_recipe.py", "NeMo or Megatron-Bridge recipe", "llama3-8b", "dgx-h100:4", 0,
        "tp 4, cp 2, dp 4, microbatch 1 × 32, ZeRO 0, no recomputation");
    row("bridge.py:large", "NeMo or Megatron-Bridge recipe", "llama3-8b", "dgx-h100:2", 0,
        "tp 4, pp 2, dp 2, microbatch 2 × 32, ZeRO 1, no recomputation, 1f1b");
    row("nemo.yaml", "NeMo configuration", "llama3-8b", "dgx-h100:2", 0,
        "tp 4, dp 4, microbatch 1 × 16, ZeRO 0, selective recomputation");
    row("torchtitan.toml", "TorchTitan configuration", "llama3-70b", "dgx-h100:16", 0,
        "tp 8, pp 4, vpp 2, dp 4, microbatch 2 × 64, ZeRO 3 gathered once, selective recomputation, interleaved 1F1B");
    row("torchtitan.py", "TorchTitan configuration", "llama3-8b", "dgx-h100:2", 0,
        "tp 2, dp 8, microbatch 2 × 4, ZeRO 3, full recomputation");
    row("deepspeed.json", "DeepSpeed configuration", "llama3-8b", "dgx-h100:4", 0,
        "dp 32, microbatch 2 × 4, ZeRO 3, no recomputation");
    row("deepspeed.sh", "DeepSpeed configuration", "llama3-8b", "dgx-h100:2", 0,
        "tp 4, pp 2, dp 2, microbatch 2 × 8, ZeRO 1, full recomputation, 1f1b");
    row("accelerate.yaml", "PyTorch FSDP configuration", "llama3-8b", "dgx-h100:2", 64,
        "dp 16, microbatch 1 × 4, ZeRO 2, full recomputation");
    row("nanotron.yaml", "nanotron configuration", "llama3-8b", "dgx-h100:2", 0,
        "tp 2 overlapped, pp 2, dp 4, microbatch 3 × 8, ZeRO 1, no recomputation, 1f1b, layers 18+14");
    row("maxtext.yml", "MaxText configuration", "llama3-70b", "dgx-h100:4", 0,
        "dp 32, microbatch 2 × 1, ZeRO 3, full recomputation");
    row("maxtext.sh", "MaxText configuration", "llama3-8b", "dgx-h100:2", 0,
        "tp 4, pp 2, dp 2, microbatch 2 × 4, ZeRO 3, no recomputation, gpipe");
    row("neuronx.yaml", "NxD Training configuration", "llama3-70b", "aws-trn1:16", 0,
        "tp 32, pp 8, dp 2, microbatch 1 × 512, ZeRO 1, selective recomputation, 1f1b");
    row("primus.yaml", "Primus configuration (megatron)", "llama3-70b", "dgx-h100:2", 0,
        "dp 16, microbatch 4 × 1, ZeRO 3, full recomputation");
  }
  void aFileMeansAConfiguration() {
    QFETCH(QString, file);
    QFETCH(QString, format);
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(int, batch);
    QFETCH(QString, meaning);
    auto stated = readTrainingFile(dataFile(file));
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().text().c_str());
    QCOMPARE(QString::fromStdString(stated->format), format);
    const auto shape = modelFromArgument(model.toStdString());
    QVERIFY2(shape.ok(), shape.ok() ? "" : shape.error().text().c_str());
    const auto machine = systemFromArgument(system.toStdString());
    QVERIFY(machine.ok());
    GivenSizes given;
    if (batch > 0) given.batch = batch;
    const auto made = configurationOf(stated.value(), shape->shape, *machine, given);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
    QCOMPARE(QString::fromStdString(describe(*made)), meaning);
  }

  void namesAreKnownIgnoredOrUnknown() {
    const auto stated = readTrainingFile(dataFile("megatron.sh"));
    QVERIFY(stated.ok());
    QVERIFY(contains(stated->ignored, "lr"));
    QCOMPARE(stated->unknown, std::vector<std::string>{"tp_com_overlap"});
    QCOMPARE(stated->devices(), std::optional<std::int64_t>(128));
    QVERIFY(stated->open.empty());
  }

  // Only a dropout that the prediction does not have is without effect on it.
  void dropoutIsReadWhereItIsOff() {
    const auto off = readTraining("--tensor-model-parallel-size 2 --attention-dropout 0 --hidden-dropout 0.0");
    QVERIFY(off.ok() && off->ignored.empty() && off->unknown.empty());
    const auto on = readTraining("--tensor-model-parallel-size 2 --attention-dropout 0 --hidden-dropout 0.1");
    QVERIFY(on.ok());
    QCOMPARE(on->ignored, std::vector<std::string>{"hidden_dropout"});
    QVERIFY(!readTraining("--tensor-model-parallel-size 2 --hidden-dropout much").ok());
  }

  void theShapeOfTheModelIsRead() {
    const auto stated = readTrainingFile(dataFile("megatron.sh"));
    QVERIFY(stated.ok());
    ModelShape declared = resolved(stated->model);
    const auto bundled = modelFromArgument("llama3-70b");
    QVERIFY(bundled.ok());
    declared.name = bundled->shape.name;
    QVERIFY(declared == bundled->shape);
    QCOMPARE(modelParameters(declared), std::int64_t{70'553'706'496});
  }

  // Megatron prints a default for arguments that the model does not use.
  void printedDefaultsAreNoChoices() {
    const auto stated = readTrainingFile(dataFile("megatron.log"));
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().text().c_str());
    QCOMPARE(stated->tensor, std::int64_t(2));
    QVERIFY(!stated->expertTensor);
    QCOMPARE(stated->model.kvHeads, std::int64_t(8));
    QCOMPARE(stated->model.vocabulary, std::int64_t(128256));
    QCOMPARE(stated->model.kvRank, std::int64_t(0));
    QCOMPARE(stated->model.valueSize, std::int64_t(0));
    QCOMPARE(stated->model.experts, std::int64_t(0));
    const auto log = readTextFile(dataFile("megatron.log"));
    QVERIFY(log.ok());
    std::string text = *log;
    const std::string several = "group_query_attention ........................... True";
    text.replace(text.find(several), several.size(), "group_query_attention ........................... False");
    const auto single = readTraining(text);
    QVERIFY(single.ok());
    QCOMPARE(single->model.kvHeads, std::int64_t(0));
  }

  void detailsOfAConfiguration() {
    const auto shape = modelFromArgument("llama3-8b");
    const auto machine = systemFromArgument("dgx-h100:2");
    QVERIFY(shape.ok() && machine.ok());
    auto yaml = readTrainingFile(dataFile("megatron.yaml"));
    QVERIFY(yaml.ok());
    QCOMPARE(yaml->order, std::optional<std::string>("Megatron-LM tp-pp-dp"));
    const auto first = configurationOf(yaml.value(), shape->shape, *machine, {});
    QVERIFY(first.ok());
    QCOMPARE(first->recomputedLayers, std::int64_t{4});
    auto bridge = readTrainingFile(dataFile("bridge.py:large"));
    QVERIFY(bridge.ok());
    const auto eight = configurationOf(bridge.value(), shape->shape, *machine, {});
    QVERIFY(eight.ok());
    QVERIFY(eight->precision == ProductPrecision::Fp8);
    auto maxtext = readTrainingFile(dataFile("maxtext.sh"));
    QVERIFY(maxtext.ok());
    QVERIFY(maxtext->precision == ProductPrecision::Fp8);
    const auto again = configurationOf(maxtext.value(), shape->shape, *machine, {});
    QVERIFY(again.ok() && again->plan.reshard && !again->plan.accumulate);
    auto once = readTraining(
        "model_name: llama3-8b\nici_fsdp_parallelism: 8\ndcn_pipeline_parallelism: 2\n"
        "num_layers_per_pipeline_stage: 16\nper_device_batch_size: 1\n"
        "max_target_length: 4096\npipeline_fsdp_ag_once: True\n");
    QVERIFY(once.ok());
    const auto kept = configurationOf(once.value(), shape->shape, *machine, {});
    QVERIFY(kept.ok() && !kept->plan.reshard && kept->plan.accumulate);
    auto nanotron = readTrainingFile(dataFile("nanotron.yaml"));
    QVERIFY(nanotron.ok());
    const auto overlapped = configurationOf(nanotron.value(), shape->shape, *machine, {});
    QVERIFY(overlapped.ok() && overlapped->plan.tensorOverlap);
    const auto wide = systemFromArgument("dgx-h100:16");
    const auto large = modelFromArgument("llama3-70b");
    QVERIFY(wide.ok() && large.ok());
    auto toml = readTrainingFile(dataFile("torchtitan.toml"));
    QVERIFY(toml.ok());
    const auto hybrid = configurationOf(toml.value(), large->shape, *wide, {});
    QVERIFY(hybrid.ok());
    QCOMPARE(hybrid->plan.replicas, std::int64_t{2});
    QVERIFY(hybrid->precision == ProductPrecision::Fp8);
  }

  // NeMo's optimizers shard their states by their names alone.
  void namesOfOptimizersShard() {
    const auto zeroOf = [](const std::string& name) {
      return readTraining("model:\n  tensor_model_parallel_size: 2\n  optim:\n    name: " + name +
                          "\n    grad_sync_dtype: bf16\n    overlap_grad_sync: false\n")
          .value();
    };
    QCOMPARE(zeroOf("mcore_distributed_optim").zero, std::optional<std::int64_t>(1));
    QCOMPARE(zeroOf("distributed_fused_adam").zero, std::optional<std::int64_t>(1));
    QCOMPARE(zeroOf("fused_adam").zero, std::optional<std::int64_t>(0));
    QCOMPARE(zeroOf("fused_adam").fullPrecisionSums, std::optional<bool>(false));
    QCOMPARE(zeroOf("fused_adam").overlapsData, std::optional<bool>(false));
  }

  void resolversAreWorkedOut() {
    const auto stated = readTraining(
        "model:\n  tensor_model_parallel_size: 2\n  num_layers: 4\n  hidden_size: 512\n"
        "  ffn_hidden_size: ${multiply:4, ${.hidden_size}}\n  num_attention_heads: 8\n");
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().text().c_str());
    QCOMPARE(stated->model.ffn, std::int64_t{2048});
    const auto unknown = readTraining("tensor_model_parallel_size: ${multiply:2, ${missing}}\nmicro_batch_size: 1\n");
    QVERIFY(unknown.ok());
    QCOMPARE(unknown->open.size(), std::size_t{1});
  }

  void noLayerIsRecomputed() {
    const auto stated = readTraining(
        "recompute_granularity: full\nrecompute_method: block\nrecompute_num_layers: 0\n"
        "hierarchical_context_parallel_sizes: [2 4]\n");
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().text().c_str());
    QVERIFY(stated->recomputation == RecomputeKind::None);
    QCOMPARE(stated->contextInner, std::optional<std::int64_t>(2));
  }

  void mistakesSayWhatWouldBeRight_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reported");
    QTest::newRow("empty") << " \n"
                           << "the file is empty";
    QTest::newRow("prose") << "Dear all, the cluster is down."
                           << "sets nothing that is known";
    QTest::newRow("toml") << "[parallelism]\ntensor_parallel_degree = = 8\n"
                          << "line 2: the text is not TOML";
    QTest::newRow("json") << "{\"train_batch_size\": 8,\n\"x\": }"
                          << "line 2: the text is not JSON";
    QTest::newRow("number") << "{\"zero_optimization\": {\"stage\": 3}, \"reduce\": -5e999999}"
                            << "a number out of range";
    QTest::newRow("value") << "--tensor-model-parallel-size eight --bf16"
                           << "\"eight\" is not a value of tensor_model_parallel_size; use a whole number of 1 or more";
    QTest::newRow("stage") << "{\"zero_optimization\": {\"stage\": 4}, \"bf16\": {\"enabled\": true}}"
                           << "use 0, 1, 2 or 3";
    QTest::newRow("functions") << "def a():\n  tensor_model_parallel_size=1\n  parallel = 1\ndef b():\n  "
                                  "tensor_model_parallel_size=2\n  parallel = 2\n"
                               << "the file has several configurations; name one behind a colon, as in FILE:a; there "
                                  "are a, b";
  }
  void mistakesSayWhatWouldBeRight() {
    QFETCH(QString, text);
    QFETCH(QString, reported);
    const auto stated = readTraining(text.toStdString());
    QVERIFY(!stated.ok());
    QVERIFY2(QString::fromStdString(stated.error().text()).contains(reported), stated.error().text().c_str());
  }

  void impossibleConfigurationsSayWhatWouldBeRight_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reported");
    const QString sizes = " --micro-batch-size 1 --global-batch-size 64 --seq-length 4096";
    QTest::newRow("open") << "--tensor-model-parallel-size $TP" + sizes
                          << "depends on TP, which the script does not set";
    QTest::newRow("devices") << "--tensor-model-parallel-size 3" + sizes
                             << "does not divide the 16 devices of the system; use a system whose number of devices is "
                                "a multiple of 3";
    QTest::newRow("batch") << "--micro-batch-size 3 --global-batch-size 64 --seq-length 4096"
                           << "does not divide by dp·microbatch 48; use 48 or 96";
    QTest::newRow("odd batch") << "--micro-batch-size 2 --global-batch-size 500 --seq-length 4096"
                               << "does not divide by dp·microbatch 32; use 480 or 512";
    QTest::newRow("no batch") << "--tensor-model-parallel-size 2 --micro-batch-size 1"
                              << "give it with --batch";
    QTest::newRow("virtual") << "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3" + sizes
                             << "do not divide the 32 layers";
    QTest::newRow("dp") << "parallelism:\n  dp: 8\n  pp: 4\n  tp: 2\ntokens:\n  micro_batch_size: 1\n  "
                           "batch_accumulation_per_replica: 8\n  sequence_length: 4096\n"
                        << "use a system of 64, or dp 2";
  }
  void impossibleConfigurationsSayWhatWouldBeRight() {
    QFETCH(QString, text);
    QFETCH(QString, reported);
    const auto shape = modelFromArgument("llama3-8b");
    const auto machine = systemFromArgument("dgx-h100:2");
    QVERIFY(shape.ok() && machine.ok());
    auto stated = readTraining(text.toStdString());
    QVERIFY2(stated.ok(), stated.ok() ? "" : stated.error().text().c_str());
    const auto made = configurationOf(stated.value(), shape->shape, *machine, {});
    QVERIFY(!made.ok());
    QVERIFY2(QString::fromStdString(made.error().text()).contains(reported), made.error().text().c_str());
  }

  void damagedFilesAreReadOrRefused() {
    std::mt19937 random(7);
    int read = 0;
    const QDir folder(QStringLiteral(P2_TEST_DATA "/training_files"));
    const QStringList files = folder.entryList(QDir::Files);
    QVERIFY(files.size() > 10);
    for (const QString& name : files) {
      const auto text = readTextFile(dataFile(name));
      QVERIFY(text.ok());
      for (int round = 0; round < 60; ++round) {
        std::string damaged = *text;
        for (int change = 0; change < 4; ++change) {
          const std::size_t at = random() % damaged.size();
          const std::size_t length = std::min<std::size_t>(1 + random() % 9, damaged.size() - at);
          if (random() % 3 == 0) {
            damaged.erase(at, length);
          } else {
            damaged.insert(at, damaged.substr(random() % damaged.size(), length));
          }
          if (damaged.empty()) break;
          damaged[random() % damaged.size()] = "(){}[]$\"'#=\n-:"[random() % 14];
        }
        const auto stated = readTraining(damaged);
        if (stated.ok()) ++read;
        if (!stated.ok()) QVERIFY(!stated.error().message.empty());
      }
    }
    QVERIFY(read > 0);
  }
};

QTEST_APPLESS_MAIN(TestReadTraining)
#include "tst_read_training.moc"
