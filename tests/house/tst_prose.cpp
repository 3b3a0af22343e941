// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <map>

namespace {

/// A habit that makes sentences hard to read, and how it is recognised.
struct Mannerism {
  const char* name;
  const char* pattern;
};
constexpr Mannerism kMannerisms[] = {
    {"relative clause instead of a noun",
     "\\bwhat (?:is|it|are|was|were|has|have|had|of|they|that|no|one|a|an|the|must|may|can|cannot|does|do|would|will|"
     "comes|goes|stands)\\b(?![^.;!]*\\?)|\\bwhatever\\b|\\b(?:that|those) of\\b|\\bof which\\b"},
    {"people instead of components",
     "\\b(?:who|whoever|nobody|everybody)\\b(?![^.;!]*\\?)|\\b(?:is|are|was|were|be|being|been) (?:told|said)\\b"},
    {"fragment that needs its neighbour",
     "(?:^|[.;] )(?:The same\\b|Likewise\\b|Of (?:a|an|the|its|their|all|these|those)\\b|Nothing "
     "(?:for|if|where|of)\\b)"},
    {"calque",
     "\\b(?:beside|alike|dear|dearer|dearest|anew|so many|so much|lie|lies|dealt|deals? out|mends?|mended|usual|"
     "otherwise than)\\b"},
    {"aphorism", "\\b(?:worth nothing|all there is|one would|has understood)\\b"},
};

/// Mannerisms in a paragraph of prose. O(its length).
int countIn(const QString& prose) {
  static const QList<QRegularExpression> kPatterns = [] {
    QList<QRegularExpression> patterns;
    for (const Mannerism& each : kMannerisms) {
      patterns << QRegularExpression(each.pattern, QRegularExpression::CaseInsensitiveOption);
    }
    return patterns;
  }();
  int count = 0;
  for (const QRegularExpression& pattern : kPatterns) {
    for (auto match = pattern.globalMatch(prose); match.hasNext(); match.next()) ++count;
  }
  return count;
}

struct SourceProse {
  QStringList comments;  ///< one for each run of lines
  QStringList strings;   ///< literals, as written
};

/// The comments and string literals of a C++ source.
SourceProse proseOf(const QString& source) {
  static const QRegularExpression kToken(
      "^#include[^\\n]*|R\"\\((?<raw>.*?)\\)\"|\"(?<text>(?:\\\\.|[^\"\\\\\\n])*)\"|'(?:\\\\.|[^'\\\\\\n])+'|"
      "(?<line>//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*)|/\\*(?<block>.*?)\\*/",
      QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption);
  static const QRegularExpression kSlashes("\\s*\\n?[ \\t]*///?<?\\s?");
  SourceProse prose;
  for (auto each = kToken.globalMatch(source); each.hasNext();) {
    const QRegularExpressionMatch token = each.next();
    if (token.hasCaptured("line")) {
      prose.comments << token.captured("line").replace(kSlashes, " ").trimmed();
    } else if (token.hasCaptured("block")) {
      prose.comments << token.captured("block").simplified();
    } else if (token.hasCaptured("text")) {
      prose.strings << token.captured("text");
    } else if (token.hasCaptured("raw")) {
      prose.strings << token.captured("raw");
    }
  }
  return prose;
}

/// Mannerisms by kind of text and file; files without any are absent.
using Counts = std::map<QString, std::map<QString, int>>;

QString contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

void add(Counts& counts, const QString& kind, const QString& file, const QStringList& texts) {
  int sum = 0;
  for (const QString& text : texts) sum += countIn(text);
  if (sum > 0) counts[kind][file] = sum;
}

Counts countsUnder(const QString& root) {
  Counts counts;
  const QDir top(root);
  const auto walk = [&](const char* folder, const QStringList& names, const auto& take) {
    QDirIterator all(top.filePath(folder), names, QDir::Files, QDirIterator::Subdirectories);
    while (all.hasNext()) {
      const QString path = all.next();
      take(top.relativeFilePath(path), contentOf(path));
    }
  };
  const auto source = [&](const QString& file, const QString& text) {
    const SourceProse prose = proseOf(text);
    add(counts, "comments", file, prose.comments);
    add(counts, "strings", file, prose.strings);
  };
  for (const char* folder : {"core", "views", "app"}) walk(folder, {"*.h", "*.cpp"}, source);
  const auto paragraphs = [&](const QString& kind) {
    return [&counts, kind](const QString& file, const QString& text) { add(counts, kind, file, text.split("\n\n")); };
  };
  for (const char* folder : {"core", "views", "app"}) walk(folder, {"*.md"}, paragraphs("documents"));
  walk("resources/manual", {"*.md"}, paragraphs("manual"));
  walk("packaging/man", {"*.1", "*.1.in"}, paragraphs("manual"));
  for (const char* folder : {"resources/lessons", "resources/schemas"}) {
    walk(folder, {"*.json"}, [&](const QString& file, const QString& text) {
      add(counts, file.section('/', 1, 1), file, proseOf(text).strings);
    });
  }
  for (const QString& file : top.entryList({"*.md"}, QDir::Files)) {
    add(counts, file == "README.md" ? "manual" : "documents", file, contentOf(top.filePath(file)).split("\n\n"));
  }
  return counts;
}

QString baselinePath() { return QStringLiteral(P2_SOURCES "/tests/data/prose_baseline.csv"); }

/// Lines of "kind,file,count".
Counts countsFrom(const QString& csv) {
  Counts counts;
  for (const QString& line : csv.split('\n', Qt::SkipEmptyParts).mid(1)) {
    const QStringList cells = line.split(',');
    counts[cells.value(0)][cells.value(1)] = cells.value(2).toInt();
  }
  return counts;
}

QString csvOf(const Counts& counts) {
  QString csv = "kind,file,mannerisms\n";
  for (const auto& [kind, files] : counts) {
    for (const auto& [file, count] : files) csv += QStringLiteral("%1,%2,%3\n").arg(kind, file).arg(count);
  }
  return csv;
}

/// How many mannerisms a file may have: its count in the baseline. A file that is not there takes the count of a
/// baseline file of the same name that no longer exists, so that moving a file needs no new baseline.
int allowance(const std::map<QString, int>& baseline, const QString& file, const QDir& root) {
  if (const auto found = baseline.find(file); found != baseline.end()) return found->second;
  int most = 0;
  for (const auto& [other, count] : baseline) {
    const bool sameName = other.section('/', -1) == file.section('/', -1);
    if (sameName && !QFile::exists(root.filePath(other))) most = std::max(most, count);
  }
  return most;
}

}  // namespace

/// Counts mannerisms in comments, messages and the manual, and fails when a file gains one (CONTRIBUTING.md, "Style").
/// P2_PROSE_LOWER=1 writes the present counts to the baseline where they are lower. P2_PROSE_ROOT counts another
/// checkout, without comparing it.
class TestProse : public QObject {
  Q_OBJECT
 private slots:
  void patternsFindMannerisms_data() {
    QTest::addColumn<QString>("prose");
    QTest::addColumn<int>("count");
    const auto row = [](const char* prose, int count) { QTest::newRow(prose) << QString(prose) << count; };
    row("Reader options other than the file's text.", 0);
    row("What is read beside the text.", 2);
    row("What is the fastest program?", 0);
    row("Whoever reads it is told.", 2);
    row("Who reads this?", 0);
    row("Of a stage of the best cuts.", 1);
    row("Cost of a stage of the best cuts.", 0);
    row("The result is worth nothing after a stop.", 1);
  }
  void patternsFindMannerisms() {
    QFETCH(QString, prose);
    QFETCH(int, count);
    QCOMPARE(countIn(prose), count);
  }

  void sourcesAreTakenApart() {
    const SourceProse prose = proseOf(
        "#include \"beside.h\"\n/// One line,\n/// and its end.\nint x = 0;  ///< \"quoted\"\nf(\"a \\\"b\\\"\", "
        "'\"');\n"
        "/* block */ g(R\"(raw \"text\")\");\n");
    QCOMPARE(prose.comments, (QStringList{"One line, and its end.", "\"quoted\"", "block"}));
    QCOMPARE(prose.strings, (QStringList{"a \\\"b\\\"", "raw \"text\""}));
  }

  void noFileGainsMannerisms() {
    const bool isForeign = qEnvironmentVariableIsSet("P2_PROSE_ROOT");
    const QDir root(qEnvironmentVariable("P2_PROSE_ROOT", P2_SOURCES));
    const Counts now = countsUnder(root.path());
    for (const auto& [kind, files] : now) {
      int sum = 0;
      for (const auto& [file, count] : files) sum += count;
      qInfo("%s: %d mannerisms in %d files", qPrintable(kind), sum, int(files.size()));
    }
    if (isForeign) return;
    const Counts baseline = countsFrom(contentOf(baselinePath()));
    QVERIFY2(!baseline.empty(), "tests/data/prose_baseline.csv is missing or empty");
    QStringList faults;
    Counts lowered;
    for (const auto& [kind, files] : now) {
      const auto of = baseline.find(kind);
      for (const auto& [file, count] : files) {
        const int allowed = of == baseline.end() ? 0 : allowance(of->second, file, root);
        if (count > allowed)
          faults << QStringLiteral("%1: %2 in %3, was %4").arg(file).arg(count).arg(kind).arg(allowed);
        if (const int kept = std::min(count, allowed); kept > 0) lowered[kind][file] = kept;
      }
    }
    if (qEnvironmentVariableIsSet("P2_PROSE_LOWER")) {
      QFile file(baselinePath());
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(csvOf(lowered).toUtf8()) > 0);
    }
    QVERIFY2(faults.isEmpty(), qPrintable("\nnew mannerisms, see \"Style\" in CONTRIBUTING.md:\n" + faults.join('\n')));
  }
};

QTEST_GUILESS_MAIN(TestProse)
#include "tst_prose.moc"
