// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QCryptographicHash>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "base/write_signals.h"
#include "support/warnings.h"
#include "views/shell/document_desk.h"

using p2::test::Desk;
using p2::test::exampleText;
using p2::test::readFile;
using p2::test::writeFile;

class TestDocumentRecovery : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    p2::test::failOnWarnings();
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path();
  }

  void editsAreKeptForRecovery() {
    Desk desk(m_folder, 0);
    desk.documents.start({});
    const QDir recovery(m_folder + "/recovery");
    QVERIFY(recovery.entryList({"*.recovery"}).isEmpty());
    desk.editBytes(77);
    QTRY_COMPARE(recovery.entryList({"*.recovery"}).size(), 1);
    desk.answers.savePath = m_folder + "/saved.json";
    desk.documents.save();
    QTRY_VERIFY(recovery.entryList({"*.recovery"}).isEmpty());
  }

  // Under `ulimit -f`, as on a full disk: the window goes on, names the problem, and the copy before stays whole.
  void aCopyThatCannotGrowLosesNothing() {
    p2::ignoreWriteSignals();
    Desk desk(m_folder, 0);
    desk.documents.start({});
    const QDir recovery(m_folder + "/recovery");
    desk.editBytes(77);
    QTRY_COMPARE(recovery.entryList({"*.recovery"}).size(), 1);
    const QString path = recovery.filePath(recovery.entryList({"*.recovery"})[0]);
    const QByteArray before = readFile(path);
    QVERIFY(before.contains("77"));
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit tight{512, limit.rlim_max};
    QVERIFY(qsizetype(tight.rlim_cur) < before.size());
    ::setrlimit(RLIMIT_FSIZE, &tight);
    desk.editBytes(78);
    const bool stated = QTest::qWaitFor([&] { return !desk.documents.trouble().isEmpty(); });
    ::setrlimit(RLIMIT_FSIZE, &limit);
    QVERIFY(stated);
    QVERIFY2(desk.documents.trouble().contains("File too large"), qPrintable(desk.documents.trouble()));
    QCOMPARE(readFile(path), before);
    QCOMPARE(desk.session.workspace()->options.cost.bytes, p2::Bytes(78));
    desk.editBytes(79);
    QTRY_VERIFY(readFile(path).contains("79"));
    QCOMPARE(recovery.entryList(QDir::Files | QDir::Hidden).filter("recovery").size(), 1);
  }

  void whatIsUndoneIsNotKept() {
    Desk desk(m_folder, 0);
    desk.documents.start({});
    const QDir recovery(m_folder + "/recovery");
    desk.editBytes(77);
    QTRY_COMPARE(recovery.entryList({"*.recovery"}).size(), 1);
    desk.session.undoStack().undo();
    QTRY_VERIFY(recovery.entryList({"*.recovery"}).isEmpty());
    desk.session.undoStack().redo();
    QTRY_COMPARE(recovery.entryList({"*.recovery"}).size(), 1);
  }

  void editsAreKeptWithinFiveSeconds() {
    QSettings settings(m_folder + "/other.ini", QSettings::IniFormat);
    Desk desk(m_folder, p2::views::DocumentController::Environment{settings, {}}.autosaveMs);
    desk.documents.start({});
    QTRY_VERIFY(desk.session.isCurrent());
    const QDir recovery(m_folder + "/recovery");
    desk.session.select(0, 1);  // a choice is an edit like any other
    QTRY_COMPARE_WITH_TIMEOUT(recovery.entryList({"*.recovery"}).size(), 1, 5000);
    const QByteArray copy = readFile(recovery.filePath(recovery.entryList({"*.recovery"})[0]));
    const auto kept = p2::workspaceFromJson(copy.mid(copy.indexOf('\n') + 1).toStdString());
    QVERIFY(kept.ok());
    QCOMPARE(kept->program, desk.session.workspace()->program);
  }

  void whatCannotBeReadIsKeptAndSaid() {
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    writeFile(m_folder + "/recovery/1.recovery", "/cut/of");
    Desk desk(m_folder);
    desk.documents.start({});
    QVERIFY(desk.documents.trouble().contains(m_folder + "/recovery/1.unreadable"));
    QCOMPARE(readFile(m_folder + "/recovery/1.unreadable"), "/cut/of");
  }

  void aCopyThatIsNoWorkspaceIsKeptAndSaid() {
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    const QString copy = m_folder + "/recovery/1.recovery";
    writeFile(copy, "/doc.json\n{\"format\": \"p2-works");
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.restore();
    QVERIFY2(desk.documents.trouble().contains(copy), qPrintable(desk.documents.trouble()));
    QVERIFY(QFile::exists(copy));
    QCOMPARE(desk.documents.recoverable(), "doc.json");
  }

  void aRestoredPlanIsStillAPlanAndItsFileStillKnown() {
    const QString path = m_folder + "/doc.json";
    writeFile(path, exampleText("teaching-2x4"));
    const QByteArray known = QCryptographicHash::hash(readFile(path), QCryptographicHash::Sha1).toHex();
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    writeFile(m_folder + "/recovery/1.recovery",
              path.toUtf8().toPercentEncoding("/") + " plan " + known + "\n" + exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.restore();
    QCOMPARE(desk.documents.kind(), p2::views::DocumentKind::Plan);
    QTRY_VERIFY(desk.session.isCurrent());
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    QCOMPARE(desk.answers.changedAsked, 0);
    QVERIFY(readFile(path).contains("\"lowered\""));
  }

  void aCrashIsRecoveredFrom() {
    const QString path = m_folder + "/doc.p2.json";
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    const QString copy = m_folder + "/recovery/1234.recovery";
    writeFile(copy, path.toUtf8().toPercentEncoding("/") + "\n" + exampleText("figure2"));
    {
      // Unanswered, it waits.
      Desk desk(m_folder);
      desk.documents.start({});
      QCOMPARE(desk.documents.recoverable(), "doc.p2.json");
    }
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.restore();
    QCOMPARE(desk.documents.recoverable(), "");
    QCOMPARE(desk.documents.path(), path);
    QVERIFY(desk.documents.isModified());
    QCOMPARE(desk.session.workspace()->axes.size(), 2u);
    QTRY_VERIFY(!QFile::exists(copy));  // by now it is in this program's own copy
    QCOMPARE(QDir(m_folder + "/recovery").entryList({"*.recovery"}).size(), 1);
  }

  void whatIsUnfinishedIsRecovered() {
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    p2::Workspace unfinished;
    unfinished.notes = "to be drawn";
    writeFile(m_folder + "/recovery/1.recovery",
              "/doc.json\n" + QByteArray::fromStdString(p2::workspaceToJson(unfinished)));
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.restore();
    QCOMPARE(desk.documents.trouble(), "");
    QCOMPARE(desk.session.workspace()->notes, unfinished.notes);
    QVERIFY(desk.session.workspace()->system.levels.empty());
  }

  void recoveryCopiesAreOfferedOneByOne() {
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    for (const char* name : {"1", "2"}) {
      const QByteArray header = QByteArray("/") + name + ".json\n";
      writeFile(m_folder + "/recovery/" + name + ".recovery", header + exampleText("figure2"));
    }
    Desk desk(m_folder);
    desk.documents.start({});
    const QString first = desk.documents.recoverable();
    // Nothing is deleted before the question is answered.
    desk.answers.discards = false;
    desk.documents.discardRecovery();
    QCOMPARE(desk.documents.recoverable(), first);
    QCOMPARE(desk.answers.discardQuestions, QStringList{first});
    desk.answers.discards = true;
    desk.documents.discardRecovery();
    const QString second = desk.documents.recoverable();
    QCOMPARE((QSet<QString>{first, second}), (QSet<QString>{"1.json", "2.json"}));
    desk.documents.discardRecovery();
    QCOMPARE(desk.documents.recoverable(), "");
    QVERIFY(QDir(m_folder + "/recovery").entryList({"*.recovery"}).isEmpty());
  }

 private:
  std::unique_ptr<QTemporaryDir> m_temporary;
  QString m_folder;
};

QTEST_GUILESS_MAIN(TestDocumentRecovery)
#include "tst_document_recovery.moc"
