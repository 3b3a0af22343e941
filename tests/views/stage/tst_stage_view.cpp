// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/stage/stage_desk.h"
#include "views/stage/stage_view.h"

using namespace p2;
using namespace p2::views;

/// The stage in a window, with the mouse over it.
class TestStageView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init();
  void ringsRoundDevicesAndRows();
  void hullsOfGroupsThatMightBe();
  void rowUnderTheMouseLightsUp();

 private:
  QImage picture() { return m_stage->grab().toImage(); }
  std::unique_ptr<StageView> m_stage;
};

namespace {

/// Share of the pixels inside the rectangle that differ.
double changedShare(const QImage& a, const QImage& b, const QRect& where) {
  int changed = 0;
  for (int y = where.top(); y <= where.bottom(); ++y) {
    for (int x = where.left(); x <= where.right(); ++x) changed += a.pixel(x, y) != b.pixel(x, y);
  }
  return double(changed) / (where.width() * where.height());
}

}  // namespace

void TestStageView::init() {
  test::failOnWarnings();
  m_stage = std::make_unique<StageView>();
  m_stage->resize(900, 600);
  m_stage->setReplay(test::replayOfEight());
  m_stage->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_stage.get()));
}

void TestStageView::ringsRoundDevicesAndRows() {
  const QImage plain = picture();
  const QRect device = m_stage->rectOf(Device(3)).toAlignedRect().adjusted(-4, -4, 4, 4);
  const QRect row = m_stage->rectOf(Device(6), 2).toAlignedRect().adjusted(-4, -4, 4, 4);
  QVERIFY(device.isValid() && row.isValid());
  m_stage->setEmphasis({{Device(3), Device(99)}, {{Device(6), 2}, {Device(6), 99}}});
  const QImage ringed = picture();
  QVERIFY(changedShare(plain, ringed, device) > 0.01);
  QVERIFY(changedShare(plain, ringed, row) > 0.05);
  QCOMPARE(changedShare(plain, ringed, m_stage->rectOf(Device(0)).toAlignedRect()), 0.0);
  m_stage->setEmphasis({});
  QCOMPARE(picture(), plain);
}

void TestStageView::hullsOfGroupsThatMightBe() {
  const QImage plain = picture();
  m_stage->setPreview({test::devices({0, 1}), test::devices({2, 6, 999})});
  const QImage outlined = picture();
  for (const int device : {0, 1, 2, 6}) {
    QVERIFY(changedShare(plain, outlined, m_stage->rectOf(Device(device)).toAlignedRect()) > 0.02);
  }
  // Three has no part in any of them.
  const QRect inside = m_stage->rectOf(Device(3)).toAlignedRect().adjusted(6, 6, -6, -6);
  QCOMPARE(changedShare(plain, outlined, inside), 0.0);
  m_stage->setPreview({});
  QCOMPARE(picture(), plain);
}

void TestStageView::rowUnderTheMouseLightsUp() {
  m_stage->setMoment(1, 0);
  QTest::mouseMove(m_stage.get(), QPoint(1, 1));
  const QImage plain = picture();
  QTest::mouseMove(m_stage.get(), m_stage->rectOf(Device(5), 6).center().toPoint());
  const auto share = [&](std::int64_t device, std::int64_t chunk) {
    const QRect row = m_stage->rectOf(Device(device), chunk).toAlignedRect();
    return changedShare(plain, picture(), row.adjusted(-3, -3, 3, 3));
  };
  QTRY_VERIFY(share(5, 6) > 0.05);
  QVERIFY2(share(4, 6) > 0.05, "so does the same chunk of the others of its group");
  QCOMPARE(share(4, 2), 0.0);
  QCOMPARE(share(0, 6), 0.0);
  QTest::mouseMove(m_stage.get(), QPoint(1, 1));
  QTRY_COMPARE(picture(), plain);
}

QTEST_MAIN(TestStageView)
#include "tst_stage_view.moc"
