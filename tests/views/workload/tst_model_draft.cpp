// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSet>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/workload/model_draft.h"
#include "workload/generate/fields.h"
#include "workload/generate/generator.h"
#include "workload/generate/training_recipe.h"

using namespace p2;
using namespace p2::views;

/// What is typed into the form of a model: text in, values and sentences out.
class TestModelDraft : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void hasARowForEveryField();
  void takesText_data();
  void takesText();
  void keepsWhatItCannotTake();
  void errorsStandBesideTheirFields_data();
  void refusesValuesOutOfRange();
  void errorsStandBesideTheirFields();
  void fitsTheDevices_data();
  void fitsTheDevices();
};

namespace {

std::size_t draftRow(const QString& key) {
  for (std::size_t row = 0; row < ModelDraft::rows().size(); ++row) {
    if (ModelDraft::rows()[row].key == key) return row;
  }
  qFatal("there is no row %s", qPrintable(key));
}

TrainedModel published(const char* name) {
  const TrainingRecipe recipe = test::valueOf(bundledRecipe(name));
  return {recipe.model, recipe.plan};
}

}  // namespace

void TestModelDraft::hasARowForEveryField() {
  QCOMPARE(ModelDraft::rows().size(), modelFields().size() + planFields().size() - 1);
  QSet<QString> keys;
  int standard = 0;
  for (const ModelDraft::Row& row : ModelDraft::rows()) {
    QVERIFY2(!row.label.isEmpty() && !row.help.isEmpty(), qPrintable(row.key));
    keys.insert(row.key);
    if (row.isCommon) ++standard;
  }
  QCOMPARE(std::size_t(keys.size()), ModelDraft::rows().size());
  QVERIFY(!keys.contains("devices"));
  QCOMPARE(standard, 27);
}

void TestModelDraft::takesText_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("text");
  for (const auto& [key, text] : {std::pair("layers", "96"),
                                  {"tp", "8"},
                                  {"zero", "3"},
                                  {"sp", "torch"},
                                  {"recompute", "full"},
                                  {"gradients", "bf16"},
                                  {"name", "My model"}}) {
    QTest::newRow(key) << key << text;
  }
}

void TestModelDraft::takesText() {
  QFETCH(QString, key);
  QFETCH(QString, text);
  ModelDraft draft;
  draft.setValues({});
  const TrainedModel before = draft.values();
  draft.type(draftRow(key), " " + text + " ");
  QCOMPARE(draft.text(draftRow(key)), text);
  QCOMPARE(draft.problem(draftRow(key)), QString());
  QVERIFY(draft.isWhole());
  QVERIFY(draft.values() != before);
}

void TestModelDraft::keepsWhatItCannotTake() {
  ModelDraft draft;
  draft.setValues(published("llama3-8b"));
  const TrainedModel before = draft.values();
  draft.type(draftRow("heads"), "many");
  QCOMPARE(draft.text(draftRow("heads")), QStringLiteral("many"));
  QVERIFY2(draft.problem(draftRow("heads")).contains("whole number"), qPrintable(draft.problem(draftRow("heads"))));
  QVERIFY(!draft.isWhole());
  QVERIFY(draft.values() == before);
  draft.type(draftRow("heads"), "32");
  QVERIFY(draft.isWhole());
  draft.type(draftRow("heads"), "-3");
  draft.setValues(before);
  QVERIFY(draft.isWhole());
}

void TestModelDraft::errorsStandBesideTheirFields_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("overlapped");
  QTest::newRow("product") << "tp"
                           << "4"
                           << "dp";
  QTest::newRow("replicas") << "replicas"
                            << "5"
                            << "replicas";
  QTest::newRow("order") << "order"
                         << "tp"
                         << "order";
}

// What a field's own range leaves out never reaches the values.
void TestModelDraft::refusesValuesOutOfRange() {
  ModelDraft draft;
  draft.setValues(published("llama3-70b"));
  const TrainedModel before = draft.values();
  for (const auto& [key, text] : {std::pair("layers", "0"), std::pair("zero", "7"), std::pair("hidden", "1e308")}) {
    draft.type(draftRow(key), text);
    QVERIFY2(draft.problem(draftRow(key)).contains("use "), key);
    QVERIFY(draft.values() == before);
  }
}

void TestModelDraft::errorsStandBesideTheirFields() {
  QFETCH(QString, key);
  QFETCH(QString, text);
  QFETCH(QString, overlapped);
  ModelDraft draft;
  draft.setValues(published("llama3-70b"));
  QVERIFY(generateWorkload(draft.values().model, draft.values().plan).ok());
  draft.type(draftRow(key), text);
  const auto refused = generateWorkload(draft.values().model, draft.values().plan);
  QVERIFY(!refused.ok());
  const auto row = ModelDraft::rowOf(refused.error());
  QVERIFY2(row.has_value(), refused.error().text().c_str());
  QCOMPARE(ModelDraft::rows()[*row].key, overlapped);
  QVERIFY(!ModelDraft::rowOf(Error{"a sentence", "/axes/0"}).has_value());
}

void TestModelDraft::fitsTheDevices_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<int>("devices");
  QTest::addColumn<int>("data");
  QTest::addColumn<QString>("refusal");
  QTest::newRow("as published") << "llama3-70b" << 256 << 32 << "";
  QTest::newRow("fewer") << "llama3-70b" << 64 << 8 << "";
  QTest::newRow("one replica") << "llama3-70b" << 8 << 1 << "";
  QTest::newRow("batch stays") << "gpt3-175b" << 768 << 8 << "";
  QTest::newRow("the others do not divide") << "llama3-70b" << 20 << 1 << "not to 20";
  QTest::newRow("another would fit") << "llama3-405b" << 64 << 1 << "pp = 8 would fit";
}

void TestModelDraft::fitsTheDevices() {
  QFETCH(QString, model);
  QFETCH(int, devices);
  QFETCH(int, data);
  QFETCH(QString, refusal);
  const TrainedModel before = published(model.toUtf8().constData());
  const TrainedModel after = fittedTo(before, devices);
  QCOMPARE(after.plan.data, std::int64_t(data));
  const auto generated = generateWorkload(after.model, after.plan);
  QCOMPARE(generated.ok(), refusal.isEmpty());
  if (generated.ok()) {
    if (before.plan.globalBatch > 0) QCOMPARE(resolved(after.plan).globalBatch, before.plan.globalBatch);
    std::int64_t product = 1;
    for (const Axis& axis : generated->workload.axes) product *= axis.size;
    QCOMPARE(product, std::int64_t(devices));
  } else {
    const QString text = QString::fromStdString(generated.error().text());
    QVERIFY2(text.contains(refusal), qPrintable(text));
  }
}

QTEST_GUILESS_MAIN(TestModelDraft)
#include "tst_model_draft.moc"
