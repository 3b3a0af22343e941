// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "text/text_file.h"
#include "workspace/workspace.h"

using namespace p2;

class TestTextFile : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { test::failOnWarnings(); }

  void roundTrips() {
    const std::string path = pathOf("a.json");
    const std::string text("one\0two\nµ", 10);
    QVERIFY(writeTextFile(path, text).ok());
    QCOMPARE(readTextFile(path).value(), text);
    QVERIFY(writeTextFile(path, "shorter").ok());
    QCOMPARE(readTextFile(path).value(), std::string("shorter"));
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("a.json"));
    QVERIFY(QFile::remove(QString::fromStdString(path)));
  }

  // As editors of other systems write, and shells that redirect.
  void marksAreNoText_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("UTF-8") << QByteArrayLiteral("\xEF\xBB\xBF{\"µ\": 1}") << QByteArrayLiteral("{\"µ\": 1}");
    QTest::newRow("UTF-16, little endian") << QByteArrayLiteral("\xFF\xFEG\0P\0U\0\n\0") << QByteArrayLiteral("GPU\n");
    QTest::newRow("UTF-16, big endian") << QByteArrayLiteral("\xFE\xFF\0G\0P\0U\0\n") << QByteArrayLiteral("GPU\n");
    QTest::newRow("beyond 16 bits") << QByteArrayLiteral("\xFF\xFE\x3D\xD8\x00\xDE\xAC\x20") << QByteArrayLiteral("😀€");
    QTest::newRow("half a pair") << QByteArrayLiteral("\xFF\xFE\x3D\xD8\x61\0\x00\xDE") << QByteArrayLiteral("?a?");
    QTest::newRow("half a character") << QByteArrayLiteral("\xFF\xFE\x61\0\x62") << QByteArrayLiteral("a");
    QTest::newRow("later in the text") << QByteArrayLiteral("a\xEF\xBB\xBF") << QByteArrayLiteral("a\xEF\xBB\xBF");
  }
  void marksAreNoText() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    const std::string path = pathOf("marked.txt");
    QVERIFY(writeTextFile(path, bytes.toStdString()).ok());
    QCOMPARE(QByteArray::fromStdString(readTextFile(path).value()), text);
  }
  void marksAloneAreEmpty() {
    const std::string path = pathOf("mark.txt");
    QVERIFY(writeTextFile(path, "\xEF\xBB\xBF").ok());
    QCOMPARE(readTextFile(path).error().text(), path + ": the file is empty");
  }

  void keepsModeAndLink() {
    const QString target = QString::fromStdString(pathOf("target.json"));
    const QString link = QString::fromStdString(pathOf("link.json"));
    QVERIFY(writeTextFile(target.toStdString(), "old").ok());
    const auto mode = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
    QVERIFY(QFile::setPermissions(target, mode));
    QVERIFY(QFile::link(target, link));
    QVERIFY(writeTextFile(link.toStdString(), "new").ok());
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(QFile::permissions(target), mode);
    QCOMPARE(readTextFile(target.toStdString()).value(), std::string("new"));
  }

  void writesToDevices() {
    QVERIFY(writeTextFile("/dev/null", "gone").ok());
    const auto full = writeTextFile("/dev/full", "no room");
    QVERIFY(!full.ok());
    QCOMPARE(full.error().text(), std::string("/dev/full: it cannot be written: No space left on device"));
  }

  void namesWhatIsWrong() {
    const std::string folder = m_folder.path().toStdString();
    QCOMPARE(readTextFile(folder).error().text(), folder + ": it is a directory; name a file");
    QCOMPARE(writeTextFile(folder, "x").error().text(), folder + ": it is a directory; name a file");
    const std::string missing = pathOf("missing.json");
    QCOMPARE(readTextFile(missing).error().text(), missing + ": there is no such file; check the name");
    const std::string nowhere = pathOf("missing/a.json");
    QCOMPARE(writeTextFile(nowhere, "x").error().text(), nowhere + ": there is no such folder; create it first");
    const std::string empty = pathOf("empty.json");
    QVERIFY(writeTextFile(empty, "").ok());
    QCOMPARE(readTextFile(empty).error().text(), empty + ": the file is empty");
    QCOMPARE(readTextFile("/dev/zero").error().text(),
             std::string("/dev/zero: it is larger than 64 MiB; nothing that large is read here"));
  }

  void namesMissingPermission() {
    if (::geteuid() == 0) QSKIP("root may read and write everything");
    const std::string path = pathOf("locked.json");
    QVERIFY(writeTextFile(path, "x").ok());
    QVERIFY(QFile::setPermissions(QString::fromStdString(path), QFile::Permissions()));
    QCOMPARE(readTextFile(path).error().text(), path + ": no permission to read it; check its owner and mode");
    QCOMPARE(writeTextFile(path, "y").error().text(), path + ": no permission to write it; check its owner and mode");
  }

  void readsSystemsFromPaths() {
    const std::string path = pathOf("system.json");
    QVERIFY(writeTextFile(path, systemToJson(systemFromArgument("node:2 gpu:4").value())).ok());
    QCOMPARE(systemFromArgument(path).value(), systemFromArgument("node:2 gpu:4").value());
    QVERIFY(writeTextFile(path, "{").ok());
    QCOMPARE(systemFromArgument(path).error().text(),
             path + ": line 1, column 2: the JSON text ends too early; the file may be truncated");
    QCOMPARE(systemFromArgument("nowhere.json").error().text(),
             std::string("nowhere.json: there is no such file; check the name"));
  }

 private:
  [[nodiscard]] std::string pathOf(const char* name) const { return m_folder.filePath(name).toStdString(); }
  QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestTextFile)
#include "text/text_file.h"
#include "tst_text_file.moc"
#include "workspace/workspace.h"
