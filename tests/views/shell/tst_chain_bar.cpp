// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/chain_bar.h"
#include "views/shell/examples.h"
#include "views/shell/session.h"

using namespace p2;
using namespace p2::views;

class TestChainBar : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void saysWhatIsChosen() {
    Session session;
    ChainBar bar(session);
    QCOMPARE(link(bar, "chainPlacement")->value(), "–");
    session.reset(readExample("a100-4x16").value());
    QTRY_VERIFY(session.isCurrent());
    // Placements are counted as they are listed, the best first.
    session.select(session.exploration()->bestPlacement);
    QCOMPARE(link(bar, "chainPlacement")->value(), "1 of 5");
    QVERIFY(session.exploration()->bestPlacement != 0);
    session.select(0);
    QCOMPARE(link(bar, "chainSystem")->value(), "gcp-a100:4");
    QCOMPARE(link(bar, "chainAxes")->value(), "data 8 · model 2 · shards 4");
    QVERIFY(link(bar, "chainPlacement")->value() != "1 of 5");
    QVERIFY(link(bar, "chainPlacement")->value().endsWith(" of 5"));
    const QString matrix = QString::fromStdString(session.placement()->matrix.text());
    QVERIFY(link(bar, "chainPlacement")->accessibleName().contains(matrix));
    const QString program = link(bar, "chainProgram")->value();
    session.select(0, 1);
    QVERIFY(link(bar, "chainProgram")->value() != program);
  }

  // Where there is little room the last link is elided, and the others as soon as it has none.
  void theLastLinkGivesWay() {
    Session session;
    ChainBar bar(session);
    session.reset(readExample("a100-rails-4x8").value());
    QTRY_VERIFY(session.isCurrent());
    const auto whole = [&](const char* name) {
      return link(bar, name)->width() >= link(bar, name)->sizeHint().width();
    };
    const auto resizeTo = [&](int width) {
      bar.resize(width, bar.sizeHint().height());
      bar.show();
      for (int round = 0; round < 3; ++round) QCoreApplication::sendPostedEvents();
    };
    resizeTo(1600);
    for (const char* each : {"chainSystem", "chainAxes", "chainPlacement", "chainProgram"}) QVERIFY2(whole(each), each);
    const int lacking = link(bar, "chainProgram")->sizeHint().width() / 2;
    resizeTo(link(bar, "chainProgram")->geometry().right() - lacking);
    for (const char* each : {"chainSystem", "chainAxes", "chainPlacement"}) QVERIFY2(whole(each), each);
    QVERIFY(!whole("chainProgram"));
  }

  void aPredictionSaysWhoseItIs() {
    Session session;
    ChainBar bar(session);
    session.reset(readExample("a100-rails-4x8").value());
    QTRY_VERIFY(session.isCurrent());
    const QString tip = link(bar, "chainProgram")->toolTip();
    QVERIFY2(tip.contains("\nPredicted by the nccl model (ring). Not modelled:\n– congestion beyond shared links"),
             qPrintable(tip));
    QVERIFY(!link(bar, "chainSystem")->toolTip().contains("redicted"));
  }

  void clicksLeadToWhereItIsChosen_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("perspective");
    QTest::newRow("system") << "chainSystem"
                            << "system";
    QTest::newRow("axes") << "chainAxes"
                          << "placements";
    QTest::newRow("placement") << "chainPlacement"
                               << "placements";
    QTest::newRow("program") << "chainProgram"
                             << "programs";
  }
  void clicksLeadToWhereItIsChosen() {
    QFETCH(QString, name);
    QFETCH(QString, perspective);
    Session session;
    ChainBar bar(session);
    bar.show();
    QSignalSpy wanted(&bar, &ChainBar::perspectiveWanted);
    QTest::mouseClick(link(bar, name), Qt::LeftButton);
    link(bar, name)->setFocus();
    QTest::keyClick(link(bar, name), Qt::Key_Space);
    QCOMPARE(wanted.size(), 2);
    for (const QList<QVariant>& signal : wanted) QCOMPARE(signal[0].toString(), perspective);
  }

  void aStaleChoiceIsGreyed() {
    Session session;
    ChainBar bar(session);
    bar.resize(900, 60);
    session.reset(readExample("teaching-2x4").value());
    QTRY_VERIFY(session.isCurrent());
    const QImage current = link(bar, "chainProgram")->grab().toImage();
    Workspace broken = *session.workspace();
    broken.axes[0].size = 3;
    session.edit("Break", broken);
    QVERIFY(link(bar, "chainProgram")->grab().toImage() != current);
    session.undoStack().undo();
    QCOMPARE(link(bar, "chainProgram")->grab().toImage(), current);
  }

 private:
  static ChainLink* link(const ChainBar& bar, const QString& name) { return bar.findChild<ChainLink*>(name); }
};

QTEST_MAIN(TestChainBar)
#include "tst_chain_bar.moc"
