// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "views/compare/compare_pane.h"
#include "views/present/export_button.h"
#include "views/present/run_files.h"
#include "views/present/stage_picture.h"
#include "views/present/written_files.h"
#include "views/program/program_desk.h"
#include "views/stage/stage_desk.h"

namespace p2::test {

using views::StagePicture;
using views::Theme;

/// Every file that is written is read back.
class TestLectureFiles : public QObject, private ProgramDesk {
  Q_OBJECT

  QString pathOf(const char* name) const { return m_folder->filePath(name); }
  /// Chooses a format in the menu and a file in its dialog, as a user does.
  void chooseExport(const char* format, const QString& path) {
    auto* button = find<views::ExportButton>("exportButton");
    QSignalSpy written(button, &views::ExportButton::written);
    QSignalSpy failed(button, &views::ExportButton::failed);
    find<QAction>(QByteArray("export-").append(format).constData())->trigger();
    auto* dialog = button->findChild<QFileDialog*>("exportDialog");
    QVERIFY(dialog);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(written.count() + failed.count() > 0, 60000);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].toString()));
  }

  std::unique_ptr<QTemporaryDir> m_folder;

 private slots:
  void initTestCase() {
    prepare();
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void twoRunsStandSideBySide() {
    auto run = views::shownRun(replayOfEight());
    run.rival = std::make_shared<const views::ShownRun>(views::shownRun(replayOfEight("root:InsideGroup:AllReduce")));
    QVERIFY(views::writeStep(run, 1, 0, Theme::look(), pathOf("both.png")).ok());
    const QImage both(pathOf("both.png"));
    QCOMPARE(both.size(), QSize(StagePicture::kSize.width() * 4, StagePicture::kSize.height() * 2));
    QVERIFY(differing(both.copy(0, 0, both.width() / 2, both.height()),
                      both.copy(both.width() / 2, 0, both.width() / 2, both.height())) > 1000);
    QVERIFY(views::writeSlides(run, Theme::look(), pathOf("both.pdf")).ok());
    // As many pages as the longer program needs.
    QVERIFY(contentsOf(pathOf("both.pdf")).contains("/Count 4"));
    if (QStandardPaths::findExecutable("pdftotext").isEmpty()) return;
    const QString text = pdfText(pathOf("both.pdf"));
    QVERIFY2(text.contains("A:") && text.contains("B:"), qPrintable(text));
  }

  void aLectureKitHasItAll() {
    open();
    openExample();
    chooseExport("kit", pathOf("kit.zip"));
    // Python's reader checks sizes and sums.
    QProcess reader;
    reader.start("python3", {"-c",
                             "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n"
                             "z.extractall(sys.argv[2])",
                             pathOf("kit.zip"), pathOf("kit")});
    QVERIFY(reader.waitForFinished(60000));
    QVERIFY2(reader.exitCode() == 0, reader.readAllStandardError().constData());
    const QDir folder(pathOf("kit/lecture"));
    const QByteArray contents = contentsOf(folder.filePath("contents.txt"));
    QStringList reported;
    for (QString name : folder.entryList(QDir::Files, QDir::Name)) {
      QVERIFY(QFileInfo(folder.filePath(name)).size() > 200);
      if (name != "contents.txt") reported << name.replace(QRegularExpression("^step-\\d+"), "step-N");
    }
    reported.removeDuplicates();
    QCOMPARE(reported, (QStringList{"animation.gif", "handout-key.html", "handout.html", "page.html", "slides.pdf",
                                    "step-N.png"}));
    for (const QString& name : reported) QVERIFY2(contents.contains(name.toUtf8()), contents.constData());
    QVERIFY(contentsOf(folder.filePath("slides.pdf")).startsWith("%PDF-"));
    QVERIFY(QImage(folder.filePath("step-3.png")).size() == StagePicture::kSize * 2);
    close();
  }

  // One file, whatever its format: nothing else in its folder is written or replaced.
  void bothProgramsAreInOneFile_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QByteArray>("contains");
    QTest::newRow("page") << "page" << QByteArray("\"rival\"");
    QTest::newRow("handout") << "handout" << QByteArray("<th>B: ");
    QTest::newRow("handout-answers") << "handout-answers" << QByteArray("<th>B: ");
  }
  void bothProgramsAreInOneFile() {
    QFETCH(const QString, format);
    QFETCH(const QByteArray, contains);
    open();
    openExample();
    QTest::mouseClick(find<QToolButton>("compareButton"), Qt::LeftButton);
    QTRY_VERIFY(m_session->jobs().running().empty() && find<views::ComparePane>("comparePane")->runs());
    QFile other(pathOf("race-B.html"));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("mine") == 4);
    other.close();
    chooseExport(qPrintable(format), pathOf("race.html"));
    QVERIFY(contentsOf(pathOf("race.html")).contains(contains));
    QCOMPARE(contentsOf(pathOf("race-B.html")), QByteArray("mine"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), (QStringList{"race-B.html", "race.html"}));
    close();
  }

  void exportsSayWhatTheyContain() {
    open();
    openExample();
    const QAction* slides = find<QAction>("export-slides");
    QVERIFY(slides->toolTip().contains("a light PDF page before and after each step"));
    find<QAction>("export-handout")->trigger();
    auto* dialog = find<views::ExportButton>("exportButton")->findChild<QFileDialog*>("exportDialog");
    QVERIFY(dialog && dialog->windowTitle().contains("empty grids of 4 mm"));
    dialog->close();
    close();
  }

  void theMenuWritesEveryFormat_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("png") << "png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << "svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << "pdf" << QByteArray("%PDF-");
    QTest::newRow("gif") << "gif" << QByteArray("GIF89a");
    QTest::newRow("slides") << "slides" << QByteArray("%PDF-");
    QTest::newRow("page") << "page" << QByteArray("<!DOCTYPE html>");
    QTest::newRow("handout") << "handout" << QByteArray("<!DOCTYPE html>");
    QTest::newRow("handout-answers") << "handout-answers" << QByteArray("<!DOCTYPE html>");
  }
  void theMenuWritesEveryFormat() {
    QFETCH(QString, format);
    QFETCH(QByteArray, begins);
    open();
    openExample();
    QTest::keyClick(stepper(), Qt::Key_Right);
    const QString path = pathOf("run");
    chooseExport(qPrintable(format),
                 format == "png" || format == "svg" || format == "pdf" ? path + '.' + format : path);
    const QString written = format == "png" || format == "svg" || format == "pdf" ? path + '.' + format : path;
    QVERIFY(contentsOf(written).startsWith(begins));
    QVERIFY(find<QLabel>("exportMessage")->text().contains("Written"));
    // The note goes by itself, after five seconds.
    auto* shown = find<QLabel>("exportMessage")->findChild<QTimer*>("briefly");
    QVERIFY(shown->isActive() && shown->isSingleShot());
    QCOMPARE(shown->interval(), 5000);
    shown->setInterval(0);
    QTRY_VERIFY(!find<QLabel>("exportMessage")->isVisible());
    close();
  }

  void aWrongProgramIsNoPage() {
    open();
    openExample();
    type("node:InsideGroup:ReduceScatter; node:InsideGroup:AllReduce");
    QTRY_VERIFY(m_session->jobs().running().empty());
    auto* button = find<views::ExportButton>("exportButton");
    QSignalSpy failed(button, &views::ExportButton::failed);
    emit button->wanted();
    button->write("page", pathOf("a.html"));
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY2(failed[0][0].toString().contains("step 2"), qPrintable(failed[0][0].toString()));
    QVERIFY(!QFile::exists(pathOf("a.html")));
    QVERIFY(find<QLabel>("exportMessage")->isVisible());
    close();
  }
};

}  // namespace p2::test

using p2::test::TestLectureFiles;
QTEST_MAIN(TestLectureFiles)
#include "tst_lecture_files.moc"
