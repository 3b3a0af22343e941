// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include "lesson/answer_code.h"
#include "lesson/bundled_lessons.h"
#include "tests/app/cli/run_p2.h"

using namespace p2;

/// `p2 lesson`.
class TestCliLesson : public QObject {
  Q_OBJECT
 private slots:
  void checksWhatIsGood();
  void tellsWhatIsWrong();
  void listsTheBundledOnes();
  void showsOne();
  void writesPagesAndSheets();
  void readsCodes();
  void refusesWhatIsNotThere_data();
  void refusesWhatIsNotThere();

 private:
  QString broken(const QByteArray& from, const QByteArray& to);
  QTemporaryDir m_folder;
};

QString TestCliLesson::broken(const QByteArray& from, const QByteArray& to) {
  QFile file(QStringLiteral(P2_RESOURCES "/lessons/06-counted-twice.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray text = file.readAll();
  if (!text.contains(from)) return {};
  text.replace(from, to);
  QFile copy(m_folder.filePath(QStringLiteral("broken.json")));
  if (!copy.open(QIODevice::WriteOnly | QIODevice::Truncate)) return {};
  copy.write(text);
  return copy.fileName();
}

void TestCliLesson::checksWhatIsGood() {
  const QString file = QStringLiteral(P2_RESOURCES "/lessons/06-counted-twice.json");
  const QJsonObject answer = test::jsonFrom({"lesson", "check", file});
  QCOMPARE(answer["valid"].toBool(), true);
  QVERIFY(answer["problems"].isArray());
  QVERIFY(answer["problems"].toArray().isEmpty());
  const test::Answer text = test::runP2({"lesson", "check", "counted-twice"});
  QCOMPARE(text.status, 0);
  QCOMPARE(text.out, QString("valid\n"));
}

void TestCliLesson::tellsWhatIsWrong() {
  const QString file = broken("\"step\": 2,", "\"step\": 1,");
  QVERIFY(!file.isEmpty());
  const test::Answer answer = test::runP2({"lesson", "check", file, "--json"});
  QCOMPARE(answer.status, 1);
  QVERIFY(answer.err.isEmpty());
  const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
  QCOMPARE(json["valid"].toBool(true), false);
  const QJsonObject first = json["problems"].toArray().first().toObject();
  QCOMPARE(first["where"].toString(), QString("/pages/0/fails/step"));
  QVERIFY(first["problem"].toString().startsWith("the program fails in step 2, not in step 1"));
  const test::Answer text = test::runP2({"lesson", "check", file});
  QCOMPARE(text.status, 1);
  QVERIFY(text.out.startsWith("/pages/0/fails/step: the program fails in step 2"));
}

void TestCliLesson::listsTheBundledOnes() {
  const QJsonArray lessons = test::jsonFrom({"lesson", "list"})["lessons"].toArray();
  QCOMPARE(lessons.size(), QDir(P2_RESOURCES "/lessons").entryList({"*.json"}).size());
  QCOMPARE(lessons.first().toObject()["name"].toString(), QString("01-read-a-grid"));
  QVERIFY(test::runP2({"lesson", "list"}).out.contains("Counted twice"));
}

void TestCliLesson::showsOne() {
  const test::Answer plain = test::runP2({"lesson", "show", "explore"});
  QCOMPARE(plain.status, 0);
  QVERIFY(plain.out.contains("there are 47 that reach the goal"));
  QVERIFY(!plain.out.contains('{'));
  QVERIFY(!plain.out.contains("answer: "));
  const test::Answer answers = test::runP2({"lesson", "show", "explore", "--answers", "--placeholders"});
  QVERIFY(answers.out.contains("answer: "));
  QVERIFY(answers.out.contains("{programs} = 47"));
}

void TestCliLesson::writesPagesAndSheets() {
  const QString file = m_folder.filePath("lesson.html");
  const test::Answer page = test::runP2({"lesson", "show", "order", "--to", "html", "-o", file});
  QCOMPARE(page.status, 0);
  QCOMPARE(page.out, QString());
  QFile written(file);
  QVERIFY(written.open(QIODevice::ReadOnly));
  const QByteArray html = written.readAll();
  QVERIFY(html.startsWith("<!DOCTYPE html>"));
  QVERIFY(html.contains("p2-lesson-page"));
  const test::Answer key = test::runP2({"lesson", "show", "order", "--to", "key"});
  QVERIFY(key.out.contains("Key for the teacher: Order"));
  const test::Answer wrong = test::runP2({"lesson", "show", "order", "--to", "pdf"});
  QCOMPARE(wrong.status, 2);
  QVERIFY2(wrong.err.contains("\"pdf\" is not a format of lessons; use html, handout or key"), qPrintable(wrong.err));
  QCOMPARE(test::runP2({"lesson", "show", "order", "-o", file}).status, 2);
}

void TestCliLesson::readsCodes() {
  const Lesson order = lessonFromJson(bundledLesson("order").value()).value();
  const std::string code = answerCode(fingerprintOf(order), "Ada", {{true, false, 1}, {true, true, 2}, {}, {}});
  QFile file(m_folder.filePath("codes.txt"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(("Ada: " + code + "\nBob: " + code + "\n").c_str());
  file.close();
  const test::Answer answer = test::runP2({"lesson", "--read-codes", file.fileName(), "--json"});
  QCOMPARE(answer.status, 1);
  const QJsonArray codes = QJsonDocument::fromJson(answer.out.toUtf8()).object()["codes"].toArray();
  QCOMPARE(codes.size(), 2);
  QCOMPARE(codes[0].toObject()["name"].toString(), QString("Ada"));
  QCOMPARE(codes[0].toObject()["lesson"].toString(), QString("Order"));
  QCOMPARE(codes[0].toObject()["solved"].toInt(), 2);
  QCOMPARE(codes[0].toObject()["tries"].toString(), QString::fromUtf8("1 2+ – –"));
  QVERIFY(codes[1].toObject()["problem"].toString().contains("does not belong to this name"));
  const test::Answer none = test::runP2({"lesson"});
  QCOMPARE(none.status, 2);
  QVERIFY2(none.err.contains("--read-codes"), qPrintable(none.err));
}

void TestCliLesson::refusesWhatIsNotThere_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("error");
  QTest::newRow("no lesson") << QStringList{"lesson", "check", "nothing"} << "there is no lesson called \"nothing\"";
  QTest::newRow("no file") << QStringList{"lesson", "check", "/none/lesson.json"} << "/none/lesson.json";
  QTest::newRow("no name") << QStringList{"lesson", "show"} << "FILE";
  QTest::newRow("nothing to do") << QStringList{"lesson"} << "";
  QTest::newRow("shown broken") << QStringList{"lesson", "show", P2_RESOURCES "/palette.json"} << "format";
}

void TestCliLesson::refusesWhatIsNotThere() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, error);
  const test::Answer answer = test::runP2(arguments);
  QCOMPARE(answer.status, 2);
  QVERIFY(answer.out.isEmpty());
  QVERIFY2(answer.err.contains(error) && answer.err.count('\n') == 1, qPrintable(answer.err));
}

QTEST_APPLESS_MAIN(TestCliLesson)
#include "tst_cli_lesson.moc"
