// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QBuffer>
#include <QFontInfo>
#include <QSvgGenerator>
#include <QToolButton>
#include <QXmlStreamReader>

#include "views/compare/compare_view.h"
#include "views/present/pointer_ring.h"
#include "views/present/present_window.h"
#include "views/program/program_desk.h"
#include "views/stage/stage_legend.h"

namespace p2::test {

using views::PresentWindow;

/// The whole screen, with keys and the mouse.
class TestPresent : public QObject, private ProgramDesk {
  Q_OBJECT

  static constexpr int kReadable = 24;  // pixels of letters in a window of 720 pixels of height

  PresentWindow* window() { return m_view->findChild<PresentWindow*>("presentWindow"); }
  views::StageView& stage() { return childOf<views::StageView>(*window(), "presentStage"); }
  QString sentence() { return childOf<QLabel>(*window(), "presentSentence").text(); }
  void present() {
    openExample();
    QTest::keyClick(stepper(), Qt::Key_F11);
    QVERIFY(window());
    QTRY_VERIFY(window()->isActiveWindow());
    QVERIFY(window()->isFullScreen());
  }
  void press(int key) { QTest::keyClick(QApplication::focusWidget(), Qt::Key(key)); }
  /// Pixels of every text that the widget writes, as a drawing of it says.
  static QList<double> textSizes(QWidget& widget) {
    QBuffer svg;
    QSvgGenerator generator;
    generator.setOutputDevice(&svg);
    generator.setResolution(widget.logicalDpiX());
    generator.setSize(widget.size());
    QPainter painter(&generator);
    widget.render(&painter);
    painter.end();
    QList<double> sizes;
    QList<double> scales{1};
    const QRegularExpression matrix("matrix\\(([-\\d.e]+),");
    QXmlStreamReader xml(svg.data());
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isStartElement()) {
        const auto scale = matrix.match(xml.attributes().value("transform").toString());
        scales << scales.last() * (scale.hasMatch() ? scale.captured(1).toDouble() : 1);
        // Qt gives the sizes of fonts in points.
        const double points = xml.attributes().value("font-size").toDouble();
        if (xml.name() == QLatin1String("text") && points > 0) {
          sizes << points * scales.last() * widget.logicalDpiX() / 72;
        }
      }
      if (xml.isEndElement()) scales.removeLast();
    }
    return sizes;
  }

 private slots:
  void initTestCase() { prepare(); }
  void init() { open(); }
  void cleanup() { close(); }

  void f11AndEscLeave() {
    for (const int key : {Qt::Key_Escape, Qt::Key_F11}) {
      present();
      press(key);
      QTRY_VERIFY(!window());
      QTRY_VERIFY(m_view->isActiveWindow());
    }
    QTest::mouseClick(find<QToolButton>("presentButton"), Qt::LeftButton);
    QVERIFY(window());
  }

  void keysStep_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<QString>("after");
    const auto name = [](int key) { return QKeySequence(key).toString().toUtf8(); };
    for (const int key : {Qt::Key_Right, Qt::Key_PageDown, Qt::Key_Space, Qt::Key_F5}) {
      QTest::newRow(name(key).constData()) << int(key) << "after step 2 of 3";
    }
    for (const int key : {Qt::Key_Left, Qt::Key_PageUp, Qt::Key_Backspace}) {
      QTest::newRow(name(key).constData()) << int(key) << "before step 1 of 3";
    }
    QTest::newRow("End") << int(Qt::Key_End) << "after step 3 of 3";
    QTest::newRow("Home") << int(Qt::Key_Home) << "before step 1 of 3";
  }
  void keysStep() {
    QFETCH(int, key);
    QFETCH(QString, after);
    present();
    press(Qt::Key_Right);
    QCOMPARE(step(), QString("after step 1 of 3"));
    QVERIFY(sentence().contains("Step 1 of 3: ReduceScatter inside each node"));
    const QImage before = stage().grab().toImage();
    press(key);
    QCOMPARE(step(), after);
    QVERIFY(stage().grab().toImage() != before);
  }

  void theScreenGoesBlank() {
    present();
    for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
      const QString before = step();
      press(key);
      QVERIFY(window()->isBlank());
      QCOMPARE(window()->grab().toImage().pixelColor(window()->rect().center()), QColor(Qt::black));
      press(Qt::Key_Right);
      QVERIFY(!window()->isBlank());
      QCOMPARE(step(), before);
    }
  }

  // Why a step is legal stands on the screen, and the speaker sees what comes next.
  void premisesAndSpeakerNotes() {
    present();
    press(Qt::Key_Right);
    QVERIFY2(sentence().contains("✓\u00a0every member holds data"), qPrintable(sentence()));
    auto& speaker = childOf<QWidget>(*window(), "speakerWindow");
    QVERIFY(!speaker.isVisible());
    press(Qt::Key_S);
    QVERIFY(speaker.isVisible() && speaker.isWindow());
    QVERIFY(childOf<QLabel>(speaker, "speakerNow").text().contains("Step 1 of 3"));
    QVERIFY(childOf<QLabel>(speaker, "speakerNext").text().contains("Step 2 of 3: AllReduce across nodes"));
    QVERIFY(childOf<QLabel>(speaker, "speakerNotes").text().startsWith("None."));
    window()->setSpeakerText("Ask: which premise fails first?");
    QCOMPARE(childOf<QLabel>(speaker, "speakerNotes").text(), QString("Ask: which premise fails first?"));
    press(Qt::Key_End);
    QCOMPARE(childOf<QLabel>(speaker, "speakerNext").text(), QString("The end"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  void arrowsStepEvenWhenADeviceIsChosen() {
    present();
    QTest::mouseClick(&stage(), Qt::LeftButton, {}, stage().rectOf(Device(3)).center().toPoint());
    QCOMPARE(stage().chosen(), Device(3));
    press(Qt::Key_Right);
    QCOMPARE(step(), QString("after step 1 of 3"));
    // Ctrl and the arrows walk.
    QTest::keyClick(&stage(), Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(stage().chosen(), Device(2));
    QCOMPARE(step(), QString("after step 1 of 3"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  void textIsLarge_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    QTest::newRow("720p") << QSize(1280, 720) << false;
    QTest::newRow("1080p") << QSize(1920, 1080) << false;
    QTest::newRow("720p dark") << QSize(1280, 720) << true;
    QTest::newRow("1600 x 1000 at 200 %") << QSize(800, 500) << false;
    QTest::newRow("4K") << QSize(3840, 2160) << false;
  }
  void textIsLarge() {
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    views::Theme::apply(dark ? views::Theme::Scheme::Dark : views::Theme::Scheme::Light);
    present();
    press(Qt::Key_Right);
    window()->showNormal();
    window()->resize(size);
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    // The same share of every screen.
    const int letters = PresentWindow::letterPixels(size.height());
    QCOMPARE(letters, size.height() / 30);
    QVERIFY(stage().leastTextPixels() >= letters - 0.01);
    const QList<double> sizes = textSizes(*window());
    // Devices, badges, boxes, the title and the sentence.
    QVERIFY2(sizes.size() > 20, qPrintable(QString::number(sizes.size())));
    for (const double pixels : sizes) {
      QVERIFY2(pixels >= letters - 0.5, qPrintable(QString::number(pixels)));
    }
    // Nothing is cut: the stage keeps most of the room, the sentence all it needs.
    auto& stated = childOf<QLabel>(*window(), "presentSentence");
    QVERIFY(stated.height() >= stated.heightForWidth(stated.width()));
    QVERIFY(stage().height() > size.height() / 2);
    views::Theme::apply(views::Theme::Scheme::Light);
  }

  void whatIsMagnifiedStandsWhereItIs() {
    present();
    window()->showNormal();
    window()->resize(1280, 720);
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    const QImage seen = stage().grab().toImage();
    // Every cell has its frame, and its number in the corner.
    for (int device = 0; device < 8; ++device) {
      const QRect cell = stage().rectOf(Device(device)).toRect();
      const auto inked = [&](const QRect& part) {
        int count = 0;
        for (int y = part.top(); y <= part.bottom(); ++y) {
          for (int x = part.left(); x <= part.right(); ++x) count += seen.pixelColor(x, y) != views::Theme::surface();
        }
        return count;
      };
      QVERIFY(inked(QRect(cell.left() - 4, cell.center().y(), 8, 1)) > 0);
      QVERIFY(inked(QRect(cell.left() + 8, cell.top() + 8, 40, 30)) > 20);
    }
  }

  void aRingFollowsThePointer() {
    present();
    // The letters follow the size of the screen.
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    views::PointerRing& ring = window()->ring();
    QCOMPARE(ring.strength(), 0.0);
    moveMouseOver(stage(), {120, 90});
    QTRY_COMPARE(ring.strength(), 1.0);
    QCOMPARE(ring.at(), stage().mapTo(window(), QPoint(120, 90)));
    QVERIFY(ring.testAttribute(Qt::WA_TransparentForMouseEvents));
    QCOMPARE(window()->childAt(ring.at()), static_cast<QWidget*>(&stage()));
    // R takes it away and brings it back.
    const QImage with = window()->grab().toImage();
    press(Qt::Key_R);
    QVERIFY(!ring.isOn());
    QCOMPARE(ring.strength(), 0.0);
    QVERIFY(window()->grab().toImage() != with);
    moveMouseOver(stage(), {140, 90});
    QCoreApplication::processEvents();
    QCOMPARE(ring.strength(), 0.0);
    press(Qt::Key_R);
    QCOMPARE(ring.strength(), 1.0);
    // It fades when the mouse rests.
    ring.setIdle(1);
    moveMouseOver(stage(), {160, 90});
    QTRY_COMPARE(ring.strength(), 0.0);
  }

  void theLegendComesAndGoes() {
    present();
    auto& legend = childOf<views::StageLegend>(*window(), "stageLegend");
    const bool shown = legend.isVisible();
    press(Qt::Key_L);
    QCOMPARE(legend.isVisible(), !shown);
  }

  void bothSidesOfAComparison() {
    openExample();
    QTest::mouseClick(find<QToolButton>("compareButton"), Qt::LeftButton);
    QTRY_VERIFY(m_session->jobs().running().empty());
    QTRY_VERIFY(!find<QLabel>("compareVerdict")->text().isEmpty());
    QTest::keyClick(m_view.get(), Qt::Key_F11);
    QVERIFY(window());
    QTRY_VERIFY(window()->isActiveWindow());
    auto* both = window()->findChild<views::CompareView*>();
    QVERIFY(both);
    QVERIFY(both->stage(0).leastTextPixels() >= kReadable);
    window()->showNormal();
    window()->resize(1280, 720);
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    for (const double pixels : textSizes(*window())) {
      QVERIFY2(pixels >= kReadable - 0.5, qPrintable(QString::number(pixels)));
    }
    const QImage before = both->stage(0).grab().toImage();
    press(Qt::Key_PageDown);
    QCOMPARE(step(), QString("after step 1 of 3"));
    QVERIFY(both->stage(0).grab().toImage() != before);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  void anotherProgramEndsIt() {
    present();
    type("root:InsideGroup:AllReduce");
    QTRY_VERIFY(!window());
  }
};

}  // namespace p2::test

using p2::test::TestPresent;
QTEST_MAIN(TestPresent)
#include "tst_present.moc"
