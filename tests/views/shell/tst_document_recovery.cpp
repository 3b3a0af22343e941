// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "views/shell/document_desk.h"

using p2::test::Desk;
using p2::test::exampleText;
using p2::test::writeFile;

class TestDocumentRecovery : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void init() {
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

  void recoveryCopiesAreOfferedOneByOne() {
    QVERIFY(QDir().mkpath(m_folder + "/recovery"));
    for (const char* name : {"1", "2"}) {
      const QByteArray header = QByteArray("/") + name + ".json\n";
      writeFile(m_folder + "/recovery/" + name + ".recovery", header + exampleText("figure2"));
    }
    Desk desk(m_folder);
    desk.documents.start({});
    const QString first = desk.documents.recoverable();
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
