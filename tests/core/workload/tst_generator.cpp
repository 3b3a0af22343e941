// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <numeric>
#include <set>

#include "support/warnings.h"
#include "tests/core/workload/generated.h"

using namespace p2;
using test::asLines;
using test::entryLines;
using test::entryNamed;
using test::recipeSource;

using Changes = std::vector<PlanChange>;
Q_DECLARE_METATYPE(Changes)

namespace {

ModelShape gptOf13B() {
  return {.name = "13B",
          .layers = 40,
          .hidden = 5120,
          .ffn = 20480,
          .heads = 40,
          .vocabulary = 50304,
          .gatedMlp = false,
          .biases = true};
}

constexpr auto kAllGather = CommunicationKind::AllGather;
constexpr auto kReduceScatter = CommunicationKind::ReduceScatter;
constexpr auto kAllReduce = CommunicationKind::AllReduce;

}  // namespace

class TestGenerator : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // A value that was given is no default, and no sentence stands twice, whether the rest is a bundled run or defaults.
  void givenValuesAreNotAssumed_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("zero") << "zero"
                          << "1";
    QTest::newRow("reshard") << "reshard"
                             << "yes";
    QTest::newRow("accumulate") << "accumulate"
                                << "no";
    QTest::newRow("recompute") << "recompute"
                               << "none";
    QTest::newRow("sp") << "sp"
                        << "megatron";
    QTest::newRow("tp_overlap") << "tp_overlap"
                                << "no";
    QTest::newRow("cp_kind") << "cp_kind"
                             << "ring";
    QTest::newRow("ep_overlap") << "ep_overlap"
                                << "no";
  }
  void givenValuesAreNotAssumed() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    const std::string model =
        R"({"format": "p2-model", "version": 1, "name": "m", "model": {"layers": 8, "hidden": 1024, "ffn": 4096, )"
        R"("heads": 16, "vocabulary": 32000, "experts": 8, "experts_per_token": 2, "expert_ffn": 4096}, "plan": {)";
    const auto assumedOf = [&](const std::string& plan, const Changes& changes) {
      const auto source = workloadFromText(model + plan + "}}", "m", {changes, {}});
      if (!source.ok()) qFatal("%s", source.error().text().c_str());
      std::set<std::string> once(source->assumed.begin(), source->assumed.end());
      if (once.size() != source->assumed.size()) qFatal("a sentence stands twice");
      return source->assumed;
    };
    const auto names = [&](const std::vector<std::string>& assumed) {
      const std::string option = '(' + key.toStdString() + ')';
      return std::any_of(assumed.begin(), assumed.end(),
                         [&](const std::string& each) { return each.find(option) != std::string::npos; });
    };
    std::string plan = R"("dp": 8, "tp": 2, "cp": 2, "ep": 4)";
    if (key == "reshard" || key == "accumulate") plan += R"(, "zero": 3)";
    QVERIFY(names(assumedOf(plan, {})));
    QVERIFY(!names(assumedOf(plan, {{key.toStdString(), value.toStdString()}})));
    const QString json = value == "yes" ? "true" : value == "no" ? "false" : value == "1" ? value : '"' + value + '"';
    QVERIFY(!names(assumedOf(plan + QString(", \"%1\": %2").arg(key, json).toStdString(), {})));
  }

  // Of two stages none is a middle one: each has the embedding or the head, or the one matrix that is both.
  void twoStagesHaveAnEndEach() {
    const auto bytes = [](std::int64_t stages, bool tied) {
      ModelShape model = gptOf13B();
      model.tiedEmbeddings = tied;
      model.finalNorm = false;
      const auto source = generateWorkload(model, {.data = 2, .tensor = 1, .pipeline = stages});
      if (!source.ok()) qFatal("%s", source.error().text().c_str());
      const auto entry = entryNamed(source->workload, "model weights", kAllGather);
      return std::pair(entry->bytes, source->assumed);
    };
    const std::int64_t ofAll = bytes(1, false).first;
    QCOMPARE(2 * bytes(2, false).first, ofAll);
    const std::int64_t matrix = std::int64_t{50304} * 5120;
    const std::int64_t word = 2;
    QCOMPARE(bytes(2, true).first, (ofAll - 2 * matrix * word) / 2 + matrix * word);
    QCOMPARE(bytes(4, false).first, (ofAll - 2 * matrix * word) / 4);
    const auto leavesItOut = [](const std::vector<std::string>& assumed) {
      return std::any_of(assumed.begin(), assumed.end(),
                         [](const std::string& each) { return each.find("has no embedding") != std::string::npos; });
    };
    QVERIFY(!leavesItOut(bytes(2, false).second) && leavesItOut(bytes(4, false).second));
  }

  // Experts split over tensor-parallel devices, by axes that are finer than either mesh has: d 16, t 8; e 64, edp 2.
  void twoMeshes() {
    const ModelShape model{.layers = 4,
                           .hidden = 1024,
                           .ffn = 4096,
                           .heads = 16,
                           .vocabulary = 1000,
                           .experts = 64,
                           .expertsPerToken = 2,
                           .sharedFfn = 4096};
    TrainingPlan plan{.data = 16, .tensor = 8, .expert = 64};
    auto source = generateWorkload(model, plan);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    QCOMPARE(source->workload.axes, (std::vector<Axis>{{"expert-data", 2}, {"data-expert", 8}, {"tensor-expert", 8}}));
    QCOMPARE(test::joinedAxes(entryNamed(source->workload, "dispatch", CommunicationKind::Dispatch)->axes),
             std::string("data-expert,tensor-expert"));
    QCOMPARE(test::joinedAxes(entryNamed(source->workload, "model weights", kAllGather)->axes),
             std::string("data-expert,expert-data"));
    QCOMPARE(entryNamed(source->workload, "dispatch", CommunicationKind::Dispatch)->bytes,
             std::int64_t{2} * 2 * 4096 / 8 * 1024);
    plan.expertTensor = 8;
    plan.expert = 8;
    source = generateWorkload(model, plan);
    QVERIFY(source.ok());
    const WorkloadEntry* inputs = entryNamed(source->workload, "expert inputs", kAllGather);
    QVERIFY(inputs);
    QCOMPARE(inputs->bytes, std::int64_t{2} * 2 * 4096 * 1024);
    QCOMPARE(inputs->axes, (std::vector<std::string>{"tensor"}));
  }

  // DeepSpeed's layers of experts: every device of tensor parallelism has all tokens, sends an eighth of them to whole
  // experts and gathers what comes back; or it sends all of them to its part of every expert.
  void expertsWithoutSequenceParallelism() {
    const ModelShape model{.layers = 4,
                           .hidden = 1024,
                           .ffn = 4096,
                           .heads = 16,
                           .vocabulary = 1000,
                           .experts = 64,
                           .expertsPerToken = 2,
                           .sharedFfn = 4096};
    TrainingPlan plan{.data = 16, .tensor = 8, .expert = 8, .microbatches = 3};
    plan.sequenceParallel = SequenceParallelism::None;
    const std::int64_t copies = std::int64_t{2} * 2 * 4096 * 1024;
    auto source = generateWorkload(model, plan);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    QCOMPARE(entryNamed(source->workload, "dispatch", CommunicationKind::Dispatch)->bytes, copies / 8);
    const WorkloadEntry* back = entryNamed(source->workload, "expert outputs to tensor parallelism", kAllGather);
    QVERIFY(back);
    QCOMPARE(back->bytes, copies);
    QCOMPARE(back->count, 2 * 4 * 3);
    // Attention and shared experts, forward and backward.
    QCOMPARE(entryNamed(source->workload, "activations", kAllReduce)->count, 2 * 4 * 3);
    plan.expertTensor = 8;
    source = generateWorkload(model, plan);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    QCOMPARE(entryNamed(source->workload, "dispatch", CommunicationKind::Dispatch)->bytes, copies);
    for (const char* name : {"expert outputs", "expert input gradients"}) {
      const WorkloadEntry* sums = entryNamed(source->workload, name, kAllReduce);
      QVERIFY(sums);
      QCOMPARE(sums->bytes, copies);
      QCOMPARE(sums->count, 4 * 3);
    }
    QVERIFY(!entryNamed(source->workload, "expert inputs", kAllGather));
  }

  // Every second layer has experts.
  void layersWithExpertsAlternateOverStages() {
    ModelShape model{.layers = 12, .hidden = 64, .ffn = 256, .heads = 8, .vocabulary = 100};
    model.experts = 8;
    model.expertsPerToken = 1;
    model.expertStep = 2;
    const auto dispatches = [&](std::int64_t stages) {
      const auto source = generateWorkload(model, {.data = 8, .pipeline = stages, .expert = 8, .microbatches = 1});
      const WorkloadEntry* entry = entryNamed(source->workload, "dispatch", CommunicationKind::Dispatch);
      return entry == nullptr ? 0 : entry->count;
    };
    QCOMPARE(dispatches(1), 2 * 6);
    QCOMPARE(dispatches(2), 2 * 3);
    QCOMPARE(dispatches(4), 2 * 1);  // the third stage: layers 7, 8 and 9
    model.denseLayers = 9;
    QCOMPARE(dispatches(1), 2 * 2);  // layers 10 and 12
    QCOMPARE(dispatches(4), 0);
  }

  // AICB's listing of GPT 13B: L 40, h 5120, s 2048, b 1, tp 8.
  void listingOfGpt() {
    TrainingPlan plan{
        .data = 16, .tensor = 8, .sequence = 2048, .zero = 1, .sequenceParallel = SequenceParallelism::None};
    auto source = generateWorkload(gptOf13B(), plan);
    QVERIFY(source.ok());
    const WorkloadEntry* forward = entryNamed(source->workload, "activations", kAllReduce);
    const WorkloadEntry* backward = entryNamed(source->workload, "activation gradients", kAllReduce);
    QVERIFY(forward && backward);
    QCOMPARE(forward->count, 80);
    QCOMPARE(backward->count, 80);
    QCOMPARE(forward->bytes, 20'971'520);
    QCOMPARE(forward->overlap.extent, CommunicationOverlap::Extent::None);
    QCOMPARE(backward->overlap.extent, CommunicationOverlap::Extent::Compute);
    const WorkloadEntry* loss = entryNamed(source->workload, "loss", kAllReduce);
    QVERIFY(loss);
    QCOMPARE(loss->bytes, 8'192);
    QCOMPARE(loss->count, 3);
    plan.sequenceParallel = SequenceParallelism::Megatron;
    plan.gradients = NumberFormat::Bf16;
    source = generateWorkload(gptOf13B(), plan);
    QVERIFY(source.ok());
    QCOMPARE(entryNamed(source->workload, "activations", kAllGather)->count, 160);
    QCOMPARE(entryNamed(source->workload, "activations again", kAllGather)->count, 80);
    QCOMPARE(entryNamed(source->workload, "activations", kReduceScatter)->count, 160);
    QCOMPARE(entryNamed(source->workload, "norm gradients", kAllReduce)->bytes, 1'638'400);
  }

  void stagesOfZero_data() {
    QTest::addColumn<Changes>("changes");
    QTest::addColumn<QString>("lines");
    // P = 80 · 855,654,400 over t = 8, in fp32 and bf16.
    const auto row = [](const char* name, Changes changes, const char* lines) {
      changes.insert(changes.end(), {{"layers_only", "yes"}, {"microbatch", "4"}, {"microbatches", "4"}});
      QTest::newRow(name) << changes << QString::fromUtf8(lines);
    };
    row("none", {{"zero", "0"}}, "AllReduce data 1 × 34226176000 compute\n");
    row("states", {{"zero", "1"}},
        "AllGather data 1 × 17113088000 compute\nReduceScatter data 1 × 34226176000 compute\n");
    row("gradients", {{"zero", "2"}},
        "AllGather data 1 × 17113088000 compute\nReduceScatter data 4 × 34226176000 compute\n");
    row("gradients once", {{"zero", "2"}, {"accumulate", "yes"}},
        "AllGather data 1 × 17113088000 compute\nReduceScatter data 1 × 34226176000 compute\n");
    row("parameters", {{"zero", "3"}},
        "AllGather data 640 × 213913600 compute\nReduceScatter data 320 × 427827200 compute\n");
    row("parameters kept", {{"zero", "3"}, {"reshard", "no"}},
        "AllGather data 320 × 213913600 compute\nReduceScatter data 320 × 427827200 compute\n");
    row("parameters kept in a pipeline", {{"zero", "3"}, {"reshard", "no"}, {"pp", "4"}, {"dp", "8"}},
        "AllGather data 20 × 213913600 compute\nReduceScatter data 80 × 427827200 compute\n");
    row("replicas", {{"zero", "3"}, {"replicas", "4"}},
        "AllGather data 640 × 213913600 compute\nAllReduce replica 320 × 53478400 compute\n"
        "ReduceScatter data 320 × 427827200 compute\n");
    row("replicas alone", {{"zero", "3"}, {"replicas", "32"}}, "AllReduce replica 320 × 427827200 compute\n");
  }
  void stagesOfZero() {
    QFETCH(Changes, changes);
    QFETCH(QString, lines);
    const WorkloadSource source = recipeSource("llama3-70b", changes);
    std::vector<std::string> found = entryLines(source.workload);
    std::erase_if(found, [](const std::string& line) {
      return line.find(" tensor ") != std::string::npos || line.find(" pipeline ") != std::string::npos;
    });
    QCOMPARE(QString::fromStdString(asLines(found)), lines);
  }

  // Heads instead of the sequence: c ≤ g/t, 2 of q and o and 2 of k and v in each of two passes and layer.
  void headsOverContext() {
    const Changes ulysses{{"layers_only", "yes"}, {"tp", "1"},           {"cp", "8"},         {"dp", "4"},
                          {"cp_kind", "a2a"},     {"recompute", "none"}, {"microbatch", "1"}, {"microbatches", "1"}};
    std::vector<std::string> lines = entryLines(recipeSource("llama3-70b", ulysses).workload);
    std::erase_if(lines, [](const std::string& line) { return !line.starts_with("AllToAll"); });
    // β·b·s·a·d_h/c of q and o, and an eighth of it of k and v, for 8 of 64 heads.
    QCOMPARE(asLines(lines),
             std::string("AllToAll context 320 × 16777216 none\nAllToAll context 320 × 2097152 none\n"));
    Changes groups = ulysses;
    groups[4].value = "a2a+p2p";
    groups.push_back({"cp_inner", "4"});
    const WorkloadSource source = recipeSource("llama3-70b", groups);
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"data", 4}, {"context-ring", 2}, {"context", 4}}));
    const WorkloadEntry* sends =
        entryNamed(source.workload, "keys and values round the ring", CommunicationKind::Shift);
    QVERIFY(sends);
    QCOMPARE(sends->axes, (std::vector<std::string>{"context-ring"}));
    QCOMPARE(sends->count, 1 * 3 * 80);
    QCOMPARE(sends->bytes, 2 * 2'097'152);
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<Changes>("changes");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* says, const char* where, const char* recipe, const Changes& changes) {
      QTest::newRow(says) << QString(recipe) << changes << QString(where) << QString::fromUtf8(says);
    };
    row("dp = 16 would fit", "devices", "llama3-70b", {{"devices", "128"}, {"dp", "32"}});
    row("use degrees that multiply to 7", "devices", "llama3-70b", {{"devices", "7"}, {"dp", "3"}});
    row("a single device has no communication", "dp", "llama3-8b", {{"dp", "1"}, {"global_batch", "2"}});
    row("tp 7 does not divide the 64 heads", "tp", "llama3-70b", {{"tp", "7"}});
    row("\"0\" is out of range; use 1 to 16777216", "tp", "llama3-70b", {{"tp", "0"}});
    row("\"-2\" is out of range; use 1 to 16777216", "tp", "llama3-70b", {{"tp", "-2"}});
    row("\"many\" is not a whole number", "tp", "llama3-70b", {{"tp", "many"}});
    row("\"full\" is not known; use none, megatron or torch", "sp", "llama3-70b", {{"sp", "full"}});
    row("\"4\" is out of range; use 0 to 3", "zero", "llama3-70b", {{"zero", "4"}});
    row("is not an order of axes", "order", "llama3-70b", {{"order", "tp-dp-pp"}});
    row("is not an order of axes", "order", "llama3-70b", {{"order", "tp-ecp-p-dp-pp"}});
    row("replicas 5 does not divide", "replicas", "llama3-70b", {{"replicas", "5"}});
    row("pp·vpp = 160 is more than the 80 layers", "pp", "llama3-70b", {{"pp", "160"}});
    row("a model without experts", "ep", "llama3-70b", {{"ep", "8"}});
    row("ep 3 does not divide the 8 experts", "ep", "mixtral-8x7b", {{"ep", "3"}});
    row("experts are whole or split as all else is; use etp = 1 or 4", "etp", "mixtral-8x7b",
        {{"tp", "4"}, {"etp", "2"}, {"sp", "none"}});
    row("in the order tp-cp-ep-pp-dp the pipeline axis has different places", "order", "mixtral-8x7b",
        {{"order", "tp-cp-ep-pp-dp"}});
    row("leaves no whole heads", "cp_kind", "llama3-70b", {{"cp", "4"}, {"cp_kind", "a2a"}});
    row("cp 3 does not divide the 8192 tokens", "cp", "llama3-70b", {{"cp", "3"}});
    row("a global batch of 1000 is not", "global_batch", "llama3-405b", {{"global_batch", "1000"}});
    row("over 2^24 devices", "dp", "llama3-70b", {{"dp", "16777216"}});
    row("over 2^56 parameters", "layers", "llama3-70b", {{"layers", "4294967296"}, {"hidden", "4294967296"}});
    row("\"0\" is out of range; use 1 to 4294967296", "layers", "llama3-70b", {{"layers", "0"}});
    row("nothing is called \"width\"", "", "llama3-70b", {{"width", "0"}});
    row("over 2^63", "", "llama3-70b", {{"sequence", "4294967296"}, {"microbatch", "524288"}});
  }
  void saysWhatIsWrong() {
    QFETCH(QString, recipe);
    QFETCH(Changes, changes);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto source = recipeWorkload(bundledRecipe(recipe.toStdString()).value(), changes);
    QVERIFY(!source.ok());
    QVERIFY2(QString::fromStdString(source.error().message).contains(says), source.error().text().c_str());
    QCOMPARE(QString::fromStdString(source.error().where.position), where);
  }
};

QTEST_APPLESS_MAIN(TestGenerator)
#include "tst_generator.moc"
