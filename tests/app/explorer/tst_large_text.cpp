// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>

#include "app/explorer/cut_parts.h"
#include "app/explorer/every_view.h"
#include "support/warnings.h"

using namespace p2;

namespace {

const QSize kScreen(1920, 1040);  // less a panel

}  // namespace

/// Labels, buttons and headings of every perspective, with text of twice the size.
class TestLargeText : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_view.open("teaching-2x4", kScreen);
    m_view.desk->appearance.setTextZoom(200);
    m_view.settle();
  }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() {
    m_view.desk->appearance.setTextZoom(100);
    m_view.desk.reset();
  }
  void textIsLarge() {
    m_view.show("placements", {});
    const QLabel* label = m_view.desk->find<QLabel>("placementsSummary");
    QVERIFY(label->fontMetrics().height() >= 2 * QFontMetrics(QFont(QApplication::font().family(), 8)).height());
  }
  void nothingIsCut_data() { test::EveryView::addRows(); }
  void nothingIsCut() {
    QFETCH(QString, page);
    QFETCH(QString, action);
    m_view.show(page, action);
    const QStringList faults = test::cutParts(*m_view.desk->window);
    QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join('\n')));
    // Larger than the screen would be cut, too.
    QCOMPARE(m_view.desk->window->size(), kScreen);
  }

 private:
  test::EveryView m_view;
};

QTEST_MAIN(TestLargeText)
#include "tst_large_text.moc"
