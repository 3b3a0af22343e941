// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QFileDialog>
#include <QLabel>

#include "views/plan/plan_page_desk.h"

using namespace p2;
using namespace p2::views;

/// How the page Plan shares its room out: nothing moves under the pointer, and rows and steps stay in sight.
class TestPlanRoom : public QObject, private test::PlanPageDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  // A search, its end and a choice move nothing below the pointer.
  void whatComesAndGoesMovesNothing() {
    open(test::trainedWorkspace(2));
    const auto place = [&](const QWidget& part) { return QRect(part.mapTo(m_view.get(), QPoint()), part.size()); };
    const QList<QWidget*> parts{&table(), find<QWidget>("planFramework"), find<QWidget>("planUseButton"),
                                find<QWidget>("planFinding")};
    QList<QRect> before;
    for (const QWidget* part : parts) before << place(*part);
    const auto moved = [&] {
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      for (qsizetype i = 0; i < parts.size(); ++i) {
        if (place(*parts[i]) != before[i]) return parts[i]->objectName();
      }
      return QString();
    };
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cellCentre(2));
    QVERIFY(find<QWidget>("planFollowBest")->isVisible());
    QCOMPARE(moved(), QString());
    TrainingChoice training = m_session->workspace()->training;
    training.chosen.reset();
    training.reserve = 3e9;
    m_session->editTraining("Keep less free", training);
    QVERIFY(find<QWidget>("planCancel")->isVisible() && !find<QWidget>("planFollowBest")->isVisible());
    QCOMPARE(moved(), QString());
    m_session->undoStack().undo();
    settle();
    QVERIFY(!find<QWidget>("planCancel")->isVisible() && find<QWidget>("planFollowBest")->isVisible());
    QCOMPARE(moved(), QString());
  }

  /// In a window of 1024 pixels, step and interval need no scrolling; with more room the degrees are whole again.
  void theStepStaysInSight() {
    open(test::trainedWorkspace(2));
    const int whole = table().columnWidth(PlanModel::Degrees);
    const auto endOfStep = [&] {
      return table().columnViewportPosition(PlanModel::Step) + table().columnWidth(PlanModel::Step);
    };
    m_view->resize(950, 640);
    QVERIFY2(endOfStep() <= table().viewport()->width(), qPrintable(QString::number(endOfStep())));
    m_view->resize(1280, 760);
    QCOMPARE(table().columnWidth(PlanModel::Degrees), whole);
  }

  // Rows have the room in a low window.
  void linesBelowGiveWayToRows() {
    open(test::trainedWorkspace(2));
    QVERIFY(find<QLabel>("planLegend")->isVisible() && find<QLabel>("planExclusions")->isVisible());
    m_view->resize(640, 320);
    QVERIFY(!find<QLabel>("planLegend")->isVisible() && !find<QLabel>("planExclusions")->isVisible());
    // What became of a file is shown all the same.
    QTemporaryDir folder;
    for (const QString& path : {folder.filePath("low.csv"), QStringLiteral("/nonexistent/low.csv")}) {
      find<QAction>("planExportAction")->trigger();
      auto* dialog = find<QFileDialog>("planExportDialog");
      emit dialog->fileSelected(path);
      dialog->reject();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      const auto* line = find<QLabel>("planReport");
      QVERIFY(line->isVisible());
      QVERIFY2(line->text().contains(path) && line->text().endsWith(m_view->accessibleDescription()),
               qPrintable(line->text()));
      QCOMPARE(line->text().startsWith("✓ Written: "), QFile::exists(path));
      // Success goes by itself, and a problem when the answer changes.
      auto* briefly = line->findChild<QTimer*>("briefly");
      QCOMPARE(briefly->isActive(), QFile::exists(path));
      if (briefly->isActive()) {
        briefly->setInterval(0);
        QTRY_VERIFY(!line->isVisible());
      } else {
        m_session->chooseConfiguration(&planner().answer()->answer.configurations[1]);
        QVERIFY(!line->isVisible());
      }
    }
    m_view->resize(1280, 760);
    QVERIFY(find<QLabel>("planLegend")->isVisible() && find<QLabel>("planExclusions")->isVisible());
  }
};

QTEST_MAIN(TestPlanRoom)
#include "tst_plan_room.moc"
