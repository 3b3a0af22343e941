// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/recovery.h"

using namespace p2::views;

namespace {

/// Leaves a copy as a crash does: the copy is there, and the process that held its lock is gone.
void leaveCopy(const QString& folder, const QString& name, const QByteArray& content) {
  QFile copy(QDir(folder).filePath(name + ".recovery"));
  QVERIFY(copy.open(QIODevice::WriteOnly));
  copy.write(content);
}

int copiesIn(const QString& folder) { return int(QDir(folder).entryList({"*.recovery"}).size()); }

}  // namespace

class TestRecovery : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void aCleanEndLeavesNothing() {
    const QTemporaryDir folder;
    {
      Recovery recovery(folder.path());
      QVERIFY(recovery.writer()({"/doc.json", "{}"}).ok());
      QCOMPARE(copiesIn(folder.path()), 1);
    }
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void nobodyElseReadsACopy() {
    const QTemporaryDir place;
    const QString folder = place.filePath("recovery");
    const mode_t before = umask(022);
    Recovery recovery(folder);
    const bool written = recovery.writer()({"/doc.json", "{}"}).ok();
    umask(before);
    QVERIFY(written);
    constexpr QFile::Permissions kOthers = QFile::ReadGroup | QFile::ReadOther;
    QVERIFY(!(QFileInfo(folder).permissions() & kOthers));
    const QFileInfoList copies = QDir(folder).entryInfoList({"*.recovery"});
    QCOMPARE(copies.size(), 1);
    QVERIFY(!(copies[0].permissions() & kOthers));
  }

  void whatACrashLeftIsFound() {
    const QTemporaryDir folder;
    leaveCopy(folder.path(), "old", "/home/me/my%20%C3%BCber.json\n{\"a\":\n1}");
    Recovery recovery(folder.path());
    const auto copy = recovery.adopt();
    QVERIFY(copy);
    QCOMPARE(copy->documentPath, "/home/me/my über.json");
    QCOMPARE(copy->text, "{\"a\":\n1}");
    QCOMPARE(copiesIn(folder.path()), 1);
    recovery.dropAdopted();
    QCOMPARE(copiesIn(folder.path()), 0);
  }

  void theLockOfACrashIsRemoved() {
    const QTemporaryDir folder;
    const QDir inside(folder.path());
    const pid_t child = ::fork();
    if (child == 0) {
      auto* const held = new QLockFile(inside.filePath("old.lock"));
      auto* const other = new QLockFile(inside.filePath("with-a-copy.lock"));
      ::_exit(held->tryLock(0) && other->tryLock(0) ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    leaveCopy(folder.path(), "with-a-copy", "\n{}");
    QCOMPARE(inside.entryList({"*.lock"}).size(), 2);
    const Recovery running(folder.path());
    {
      Recovery recovery(folder.path());
      QVERIFY(!inside.exists("old.lock"));
      QVERIFY(recovery.adopt());
      recovery.dropAdopted();
    }
    // That of the program that still runs stays.
    QCOMPARE(inside.entryList({"*.lock"}).size(), 1);
    QVERIFY(!inside.exists("with-a-copy.lock"));
  }

  void aFolderBehindALinkKeepsItsMode() {
    const QTemporaryDir place;
    const QString shared = place.filePath("shared");
    QVERIFY(QDir().mkpath(shared));
    const auto mode = QFile::Permissions(0x7755);
    QVERIFY(QFile::setPermissions(shared, mode));
    QVERIFY(QFile::link(shared, place.filePath("recovery")));
    const Recovery recovery(place.filePath("recovery"));
    QCOMPARE(QFileInfo(shared).permissions() & QFile::Permissions(0x0777), mode & QFile::Permissions(0x0777));
  }

  void anUnansweredCopyIsFoundAgain() {
    const QTemporaryDir folder;
    leaveCopy(folder.path(), "old", "\n{}");
    QVERIFY(Recovery(folder.path()).adopt());
    QVERIFY(Recovery(folder.path()).adopt());
  }

  void aRunningProgramsCopyIsItsOwn() {
    const QTemporaryDir folder;
    Recovery running(folder.path());
    QVERIFY(running.writer()({"/doc.json", "{}"}).ok());
    Recovery other(folder.path());
    QVERIFY(!other.adopt());
    QVERIFY(!running.adopt());
    QCOMPARE(copiesIn(folder.path()), 1);
  }

  void twoProgramsDoNotAdoptTheSame() {
    const QTemporaryDir folder;
    leaveCopy(folder.path(), "old", "\n{}");
    Recovery first(folder.path());
    Recovery second(folder.path());
    QVERIFY(first.adopt());
    QVERIFY(!second.adopt());
  }

  void anUnreadableCopyIsKept() {
    const QTemporaryDir folder;
    leaveCopy(folder.path(), "old", "/home/me/do");
    Recovery recovery(folder.path());
    QVERIFY(!recovery.adopt());
    const QString kept = folder.filePath("old.unreadable");
    QCOMPARE(recovery.unreadable(), QStringList{kept});
    QFile file(kept);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "/home/me/do");
    // It is spoken of once.
    Recovery next(folder.path());
    QVERIFY(!next.adopt());
    QVERIFY(next.unreadable().isEmpty());
  }

  void nothingIsKeptOfAnEmptyCopy() {
    const QTemporaryDir folder;
    leaveCopy(folder.path(), "old", {});
    Recovery recovery(folder.path());
    QVERIFY(!recovery.adopt());
    QVERIFY(recovery.unreadable().isEmpty());
    QCOMPARE(copiesIn(folder.path()), 0);
  }

  void aCopyKnowsItsFile() {
    const QTemporaryDir folder;
    const QTemporaryDir crashed;
    const Recovery::Copy copy{"/home/me/my plan.json", "{}", DocumentKind::Plan, "abc,def"};
    Recovery recovery(crashed.path());
    QVERIFY(recovery.writer()(copy).ok());
    const QString written = QDir(crashed.path()).entryList({"*.recovery"}).value(0);
    QVERIFY(QFile::copy(crashed.filePath(written), folder.filePath("old.recovery")));
    const auto found = Recovery(folder.path()).adopt();
    QVERIFY(found);
    QCOMPARE(found->documentPath, copy.documentPath);
    QCOMPARE(found->text, copy.text);
    QCOMPARE(found->kind, copy.kind);
    QCOMPARE(found->known, copy.known);
  }

  void aLateWriterWritesNothing() {
    const QTemporaryDir folder;
    Recovery recovery(folder.path());
    const auto write = recovery.writer();
    recovery.discard();
    QVERIFY(write({{}, "{}"}).ok());
    QCOMPARE(copiesIn(folder.path()), 0);
    QVERIFY(recovery.writer()({{}, "{}"}).ok());
    QCOMPARE(copiesIn(folder.path()), 1);
  }
};

QTEST_GUILESS_MAIN(TestRecovery)
#include "tst_recovery.moc"
