// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "views/common/private_file.h"

using namespace p2::views;

/// What makePrivate() may change the mode of, and what it may not.
class TestPrivateFile : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
  }

  void aNewFileIsPrivate() {
    const QString path = m_folder->filePath("deep/er/new");
    const mode_t before = ::umask(0);
    makePrivate(path);
    ::umask(before);
    QCOMPARE(modeOf(path), mode_t(0600));
  }

  void anOldFileBecomesPrivateAndKeepsItsContent() {
    const QString path = fileOfMode("old", 0644);
    makePrivate(path);
    QCOMPARE(modeOf(path), mode_t(0600));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("content"));
  }

  void whatIsNotOursKeepsItsMode_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"a link to a file", "a second name of a file", "a link to nothing", "a pipe", "a folder",
                             "a link to a device", "another user's file"}) {
      QTest::newRow(what) << what;
    }
  }
  void whatIsNotOursKeepsItsMode() {
    QFETCH(QString, what);
    const QString target = fileOfMode("target", 0644);
    const QString path = m_folder->filePath("path");
    QString watched = target;
    if (what == "a link to a file") QVERIFY(QFile::link(target, path));
    if (what == "a second name of a file") QVERIFY(::link(target.toUtf8(), path.toUtf8()) == 0);
    if (what == "a link to nothing") QVERIFY(QFile::link(m_folder->filePath("nothing"), path));
    if (what == "a link to a device") {
      // A device of our own, not everybody's.
      watched = m_folder->filePath("device");
      if (::mknod(watched.toUtf8(), S_IFCHR, 0x0103) != 0) QSKIP("only root can make a device");
      QVERIFY(::chmod(watched.toUtf8(), 0666) == 0);
      QVERIFY(QFile::link(watched, path));
    }
    if (what == "a pipe" || what == "a folder" || what == "another user's file") watched = path;
    if (what == "a pipe") QVERIFY(::mkfifo(path.toUtf8(), 0644) == 0);
    if (what == "a folder") QVERIFY(::mkdir(path.toUtf8(), 0755) == 0);
    if (what == "another user's file") {
      if (::geteuid() != 0) QSKIP("only root can give a file away");
      (void)fileOfMode("path", 0644);
      QVERIFY(::chown(path.toUtf8(), 65534, 65534) == 0);
    }
    const mode_t before = modeOf(watched);
    QVERIFY((before & 0044) != 0);
    makePrivate(path);
    QCOMPARE(modeOf(watched), before);
    QVERIFY(!QFile::exists(m_folder->filePath("nothing")));
  }

 private:
  QString fileOfMode(const char* name, mode_t mode) {
    const QString path = m_folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write("content") < 0) qFatal("no room");
    ::chmod(path.toUtf8(), mode);
    return path;
  }
  static mode_t modeOf(const QString& path) {
    struct stat found {};
    return ::stat(path.toUtf8(), &found) == 0 ? found.st_mode & 07777 : 0;
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestPrivateFile)
#include "tst_private_file.moc"
