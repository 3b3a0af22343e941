// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "manual/manual.h"
#include "tests/app/cli/run_p2.h"

using namespace p2;

namespace {

/// A command of a page and what it is said to print.
struct Command {
  int line = 0;
  QString text;
  QStringList output;  ///< empty where the page does not say; "…" stands for any lines
};

const QString kCode = QStringLiteral("    ");
const QString kPrompt = QStringLiteral("    $ ");
/// Of what is shown and needs other machines.
const QString kElsewhere = QStringLiteral("    here$ ");

QStringList linesOf(const QString& text) {
  QStringList lines = text.split('\n');
  for (QString& line : lines) {
    while (line.endsWith(' ')) line.chop(1);
  }
  while (!lines.isEmpty() && lines.back().isEmpty()) lines.removeLast();
  return lines;
}

QList<Command> commandsOf(const QString& markdown) {
  QList<Command> commands;
  bool isOpen = false;
  const QStringList lines = linesOf(markdown);
  for (int i = 0; i < lines.size(); ++i) {
    if (lines[i].startsWith(kPrompt)) {
      commands << Command{i + 1, lines[i].mid(kPrompt.size()), {}};
      while (commands.back().text.endsWith('\\')) {
        commands.back().text.chop(1);
        commands.back().text += lines[++i].trimmed();
      }
      isOpen = true;
    } else if (isOpen && (lines[i].isEmpty() || lines[i].startsWith(kCode)) && !lines[i].startsWith(kElsewhere)) {
      commands.back().output << lines[i].mid(kCode.size());
    } else {
      isOpen = false;
    }
  }
  for (Command& command : commands) command.output = linesOf(command.output.join('\n'));
  return commands;
}

/// Where a run of lines stands in others from a place on; −1 if nowhere.
qsizetype placeOf(const QStringList& part, const QStringList& whole, qsizetype from) {
  for (qsizetype at = from; at + part.size() <= whole.size(); ++at) {
    if (whole.mid(at, part.size()) == part) return at;
  }
  return -1;
}

/// Whether the lines are those that are expected, where "…" stands for any.
bool matches(const QStringList& expected, const QStringList& lines) {
  QList<QStringList> parts{{}};
  for (const QString& line : expected) {
    if (line == QStringLiteral("…")) {
      parts << QStringList();
    } else {
      parts.back() << line;
    }
  }
  if (parts.size() == 1) return lines == expected;
  if (placeOf(parts.front(), lines, 0) != 0) return false;
  qsizetype next = parts.front().size();
  for (qsizetype i = 1; i + 1 < parts.size(); ++i) {
    const qsizetype at = placeOf(parts[i], lines, next);
    if (at < 0) return false;
    next = at + parts[i].size();
  }
  return lines.size() - parts.back().size() >= next &&
         placeOf(parts.back(), lines, lines.size() - parts.back().size()) >= 0;
}

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString sourcePath(const QString& path) { return QDir(QStringLiteral(P2_SOURCE)).filePath(path); }

QString manualPath(std::string_view name) {
  return sourcePath(QStringLiteral("resources/manual/") + QString::fromUtf8(name.data(), qsizetype(name.size())) +
                    QStringLiteral(".md"));
}

/// The shell in a folder, with our programs and stand-ins for those of other machines.
QProcessEnvironment environment() {
  QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
  const QStringList folders{QFileInfo(test::p2Program()).path(),
                            QFileInfo(qEnvironmentVariable("P2_RUNNER", QStringLiteral(P2_RUNNER))).path(),
                            sourcePath("tests/app/cli/machine"), all.value("PATH")};
  all.insert("PATH", folders.join(':'));
  all.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
  all.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  return all;
}

void carryOut(const QString& page, const QList<Command>& commands) {
  QTemporaryDir folder;
  // What the window exports of its example runs.
  QVERIFY(QFile::copy(sourcePath("resources/runs/testbed-2x4.json"), folder.filePath("runs.json")));
  for (const Command& command : commands) {
    QProcess shell;
    shell.setProcessEnvironment(environment());
    shell.setWorkingDirectory(folder.path());
    shell.start("bash", {"-c", command.text});
    QVERIFY(shell.waitForFinished(900'000));
    const QString stated = QString::fromUtf8(shell.readAllStandardOutput());
    const QString where = QStringLiteral("%1:%2: %3\n%4").arg(page).arg(command.line).arg(command.text, stated) +
                          QString::fromUtf8(shell.readAllStandardError());
    // 1 is a "no", which p2 check may have to say.
    QVERIFY2(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() <= 1, qPrintable(where));
    QVERIFY2(command.output.isEmpty() || matches(command.output, linesOf(stated)), qPrintable(where));
  }
}

/// Of the command lines that are only shown, "here$ p2 …" and `p2 …` inside a text: what p2 does not know of them.
QStringList unknownWordsOf(const QString& markdown) {
  static const QRegularExpression kCommand("(?:^    here\\$ |`)p2 ([a-z]+)([^`\n]*)",
                                           QRegularExpression::MultilineOption);
  static const QRegularExpression kOption("(?<= )--[a-z-]+");
  QStringList unknown;
  for (auto shown = kCommand.globalMatch(markdown); shown.hasNext();) {
    const auto command = shown.next();
    const test::Answer help = test::runP2({command.captured(1), "--help"});
    if (help.status != 0) unknown << command.captured(1);
    // p2 lesson has subcommands of its own.
    const test::Answer sub = test::runP2({command.captured(1), command.captured(2).section(' ', 1, 1), "--help"});
    for (auto options = kOption.globalMatch(command.captured(2)); options.hasNext();) {
      const QString option = options.next().captured();
      if (!(help.out + sub.out).contains(option)) unknown << command.captured(1) + ' ' + option;
    }
  }
  return unknown;
}

}  // namespace

class TestManual : public QObject {
  Q_OBJECT
 private slots:
  void carriesOutItsCommands_data() {
    QTest::addColumn<QString>("path");
    for (const ManualPage& page : manualPages()) {
      QTest::newRow(std::string(page.name).c_str()) << manualPath(page.name);
    }
    QTest::newRow("README") << sourcePath("README.md");
  }
  void carriesOutItsCommands() {
    QFETCH(QString, path);
    const QString markdown = textOf(path);
    QVERIFY(!markdown.isEmpty());
    carryOut(QFileInfo(path).fileName(), commandsOf(markdown));
  }

  void knowsTheCommandsThatItShows_data() { carriesOutItsCommands_data(); }
  void knowsTheCommandsThatItShows() {
    QFETCH(QString, path);
    const QStringList unknown = unknownWordsOf(textOf(path));
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(", ")));
  }

  void comparesWhatIsPrinted() {
    QVERIFY(matches({"a", "b"}, {"a", "b"}));
    QVERIFY(!matches({"a", "b"}, {"a", "c"}));
    QVERIFY(matches({"a", "…", "c"}, {"a", "b", "b", "c"}));
    QVERIFY(!matches({"a", "…", "c"}, {"a", "b", "b"}));
    QVERIFY(matches({"…", "c"}, {"a", "c"}));
    QVERIFY(matches({"a", "…"}, {"a", "c"}));
    QVERIFY(!matches({"…", "b", "…"}, {"a", "c"}));
  }

  void everySubcommandHasItsPlace() {
    const QString commands = textOf(manualPath("commands"));
    static const QRegularExpression kSubcommand("^  ([a-z-]+) {2,}[A-Z]", QRegularExpression::MultilineOption);
    int count = 0;
    for (auto match = kSubcommand.globalMatch(test::runP2({"--help"}).out); match.hasNext(); ++count) {
      const QString name = match.next().captured(1);
      if (!name.startsWith('-')) QVERIFY2(commands.contains("| `p2 " + name + "` |"), qPrintable(name));
    }
    QVERIFY(count > 20);
  }

  void linksLeadSomewhere() {
    static const QRegularExpression kLink("\\]\\(([^)#]+)\\)");
    for (const ManualPage& page : manualPages()) {
      const QFileInfo file(manualPath(page.name));
      for (auto match = kLink.globalMatch(textOf(file.filePath())); match.hasNext();) {
        const QString target = match.next().captured(1);
        if (target.startsWith("https://")) continue;
        QVERIFY2(file.dir().exists(target), qPrintable(file.fileName() + ": " + target));
      }
    }
  }

  void printsItsPages() {
    const test::Answer list = test::runP2({"help"});
    QCOMPARE(list.status, 0);
    for (const ManualPage& page : manualPages()) {
      const QString name = QString::fromUtf8(page.name.data(), qsizetype(page.name.size()));
      QVERIFY2(list.out.contains(name), qPrintable(name));
      const test::Answer answer = test::runP2({"help", name});
      QCOMPARE(answer.status, 0);
      QVERIFY(answer.out.startsWith("# "));
      QVERIFY(!answer.out.contains("!["));
      QVERIFY2(!answer.out.contains(".md)"), qPrintable(answer.out));
    }
    const test::Answer wrong = test::runP2({"help", "nothing"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains("the manual has no page \"nothing\"; use one of training, placements"),
             qPrintable(wrong.err));
  }
};

QTEST_GUILESS_MAIN(TestManual)
#include "tst_manual.moc"
