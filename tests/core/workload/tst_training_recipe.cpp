// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "placement/framework_axes.h"
#include "placement/parallelism_matrix.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "tests/core/workload/generated.h"
#include "workload/generate/fields.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

const char* const kSmallModel = R"({"format": "p2-model", "version": 1, "name": "small",
  "model": {"layers": 4, "hidden": 64, "ffn": 256, "heads": 4, "vocabulary": 100, "gated_mlp": false, "x": 1},
  "plan": {"dp": 2, "tp": 2, "sp": "none", "sequence": 128}})";

}  // namespace

class TestTrainingRecipe : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void countsParameters_data() {
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("layer");
    QTest::newRow("llama3-8b") << qint64{8'030'261'248} << qint64{218'112'000};
    QTest::newRow("llama3-70b") << qint64{70'553'706'496} << qint64{855'654'400};
    QTest::newRow("llama3-405b") << qint64{405'853'388'800} << qint64{3'187'703'808};
    // 12Lh² (1 + 13/(12h) + (V + s)/(12Lh)), arXiv 2104.04473.
    QTest::newRow("gpt3-175b") << qint64{174'615'822'336} << qint64{12'288} * 12'288 * 12 + 13 * 12'288;
    QTest::newRow("mixtral-8x7b") << qint64{46'702'792'704} << qint64{0};
    // Without the module that predicts a second token.
    QTest::newRow("deepseek-v3") << qint64{671'026'419'200} << qint64{0};
  }
  void countsParameters() {
    QFETCH(qint64, parameters);
    QFETCH(qint64, layer);
    const auto recipe = bundledRecipe(QTest::currentDataTag());
    QVERIFY2(recipe.ok(), recipe.ok() ? "" : recipe.error().text().c_str());
    QCOMPARE(modelParameters(resolved(recipe->model)), parameters);
    if (layer > 0) QCOMPARE(denseLayerParameters(resolved(recipe->model)), layer);
  }

  // Every published run fits the system it names, and can be placed there.
  void fitTheirSystems() {
    QCOMPARE(bundledRecipes().size(), 7U);
    for (const BundledRecipe& bundled : bundledRecipes()) {
      const std::string name(bundled.name);
      const auto recipe = recipeFromJson(bundled.json);
      QVERIFY2(recipe.ok(), recipe.ok() ? "" : recipe.error().text().c_str());
      QVERIFY2(!recipe->source.empty() && !recipe->description.empty() && !recipe->published.text.empty(),
               name.c_str());
      const auto source = recipeWorkload(*recipe, {});
      QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
      const auto system = systemFromArgument(recipe->system);
      QVERIFY2(system.ok(), system.ok() ? "" : system.error().text().c_str());
      const auto fits = checkAxes(*system, source->workload.axes);
      QVERIFY2(fits.ok(), fits.ok() ? "" : (name + ": " + fits.error().text()).c_str());
      QVERIFY(countMatrices(sizesOf(source->workload.axes), system->counts()) > Count(0));
      // So that the orders of frameworks have a place for it.
      for (const Axis& axis : test::filled(source->workload.axes))
        QVERIFY2(frameworkAxisOf(axis.name), axis.name.c_str());
      for (const WorkloadEntry& entry : source->workload.collectives) {
        QVERIFY2(recipe->listed || !entry.formula.empty(), entry.name.c_str());
        QVERIFY2(!entry.name.empty(), name.c_str());
      }
      QCOMPARE(workloadFromJson(workloadToJson(source->workload))->collectives, source->workload.collectives);
    }
  }

  void bucketsOfResNet() {
    const WorkloadSource source = test::recipeSource("resnet50");
    QCOMPARE(source.workload.collectives.size(), 5U);
    std::int64_t sum = 0;
    for (const WorkloadEntry& entry : source.workload.collectives) sum += entry.bytes * entry.count;
    QCOMPARE(sum, 4 * 25'557'032);
    QCOMPARE(test::recipeSource("resnet50", {{"dp", "32"}}).workload.axes, (std::vector<Axis>{{"data", 32}}));
    QVERIFY(!recipeWorkload(bundledRecipe("resnet50").value(), std::vector<PlanChange>{{"dp", "9223372036854775807"}})
                 .ok());
    const auto refused = recipeWorkload(bundledRecipe("resnet50").value(), std::vector<PlanChange>{{"tp", "2"}});
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message.find("only dp can change") != std::string::npos, refused.error().message.c_str());
  }

  void degreesFollow() {
    const auto size = [](const std::vector<PlanChange>& changes) {
      std::int64_t devices = 1;
      for (const Axis& axis : test::recipeSource("llama3-405b", changes).workload.axes) devices *= axis.size;
      return devices;
    };
    QCOMPARE(size({}), 16384);
    QCOMPARE(size({{"dp", "64"}}), 8192);
    QCOMPARE(size({{"devices", "4096"}}), 4096);
    QCOMPARE(size({{"tp", "4"}}), 8192);
    // The batch of the step stays, so half the replicas have twice the microbatches.
    const WorkloadSource half = test::recipeSource("llama3-405b", {{"dp", "64"}});
    QVERIFY2(half.understood.back().ends_with("32 microbatches of 1"), half.understood.back().c_str());
    const WorkloadSource once = test::recipeSource("llama3-8b", {{"microbatches", "1"}});
    QVERIFY2(once.understood.back().find(", 1 microbatch of ") != std::string::npos, once.understood.back().c_str());
    QCOMPARE(factorsText(once.workload.collectives.at(0)), std::string("32 layers"));
  }

  void fieldsRoundTrip() {
    const auto recipe = bundledRecipe("deepseek-v3").value();
    ModelShape model;
    for (const auto& field : modelFields()) {
      QVERIFY(!field.info.label.empty() && !field.info.tip.empty());
      const std::string text = propertyText(field.info, field.get(recipe.model));
      QVERIFY2(p2::setProperty(field, model, text).ok(), std::string(field.info.key).c_str());
    }
    QCOMPARE(model, recipe.model);
    TrainingPlan plan;
    for (const auto& field : planFields()) {
      const std::string text = propertyText(field.info, field.get(recipe.plan));
      QVERIFY2(p2::setProperty(field, plan, text).ok(), std::string(field.info.key).c_str());
      for (const std::string_view choice : field.info.choices) {
        TrainingPlan other;
        QVERIFY(p2::setProperty(field, other, choice).ok());
        QCOMPARE(std::get<std::string>(field.get(other)), std::string(choice));
      }
    }
    QCOMPARE(plan, recipe.plan);
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* from, const char* to, const char* error) {
      QTest::addRow("%s", to) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(error);
    };
    row("\"layers\": 4", "\"layers\": \"four\"", "/model/layers: \"four\" is not a whole number; use 1 to 4294967296");
    row("\"layers\": 4", "\"layers\": 4.5", "/model/layers: \"4.5\" is not a whole number");
    row("\"layers\": 4", "\"layers\": [4]", "/model/layers: a list is not a plain value");
    row("\"gated_mlp\": false", "\"gated_mlp\": 2", "/model/gated_mlp: \"2\" is neither yes nor no");
    row("\"sp\": \"none\"", "\"sp\": \"some\"", "/plan/sp: \"some\" is not known; use none, megatron or torch");
    row("\"name\": \"small\",", "", "the key \"name\" is missing");
    row("\"model\"", "\"modle\"", "the key \"model\" is missing");
    row("\"version\": 1", "\"version\": 2", "newer version");
  }
  void saysWhatIsWrong() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, error);
    const QString text = QString::fromUtf8(kSmallModel);
    QVERIFY(recipeFromJson(kSmallModel).ok());
    QVERIFY(text.contains(from));
    const auto recipe = recipeFromJson(QString(text).replace(from, to).toStdString());
    QVERIFY(!recipe.ok());
    QVERIFY2(QString::fromStdString(recipe.error().text()).contains(error), recipe.error().text().c_str());
  }

  void namesWhatThereIs() {
    const auto missing = workloadFromArgument("llama9");
    QVERIFY(!missing.ok());
    QVERIFY2(missing.error().message.find("llama3-8b, llama3-70b") != std::string::npos,
             missing.error().message.c_str());
    const auto model = workloadFromText(kSmallModel, "small.json");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    QCOMPARE(model->workload.name, std::string("small"));
  }
};

QTEST_APPLESS_MAIN(TestTrainingRecipe)
#include "tst_training_recipe.moc"
