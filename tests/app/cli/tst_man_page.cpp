// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include "cost/calibration/measured_time.h"
#include "remote/measured_files.h"
#include "tests/app/cli/run_p2.h"

using namespace p2;

namespace {

const QString kSource = QStringLiteral(P2_SOURCE "/packaging/man/p2.1.in");

/// Text without the marks of roff, with single blanks.
QString plain(QString roff) {
  static const QRegularExpression kFont("\\\\f[BIR]");
  return roff.remove(kFont).replace("\\-", "-").replace("\\e", "\\").replace("\\&", "").simplified();
}

/// What --help lists below a heading, as "name placeholder" and help, which begins in a column of its own.
QList<std::pair<QString, QString>> listedIn(const QString& help, const QString& heading) {
  constexpr int kColumn = 30;
  QList<std::pair<QString, QString>> rows;
  const qsizetype at = help.indexOf("\n" + heading + ":\n");
  if (at < 0) return rows;
  for (const QString& line : help.mid(at + 1, help.indexOf("\n\n", at + 1) - at - 1).split('\n').mid(1)) {
    if (line.startsWith(QString(kColumn, ' '))) {
      rows.last() = {rows.last().first + rows.last().second, line.trimmed()};
    } else {
      rows.append({line.left(kColumn).trimmed(), line.mid(kColumn)});
    }
  }
  return rows;
}

QStringList commands() {
  QStringList names;
  for (const auto& [name, help] : listedIn(test::runP2({"--help"}).out, "Subcommands")) {
    names << name;
    for (const auto& [below, text] : listedIn(test::runP2({name, "--help"}).out, "Subcommands"))
      names << name + ' ' + below;
  }
  return names;
}

/// The names in a row of --help: "-o", "--output" of "-o,--output FILE"; "FILE" of "FILE ... REQUIRED".
QStringList namesOf(const QString& row) { return row.section(' ', 0, 0).remove("{false}").split(','); }

}  // namespace

/// The synopsis and the options of p2(1) are those of --help.
class TestManPage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const test::Answer answer = test::runP2({"help", "--man-page", kSource});
    QVERIFY2(answer.status == 0, qPrintable(answer.err));
    m_roff = answer.out;
    m_page = plain(answer.out);
  }

  void hasTheOptionsOfACommand_data() {
    QTest::addColumn<QString>("command");
    for (const QString& name : commands()) QTest::newRow(qPrintable(name)) << name;
  }
  void hasTheOptionsOfACommand() {
    QFETCH(QString, command);
    const QString help = test::runP2(command.split(' ') + QStringList{"--help"}).out;
    const auto rows = listedIn(help, "Options") + listedIn(help, "Positionals");
    QVERIFY(!rows.isEmpty());
    for (const auto& [row, text] : rows) {
      const QString entry = namesOf(row).last();
      const QRegularExpression found("\\.TP .{0,40}?" + QRegularExpression::escape(entry) + ".{0,40}? " +
                                     QRegularExpression::escape(text.simplified()));
      QVERIFY2(m_page.contains(found), qPrintable(row + ": " + text));
    }
    QVERIFY2(m_page.contains("p2 " + command + ' '), "the synopsis lacks it");
  }

  void hasNoOptionOfItsOwn() {
    QSet<QString> known{"--version"};
    for (const QString& command : commands()) {
      const QString help = test::runP2(command.split(' ') + QStringList{"--help"}).out;
      for (const auto& [row, text] : listedIn(help, "Options")) {
        for (const QString& name : namesOf(row)) known += name;
      }
    }
    static const QRegularExpression kHead("\\.TP\\n\\\\fB\\\\-\\\\-([a-z\\\\-]+)\\\\fR");
    int count = 0;
    for (auto head = kHead.globalMatch(m_roff); head.hasNext(); ++count) {
      const QString name = "--" + head.next().captured(1).remove('\\');
      QVERIFY2(known.contains(name), qPrintable(name));
    }
    QVERIFY(count > 100);
  }

  // The section IMPORT has every row of p2 import --list, with its help.
  void hasEveryImportFormat() {
    const QString section = m_roff.section(".SH IMPORT", 1).section(".SH", 0, 0);
    const test::Answer list = test::runP2({"import", "--list", "--json"});
    const auto formats = QJsonDocument::fromJson(list.out.toUtf8()).object()["formats"].toArray();
    QVERIFY2(formats.size() >= 10, qPrintable(list.out));
    for (const QJsonValue& format : formats) {
      const QString entry = format["name"].toString() + ' ' + format["description"].toString() + '.';
      QVERIFY2(plain(section).contains(".TP " + entry, Qt::CaseInsensitive), qPrintable(entry));
    }
    QCOMPARE(section.count(".TP\n"), formats.size());
  }

  // CALIBRATE has a row for every format and column that the reader knows, JSON for every described key of an answer.
  void writesNoRowByHand() {
    QFile file(kSource);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString source = QString::fromUtf8(file.readAll());
    for (const char* name : {".SH CALIBRATE", ".SH JSON"}) {
      const QString written = source.section(name, 1).section(".SH", 0, 0);
      QVERIFY2(written.size() > 100 && !written.contains(".TP") && !written.contains(".IP"), name);
      QVERIFY2(m_roff.section(name, 1).section(".SH", 0, 0).contains(".TP"), name);
    }
    const QString calibrate = m_roff.section(".SH CALIBRATE", 1).section(".SH", 0, 0);
    const auto formats = measurementFormats();
    QVERIFY(formats.size() >= 5 && measuredColumns().size() >= 10);
    QCOMPARE(std::size_t(calibrate.count(".TP\n")), formats.size() + measuredColumns().size());
    for (const MeasurementFormat& format : formats) {
      const QString entry = QString::fromStdString(std::string(format.name) + " " + std::string(format.help) + ".");
      QVERIFY2(plain(calibrate).contains(".TP " + entry, Qt::CaseInsensitive), qPrintable(entry));
    }
    for (const MeasuredColumn& column : measuredColumns()) {
      const QString entry = QString::fromStdString(std::string(column.name) + " " + std::string(column.help) + ".");
      QVERIFY2(plain(calibrate).contains(".TP " + entry), qPrintable(entry));
    }
  }

  void refusesTextsWithoutAnEntry_data() {
    QTest::addColumn<QString>("lines");
    QTest::addColumn<QString>("stated");
    QTest::newRow("unknown") << ".\\\" train --nothing\nMore.\n"
                             << "p2 has no command, option or format \"train --nothing\"";
    QTest::newRow("ambiguous") << ".\\\" --overlap\nMore.\n"
                               << "several commands have their own \"--overlap\"";
    QTest::newRow("twice") << ".\\\" --axes\nMore.\n.\\\" --axes\nMore.\n"
                           << "\"--axes\" has two texts";
    QTest::newRow("none") << "More.\n"
                          << "stands before the first name";
  }
  void refusesTextsWithoutAnEntry() {
    QFETCH(QString, lines);
    QFETCH(QString, stated);
    const QTemporaryDir folder;
    const QString file = folder.filePath("p2.1.in");
    test::writeFile(file, ".SH OPTIONS\n.\\\" @options\n" + lines + ".SH FILES\n");
    QCOMPARE(test::notRefused({"help", "--man-page", file}, stated), QString());
  }

  void isGoodRoff() {
    const QString groff = QStandardPaths::findExecutable("groff");
    if (groff.isEmpty()) QSKIP("groff is not installed");
    QProcess process;
    process.start(groff, {"-man", "-K", "utf8", "-T", "utf8", "-ww", "-z"});
    process.write(m_roff.toUtf8());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(60'000));
    const QString stated = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(process.exitCode() == 0 && stated.isEmpty(), qPrintable(stated));
  }

 private:
  QString m_roff;
  QString m_page;
};

QTEST_APPLESS_MAIN(TestManPage)
#include "tst_man_page.moc"
