// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/recent_files.h"

using namespace p2::views;

class TestRecentFiles : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void theLatestComesFirstAndOnce() {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    RecentFiles recent(settings);
    QSignalSpy changed(&recent, &RecentFiles::changed);
    recent.add("/a");
    recent.add("/b");
    recent.add("/a");
    QCOMPARE(recent.paths(), (QStringList{"/a", "/b"}));
    QCOMPARE(changed.size(), 3);
    recent.remove("/b");
    recent.remove("/never");
    QCOMPARE(recent.paths(), QStringList{"/a"});
    QCOMPARE(changed.size(), 4);
    recent.clear();
    QCOMPARE(recent.paths(), QStringList());
  }

  void theListIsBounded() {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    RecentFiles recent(settings);
    for (int i = 0; i < RecentFiles::kMost + 5; ++i) recent.add(QString("/%1").arg(i));
    QCOMPARE(recent.paths().size(), RecentFiles::kMost);
    QCOMPARE(recent.paths().first(), QString("/%1").arg(RecentFiles::kMost + 4));
  }

  void pathsAreAbsoluteAndOutliveTheProgram() {
    const QTemporaryDir folder;
    {
      QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
      RecentFiles(settings).add("here.json");
    }
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    QCOMPARE(RecentFiles(settings).paths(), QStringList{QDir::current().absoluteFilePath("here.json")});
  }
};

QTEST_GUILESS_MAIN(TestRecentFiles)
#include "tst_recent_files.moc"
