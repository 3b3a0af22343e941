// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSpinBox>
#include <QTemporaryDir>
#include <fstream>

#include "tests/core/graphs/onnx_models.h"
#include "tests/views/strategy/strategy_window.h"

using namespace p2;
using namespace p2::views;

/// What the window asks and says of an ONNX model.
class TestStrategyOnnx : public QObject, private test::StrategyWindow {
  Q_OBJECT

  QTemporaryDir m_folder;

  void open(const test::Model& model) {
    const std::string path = m_folder.filePath("model.onnx").toStdString();
    std::ofstream(path, std::ios::binary) << model.bytes();
    Workspace next = *session->workspace();
    next.strategy.graph = path;
    session->edit("Open", std::move(next));
  }
  QSpinBox* field() const { return view->findChild<QSpinBox*>("strategySize_N"); }

 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void openSizesAreAskedFor();
  void whatIsNotPricedIsSaid();
  void whatIsAssumedIsSaid();
};

void TestStrategyOnnx::openSizesAreAskedFor() {
  open(test::Model().input("x", {0, 32}, "N").weight("w", {32, 16}).node("MatMul", {"x", "w"}, {"y"}));
  QTRY_VERIFY(field() != nullptr && settled());
  QCOMPARE(field()->value(), 1);
  QTRY_VERIFY(headline().startsWith("Best strategy: "));
  field()->setValue(64);
  QCOMPARE(session->workspace()->strategy.dimensions.at("N"), 64);
  QTRY_VERIFY(settled());
  const auto instance = test::instanceOf(*session->workspace());
  QCOMPARE(instance->graph->operators.front().dimensions.front().size, 64);
  QVERIFY(warningsOf(*instance).isEmpty());
  session->undoStack().undo();
  QCOMPARE(field()->value(), 1);
  const auto standard = test::instanceOf(*session->workspace());
  QCOMPARE(warningsOf(*standard),
           QStringList{"The model has symbolic sizes; assuming N = 1 (change them on the left)."});
}

void TestStrategyOnnx::whatIsNotPricedIsSaid() {
  open(test::Model()
           .input("x", {64, 32})
           .weight("w", {32, 16})
           .node("MatMul", {"x", "w"}, {"y"})
           .node("NonZero", {"y"}, {"z"}));
  QTRY_VERIFY2(settled() && headline().startsWith("Best strategy of the priced operators: "), qPrintable(headline()));
  QVERIFY(field() == nullptr);
  QCOMPARE(warningsOf(*test::instanceOf(*session->workspace())), QStringList{"Not priced: NonZero."});
}

void TestStrategyOnnx::whatIsAssumedIsSaid() {
  const test::Model one = test::Model().node("MatMul", {"x", "w"}, {"p"}).output("p", {64, 32});
  const test::Model none = test::Model().node("Relu", {"x"}, {"q"}).output("q", {64, 32});
  open(test::Model()
           .input("x", {64, 32})
           .input("yes", {})
           .weight("w", {32, 32})
           .node("If", {"yes"}, {"y"})
           .graph("then_branch", one)
           .graph("else_branch", none));
  QTRY_VERIFY(settled() && headline().startsWith("Best strategy: "));
  const QStringList warnings = warningsOf(*test::instanceOf(*session->workspace()));
  QCOMPARE(warnings.size(), 1);
  QVERIFY2(warnings[0].startsWith("Assumed: which branch If takes is not known before it runs"),
           qPrintable(warnings[0]));
  QTRY_VERIFY(find<QLabel>("strategyNote")->text().contains(warnings[0]));
}

QTEST_MAIN(TestStrategyOnnx)
#include "tst_strategy_onnx.moc"
