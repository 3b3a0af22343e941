// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSpinBox>

#include "system/oversubscription.h"
#include "system/valid_system.h"
#include "views/system/kept_sums.h"
#include "views/system/networks_model.h"
#include "views/system/part_fields.h"
#include "views/system/system_desk.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;

/// Ratios above the nodes: in the forms of the page, in the table of networks, and after changes of counts.
class TestOversubscriptionFields : public QObject, private test::SystemDesk {
  Q_OBJECT

 private slots:
  void initTestCase() { prepare(); }
  void init() {
    open();
    Workspace workspace;
    workspace.system = test::valueOf(systemFromArgument("dgx-h100-racks:2"));
    workspace.axes = {{"data", 128, true}};
    m_session->reset(std::move(workspace));
  }
  void cleanup() { close(); }

  void theRatioIsAField() {
    auto& ratio = childOf<QLineEdit>(*m_perspective, "systemOversubscription");
    QVERIFY(ratio.isVisible());
    QCOMPARE(ratio.text(), QString("2:1"));
    type(ratio, "4");
    QCOMPARE(spine().bandwidth, 100e9);
    QCOMPARE(ratio.text(), QString("4:1"));
    type(ratio, "0.5");
    QVERIFY2(label("systemTextProblem").text().contains("use 1, 2 or 4:1"),
             qPrintable(label("systemTextProblem").text()));
    QCOMPARE(spine().bandwidth, 100e9);
    m_session->undoStack().undo();
    QCOMPARE(spine().bandwidth, 200e9);
    QCOMPARE(ratio.text(), QString("2:1"));
  }

  // Rails join the cards of one number.
  void railsFollowTheCardsOfANode() {
    const System& before = system();
    System fewer = before;
    for (Network& network : fewer.networks) {
      if (network.interconnect.name == "NIC") network.instances = 4;
    }
    const KeptSums kept = withSumsKept(before, fewer);
    for (const Network& network : kept.system.networks) {
      if (network.interconnect.name != "spine") QCOMPARE(network.instances, std::int64_t(4));
    }
    QVERIFY2(kept.stated.contains("rail: 4 now, one for each NIC of a node."), qPrintable(kept.stated));
    QVERIFY(validated(kept.system).ok());
  }

  void withoutASpineThereIsNone() {
    m_session->reset(test::workspaceOf("gpu:8@450GB/s", "data=8", "data"));
    QVERIFY(!childOf<QLineEdit>(*m_perspective, "systemOversubscription").isVisible());
    QVERIFY(!childOf<QTableView>(*m_perspective, "networksTable").isVisible());
  }

  void aPresetCountsWhatItIsMadeOf() {
    auto& nodes = childOf<QSpinBox>(*m_perspective, "systemNodes");
    QCOMPARE(nodes.text(), QString("2 racks"));
    type(childOf<QLineEdit>(*m_perspective, "systemOversubscription"), "1");
    // No preset any more, so its nodes count.
    QCOMPARE(nodes.text(), QString("16 nodes"));
    QCOMPARE(nodes.singleStep(), 8);
    nodes.setValue(32);
    QCOMPARE(nodeCount(system()), std::int64_t(32));
    // A number that is refused is taken back, and its reason moves nothing.
    const auto& levels = childOf<QTableView>(*m_perspective, "levelsTable");
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const QPoint place = levels.mapTo(m_perspective.get(), QPoint());
    nodes.setValue(33);
    QVERIFY2(label("systemTextProblem").text().contains("use 32 or 40"), qPrintable(label("systemTextProblem").text()));
    QVERIFY(label("systemTextProblem").isVisible());
    QCOMPARE(nodes.value(), 32);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCOMPARE(levels.mapTo(m_perspective.get(), QPoint()), place);
  }

  void theTableHasNicsRailsAndSpine() {
    auto& networks = childOf<QTableView>(*m_perspective, "networksTable");
    QCOMPARE(networks.model()->rowCount(), 3);
    QCOMPARE(cellText(networks, 0, NetworksModel::Name), QString("NIC"));
    QCOMPARE(cellText(networks, 0, NetworksModel::Count), QString("8 per node"));
    QCOMPARE(cellText(networks, 1, NetworksModel::Count), QString("8 per rack"));
    QCOMPARE(cellText(networks, 1, NetworksModel::Ratio), QString("–"));
    QCOMPARE(cellText(networks, 2, NetworksModel::Bandwidth), QString("200 GB/s"));
    QCOMPARE(cellText(networks, 2, NetworksModel::Ratio), QString("2:1"));
    QAbstractItemModel& model = *networks.model();
    QVERIFY(model.setData(model.index(2, NetworksModel::Ratio), "8:1", Qt::EditRole));
    QCOMPARE(spine().bandwidth, 50e9);
    QVERIFY(model.setData(model.index(0, NetworksModel::Bandwidth), "wide", Qt::EditRole));
    QVERIFY(label("networksProblem").text().contains("NIC"));
    QVERIFY(!model.flags(model.index(1, NetworksModel::Ratio)).testFlag(Qt::ItemIsEditable));
  }

  void theModelIsWellBehaved() {
    NetworksModel model;
    const QAbstractItemModelTester tester(&model);
    model.setSystem(system());
    QCOMPARE(model.rowCount(), 3);
    model.setSystem(System());
    QCOMPARE(model.rowCount(), 0);
  }

  void aCountThatChangesTheSumIsSaid() {
    // Racks of 4 nodes instead of 8: half as much is sent into the spine.
    QAbstractItemModel& levels = *table().model();
    QVERIFY(levels.setData(levels.index(1, LevelsModel::Count), "4", Qt::EditRole));
    QCOMPARE(system().levels[1].count, std::int64_t(4));
    const Place part = test::valueOf(oversubscribedPart(system()));
    QCOMPARE(oversubscriptionOf(system(), part), 2.0);
    QCOMPARE(spine().bandwidth, 100e9);
    QCOMPARE(label("systemRefusal").text(), QString("spine now has 100 GB/s per port and stays 2:1."));
    m_session->undoStack().undo();
    QCOMPARE(spine().bandwidth, 200e9);
  }

  void aBandwidthThatChangesTheRatioIsSaid() {
    QAbstractItemModel& networks = *childOf<QTableView>(*m_perspective, "networksTable").model();
    QVERIFY(networks.setData(networks.index(1, NetworksModel::Bandwidth), "100GB/s", Qt::EditRole));
    QCOMPARE(spine().bandwidth, 200e9);
    QCOMPARE(label("systemRefusal").text(), QString("The oversubscription of spine is now 4:1 (2:1 before)."));
  }

  void aPartHasItsRatio() {
    const SystemPart spinePart{SystemPart::Kind::Network, 2};
    const auto changed = withField(system(), spinePart, "oversubscription", "1:1");
    QVERIFY(changed.ok());
    QCOMPARE(changed->networks[2].interconnect.bandwidth, 400e9);
    QVERIFY(!withField(system(), spinePart, "oversubscription", "much").ok());
    const SystemPart nic{SystemPart::Kind::Network, 0};
    for (const PartField& field : fieldsOf(system(), nic)) QVERIFY(field.key != "oversubscription");
  }

 private:
  static void type(QLineEdit& field, const char* text) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
  [[nodiscard]] const System& system() const { return m_session->workspace()->system; }
  [[nodiscard]] const Interconnect& spine() const { return system().networks[2].interconnect; }
};

QTEST_MAIN(TestOversubscriptionFields)
#include "tst_oversubscription_fields.moc"
