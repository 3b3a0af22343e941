// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>

#include "expert_trials.h"
#include "support/warnings.h"

using namespace p2;
using test::orthogonalGroups;
using test::rowsOf;
using test::Trial;
using test::trials;
using test::TwoMeshes;

namespace {

std::vector<std::string> wordsOf(const QString& order) {
  std::vector<std::string> words;
  for (const QString& word : order.split('-')) words.push_back(word.toStdString());
  return words;
}

std::int64_t number(const QString& text, const char* pattern, std::int64_t unsaid) {
  const auto match = QRegularExpression(pattern).match(text);
  return match.hasMatch() ? match.captured(1).toLongLong() : unsaid;
}

/// Reads initialize_model_parallel()'s arguments as Megatron does, defaults included.
std::optional<TwoMeshes> megatronMeshes(const QString& text, std::int64_t world) {
  const std::int64_t tensor = number(text, "\\btensor_model_parallel_size=(\\d+)", 1);
  const std::int64_t pipeline = number(text, "pipeline_model_parallel_size=(\\d+)", 1);
  const std::int64_t context = number(text, "context_parallel_size=(\\d+)", 1);
  const std::int64_t expert = number(text, "expert_model_parallel_size=(\\d+)", 1);
  const std::int64_t expertTensor = number(text, "expert_tensor_parallel_size=(\\d+)", tensor);
  TwoMeshes meshes;
  meshes.order = wordsOf(QRegularExpression("order=\"([^\"]*)\"").match(text).captured(1));
  for (const char* word : {"tp", "pp", "dp", "ep", "cp"}) {
    if (std::find(meshes.order.begin(), meshes.order.end(), word) == meshes.order.end()) meshes.order.push_back(word);
  }
  const std::int64_t data = world / (tensor * pipeline * context);
  const std::int64_t expertData = world / (expertTensor * expert * pipeline);
  meshes.dense = {{"tp", tensor}, {"cp", context}, {"dp", data}, {"pp", pipeline}};
  meshes.expert = {{"tp", expertTensor}, {"ep", expert}, {"dp", expertData}, {"pp", pipeline}};
  // Its assertions.
  const QString order = QRegularExpression("order=\"([^\"]*)\"").match(text).captured(1);
  if (!order.endsWith("pp") && pipeline != 1 && expertData != data) return std::nullopt;
  if (orthogonalGroups(meshes.order, meshes.dense, {"pp"}) != orthogonalGroups(meshes.order, meshes.expert, {"pp"})) {
    return std::nullopt;
  }
  return meshes;
}

/// Whether any order of Megatron's words, given the right degrees, lays the trial out as placed.
bool someOrderFits(const Trial& trial) {
  const auto wanted = rowsOf(trial.system, trial.groups());
  TwoMeshes meshes = trial.meshes();
  std::sort(meshes.order.begin(), meshes.order.end());
  do {
    const bool accepted = meshes.order.back() == "pp" || trial.training.pipeline == 1 ||
                          trial.training.data == expertCopies(trial.training);
    if (accepted &&
        orthogonalGroups(meshes.order, meshes.dense, {"pp"}) == orthogonalGroups(meshes.order, meshes.expert, {"pp"}) &&
        rowsOf(trial.system, meshes.groups()) == wanted) {
      return true;
    }
  } while (std::next_permutation(meshes.order.begin(), meshes.order.end()));
  return false;
}

}  // namespace

/// Exports of mixtures of experts, read back by rules that share nothing with what wrote them.
class TestExpertExports : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void megatronHasBothMeshes() {
    int exported = 0;
    int folded = 0;
    for (const Trial& trial : trials(200)) {
      const auto text = exportPlan(trial.plan(), "megatron");
      QVERIFY2(text.ok() == trial.isListed("megatron order"), trial.text());
      QVERIFY2(text.ok() == someOrderFits(trial), trial.text());
      if (trial.isMegatronsOwn) QVERIFY2(text.ok(), trial.text());
      if (!text.ok()) continue;
      const auto meshes = megatronMeshes(QString::fromStdString(*text), trial.world());
      QVERIFY2(meshes, (trial.text() + '\n' + text->c_str()).constData());
      QVERIFY2(rowsOf(trial.system, meshes->groups()) == rowsOf(trial.system, trial.groups()),
               (trial.text() + '\n' + text->c_str()).constData());
      if (trial.isMegatronsOwn) QVERIFY2(meshes->groups() == trial.groups(), trial.text());
      ++exported;
      folded += trial.training.expert % (trial.training.tensor * trial.training.context) == 0 ? 1 : 0;
    }
    QVERIFY2(exported > 100 && folded > 20, qPrintable(QString("%1 %2").arg(exported).arg(folded)));
  }

  // torchtitan/distributed/parallel_dims.py: dense layers have pp, dp_replicate, dp_shard, cp, tp; experts pp,
  // dp_replicate, efsdp, ep and, with etp = tp, tp.
  void torchtitanHasBothMeshes() {
    int exported = 0;
    for (const Trial& trial : trials(200)) {
      const auto text = exportPlan(trial.plan(), "torchtitan");
      QCOMPARE(text.ok(), trial.isListed("torchtitan"));
      const TrainingPlan& t = trial.training;
      const std::int64_t borrowed = t.context * (t.expertTensor == 1 ? t.tensor : 1);
      const bool holds = t.expert == 1
                             ? t.expertTensor == t.tensor
                             : (t.expertTensor == t.tensor || t.expertTensor == 1) && t.expert % borrowed == 0;
      if (trial.isMegatronsOwn) QVERIFY2(text.ok() == holds, trial.text());
      if (!text.ok()) continue;
      ++exported;
      const QString read = QString::fromStdString(*text);
      QVERIFY2(holds, trial.text());
      QCOMPARE(number(read, "data_parallel_shard_degree = (\\d+)", 0), t.data);
      QCOMPARE(number(read, "pipeline_parallel_degree = (\\d+)", 0), t.pipeline);
      QCOMPARE(number(read, "context_parallel_degree = (\\d+)", 0), t.context);
      QCOMPARE(number(read, "\\ntensor_parallel_degree = (\\d+)", 0), t.tensor);
      QCOMPARE(number(read, "expert_parallel_degree = (\\d+)", 1), t.expert);
      if (t.expert > 1) QCOMPARE(number(read, "expert_tensor_parallel_degree = (\\d+)", 1), t.expertTensor);
      TwoMeshes meshes = trial.meshes();
      QVERIFY2(rowsOf(trial.system, meshes.groups()) == rowsOf(trial.system, trial.groups()), trial.text());
    }
    QVERIFY2(exported > 20, qPrintable(QString::number(exported)));
  }

  // MaxText has one mesh: its experts are a part of data, and what cannot be said so is refused.
  void maxtextHasOneMesh() {
    int exported = 0;
    for (const Trial& trial : trials(300)) {
      const auto text = exportPlan(trial.plan(), "maxtext");
      QCOMPARE(text.ok(), trial.isListed("maxtext"));
      const TrainingPlan& t = trial.training;
      // Its default, sparse_matmul, takes no experts together with a pipeline.
      const bool holds = t.expertTensor == t.tensor && t.data % t.expert == 0 &&
                         (t.expert == 1 || (t.context == 1 && t.pipeline == 1));
      if (!holds) QVERIFY2(!text.ok(), trial.text());
      if (!text.ok()) continue;
      ++exported;
      const QString read = QString::fromStdString(*text);
      const auto size = [&](const char* word) {
        return number(read, qPrintable(QString("ici_%1_parallelism=(\\d+)").arg(word)), 1) *
               number(read, qPrintable(QString("dcn_%1_parallelism=(\\d+)").arg(word)), 1);
      };
      QVERIFY2(size("tensor") == t.tensor && size("expert") == t.expert && size("pipeline") == t.pipeline &&
                   size("context") == t.context && size("data") * size("expert") == t.data,
               (trial.text() + '\n' + text->c_str()).constData());
    }
    QVERIFY2(exported > 10, qPrintable(QString::number(exported)));
  }

  // The case of the review, also by the names that older workloads have.
  void expertsOverTensors() {
    for (const char* axes : {"expert-data=8,data-expert=2,tensor-expert=4", "expert-data=8,data-expert=2,tensor=4"}) {
      const Plan plan = test::planOf("node:8 gpu:8", axes, "0", "[[8,1],[1,2],[1,4]]");
      const auto text = exportPlan(plan, "megatron");
      QVERIFY2(text.ok(), axes);
      QVERIFY2(text->find("# The flags: --tensor-model-parallel-size 4 --expert-model-parallel-size 8 "
                          "--expert-tensor-parallel-size 1\n") != std::string::npos,
               text->c_str());
      const auto maxtext = exportPlan(plan, "maxtext");
      QVERIFY(!maxtext.ok() && maxtext.error().text().find("one mesh") != std::string::npos);
    }
    const auto unclear = exportPlan(test::planOf("node:8 gpu:8", "expert-data=4,data-expert=2,context=2,tensor=4", "0",
                                                 "[[4,1],[2,1],[1,2],[1,4]]"),
                                    "megatron");
    QVERIFY(!unclear.ok());
    QVERIFY2(QString::fromStdString(unclear.error().text()).contains("as in \"tensor-expert\""),
             unclear.error().text().c_str());
  }

  // Flags of a program are those of dense layers; a sum over the experts' copies alone has none.
  void degreesOfGradients() {
    const auto degrees = [](const char* reduce) {
      return test::valueOf(exportPlan(
          test::planOf("node:8 gpu:8", "expert-data=8,data-expert=2,tensor-expert=4", reduce, "[[8,1],[1,2],[1,4]]"),
          "degrees"));
    };
    const std::string dense = degrees("expert-data,data-expert");
    QVERIFY2(dense.find("data_parallel_replicate_degree=16 --parallelism.expert_parallel_degree=8 "
                        "--parallelism.expert_tensor_parallel_degree=1\n") != std::string::npos,
             dense.c_str());
    const std::string experts = degrees("expert-data");
    QVERIFY2(experts.starts_with("# none: ") && experts.find("data-expert") != std::string::npos, experts.c_str());
  }

  // Replicas are outside of what they replicate, however the axes are listed.
  void replicasAreInstances() {
    const std::string text =
        test::valueOf(exportPlan(test::planOf("node:4 gpu:8", "data=8,replica=4", "0", "[[1,8],[4,1]]"), "megatron"));
    QVERIFY2(text.find("--num-distributed-optimizer-instances 4 --use-distributed-optimizer\n") != std::string::npos,
             text.c_str());
    QVERIFY(!exportPlan(test::planOf("node:4 gpu:8", "data=4,replica=8", "0", "[[4,1],[1,8]]"), "megatron").ok());
  }
};

QTEST_APPLESS_MAIN(TestExpertExports)
#include "tst_expert_exports.moc"
