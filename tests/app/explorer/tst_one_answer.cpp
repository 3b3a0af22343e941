// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QLabel>
#include <QTableView>

#include "app/explorer/every_view.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"
#include "training_answer/document_training.h"
#include "views/common/text.h"
#include "views/shell/examples.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

using namespace p2;
using namespace p2::views;

namespace {

struct Trained {
  const char* system;
  const char* model;
  std::int64_t batch;
  std::int64_t sequence;
  const char* framework;
};

/// Documents as people make them: a machine that can be rented, a published model and batch.
constexpr Trained kTrained[] = {
    {"dgx-h100:2", "llama3-8b", 256, 8192, "torchtitan"}, {"dgx-h100:16", "llama3-70b", 1024, 8192, "megatron"},
    {"dgx-a100:8", "llama3-8b", 512, 4096, "deepspeed"},  {"dgx-h100:4", "mixtral-8x7b", 512, 4096, "megatron"},
    {"dgx-b200:16", "gpt3-175b", 1024, 2048, "megatron"}, {"aws-p5:8", "llama3-8b", 1024, 2048, "fsdp"},
};
constexpr const char* kReduced[] = {"a100-4x16", "a100-rails-4x8", "v100-4x8", "teaching-2x4"};

QStringList reducedArguments(const Workspace& document) {
  QStringList axes;
  QStringList reduce;
  for (const Axis& axis : document.axes) {
    axes << QString("%1=%2").arg(qs(axis.name)).arg(axis.size);
    if (axis.reduce) reduce << qs(axis.name);
  }
  const CostOptions& cost = document.options.cost;
  return {"--axes",      axes.join(','),
          "--reduce",    reduce.join(','),
          "--model",     qs(cost.model),
          "--bytes",     QString::number(cost.bytes.value(), 'f', 0),
          "--repeat",    QString::number(cost.repeat),
          "--algorithm", qs(nameOf(cost.algorithm))};
}

}  // namespace

/// Ten documents: the pages that show it and the CLI name the same winner with the same time.
class TestOneAnswer : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_view.open("teaching-2x4", {1280, 800}); }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() { m_view.desk.reset(); }

  void trainingStep_data() {
    QTest::addColumn<int>("row");
    for (std::size_t row = 0; row < std::size(kTrained); ++row)
      QTest::addRow("%s on %s", kTrained[row].model, kTrained[row].system) << int(row);
  }
  void trainingStep() {
    QFETCH(int, row);
    const Trained& trained = kTrained[row];
    Workspace document;
    document.system = test::valueOf(systemFromArgument(trained.system));
    document.axes = {{"data", document.system.deviceCount(), true}};
    document.training.model = trained.model;
    document.training.batch = trained.batch;
    document.training.sequence = trained.sequence;
    document.training.framework = trained.framework;
    m_view.desk->session.reset(document);
    m_view.show("plan", {});
    const StepPlanner& planner = m_view.desk->session.planner();
    QTRY_VERIFY_WITH_TIMEOUT(planner.isCurrent() && planner.answer()->isComplete, 60000);
    const PlannedConfiguration best = planner.answer()->answer.configurations.front();
    const QJsonObject answer =
        test::jsonFrom({"train", trained.model, trained.system, "--batch", QString::number(trained.batch), "--sequence",
                        QString::number(trained.sequence), "--framework", trained.framework});
    const QJsonObject first = answer["configurations"].toArray().at(0).toObject();
    QCOMPARE(first["tp"].toInteger(), best.configuration.plan.tensor);
    QCOMPARE(first["pp"].toInteger(), best.configuration.plan.pipeline);
    QCOMPARE(first["dp"].toInteger(), best.configuration.plan.data);
    QCOMPARE(first["microbatch"].toInteger(), best.configuration.plan.microbatch);
    const double seconds = first["seconds"].toDouble();
    QVERIFY(std::abs(seconds - best.estimate.seconds) <= 1e-9 * seconds);
    const QString time = intervalText(best.estimate);
    const QString degrees = degreesText(best.configuration);
    for (const char* page : {"start", "plan", "why", "whatif", "use"}) {
      m_view.show(page, {});
      QTRY_VERIFY2(says(page, time), qPrintable(QString("%1 does not say %2").arg(page, time)));
    }
    for (const char* page : {"start", "plan", "use"}) {
      m_view.show(page, {});
      QTRY_VERIFY2(says(page, degrees), qPrintable(QString("%1 does not say %2").arg(page, degrees)));
    }
    const QString summary = m_view.desk->find<QLabel>("summary")->text();
    QVERIFY2(summary.contains(time) && summary.contains(degrees), qPrintable(summary));
    for (const char* page : {"start", "plan", "why", "whatif", "use"}) {
      m_view.show(page, {});
      const QString mfu = shareText(best.estimate.mfu) + " MFU";
      QTRY_VERIFY2(says(page, mfu), qPrintable(QString("%1 does not say %2").arg(page, mfu)));
    }
    aChoiceIsThatOfAllPages(planner);
  }

  void reduction_data() {
    QTest::addColumn<QString>("example");
    for (const char* example : kReduced) QTest::newRow(example) << QString(example);
  }
  void reduction() {
    QFETCH(QString, example);
    m_view.desk->documents.openExample(example);
    m_view.show("placements", {});
    Session& session = m_view.desk->session;
    const auto exploration = session.exploration();
    const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
    const QString time = secondsText(best.rankedBestSeconds());
    const QJsonObject answer =
        test::jsonFrom(QStringList{"simulate", P2_RESOURCES "/examples/" + example + ".p2.json"} +
                       reducedArguments(*session.workspace()));
    double least = 0;
    double ofWinner = 0;
    for (const QJsonValue& each : answer["placements"].toArray()) {
      const double seconds = each.toObject()["best_seconds"].toDouble();
      least = least == 0 ? seconds : std::min(least, seconds);
      const QByteArray matrix = QJsonDocument(each.toObject()["matrix"].toArray()).toJson(QJsonDocument::Compact);
      if (matrix == QByteArray::fromStdString(best.matrix.text())) ofWinner = seconds;
    }
    QVERIFY2(ofWinner > 0, qPrintable(qs(best.matrix.text())));
    QVERIFY(std::abs(ofWinner - least) <= 1e-9 * least);
    QVERIFY2(std::abs(least - best.rankedBestSeconds()) <= 1e-9 * least,
             qPrintable(QString("the CLI says %1, the window %2").arg(least).arg(best.rankedBestSeconds())));
    m_view.desk->session.select(exploration->bestPlacement);
    for (const auto& [page, label] : {std::pair("placements", "placementsSummary"), std::pair("start", "finding")}) {
      m_view.show(page, {});
      QTRY_VERIFY2(m_view.desk->find<QLabel>(label)->text().contains(time), page);
    }
    m_view.show("costs", "showBestAction");
    QTRY_VERIFY2(m_view.desk->find<QLabel>("bestFinding")->text().contains(time), "costs");
    m_view.show("programs", {});
    const QString summary = m_view.desk->find<QLabel>("summary")->text();
    QVERIFY2(summary.contains(time), qPrintable(summary));
    const auto* programs = m_view.desk->find<QTableView>("programTable")->model();
    QString row;
    for (int column = 0; column < programs->columnCount(); ++column)
      row += programs->index(0, column).data().toString();
    QVERIFY2(row.contains(time), qPrintable(row));
  }

 private:
  /// The last configuration of the list, chosen in place of the best one.
  void aChoiceIsThatOfAllPages(const StepPlanner& planner) {
    const PlannedConfiguration& last = planner.answer()->answer.configurations.back();
    m_view.desk->session.chooseConfiguration(&last);
    const QString time = secondsText(last.estimate.seconds);
    for (const char* page : {"start", "plan", "why", "whatif", "use"}) {
      m_view.show(page, {});
      QTRY_VERIFY2(says(page, time), qPrintable(QString("%1 does not say %2 of the choice").arg(page, time)));
    }
    const QString summary = m_view.desk->find<QLabel>("summary")->text();
    QVERIFY2(summary.contains(time) && summary.contains(degreesText(last.configuration)), qPrintable(summary));
    // The next document replaces this one without a question.
    m_view.desk->session.undoStack().setIndex(m_view.desk->session.undoStack().cleanIndex());
  }
  /// Whether a label or drawing of the shown page says it.
  [[nodiscard]] bool says(const QString& page, const QString& text) const {
    const auto& stack = m_view.desk->window->perspectives();
    for (const QLabel* label : stack.current()->findChildren<QLabel*>()) {
      if (label->isVisibleTo(stack.current()) && label->text().contains(text)) return true;
    }
    // What if draws its steps.
    const auto* bars = page == "whatif" ? stack.current()->findChild<QWidget*>("whatIfBars") : nullptr;
    return bars != nullptr && bars->accessibleDescription().contains(text);
  }

  test::EveryView m_view;
};

QTEST_MAIN(TestOneAnswer)
#include "tst_one_answer.moc"
