// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <algorithm>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/accuracy/quality_dialog.h"
#include "views/accuracy/quality_plot.h"
#include "views/common/theme.h"
#include "views/widget_driver.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// "How good is this model here?", driven by mouse and keys, and what is said of it to those who do not see it.
class TestQualityDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() { test::failOnWarnings(); }
  void cleanup() { m_dialog.reset(); }

  void saysWhatCameOut() {
    open("abci-a100:4");
    QVERIFY2(finding().startsWith("On machines like this one the nccl model errs by "), qPrintable(finding()));
    QCOMPARE(m_dialog->accessibleDescription(), finding());
    const QString before = finding();
    auto& onlyAllReduce = childOf<QCheckBox>(*m_dialog, "onlyAllReduce");
    QTest::keyClick(&onlyAllReduce, Qt::Key_Space);
    QVERIFY(!onlyAllReduce.isChecked());
    QTRY_VERIFY_WITH_TIMEOUT(finding() != before, kSoon);
    QCOMPARE(m_dialog->accessibleDescription(), finding());
  }

  void saysWhereNothingWasMeasured() {
    open("node:3 gpu:5");
    QVERIFY2(finding().startsWith("No published measurements for this machine."), qPrintable(finding()));
    QCOMPARE(m_dialog->accessibleDescription(), finding());
    QVERIFY(!plot().isVisible());
  }

  void saysWhatIsUnfinished() {
    m_dialog = std::make_unique<QualityDialog>(m_jobs, System(), "nccl");
    m_dialog->show();
    QTRY_VERIFY(m_jobs.running().empty());
    const QString stated = childOf<QLabel>(*m_dialog, "qualityMessage").text();
    QVERIFY2(stated.contains("the system has no levels"), qPrintable(stated));
  }

  void keysWalkOverThePoints() {
    open("abci-a100:4");
    QVERIFY(plot().points().size() > 2);
    QVERIFY(std::ranges::is_sorted(plot().points(), {}, &QualityPoint::measured));
    plot().setFocus();
    const auto goes = [this](Qt::Key key, std::size_t point) {
      QTest::keyClick(&plot(), key);
      QCOMPARE(childOf<QLabel>(*m_dialog, "qualityDetail").text(), plot().textOf(point));
      QCOMPARE(plot().accessibleDescription(), plot().textOf(point));
    };
    const std::size_t last = plot().points().size() - 1;
    goes(Qt::Key_Right, 0);
    goes(Qt::Key_Right, 1);
    goes(Qt::Key_Left, 0);
    goes(Qt::Key_Left, 0);
    goes(Qt::Key_End, last);
    goes(Qt::Key_Right, last);
    goes(Qt::Key_Home, 0);
  }

  void theMouseTellsAPoint() {
    open("abci-a100:4");
    const std::size_t point = plot().points().size() / 2;
    const QImage before = plot().grab().toImage();
    test::moveMouseOver(plot(), plot().pixelOf(point).toPoint());
    auto& detail = childOf<QLabel>(*m_dialog, "qualityDetail");
    QTRY_VERIFY(detail.text().contains(": measured "));
    QTRY_VERIFY(plot().grab().toImage() != before);
    test::moveMouseOver(*m_dialog, {2, 2});
    QTRY_COMPARE(detail.text(), QString());
  }

  void tabFollowsTheEye() {
    open("abci-a100:4");
    m_dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close)->setFocus();
    for (const char* name : {"qualityPlot", "onlyAllReduce", "qualityBands", "qualitySources"}) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QCOMPARE(QApplication::focusWidget()->objectName(), QLatin1String(name));
    }
  }

 private:
  static constexpr int kSoon = 60'000;  // milliseconds

  void open(const char* system) {
    m_dialog = std::make_unique<QualityDialog>(m_jobs, test::valueOf(parseSystem(system)), "nccl");
    m_dialog->show();
    m_dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    QTRY_VERIFY_WITH_TIMEOUT(!finding().isEmpty(), kSoon);
    plot().replot();
  }
  [[nodiscard]] QString finding() const { return childOf<QLabel>(*m_dialog, "qualityFinding").text(); }
  [[nodiscard]] QualityPlot& plot() const { return childOf<QualityPlot>(*m_dialog, "qualityPlot"); }

  JobQueue m_jobs;
  std::unique_ptr<QualityDialog> m_dialog;
};

QTEST_MAIN(TestQualityDialog)
#include "tst_quality_dialog.moc"
