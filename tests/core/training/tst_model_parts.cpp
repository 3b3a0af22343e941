// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <map>

#include "support/warnings.h"
#include "training/model_argument.h"
#include "training/model_parts.h"
#include "training/step_estimate.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

namespace {

std::map<ModelPartKind, ModelPart> byKind(const std::vector<ModelPart>& parts) {
  std::map<ModelPartKind, ModelPart> found;
  for (const ModelPart& part : parts) found[part.kind] = part;
  return found;
}

}  // namespace

class TestModelParts : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void partsAddUpToTheModel_data() {
    QTest::addColumn<QString>("model");
    for (const BundledRecipe& each : bundledRecipes()) {
      const auto recipe = bundledRecipe(std::string(each.name));
      if (recipe.ok() && !recipe->listed) QTest::newRow(each.name.data()) << QString::fromUtf8(each.name.data());
    }
    for (const BundledModel& each : bundledModels()) {
      QTest::newRow(each.name.data()) << QString::fromUtf8(each.name.data());
    }
  }
  void partsAddUpToTheModel() {
    QFETCH(QString, model);
    const auto source = bundledModelNamed(model.toStdString());
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    const ModelShape shape = resolved(source->shape);
    constexpr std::int64_t kSequence = 4096;
    double parameters = 0;
    double active = 0;
    double flop = 0;
    for (const ModelPart& part : modelParts(shape, kSequence)) {
      parameters += part.parameters;
      active += part.active;
      flop += part.flop;
    }
    QCOMPARE(parameters, double(modelParameters(shape)));
    QCOMPARE(active, double(activeParameters(shape)));
    TrainingConfiguration configuration;
    configuration.plan.sequence = kSequence;
    configuration.plan.globalBatch = 1;
    const double expected = modelFlop(shape, configuration) / kSequence;
    QVERIFY2(std::abs(flop - expected) < 1e-9 * expected, qPrintable(QString("%1 %2").arg(flop).arg(expected)));
  }

  // By hand: Llama 3 8B has 32 layers of width 4096, 8 of 32 heads of keys, an MLP of 14336 and 128256 tokens.
  void partsOfLlama() {
    const auto parts = byKind(modelParts(resolved(bundledModelNamed("llama3-8b")->shape), 8192));
    QCOMPARE(parts.at(ModelPartKind::Attention).parameters, 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024));
    QCOMPARE(parts.at(ModelPartKind::Mlp).parameters, 32.0 * 3 * 4096 * 14336);
    QCOMPARE(parts.at(ModelPartKind::Embedding).parameters, 128256.0 * 4096);
    QCOMPARE(parts.at(ModelPartKind::Head).parameters, 128256.0 * 4096);
    QCOMPARE(parts.at(ModelPartKind::Norms).parameters, 65.0 * 4096);
    // Two products with all earlier tokens, half of the sequence in the mean, and twice as many backward.
    QCOMPARE(parts.at(ModelPartKind::Scores).flop, 32.0 * 3 * 2 * 2 * 4096 * 8192 / 2);
    QCOMPARE(parts.size(), std::size_t{6});
  }

  void partsOfAMixture() {
    const ModelShape shape = resolved(bundledModelNamed("mixtral-8x7b")->shape);
    const auto parts = byKind(modelParts(shape, 4096));
    QVERIFY(!parts.contains(ModelPartKind::Mlp));
    QCOMPARE(parts.at(ModelPartKind::Experts).parameters, 32.0 * 8 * 3 * 4096 * 14336);
    QCOMPARE(parts.at(ModelPartKind::Experts).active, parts.at(ModelPartKind::Experts).parameters / 4);
    QCOMPARE(parts.at(ModelPartKind::Shared).parameters, 32.0 * 8 * 4096);
  }
};

QTEST_APPLESS_MAIN(TestModelParts)
#include "tst_model_parts.moc"
