// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

/// What packaging/setup does on systems that are named to it, with stand-ins for the package tools.
class TestSetup : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY(QFile::setPermissions(m_folder->path(), QFile::Permissions(0x7755)));
    write("dpkg-query", "#!/bin/sh\nexit 1\n");
    write("apt-get", QByteArray("#!/bin/sh\necho \"$@\" >> " + m_folder->filePath("asked").toUtf8() + "\n"));
    write("sudo", "#!/bin/sh\nexec \"$@\"\n");
  }

  void installsWhereItKnowsThePackages_data() {
    QTest::addColumn<QByteArray>("release");
    QTest::addColumn<bool>("svgApart");
    QTest::newRow("Debian 12") << QByteArray("ID=debian\nVERSION_ID=\"12\"\n") << false;
    QTest::newRow("Debian 13") << QByteArray("ID=debian\nVERSION_ID=\"13\"\n") << true;
    QTest::newRow("Debian unstable") << QByteArray("ID=debian\n") << true;
    QTest::newRow("Ubuntu 24.04") << QByteArray("ID=ubuntu\nVERSION_ID=\"24.04\"\n") << false;
  }
  void installsWhereItKnowsThePackages() {
    QFETCH(QByteArray, release);
    QFETCH(bool, svgApart);
    const Outcome outcome = setup(release, {});
    QVERIFY2(outcome.status == 0, outcome.stated.constData());
    QFile file(m_folder->filePath("asked"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray asked = file.readAll();
    QVERIFY2(asked.startsWith("update "), asked.constData());
    for (const char* package : {" cmake ", " qt6-base-dev ", " libsimdjson-dev ", " libopenmpi-dev "}) {
      QVERIFY2(asked.contains(package), package);
    }
    QCOMPARE(asked.contains("qt6-svg-plugins"), svgApart);
    QCOMPARE(asked.contains("python3-torch"), release.startsWith("ID=debian"));
  }

  void refusesWhatItDoesNotKnow_data() {
    QTest::addColumn<QByteArray>("release");
    QTest::addColumn<QByteArray>("stated");
    QTest::newRow("too old") << QByteArray("ID=ubuntu\nVERSION_ID=\"22.04\"\n")
                             << QByteArray(
                                    "Ubuntu 22.04 has CMake 3.22 and Qt 6.2, and CMake 3.25 and Qt 6.4 are "
                                    "needed; it has neither libtomlplusplus-dev, libvalijson-dev nor");
    QTest::newRow("older") << QByteArray("ID=debian\nVERSION_ID=\"11\"\n") << QByteArray("(debian 11) are not known");
    QTest::newRow("newer") << QByteArray("ID=ubuntu\nVERSION_ID=\"26.04\"\n")
                           << QByteArray("(ubuntu 26.04) are not known");
    QTest::newRow("another") << QByteArray("ID=fedora\nVERSION_ID=41\n") << QByteArray("(fedora 41) are not known");
    QTest::newRow("unnamed") << QByteArray() << QByteArray("are not known");
  }
  void refusesWhatItDoesNotKnow() {
    QFETCH(QByteArray, release);
    QFETCH(QByteArray, stated);
    const Outcome outcome = setup(release, {});
    QCOMPARE(outcome.status, 2);
    for (const QByteArray& part :
         {stated, QByteArray("Debian 12 and 13. It should on Ubuntu 24.04"), QByteArray("libhwloc-dev"),
          QByteArray("\n  docker run --rm -it -v '" P2_SOURCES ":" P2_SOURCES "' -w '" P2_SOURCES
                     "' debian:12 packaging/run")}) {
      QVERIFY2(outcome.stated.contains(part), outcome.stated.constData());
    }
    QVERIFY(!QFile::exists(m_folder->filePath("asked")));
    QCOMPARE(setup(release, {"P2_OWN_PACKAGES=1"}).status, 0);
    QVERIFY(!QFile::exists(m_folder->filePath("asked")));
  }

  // A bare system has no lists of packages yet.
  void whatItSuggestsWorksOnABareSystem() {
    QVERIFY(QFile::remove(m_folder->filePath("sudo")));
    // Only what it calls, so that no sudo of this machine is found.
    for (const char* tool : {"bash", "cat", "dirname"}) {
      QVERIFY(QFile::link(QStandardPaths::findExecutable(tool), m_folder->filePath(tool)));
    }
    const Outcome outcome = setup("ID=debian\nVERSION_ID=12\n", {"PATH=" + m_folder->path()}, true);
    if (outcome.status == 125) QSKIP("root without setpriv cannot give up its rights");
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.stated.contains("\n  apt-get update && apt-get install --no-install-recommends cmake "),
             outcome.stated.constData());
  }

 private:
  struct Outcome {
    int status = -1;
    QByteArray stated;
  };
  Outcome setup(const QByteArray& release, const QStringList& environment, bool asNobody = false) {
    write("os-release", release);
    QStringList command{QStandardPaths::findExecutable("bash"), P2_SOURCES "/packaging/setup"};
    if (asNobody && ::geteuid() == 0) {
      const QString setpriv = QStandardPaths::findExecutable("setpriv");
      if (setpriv.isEmpty()) return {125, {}};
      command = QStringList{setpriv, "--reuid", "65534", "--clear-groups"} + command;
    }
    QProcess process;
    process.setEnvironment(QProcess::systemEnvironment() +
                           QStringList{"PATH=" + m_folder->path() + ":" + qEnvironmentVariable("PATH"),
                                       "P2_OS_RELEASE=" + m_folder->filePath("os-release")} +
                           environment);
    process.start(command.takeFirst(), command);
    if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), process.readAllStandardError()};
  }
  void write(const char* name, const QByteArray& text) {
    QFile file(m_folder->filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no room");
    file.write(text);
    file.setPermissions(QFile::Permissions(0x7755));
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestSetup)
#include "tst_setup.moc"
