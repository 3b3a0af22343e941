// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

/// Where in a source text a match begins, a line each.
QStringList placesOf(const QRegularExpression& pattern, const QString& name, const QString& text) {
  QStringList places;
  for (auto each = pattern.globalMatch(text); each.hasNext();) {
    const auto match = each.next();
    const auto line = text.left(match.capturedStart()).count('\n') + 1;
    places += QStringLiteral("%1:%2: %3").arg(name).arg(line).arg(match.captured().simplified().left(90));
  }
  return places;
}

/// What is counted by writing the number before a plural: "1 devices". Numbers of the program itself (kMostDevices) are
/// never 1, and where a verb in the plural follows, there are several. What counts is countedText(), or counted() in
/// views.
const QRegularExpression kBarePlural(QStringLiteral(
    "std::to_string\\((?!k[A-Z]|JsonLimits::)(?:[^()\"]|\\([^()]*\\))*\\)\\s*\\+\\s*\" (?!(?:is|has|does|takes|fails|"
    "times|needs|gives|holds|works|keys)\\b)[a-zA-Z]+s\\b(?! (?:are|is|were|have|do|make|need)\\b)"));
/// A plural that leaves the choice to the reader.
const QRegularExpression kOpenPlural(QStringLiteral("\"[^\"\\n]*[a-z]\\(s\\)[^\"\\n]*\""));

}  // namespace

/// How the program talks, told by its sources.
class TestTexts : public QObject {
  Q_OBJECT
 private slots:
  void patternsFindWhatTheyAreFor() {
    const auto finds = [](const QRegularExpression& pattern, const char* text) {
      return pattern.match(QString::fromUtf8(text)).hasMatch();
    };
    QVERIFY(finds(kOpenPlural, "tr(\"%1 device(s)\")"));
    QVERIFY(!finds(kOpenPlural, "explicit Parameters(const ModelShape& s)"));
    QVERIFY(finds(kBarePlural, "text += std::to_string(devices.size()) + \" devices\";"));
    QVERIFY(finds(kBarePlural, "std::to_string(count) +\n    \" chunks of\""));
    QVERIFY(!finds(kBarePlural, "std::to_string(kMostDevices) + \" devices\""));
    QVERIFY(finds(kBarePlural, "std::to_string(d) + \" chunks cannot be\""));
    QVERIFY(!finds(kBarePlural, "std::to_string(d) + \" devices are too many\""));
    QVERIFY(!finds(kBarePlural, "\"axis \" + std::to_string(index) + \" is listed twice\""));
  }

  void whatIsCountedIsInTheRightNumber() {
    QStringList faults;
    for (const char* folder : {"core", "app", "views"}) {
      QDirIterator files(QStringLiteral(P2_SOURCES "/%1").arg(folder), {"*.cpp", "*.h"}, QDir::Files,
                         QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QString text = QString::fromUtf8(file.readAll());
        const QString name = file.fileName().mid(int(sizeof P2_SOURCES));
        faults += placesOf(kOpenPlural, name, text) + placesOf(kBarePlural, name, text);
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable('\n' + faults.join('\n')));
  }
};

QTEST_GUILESS_MAIN(TestTexts)
#include "tst_texts.moc"
