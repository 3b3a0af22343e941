// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>
#include <map>

#include "export_plans.h"
#include "placement/realisation.h"
#include "python_reader.h"
#include "support/filled.h"
#include "support/warnings.h"

using namespace p2;

namespace {

/// Whether the mesh has every device where the placement's coordinates say.
bool meshIs(const Placement& placement, const QJsonValue& mesh, std::vector<std::int64_t> at = {}) {
  if (at.size() == placement.axes().size()) {
    return mesh.isDouble() && placement.coordinates(Device(mesh.toInteger())) == at;
  }
  const QJsonArray list = mesh.toArray();
  if (list.size() != placement.axes()[at.size()].size) return false;
  for (qsizetype i = 0; i < list.size(); ++i) {
    std::vector<std::int64_t> inner = at;
    inner.push_back(i);
    if (!meshIs(placement, list[i], inner)) return false;
  }
  return true;
}

std::vector<std::int64_t> numbersIn(const QJsonValue& value) {
  std::vector<std::int64_t> numbers;
  for (const QJsonValue& number : value.toArray()) numbers.push_back(number.toInteger());
  return numbers;
}

/// Groups along one axis of a mesh that is cut by dcn across granules and by ici inside, both filled in the axes'
/// order.
std::vector<std::vector<std::int64_t>> hybridGroups(const std::vector<std::int64_t>& dcn,
                                                    const std::vector<std::int64_t>& ici, std::size_t axis) {
  std::int64_t inside = 1;
  std::int64_t granules = 1;
  for (std::size_t i = 0; i < dcn.size(); ++i) {
    inside *= ici[i];
    granules *= dcn[i];
  }
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> groups;
  for (std::int64_t device = 0; device < inside * granules; ++device) {
    std::vector<std::int64_t> others;
    std::int64_t granule = device / inside;
    std::int64_t local = device % inside;
    for (std::size_t i = dcn.size(); i-- > 0;) {
      if (i != axis) others.push_back(granule % dcn[i] * ici[i] + local % ici[i]);
      granule /= dcn[i];
      local /= ici[i];
    }
    groups[others].push_back(device);
  }
  std::vector<std::vector<std::int64_t>> result;
  for (const auto& [others, group] : groups) result.push_back(group);
  return result;
}

/// Megatron's ranks of one form of parallelism: strides grow along the order, the first word fastest.
std::vector<std::vector<std::int64_t>> megatronGroups(const std::vector<std::pair<std::string, std::int64_t>>& order,
                                                      const std::string& word) {
  std::int64_t stride = 1;
  std::int64_t own = 1;
  std::int64_t size = 1;
  std::int64_t world = 1;
  for (const auto& [name, degree] : order) {
    if (name == word) {
      own = stride;
      size = degree;
    }
    stride *= degree;
    world *= degree;
  }
  std::vector<std::vector<std::int64_t>> groups;
  for (std::int64_t first = 0; first < world; ++first) {
    if (first / own % size != 0) continue;
    auto& group = groups.emplace_back();
    for (std::int64_t i = 0; i < size; ++i) group.push_back(first + i * own);
  }
  return groups;
}

std::vector<std::vector<std::int64_t>> placementGroups(const Placement& placement, std::size_t axis) {
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> groups;
  for (const Device device : placement.devices()) {
    auto others = placement.coordinates(device);
    others.erase(others.begin() + std::ptrdiff_t(axis));
    groups[others].push_back(device.value());
  }
  std::vector<std::vector<std::int64_t>> result;
  for (const auto& [others, group] : groups) result.push_back(group);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

class TestPlacementExports : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (!test::hasPython()) QSKIP("python3 is not installed");
  }
  void init() { test::failOnWarnings(); }

  void pythonReadsMeshes() {
    std::vector<Plan> plans = test::plansOfPlacements("node:4 gpu:4", "data=8,tensor=2", "data");
    for (const Plan& plan : test::plansOfPlacements("pod:2 node:2 gpu:4", "data=4,context=2,tensor=2", "data")) {
      plans.push_back(plan);
    }
    plans.push_back(test::planOf("gpu:8", "one \"axis\"\\=8", "0", "[[8]]"));
    for (const char* format : {"jax", "torch"}) {
      std::vector<std::pair<std::string, std::int64_t>> sources;
      for (const Plan& plan : plans) sources.push_back({test::valueOf(exportPlan(plan, format)), plan.deviceCount()});
      const auto answers = test::readByPython(sources);
      QCOMPARE(answers.size(), plans.size());
      for (std::size_t i = 0; i < plans.size(); ++i) {
        const Workspace& workspace = plans[i].workspace();
        QVERIFY2(meshIs({workspace.axes, workspace.matrix}, answers[i]["mesh"]), sources[i].first.c_str());
        for (std::size_t axis = 0; axis < workspace.axes.size(); ++axis) {
          QCOMPARE(answers[i]["names"].toArray()[qsizetype(axis)].toString().toStdString(), workspace.axes[axis].name);
        }
      }
    }
  }

  // Four chips in a square (public case q02): 1 and 2, 3 and 0 are no neighbours.
  void jaxFollowsTheLinksOfATorus() {
    QFile file(QStringLiteral(P2_TEST_DATA "/pasted/q02_tpu_v4_2x2.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const System square = test::valueOf(systemFromJson(file.readAll().toStdString()));
    const auto planFor = [&](const char* axes, const char* matrix, const char* program) {
      Workspace workspace = test::workspaceOf("node:1 gpu:4", axes, "0", matrix);
      workspace.system = square;
      workspace.program = program;
      return test::valueOf(exportPlan(test::valueOf(makePlan(workspace)), "jax"));
    };
    const std::string one = planFor("4", "[[1,4]]", "root:InsideGroup:AllReduce");
    QVERIFY2(one.find("    0, 1, 3, 2,\n") != std::string::npos, one.c_str());
    QVERIFY(one.find("every device has a link to the next, and the last to the first") != std::string::npos);
    // Two axes of the square, each of two positions: there is no other order.
    const std::string two = planFor("2,2", "[[1,2],[1,2]]", "root:InsideGroup:AllReduce");
    QVERIFY2(two.find("    0, 1, 2, 3,\n") != std::string::npos, two.c_str());
    // A switch joins every two through two links.
    const std::string plain = test::valueOf(exportPlan(test::planOf("node:1 gpu:4", "4", "0", "[[1,4]]"), "jax"));
    QVERIFY2(plain.find("    0, 1, 2, 3,\n") != std::string::npos, plain.c_str());
  }

  // A mesh across nodes and one inside is the matrix when nothing is lost; where something is, another matrix has the
  // same meshes.
  void axlearnIsTheMatrix_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("node");
    QTest::newRow("two levels") << "node:8 gpu:4"
                                << "";
    QTest::newRow("above") << "pod:2 node:4 gpu:4"
                           << "";
    QTest::newRow("inside") << "node:8 cpu:2 gpu:2"
                            << "node";
    QTest::newRow("one node") << "gpu:32"
                              << "";
  }
  void axlearnIsTheMatrix() {
    QFETCH(QString, system);
    QFETCH(QString, node);
    const auto plans =
        test::plansOfPlacements(system.toStdString(), "data=8,context=2,tensor=2", "data", node.toStdString());
    std::vector<std::pair<std::string, std::int64_t>> sources;
    std::vector<Plan> exported;
    for (const Plan& plan : plans) {
      const auto text = exportPlan(plan, "axlearn");
      const auto ways = realisableBy(plan.workspace().system, plan.workspace().axes, plan.workspace().matrix);
      const bool stated =
          std::any_of(ways.begin(), ways.end(), [](const Realisation& w) { return w.name == "axlearn"; });
      QCOMPARE(text.ok(), stated);
      if (!text.ok()) continue;
      sources.push_back({*text, plan.deviceCount()});
      exported.push_back(plan);
    }
    QCOMPARE(exported.size() == plans.size(), plans[0].workspace().system.levels.size() < 3);
    const auto answers = test::readByPython(sources);
    for (std::size_t i = 0; i < exported.size(); ++i) {
      const Workspace& workspace = exported[i].workspace();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto groups = hybridGroups(numbersIn(answers[i]["dcn"]), numbersIn(answers[i]["ici"]), axis);
        QVERIFY2(test::rowShownBy(workspace.system, groups) == test::rowOf(workspace.matrix, axis),
                 sources[i].first.c_str());
      }
    }
  }

  void maxtextThereAndBack() {
    const auto plans = test::plansOfPlacements("node:8 gpu:8", "tensor=4,fsdp=4,data=4", "data");
    QVERIFY(plans.size() > 5);
    std::set<std::string> texts;
    for (const Plan& plan : plans) {
      const std::string text = test::valueOf(exportPlan(plan, "maxtext"));
      QVERIFY(texts.insert(text).second);
      ParallelismMatrix back(3, 2);
      int flags = 0;
      for (const QString& line : QString::fromStdString(text).split('\n', Qt::SkipEmptyParts)) {
        const auto match = QRegularExpression("^(dcn|ici)_(.*)_parallelism=(\\d+)$").match(line);
        QVERIFY2(match.hasMatch(), text.c_str());
        const qsizetype axis = QStringList{"tensor", "fsdp", "data"}.indexOf(match.captured(2));
        QVERIFY(axis >= 0);
        back.set(std::size_t(axis), match.captured(1) == "ici" ? 1 : 0, match.captured(3).toLongLong());
        ++flags;
      }
      QCOMPARE(flags, 6);
      QCOMPARE(back.text(), plan.workspace().matrix.text());
    }
  }

  void meshesOfStrategiesHaveNoDegrees() {
    const Plan plan = test::planOf("node:4 gpu:4", "data=4,data-2=4", "0", "[[4,1],[1,4]]");
    for (const char* format : {"megatron", "maxtext"}) {
      QCOMPARE(exportPlan(plan, format).error().text(),
               std::string("axes: \"data-2\" is another axis of data; a framework has one degree for each"));
    }
  }

  void maxtextRefuses() {
    QCOMPARE(exportPlan(test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]"), "maxtext").error().text(),
             std::string("axes: MaxText has no axis \"axis0\"; name it by its role: diloco, data, pipeline, fsdp, "
                         "fsdp_transpose, sequence, context, context_autoregressive, tensor, tensor_transpose, "
                         "tensor_sequence, expert, autoregressive"));
    QCOMPARE(exportPlan(test::planOf("node:2 gpu:4", "tp=4,model=2", "0", "[[1,4],[2,1]]"), "maxtext").error().text(),
             std::string("axes: \"tp\" and \"model\" are both MaxText's tensor; make one axis of them"));
  }

  // The ranks that Megatron makes of the order are the placement's groups, exactly where the order keeps devices.
  void megatronMakesTheGroups() {
    std::vector<Plan> plans;
    for (const char* axes : {"pp=2,dp=4,cp=1,tp=4", "tp=4,cp=1,dp=4,pp=2"}) {
      for (const Plan& plan : test::plansOfPlacements("node:8 gpu:4", axes, "dp")) plans.push_back(plan);
    }
    std::vector<std::pair<std::string, std::int64_t>> sources;
    std::vector<Plan> exported;
    for (const Plan& plan : plans) {
      const auto text = exportPlan(plan, "megatron");
      QCOMPARE(text.ok(), !needsRankfile(plan.workspace().system, plan.workspace().axes, plan.workspace().matrix));
      if (!text.ok()) {
        QVERIFY2(QString::fromStdString(text.error().text()).endsWith("start the ranks with a rankfile instead"),
                 text.error().text().c_str());
        continue;
      }
      sources.push_back({*text, plan.deviceCount()});
      exported.push_back(plan);
    }
    QVERIFY(!exported.empty() && exported.size() < plans.size());
    const auto answers = test::readByPython(sources);
    int exact = 0;
    for (std::size_t i = 0; i < exported.size(); ++i) {
      const Workspace& workspace = exported[i].workspace();
      const std::map<std::string, std::int64_t> degrees{{"tp", answers[i]["tensor_model_parallel_size"].toInteger()},
                                                        {"pp", answers[i]["pipeline_model_parallel_size"].toInteger()},
                                                        {"cp", answers[i]["context_parallel_size"].toInteger()}};
      std::vector<std::pair<std::string, std::int64_t>> order;
      for (const QString& word : answers[i]["order"].toString().split('-')) {
        const auto degree = degrees.find(word.toStdString());
        order.push_back({word.toStdString(), degree == degrees.end() ? 32 / 8 : degree->second});
      }
      const bool keeps = keepsDevices(*contiguousOrder(workspace.axes, workspace.matrix), workspace.matrix);
      exact += keeps;
      QCOMPARE(sources[i].first.find("in another order than in the files for jax and torch") == std::string::npos,
               keeps);
      for (std::size_t axis = 0; axis < workspace.axes.size(); ++axis) {
        const auto groups = megatronGroups(order, workspace.axes[axis].name);
        QVERIFY2(test::rowShownBy(workspace.system, groups) == test::rowOf(workspace.matrix, axis),
                 sources[i].first.c_str());
        if (keeps) QVERIFY(groups == placementGroups({workspace.axes, workspace.matrix}, axis));
      }
    }
    QVERIFY(exact > 0);
  }

  void megatronKnowsItsFlags() {
    const auto text = [](const char* axes, const char* matrix) {
      return test::valueOf(exportPlan(test::planOf("node:4 gpu:8", axes, "0", matrix), "megatron"));
    };
    QVERIFY(text("dp=4,tp=8", "[[4,1],[1,8]]").find("# The flags: --tensor-model-parallel-size 8\n") !=
            std::string::npos);
    QVERIFY(text("dp=2,pp=2,tp=8", "[[2,1],[2,1],[1,8]]")
                .find("8 --pipeline-model-parallel-size 2 --use-tp-pp-dp-mapping\n") != std::string::npos);
    QVERIFY(text("tp=8,dp=4", "[[4,2],[1,4]]").find("No flag sets this order") != std::string::npos);
    const std::string experts = text("dp=2,ep=2,tp=8", "[[2,1],[2,1],[1,8]]");
    QVERIFY2(experts.find("expert_model_parallel_size=2") != std::string::npos, experts.c_str());
    QVERIFY2(experts.find("order=\"tp-ep-dp\"") != std::string::npos, experts.c_str());
    QVERIFY(text("ep=4,dp=1,tp=8", "[[4,1],[1,1],[1,8]]").find("order=\"tp-ep-dp\"") != std::string::npos);
    // Below a switch the pipeline can be outside of all data, below two it cannot.
    QVERIFY(text("dp=2,pp=2,ep=8", "[[2,1],[2,1],[1,8]]").find("order=\"ep-dp-pp\"") != std::string::npos);
    const auto between =
        exportPlan(test::planOf("pod:2 node:2 gpu:8", "dp=2,pp=2,ep=8", "dp", "[[2,1,1],[1,2,1],[1,1,8]]"), "megatron");
    QVERIFY(!between.ok() && between.error().text().find("rankfile instead") != std::string::npos);
    // Context is in the dense mesh alone, experts in the other: one order lays out both.
    const std::string context = text("dp=2,cp=2,ep=8", "[[2,1],[2,1],[1,8]]");
    QVERIFY2(context.find("order=\"ep-dp-cp\"") != std::string::npos, context.c_str());
    QVERIFY(context.find("expert_tensor_parallel_size=1,\n") != std::string::npos);
  }

  // Torch sorts what it makes groups of; the note names the pairs of dimensions for which that matters, and only these.
  void torchSortsWhereItSays() {
    for (const Plan& plan : test::filled(test::plansOfPlacements("node:4 gpu:4", "a=4,b=4", "a"))) {
      const Placement placement(plan.workspace().axes, plan.workspace().matrix);
      std::int64_t before = -1;
      bool ascending = true;
      for (std::int64_t a = 0; a < 4; ++a) {
        for (std::int64_t b = 0; b < 4; ++b) {
          const std::int64_t device = placement.deviceAt({a, b}).value();
          ascending = ascending && device > before;
          before = device;
        }
      }
      const std::string text = test::valueOf(exportPlan(plan, "torch"));
      QVERIFY2((text.find("not in ascending order") == std::string::npos) == ascending, text.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestPlacementExports)
#include "tst_placement_exports.moc"
