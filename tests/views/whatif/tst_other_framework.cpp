// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QTableView>

#include "views/whatif/points_model.h"
#include "views/whatif/what_if_desk.h"

using namespace p2;
using namespace p2::views;

class TestOtherFramework : public QObject, private test::WhatIfDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUpPage(); }
  void cleanup() { clearAway(); }

  // The kept degrees and the best plan of another framework; those that do not run here say why and cannot be chosen.
  void anotherFrameworkIsTried() {
    auto* list = find<QComboBox>("whatIfFramework");
    QCOMPARE(list->currentText(), QString("Megatron-Core, as it is"));
    const int neuron = list->findData("neuronx");
    QVERIFY(neuron > 0 && !(list->model()->flags(list->model()->index(neuron, 0)) & Qt::ItemIsEnabled));
    QCOMPARE(list->itemText(neuron).section(", fsdp", 0, 0),
             QString("NxD Training: does not run on NVIDIA GPUs; use megatron, torchtitan, deepspeed"));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(list->currentData().toString(), QString("torchtitan"));
    QTRY_VERIFY2_WITH_TIMEOUT(find<QLabel>("whatIfFinding")->text().startsWith("TorchTitan: "),
                              qPrintable(find<QLabel>("whatIfFinding")->text()), 60000);
    const auto& bars = *find<StepBars>("whatIfBars");
    QTRY_VERIFY_WITH_TIMEOUT(bars.steps().size() == 3 && !bars.steps()[2].stale, 60000);
    QVERIFY2(bars.steps()[2].details.endsWith(" · TorchTitan"), qPrintable(bars.steps()[2].details));
    QVERIFY(!bars.steps()[0].details.contains("TorchTitan"));
    QTest::mouseClick(find<QPushButton>("whatIfAdopt"), Qt::LeftButton);
    QCOMPARE(m_session->workspace()->training.framework, std::string("torchtitan"));
    m_session->undoStack().undo();
    QVERIFY(m_session->workspace()->training.framework != "torchtitan");
  }

  // The best plan of each framework, below each other.
  void theTableVariesTheFramework() {
    auto* over = find<QComboBox>("whatIfOver");
    over->setFocus();
    QTest::keyClick(over, Qt::Key_End);
    auto& table = *find<QTableView>("whatIfPoints");
    QTRY_COMPARE_WITH_TIMEOUT(test::cellText(table, 0, PointsModel::Change), QString("Megatron-Core"), 60000);
    const auto runnable = frameworksOn(AcceleratorPlatform::Cuda, trainingFrameworks());
    QCOMPARE(table.model()->rowCount(), int(runnable.size()));
    for (int row = 0; row < table.model()->rowCount(); ++row)
      QTRY_VERIFY_WITH_TIMEOUT(test::cellText(table, row, PointsModel::Best) != QString("…"), 60000);
  }
};

QTEST_MAIN(TestOtherFramework)
#include "tst_other_framework.moc"
