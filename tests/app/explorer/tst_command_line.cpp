// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"

/// The program as a process.
class TestCommandLine : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  void arguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("stated");
    const QString pictures = m_folder.filePath("none");
    QTest::newRow("version") << QStringList{"--version"} << 0 << "p2-explorer 0";
    QTest::newRow("libraries") << QStringList{"--version"} << 0 << "Qt6 6.";
    QTest::newRow("help") << QStringList{"--help"} << 0 << "[FILE]";
    QTest::newRow("unknown option") << QStringList{"--frobnicate"} << 2 << "frobnicate";
    QTest::newRow("two files") << QStringList{"a", "b"} << 2 << "more than one";
    QTest::newRow("no folder") << QStringList{"--screenshots"} << 2 << "screenshots";
    QTest::newRow("impossible folder") << QStringList{"--screenshots", "/proc/nowhere"} << 2 << "/proc/nowhere";
    QTest::newRow("a folder without a name") << QStringList{"--screenshots", ""} << 2 << "--screenshots: the name";
    QTest::newRow("a file without a name") << QStringList{""} << 2 << "the name of the file to open is empty";
    QTest::newRow("no such font") << QStringList{"--screenshots", pictures, "--font", "Nowhere Sans,13"} << 2
                                  << "Nowhere Sans";
    QTest::newRow("text that is too large")
        << QStringList{"--screenshots", pictures, "--font", "DejaVu Sans,400"} << 2 << "\"400\" is not a size of text";
    QTest::newRow("pictures of no file") << QStringList{"--screenshots", pictures, "/no/such.json"} << 2
                                         << "/no/such.json: there is no such file";
    QTest::newRow("pictures of no document")
        << QStringList{"--screenshots", pictures, P2_SOURCES "/LICENSE"} << 2 << "LICENSE";
  }
  void arguments() {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, stated);
    const Outcome outcome = run(arguments, QProcessEnvironment::systemEnvironment());
    QCOMPARE(outcome.status, status);
    const QString& stream = status == 0 ? outcome.output : outcome.errors;
    QVERIFY2(stream.contains(stated), qPrintable(stream));
    if (status != 0) QCOMPARE(outcome.errors.count("p2-explorer:"), 1);
    QCOMPARE(QDir(m_folder.filePath("none")).entryList(QDir::Files), QStringList());
  }

  // Opening one shows a page of its own, in place of the one that was to be taken.
  void screenshotsOfALesson() {
    const QDir lessons(P2_SOURCES "/resources/lessons");
    const QString name = lessons.entryList({"*.json"}).value(0);
    const QTemporaryDir folder;
    const Outcome outcome =
        run({"--screenshots", folder.path(), lessons.filePath(name)}, QProcessEnvironment::systemEnvironment());
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
    const QString stem = name.section('.', 0, 0) + "-lessons-";
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files),
             (QStringList{stem + "dark.png", stem + "light-2x.png", stem + "light.png"}));
  }

  void withoutADisplay() {
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) bare.remove(variable);
    const Outcome outcome = run({}, bare);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.errors.contains("no display"), qPrintable(outcome.errors));
    QCOMPARE(outcome.errors.count("p2-explorer:"), 1);
    QCOMPARE(run({"--version"}, bare).status, 0);
    QCOMPARE(run({"--help"}, bare).status, 0);
  }

  void startsQuickly() {
    const Outcome outcome = run({"--bench-start"}, QProcessEnvironment::systemEnvironment());
    QCOMPARE(outcome.status, 0);
    const QRegularExpressionMatch match = QRegularExpression("^(\\d+) ms\n$").match(outcome.output);
    QVERIFY2(match.hasMatch(), qPrintable(outcome.output));
    qInfo("first painted window after %s ms", qPrintable(match.captured(1)));
  }

  void aFullDiskLeavesNoHalfPicture() {
    const QTemporaryDir folder;
    QProcess process;
    // Files of 8 KiB at most, which a signal says that ends programs by default.
    process.start("bash", {"-c", "ulimit -f 8; exec \"$0\" --screenshots \"$1\"", explorer(), folder.path()});
    QVERIFY(process.waitForFinished(-1));
    QCOMPARE(process.exitCode(), 2);
    const QByteArray errors = process.readAllStandardError();
    QVERIFY2(errors.contains(".png: it cannot be written: File too large"), errors.constData());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList());
  }

  void screenshotsOfEverything() {
    const QTemporaryDir folder;
    const QDir pictures(folder.filePath("new/folder"));
    const Outcome outcome = run({"--screenshots", pictures.path()}, QProcessEnvironment::systemEnvironment());
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
    const QStringList names = pictures.entryList({"*.png"});
    // Of seven examples thirteen perspectives and two more views of the costs; five views of one example each, four
    // moments of a program of another, and two that are put together; and once at twice the size, of the lessons both
    // views. Of one example a factor, an axis and a comparison, of the largest two moments, at both sizes;
    // three more views of the plan of one example, and three of why it takes so long;
    // all programs of one example as bars, and so two programs beside each other, by step and by true time, and a
    // program and a lesson on the whole screen. Of the first example where one begins, of another the load of its
    // links, of two machines their drawings alone; and a strategy whose layers are folded, and the stages of a
    // pipeline.
    QCOMPARE(names.size(), 7 * 15 * 2 + 5 * 2 + 15 + 6 + 7 * 3 + 5 * 3 + 4 * 3 + 3 * 3 + 4 * 3 + 3 + 3 + 3 * 3);
    for (const QString view : {"", "-map", "-time-memory", "-accuracy"}) {
      QVERIFY(names.contains("llama3-70b-fsdp32-tp8-plan" + view + "-dark.png"));
    }
    for (const QString view : {"machine", "memory"}) {
      QVERIFY(names.contains("llama3-70b-fsdp32-tp8-why-" + view + "-dark.png"));
    }
    for (const QString drawing : {"a100-4x16-start", "a100-rails-4x8-system-load", "tpu-v4-4x16-system"}) {
      QVERIFY(names.contains(drawing + "-dark.png"));
    }
    for (const QString view : {"factor", "axis", "compared"}) {
      QVERIFY(names.contains("a100-4x16-placements-" + view + "-dark.png"));
    }
    for (const QString moment : {"announced", "sent"}) {
      QVERIFY(names.contains("a100-64x16-programs-" + moment + "-light-2x.png"));
    }
    for (const QString moment : {"announced", "sent", "sum", "numbers"}) {
      QVERIFY(names.contains("teaching-2x4-programs-" + moment + "-dark.png"));
    }
    QVERIFY(names.contains("teaching-2x4-strategy-pipeline-light-2x.png"));
    QVERIFY(names.contains("teaching-2x4-lessons-wrong-answer-dark.png"));
    for (const QString view : {"", "-trade-off", "-break-evens"}) {
      QVERIFY(names.contains("llama3-70b-fsdp32-tp8-workload" + view + "-dark.png"));
    }
    for (const QString view : {"by-size", "map", "model"}) {
      QVERIFY(names.contains("a100-rails-4x8-costs-" + view + "-dark.png"));
    }
    const QImage light(pictures.filePath("a100-4x16-placements-light.png"));
    const QImage dark(pictures.filePath("a100-4x16-placements-dark.png"));
    const QImage large(pictures.filePath("a100-4x16-placements-light-2x.png"));
    QVERIFY(!light.isNull());
    QCOMPARE(large.size(), light.size() * 2);
    QVERIFY(light.pixelColor(2, light.height() / 2).lightnessF() > dark.pixelColor(2, dark.height() / 2).lightnessF());
  }

 private:
  const QTemporaryDir m_folder;
  struct Outcome {
    int status;
    QString output;
    QString errors;
  };
  /// Of the build, or another one that is to be tested: one that is installed.
  static QString explorer() { return qEnvironmentVariable("P2_EXPLORER", QStringLiteral(P2_EXPLORER)); }
  static Outcome run(const QStringList& arguments, const QProcessEnvironment& environment) {
    const QTemporaryDir home;
    QProcessEnvironment own = environment;
    own.insert("HOME", home.path());
    own.insert("XDG_CONFIG_HOME", home.path());
    own.insert("XDG_DATA_HOME", home.path());
    own.insert("XDG_RUNTIME_DIR", home.path());
    QProcess process;
    process.setProcessEnvironment(own);
    process.start(explorer(), arguments);
    const bool ended = process.waitForFinished(-1);
    return {ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
  }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
