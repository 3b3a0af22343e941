// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QStandardPaths>
#include <QTest>

/// What a desktop with our package installed takes a file for, by its name and by what is in it.
class TestMimeTypes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/mime/packages";
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(P2_SOURCES "/packaging/org.p2explorer.P2Explorer.mime.xml", folder + "/p2.xml"));
  }

  void namesTellTheType_data() {
    QTest::addColumn<QString>("type");
    QTest::newRow("a100.p2.json") << "application/vnd.p2-workspace+json";
    QTest::newRow("plan.json") << "application/vnd.p2-plan+json";
    QTest::newRow("best.p2-plan.json") << "application/vnd.p2-plan+json";
    QTest::newRow("ours.p2-lesson.json") << "application/vnd.p2-lesson+json";
    QTest::newRow("step.p2-workload.json") << "application/vnd.p2-workload+json";
    QTest::newRow("ours.p2-system.json") << "application/vnd.p2-system+json";
    QTest::newRow("package.json") << "application/json";
    QTest::newRow("myplan.json") << "application/json";
  }
  void namesTellTheType() {
    QFETCH(QString, type);
    const QMimeType found = QMimeDatabase().mimeTypeForFile(QTest::currentDataTag(), QMimeDatabase::MatchExtension);
    QCOMPARE(found.name(), type);
    QVERIFY(found.inherits("application/json"));
  }

  void contentTellsTheType_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("type");
    for (const char* format : {"workspace", "plan", "lesson", "workload", "system"}) {
      QTest::newRow(format) << QByteArray(QByteArray("{\n  \"format\": \"p2-") + format + "\",\n  \"version\": 1\n}\n")
                            << QStringLiteral("application/vnd.p2-%1+json").arg(format);
    }
  }
  void contentTellsTheType() {
    QFETCH(QByteArray, content);
    QFETCH(QString, type);
    QCOMPARE(QMimeDatabase().mimeTypeForData(content).name(), type);
  }
};

QTEST_GUILESS_MAIN(TestMimeTypes)
#include "tst_mime_types.moc"
