// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QImageReader>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <numeric>

#include "views/common/figure_style.h"
#include "views/present/gif_writer.h"
#include "views/present/run_files.h"
#include "views/present/stage_picture.h"
#include "views/present/written_files.h"
#include "views/program/program_desk.h"
#include "views/stage/stage_desk.h"

namespace p2::test {

using views::StagePicture;
using views::Theme;

/// Every file that is written is read back.
class TestRunFiles : public QObject, private ProgramDesk {
  Q_OBJECT

  static QList<QImage> framesOf(const QString& path, QList<int>* delays = nullptr) {
    QImageReader reader(path, "gif");
    QList<QImage> frames;
    for (QImage frame = reader.read(); !frame.isNull(); frame = reader.read()) {
      frames << frame.convertToFormat(QImage::Format_RGB32);
      if (delays) *delays << reader.nextImageDelay();
    }
    return frames;
  }
  QString pathOf(const char* name) const { return m_folder->filePath(name); }
  std::unique_ptr<QTemporaryDir> m_folder;

 private slots:
  void initTestCase() {
    prepare();
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void aMomentAsPng() {
    const auto run = views::shownRun(replayOfEight());
    QVERIFY(views::writeStep(run, 1, 0, Theme::look(), pathOf("a.png")).ok());
    QVERIFY(views::writeStep(run, 1, 0.5, Theme::look(), pathOf("b.png")).ok());
    Theme::Look dark = Theme::look();
    dark.dark = true;
    QVERIFY(views::writeStep(run, 1, 0, dark, pathOf("dark.png")).ok());
    const QImage rests(pathOf("a.png"));
    const QImage moves(pathOf("b.png"));
    QCOMPARE(rests.size(), StagePicture::kSize * 2);
    QVERIFY(differing(rests, moves) > 1000);
    QVERIFY(qGray(rests.pixel(3, 3)) > 200);
    QVERIFY(qGray(QImage(pathOf("dark.png")).pixel(3, 3)) < 60);
  }

  void aMomentAsSvgIsMadeOfShapesAndWords() {
    QVERIFY(views::writeStep(views::shownRun(replayOfEight()), 1, 0, Theme::look(), pathOf("a.svg")).ok());
    QXmlStreamReader xml(contentsOf(pathOf("a.svg")));
    QStringList words;
    int shapes = 0;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isStartElement() && xml.name() == QLatin1String("text")) words << xml.readElementText().trimmed();
      if (xml.isStartElement() && (xml.name() == QLatin1String("path") || xml.name() == QLatin1String("rect")))
        ++shapes;
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY(shapes > 20);
    const QString all = words.join(' ');
    for (const char* part : {"node 0", "node 1", "RS in node → AR across nodes → AG in node",
                             "Step 1 of 3: ReduceScatter inside each node", "row = chunk"}) {
      QVERIFY2(all.contains(QString::fromUtf8(part)), qPrintable(all));
    }
  }

  // A program that lacks the font of the screen has another one without serifs.
  void aMomentAsSvgFitsAPageAndNamesItsFonts() {
    views::ShownRun run = views::shownRun(replayOfEight());
    run.rival = std::make_shared<views::ShownRun>(views::shownRun(replayOfEight()));
    QVERIFY(views::writeStep(run, 1, 0, Theme::look(), pathOf("ab.svg")).ok());
    const QString svg = QString::fromUtf8(contentsOf(pathOf("ab.svg")));
    const auto width = QRegularExpression("<svg width=\"([\\d.]+)mm\"").match(svg);
    QVERIFY2(width.hasMatch(), qPrintable(svg.left(300)));
    QVERIFY(std::abs(width.captured(1).toDouble() - views::FigureStyle::kPage) < 1);
    const QRegularExpression bare("font-family=\"[^\",]+\"");
    QVERIFY2(!svg.contains(bare), qPrintable(bare.match(svg).captured(0)));
    QVERIFY(svg.contains(", sans-serif\""));
  }

  void aMomentAsPdfIsOnePage() {
    QVERIFY(views::writeStep(views::shownRun(replayOfEight()), 1, 0, Theme::look(), pathOf("a.pdf")).ok());
    const QByteArray pdf = contentsOf(pathOf("a.pdf"));
    QVERIFY(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
    const QRegularExpression page("/Type\\s*/Page\\b(?!s)");
    QVERIFY(pdf.contains("/Count 1"));
    QCOMPARE(QString::fromLatin1(pdf).count(page), qsizetype(1));
    const QRegularExpression box("/MediaBox\\s*\\[\\s*0 0 ([\\d.]+) ([\\d.]+)");
    const auto size = box.match(QString::fromLatin1(pdf));
    // As wide as the text of a printed page.
    const double millimetres = size.captured(1).toDouble() / 72 * 25.4;
    QVERIFY2(std::abs(millimetres - views::FigureStyle::kPage) < 1, qPrintable(QString::number(millimetres)));
    QVERIFY(size.captured(2).toDouble() < size.captured(1).toDouble());
  }

  void aWrongStepSaysWhy() {
    const auto run = views::shownRun(replayOfEight("node:InsideGroup:ReduceScatter; node:InsideGroup:AllReduce"));
    QVERIFY(run.captions[1].wrong);
    QVERIFY(!run.captions[1].rule.isEmpty());
    QVERIFY(views::writeStep(run, 2, 0, Theme::look(), pathOf("wrong.svg")).ok());
    QVERIFY(QString::fromUtf8(contentsOf(pathOf("wrong.svg"))).contains(QString::fromUtf8("✗")));
  }

  void anAnimationPlays() {
    const auto run = views::shownRun(replayOfEight());
    QList<double> reported;
    QVERIFY(views::writeAnimation(run, Theme::look(), pathOf("a.gif"), {}, [&reported](double done) {
              reported << done;
            }).ok());
    QList<int> delays;
    const QList<QImage> frames = framesOf(pathOf("a.gif"), &delays);
    // Steps last as long as in the window, in frames of 80 ms, and there is a rest after each.
    double moves = 0;
    for (const double seconds : views::paceOf(*run.replay)) moves += seconds;
    const int all = std::accumulate(delays.begin(), delays.end(), 0);
    QVERIFY2(all / 1000.0 >= moves, qPrintable(QString("%1 ms, %2 s").arg(all).arg(moves)));
    QVERIFY2(frames.size() > 30, qPrintable(QString::number(frames.size())));
    QCOMPARE(frames[0].size(), StagePicture::kSize);
    for (qsizetype i = 1; i < frames.size(); ++i) QVERIFY(frames[i] != frames[i - 1]);
    QVERIFY(*std::max_element(delays.begin(), delays.end()) >= 3000);
    QVERIFY(std::is_sorted(reported.begin(), reported.end()) && reported.last() <= 1 && reported.last() > 0.9);
    // The first and the last frame are the beginning and the end, but for the colours of the table.
    const auto likeFrame = [&run](int steps, const QImage& frame) {
      StagePicture picture(run);
      QImage drawn(picture.size(), QImage::Format_RGB32);
      QPainter painter(&drawn);
      picture.paint(painter, steps, 0);
      painter.end();
      int far = 0;
      for (int y = 0; y < drawn.height(); ++y) {
        for (int x = 0; x < drawn.width(); ++x) {
          const QRgb a = drawn.pixel(x, y);
          const QRgb b = frame.pixel(x, y);
          const int off = qAbs(qRed(a) - qRed(b)) + qAbs(qGreen(a) - qGreen(b)) + qAbs(qBlue(a) - qBlue(b));
          far += off > 48;
        }
      }
      return far < drawn.width() * drawn.height() / 200;
    };
    QVERIFY(likeFrame(0, frames.first()));
    QVERIFY(likeFrame(3, frames.last()));
    QVERIFY(!likeFrame(0, frames.last()));
    QVERIFY2(QFileInfo(pathOf("a.gif")).size() < 4'000'000,
             qPrintable(QString::number(QFileInfo(pathOf("a.gif")).size())));
  }

  void slidesHaveAPageForEachStep() {
    QVERIFY(views::writeSlides(views::shownRun(replayOfEight()), Theme::look(), pathOf("slides.pdf")).ok());
    const QByteArray pdf = contentsOf(pathOf("slides.pdf"));
    QVERIFY(pdf.startsWith("%PDF-") && pdf.contains("/Count 4"));
    if (QStandardPaths::findExecutable("pdftotext").isEmpty()) QSKIP("pdftotext is not installed");
    const QStringList pages = pdfText(pathOf("slides.pdf")).split('\f', Qt::SkipEmptyParts);
    QCOMPARE(pages.size(), 4);
    const QStringList steps{"ReduceScatter inside each node", "ReduceScatter inside each node",
                            "AllReduce across nodes", "AllGather inside each node"};
    for (qsizetype page = 0; page < pages.size(); ++page) {
      QVERIFY2(pages[page].contains(steps[page]), qPrintable(pages[page]));
      for (const char* part : {"RS in node", "row = chunk", "node 1"})
        QVERIFY2(pages[page].contains(part), qPrintable(pages[page]));
    }
    QVERIFY2(pages[1].contains("GB") && pages[1].contains("ms"), qPrintable(pages[1]));
    QVERIFY2(pages[3].contains("every device holds the whole sum"), qPrintable(pages[3]));
  }

  void anAnimationCanBeStopped() {
    std::stop_source stop;
    const auto run = views::shownRun(replayOfEight());
    const auto done = views::writeAnimation(run, Theme::look(), pathOf("a.gif"), stop.get_token(),
                                            [&stop](double) { stop.request_stop(); });
    QVERIFY(!done.ok());
    QVERIFY(done.error().kind == ErrorKind::Cancelled);
    QVERIFY(!QFile::exists(pathOf("a.gif")));
  }

  void fewColoursAreKeptAsTheyAre() {
    QImage picture(16, 16, QImage::Format_RGB32);
    picture.fill(qRgb(255, 255, 255));
    for (int x = 0; x < 16; ++x) picture.setPixel(x, x, qRgb(16 * x, 8 * x, 200));
    const views::ColorTable table({picture});
    QCOMPARE(table.colors().size(), std::size_t{17});
    for (int x = 0; x < 16; ++x) QCOMPARE(table.colors()[table.indexOf(picture.pixel(x, x))], picture.pixel(x, x));
    QBuffer file;
    file.open(QIODevice::ReadWrite);
    views::GifWriter gif(file, picture.size(), table);
    QVERIFY(gif.add(picture, 10));
    QVERIFY(gif.add(picture, 20));  // the same stands longer
    QImage next = picture;
    next.setPixel(3, 9, qRgb(16, 8, 200));
    QVERIFY(gif.add(next, 10));
    QVERIFY(!gif.add(QImage(4, 4, QImage::Format_RGB32), 10));
    QVERIFY(gif.finish());
    file.seek(0);
    QImageReader reader(&file, "gif");
    QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), picture);
    QCOMPARE(reader.nextImageDelay(), 300);
    QCOMPARE(reader.read().convertToFormat(QImage::Format_RGB32), next);
    QVERIFY(reader.read().isNull());
    QCOMPARE(reader.loopCount(), -1);
  }

  void whatCannotBeWrittenSaysSo() {
    const auto run = views::shownRun(replayOfEight());
    QFile existing(pathOf("kept.png"));
    QVERIFY(existing.open(QIODevice::WriteOnly) && existing.write("before") == 6);
    existing.close();
    QVERIFY(views::writeStep(run, 0, 0, Theme::look(), pathOf("a.bmp")).error().text().find("png, svg or pdf") !=
            std::string::npos);
    const auto nowhere = views::writeAnimation(run, Theme::look(), pathOf("no/such/folder.gif"));
    QVERIFY(!nowhere.ok() && nowhere.error().text().find("cannot be written") != std::string::npos);
    QCOMPARE(contentsOf(pathOf("kept.png")), QByteArray("before"));
  }
};

}  // namespace p2::test

using p2::test::TestRunFiles;
QTEST_MAIN(TestRunFiles)
#include "tst_run_files.moc"
