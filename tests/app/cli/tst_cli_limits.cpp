// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "base/sanitizers.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::p2Program;

/// Limits of the machine: permissions, full disks, memory, readers that end.
class TestCliLimits : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void refusesFilesWithoutPermission() {
    const QString path = m_folder.filePath("locked.json");
    write("locked.json", "{}");
    QVERIFY(QFile::setPermissions(path, QFile::Permissions()));
    QStringList command{p2Program(), "placements", path, "--axes", "2"};
    if (::geteuid() == 0) {
      // Permission bits do not bind root.
      if (QStandardPaths::findExecutable("setpriv").isEmpty()) QSKIP("root without setpriv cannot give up its rights");
      QVERIFY(QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7755)));
      command = QStringList{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"} + command;
    }
    QProcess process;
    process.start(command[0], command.mid(1));
    QVERIFY(process.waitForFinished());
    const QString err = QString::fromUtf8(process.readAllStandardError());
    if (process.exitCode() > 2) QSKIP(qPrintable("p2 cannot be run without root's rights here: " + err));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY2(err.contains("no permission to read it"), qPrintable(err));
  }

  void saysWhenTheAnswerCannotBeWritten_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("placements") << QStringList{"placements", "gcp-a100:4", "--axes", "8,8"};
    QTest::newRow("help") << QStringList{"--help"};
    QTest::newRow("help of a command") << QStringList{"placements", "--help"};
    QTest::newRow("a topic") << QStringList{"help", "costs"};
    QTest::newRow("version") << QStringList{"--version"};
  }
  void saysWhenTheAnswerCannotBeWritten() {
    QFETCH(QStringList, arguments);
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(p2Program(), arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 2);
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()),
             QString("p2: the answer cannot be written: No space left on device\n"));
  }

  // Wherever memory ends: what has been read is no worse for it, and nothing aborts.
  void saysWhenThereIsNotEnoughMemory_data() {
    QTest::addColumn<int>("mebibytes");
    for (const int mebibytes : {60, 90, 130, 200, 240, 280}) {
      QTest::newRow(qPrintable(QString::number(mebibytes))) << mebibytes;
    }
  }
  void saysWhenThereIsNotEnoughMemory() {
#ifdef P2_SANITIZED
    QSKIP("sanitizers lay their shadow over terabytes of addresses");
#endif
    QFETCH(int, mebibytes);
    QByteArray text = R"({"format": "p2-graph", "version": 1, "operators": [)";
    for (int i = 0; i < 500'000; ++i) text += R"({"name": "a", "kind": "gemm", "x": [1]},)";
    write("many.json", (text + "{}]}").constData());
    QProcess process;
    process.start("bash", {"-c", "ulimit -v $1; exec \"$0\" strategy \"$2\" --devices 2", p2Program(),
                           QString::number(mebibytes * 1024), m_folder.filePath("many.json")});
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 2);
    const QByteArray stated = process.readAllStandardError();
    QVERIFY2(stated.startsWith("p2: there is not enough memory for this; "), stated.constData());
    QCOMPARE(stated.count('\n'), 1);
  }

  // Files of 1 KiB at most, which a signal says that ends programs by default.
  void aFileThatMayNotGrowIsRefused_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("stated");
    QTest::newRow("-o") << "plan gcp-a100:4 --axes 8,8 --reduce 0 --program 1 -o out"
                        << "p2: out: it cannot be written: File too large\n";
    QTest::newRow("standard output") << "plan gcp-a100:4 --axes 8,8 --reduce 0 --program 1 >out"
                                     << "p2: the answer cannot be written: File too large\n";
    QTest::newRow("a full disk, -o") << "plan gcp-a100:4 --axes 8,8 --reduce 0 --program 1 -o /dev/full"
                                     << "p2: /dev/full: it cannot be written: No space left on device\n";
  }
  void aFileThatMayNotGrowIsRefused() {
    QFETCH(QString, arguments);
    QFETCH(QString, stated);
    const QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start("bash", {"-c", "ulimit -f 1; exec \"$0\" " + arguments, p2Program()});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), stated);
    QCOMPARE(process.exitCode(), 2);
    // What a shell opens itself stays, and nothing else.
    const QStringList left = arguments.contains('>') ? QStringList{"out"} : QStringList();
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), left);
  }

  void endsQuietlyWhenTheReaderDoes() {
    QProcess process;
    const char* const command =
        "\"$0\" programs 'a:2 b:2 c:2 d:2' --axes 16 --reduce 0 --json | head -n 1; "
        "echo ${PIPESTATUS[0]}";
    process.start("bash", {"-c", command, p2Program()});
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
    QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()), QString("{\n0\n"));
  }

 private:
  void write(const QString& name, const char* text) {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(text);
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliLimits)
#include "tst_cli_limits.moc"
