// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/stage/stage_desk.h"
#include "views/stage/stage_legend.h"
#include "views/stage/stage_strip.h"
#include "views/stage/stage_view.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

/// How a stage shares its room between devices, legend and buttons, and how zooming changes what is drawn.
class TestStageRoom : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init();
  void aDoubleClickGoesIntoANode();
  void aThousandDevicesAreReached();
  void wiresStrikeNoNameThrough();
  void devicesFillTheStage_data();
  void devicesFillTheStage();
  void detailFollowsTheZoom();
  void theLegendIsAlwaysThere();
  void aSmallStageIsForItsDevices_data();
  void aSmallStageIsForItsDevices();
  void theLegendKeepsItsRoomWhenMoreIsShown();

 private:
  void show(std::shared_ptr<const Replay> replay, QSize size = {900, 600});
  StageLegend& legend() { return test::childOf<StageLegend>(*m_stage, "stageLegend"); }
  StageStrip& strip() { return test::childOf<StageStrip>(*m_stage, "stageStrip"); }

  std::unique_ptr<StageView> m_stage;
  std::shared_ptr<const Replay> m_replay;
};

void TestStageRoom::init() {
  test::failOnWarnings();
  show(test::replayOfEight());
}

void TestStageRoom::show(std::shared_ptr<const Replay> replay, QSize size) {
  m_replay = std::move(replay);
  m_stage = std::make_unique<StageView>();
  m_stage->resize(size);
  m_stage->setReplay(m_replay);
  m_stage->show();
  m_stage->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_stage.get()));
}

void TestStageRoom::aDoubleClickGoesIntoANode() {
  show(test::replayOn("node:8 gpu:4", "data=32", "[[8,4]]", "node:InsideGroup:AllReduce"));
  const QRectF fitted = m_stage->rectOf(Device(5));
  QTest::mouseDClick(m_stage.get(), Qt::LeftButton, {}, m_stage->rectOf(Device(6)).center().toPoint());
  QVERIFY(m_stage->rectOf(Device(5)).width() > 1.2 * fitted.width());
  for (const int device : {4, 5, 6, 7}) QVERIFY(m_stage->rect().contains(m_stage->rectOf(Device(device)).toRect()));
  QTest::keyClick(m_stage.get(), Qt::Key_0);
  QCOMPARE(m_stage->rectOf(Device(5)), fitted);
}

void TestStageRoom::aThousandDevicesAreReached() {
  show(test::replayOn("node:64 gpu:16", "data=1024", "[[64,16]]", test::kScatteredProgram), {1100, 700});
  const QRectF fitted = m_stage->rectOf(Device(1023));
  QVERIFY(m_stage->rect().contains(fitted.toRect()));
  const auto drawn = [this](int step, double progress) {
    m_stage->setMoment(step, progress);
    return m_stage->grab().toImage();
  };
  QVERIFY(drawn(0, 0).copy(fitted.toAlignedRect()) != drawn(1, 0).copy(fitted.toAlignedRect()));
  QVERIFY(drawn(1, 0) != drawn(1, 0.3));
  const QPointF over = fitted.center();
  QWheelEvent wheel(over, m_stage->mapToGlobal(over), {}, {0, 5 * 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                    false);
  QCoreApplication::sendEvent(m_stage.get(), &wheel);
  QVERIFY(m_stage->rectOf(Device(1023)).width() > 3 * fitted.width());
  QTest::mouseClick(m_stage.get(), Qt::LeftButton, {}, m_stage->rectOf(Device(1023)).center().toPoint());
  QCOMPARE(m_stage->chosen(), Device(1023));
  const double zoomed = m_stage->zoom();
  QTest::keyClick(m_stage.get(), Qt::Key_Plus);
  QVERIFY(m_stage->zoom() > zoomed);
  QTest::keyClick(m_stage.get(), Qt::Key_Minus);
  QTest::keyClick(m_stage.get(), Qt::Key_Minus);
  QVERIFY(m_stage->zoom() < zoomed);
  QTest::mouseClick(&test::childOf<QToolButton>(*m_stage, "stageZoomFit"), Qt::LeftButton);
  QCOMPARE(m_stage->rectOf(Device(1023)), fitted);
}

void TestStageRoom::wiresStrikeNoNameThrough() {
  show(test::replayOn("node:64 gpu:16", "data=1024", "[[64,16]]", test::kScatteredProgram), {1100, 700});
  m_stage->setMoment(1, 0.4);
  const QImage image = m_stage->grab().toImage();
  const auto isWire = [&](int x, int y) {
    const QColor color = image.pixelColor(x, y);
    return color.blue() - color.red() > 50;
  };
  const double strip = DeviceMap::kTitleHeight * m_stage->zoom();
  int wires = 0;
  int all = 0;
  for (int node = 0; node < 64; ++node) {
    // The number of the node is in the strip above its first device.
    const QRectF cell = m_stage->rectOf(Device(std::int64_t(node) * 16));
    const QRect name = QRectF(cell.left(), cell.top() - 0.75 * strip, 8, 0.4 * strip).toRect();
    for (int x = name.left(); x <= name.right(); ++x) {
      for (int y = name.top(); y <= name.bottom(); ++y, ++all) wires += isWire(x, y) ? 1 : 0;
    }
  }
  QVERIFY(all > 64 * 16);
  QVERIFY2(wires * 50 <= all, qPrintable(QString("%1 of %2").arg(wires).arg(all)));
}

void TestStageRoom::devicesFillTheStage_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("axes");
  QTest::addColumn<QString>("matrix");
  QTest::newRow("8") << "node:2 gpu:4"
                     << "data=8"
                     << "[[2,4]]";
  QTest::newRow("64") << "node:4 gpu:16"
                      << "data=64"
                      << "[[4,16]]";
  QTest::newRow("1024") << "node:64 gpu:16"
                        << "data=1024"
                        << "[[64,16]]";
}

void TestStageRoom::devicesFillTheStage() {
  QFETCH(QString, system);
  QFETCH(QString, axes);
  QFETCH(QString, matrix);
  show(test::replayOn(system.toStdString(), axes.toStdString(), matrix.toStdString(), "root:InsideGroup:AllReduce"),
       {1100, 700});
  double cells = 0;
  const std::int64_t devices = m_replay->placement.deviceCount();
  for (std::int64_t device = 0; device < devices; ++device) {
    const QRectF rect = m_stage->rectOf(Device(device));
    cells += rect.width() * rect.height();
  }
  const double share = cells / (1100.0 * 700.0);
  QVERIFY2(share > (devices > 64 ? 0.25 : 0.5), qPrintable(QString::number(share)));
}

void TestStageRoom::detailFollowsTheZoom() {
  StageLayout layout;
  const System system = test::valueOf(parseSystem("node:64 gpu:16"));
  layout.arrange(system, 1024, {1100, 640}, kMostShownDevices, 16);
  QVERIFY(layout.detail() == Detail::Glyph);
  layout.setScale(0.4, 1);
  QVERIFY(layout.detail() == Detail::Classes);
  layout.setScale(8, 1);
  QVERIFY(layout.detail() == Detail::Folded);
  layout.arrange(system, 16, {1100, 640}, kMostShownDevices, 16);
  layout.setScale(8, 1);
  QVERIFY(layout.detail() == Detail::Grid);
  QCOMPARE(layout.matrixPixels().width() % 16, 0);
  QVERIFY(!layout.hasLabels());
  layout.setScale(24, 1);
  QVERIFY(layout.hasLabels());
  QVERIFY(layout.rowHeight() * layout.zoom() >= StageLayout::kLabelledBit);
}

void TestStageRoom::theLegendIsAlwaysThere() {
  for (const QSize size : {QSize(300, 300), QSize(420, 300), QSize(900, 600), QSize(1600, 900)}) {
    m_stage->resize(size);
    QCoreApplication::processEvents();
    QVERIFY(legend().isVisible());
    QVERIFY(legend().height() >= legend().heightForWidth(legend().width()));
    QVERIFY(strip().rect().contains(legend().geometry()));
    QVERIFY(m_stage->rectOf(Device(7)).bottom() <= legend().mapTo(m_stage.get(), QPoint()).y());
    // The buttons stand beside it, or beside its last line, or below it.
    auto& before = test::childOf<QToolButton>(*m_stage, "beforeButton");
    const QPoint corner = before.mapTo(&strip(), QPoint());
    QVERIFY(corner.x() >= legend().geometry().right() || corner.y() >= legend().geometry().bottom() ||
            corner.x() >= legend().x() + legend().lastLineWidth(legend().width()));
  }
  QVERIFY(legend().accessibleDescription().contains("row = chunk"));
}

void TestStageRoom::aSmallStageIsForItsDevices_data() {
  QTest::addColumn<QString>("program");
  QTest::addColumn<int>("percent");
  QTest::newRow("nothing is sent") << "" << 18;
  QTest::newRow("AllReduce") << "root:InsideGroup:AllReduce" << 25;
  QTest::newRow("three steps") << QString::fromStdString(test::kScatteredProgram) << 25;
}

/// The stage of a lesson in a window of 800 × 500 pixels: a screen of 1600 × 1000 at 200 %.
void TestStageRoom::aSmallStageIsForItsDevices() {
  QFETCH(QString, program);
  QFETCH(int, percent);
  show(test::replayOn("node:2 gpu:2", "data=4", "[[2,2]]", program.toStdString()), {309, 316});
  QVERIFY2(100 * strip().height() <= percent * m_stage->height(), qPrintable(QString::number(strip().height())));
}

void TestStageRoom::theLegendKeepsItsRoomWhenMoreIsShown() {
  const auto whole = test::replayOn("node:2 gpu:2", "data=4", "[[2,2]]", test::kScatteredProgram);
  show(whole, {309, 316});
  const QRectF device = m_stage->rectOf(Device(3));
  m_stage->setReplay(test::replayOn("node:2 gpu:2", "data=4", "[[2,2]]", ""), whole.get());
  QCOMPARE(m_stage->rectOf(Device(3)), device);
  m_stage->setReplay(whole);
  QCOMPARE(m_stage->rectOf(Device(3)), device);
}

QTEST_MAIN(TestStageRoom)
#include "tst_stage_room.moc"
