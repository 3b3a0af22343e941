// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::notRefused;
using p2::test::planFileIn;
using p2::test::runP2;
using p2::test::writeFile;

/// Every mistake of a user: exit status 2, nothing on stdout, one line on stderr that names it.
class TestCliErrors : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    write("empty.json", "");
    write("truncated.json", R"({"format": "p2-workspace", "version": 1, "system")");
    write("newer.json", R"({"format": "p2-workspace", "version": 2})");
    write("other.json", R"({"format": "p3", "version": 1})");
    write("level.json", R"({"format": "p2-system", "version": 1, "levels": [{"name": "gpu", "count": "x"}]})");
  }
  void init() { p2::test::failOnWarnings(); }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    arguments();
    systems();
    axes();
    options();
    files();
    tooLarge();
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(arguments, part), QString());
  }

  // As scripts write for a variable that is not set.
  void refusesEmptyValues_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("option");
    const QString plan = planFileIn(m_folder);
    QTest::newRow("a target") << QStringList{"run", plan, "--target", ""} << "--target";
    QTest::newRow("a target, joined") << QStringList{"run", plan, "--target="} << "--target";
    QTest::newRow("before another option") << QStringList{"run", plan, "--hostfile=", "--json"} << "--hostfile";
    QTest::newRow("one that needs no value") << QStringList{"run", plan, "--overlap", ""} << "--overlap";
    QTest::newRow("of a list") << QStringList{"run", plan, "--env", "A=1", "--env", ""} << "--env";
    QTest::newRow("a short one") << good("plan", {"--program", "1", "-o", ""}) << "-o";
  }
  void refusesEmptyValues() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, option);
    const Answer answer = runP2(arguments);
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.out, QString());
    QCOMPARE(answer.err, "p2: " + option + ": its value is empty; give one, or leave the option out\n");
  }

  // A figure has the range of what it is, whichever option it is given to.
  void refusesAbsurdFigures_data() {
    QTest::addColumn<QStringList>("arguments");
    const QStringList strategy{"strategy", "resnet50"};
    const QStringList step{"step", "gcp-a100:4", "--workload", "gpt3-175b-a100-96x8"};
    QTest::newRow("--flops") << strategy;
    QTest::newRow("--bandwidth") << strategy;
    QTest::newRow("--device-memory") << strategy;
    QTest::newRow("--memory-bandwidth") << strategy;
    QTest::newRow("--memory") << strategy;
    QTest::newRow("--compute-seconds") << step;
    QTest::newRow("--slowdown") << step;
    QTest::newRow("--nic") << QStringList{"import", "/dev/null"};
    QTest::newRow("--bytes") << QStringList{"run", planFileIn(m_folder)};
  }
  void refusesAbsurdFigures() {
    QFETCH(QStringList, arguments);
    const QString option = QTest::currentDataTag();
    const Answer answer = runP2(arguments + QStringList{option, "1e308"});
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.out, QString());
    QVERIFY2(answer.err.startsWith("p2: " + option + ": "), qPrintable(answer.err));
    QVERIFY2(answer.err.contains(" 1e6\n") || answer.err.contains("1e9\n") || answer.err.contains("1e18"),
             qPrintable(answer.err));
  }

 private:
  void write(const QString& name, const char* text) { writeFile(m_folder.filePath(name), text); }

  static void row(const char* name, const QStringList& arguments, const QString& part) {
    QTest::newRow(name) << arguments << part;
  }
  /// A good request for 2 × 4 devices with more arguments behind it.
  static QStringList good(const char* command, const QStringList& more) {
    return QStringList{command, "node:2 gpu:4", "--axes", "4,2", "--reduce", "0"} + more;
  }

  static void arguments() {
    row("nothing", {}, "a subcommand is needed");
    row("no such subcommand", {"strategem"}, "there is no subcommand \"strategem\"");
    row("no system", {"programs"}, "SYSTEM is required; see p2 programs --help");
    row("no axes", {"placements", "gpu:8"}, "--axes is required");
    row("no reduction", {"programs", "gpu:8", "--axes", "8"}, "--reduce is required");
    row("no value", {"placements", "gpu:8", "--axes"}, "--axes needs a value");
    row("option twice", good("programs", {"--axes", "2,4"}), "--axes is given more than once");
    row("unknown option", good("programs", {"--fast"}), "p2 programs has no option --fast; see p2 programs --help");
    row("an argument too many", {"strategy", "transformer", "gcp-a100:2"},
        "p2 strategy takes FILE, so there is no place for \"gcp-a100:2\"; see p2 strategy --help");
    row("one argument too many", good("programs", {"more"}), "more");
    row("best and count", good("programs", {"--best", "1", "--count"}), "excludes");
    row("newline in a system", {"placements", "a\nb", "--axes", "2"}, "\"a\" is not a level");
    row("newline in a name", {"placements", "no/a\nb.json", "--axes", "2"}, "a\\nb");
  }

  static void systems() {
    row("empty system", {"placements", "", "--axes", "2"}, "the system is empty");
    row("unknown preset", {"placements", "gcp-h100:4", "--axes", "4"}, "\"gcp-h100\" is not a known system");
    row("preset without nodes", {"placements", "gcp-a100:x", "--axes", "4"}, "whole number of nodes");
    row("level without a count", {"placements", "node gpu:4", "--axes", "4"}, "\"node\" is not a level");
    row("count 0", {"placements", "node:0", "--axes", "4"}, "it needs 1 or more");
    row("10^12 devices", {"placements", "node:1000000 gpu:1000000", "--axes", "1000000000000"},
        "more than 16777216 devices");
    row("bandwidth per second", {"placements", "node:2@8GB/s gpu:4@fast", "--axes", "8"},
        "\"fast\" is not a bandwidth");
    row("file with a count", {"placements", "./gpu:8", "--axes", "8"}, "SYSTEM: ./gpu:8: there is no such file");
    row("count beyond 64 bits", {"placements", "node:99999999999999999999", "--axes", "4"}, "is not a level");
  }

  static void axes() {
    row("sizes that do not multiply", {"placements", "node:2 gpu:4", "--axes", "4,3"}, "axis1 = 2 would fit");
    row("size 0", {"placements", "gpu:8", "--axes", "0,8"}, "an axis needs size 1 or more");
    row("negative sizes", {"placements", "gpu:8", "--axes", "-2,-4"}, "an axis needs size 1 or more");
    row("no number", {"placements", "gpu:8", "--axes", "x"}, "\"x\" is not an axis");
    row("huge sizes", {"placements", "gpu:8", "--axes", "9223372036854775807,9"}, "over 2^63");
    row("no axes", {"placements", "gpu:8", "--axes", ""}, "--axes: its value is empty");
    row("no such axis", {"programs", "gpu:8", "--axes", "8", "--reduce", "1"}, "no axis \"1\"");
    row("no such name", {"programs", "gpu:8", "--axes", "data=8", "--reduce", "shards"}, "no axis \"shards\"");
    row("nothing to reduce", {"programs", "gpu:8", "--axes", "8,1", "--reduce", "1"}, "nothing to reduce");
  }

  static void options() {
    row("no matrix", good("programs", {"--matrix", "2,2"}), "is not a parallelism matrix");
    row("matrix of another shape", good("programs", {"--matrix", "[[2,4]]"}), "it needs 2 rows");
    row("matrix of another product", good("programs", {"--matrix", "[[2,4],[1,1]]"}), "row 0 of the matrix");
    row("limit", good("programs", {"--limit", "45"}), "--limit: \"45\" is out of range; use 1 to 44");
    row("rules", good("programs", {"--rules", "none"}), "--rules: \"none\" is not a rule set");
    row("best", good("programs", {"--best", "0"}), "--best: 0 is out of range");
    row("within", good("programs", {"--within", "much"}), "--within: \"much\" is not a share");
    row("within less", good("programs", {"--within", "-5%"}), "is not a share");
    row("within five of what", good("programs", {"--within", "5"}),
        "--within: \"5\" alone is 500 percent; write 5%, or 500% to");
    row("within and best", good("programs", {"--within", "5%", "--best", "1"}), "excludes");
    row("hierarchy", good("programs", {"--hierarchy", "tree"}), "--hierarchy: \"tree\"");
    row("model", good("simulate", {"--model", "magic"}),
        "--model: \"magic\" is not a cost model of this version, which has: paper");
    row("sweep: over", good("sweep", {"--over", "wire"}), "--over: \"wire\" cannot be swept over");
    row("sweep: over without a name", good("sweep", {"--over", "latency"}),
        "--over: \"latency\" names no interconnect");
    const QStringList varied{"what-if", "llama3-8b", "dgx-h100:1", "--batch", "16", "--vary", "nodes=1,2"};
    row("what-if: power", varied + QStringList{"--power", "nan"}, "--power: \"nan\" is not a number such as 700");
    row("what-if: tokens", varied + QStringList{"--tokens", "1e-320"},
        "--tokens: \"1e-320\" is out of range; use 1 to 1e");
    row("import: an unknown GPU", {"import", "--synthetic", "pack:2 core:4", "--gpu", "GTX"}, "--gpu: ");
    const QStringList compared{"compare", "node:2 gpu:4", "node:2 gpu:4"};
    row("compare: a choice of no training", compared + QStringList{"--axes", "8", "--reduce", "0", "--fix", "tp=2"},
        "--fix requires --train");
    row("compare: a size of no program", compared + QStringList{"--train", "llama3-8b", "--bytes", "1GB"},
        "--bytes requires --axes");
    const QStringList rails{"sweep", "dgx-h100:4", "--axes", "32", "--reduce", "0", "--over"};
    row("sweep: over what joins nothing itself", rails + QStringList{"bandwidth:node"},
        "--over: \"node\" is not an interconnect of this system that carries anything; use \"NVSwitch\", \"NIC\", "
        "\"rail\"");
    row("sweep: over one of several of a name",
        {"sweep", "rack:2@9GB/s server:4@8GB/s gpu:8", "--axes", "64", "--reduce", "0", "--over", "latency:network"},
        "use \"rack\", \"server\", \"NVSwitch\"");
    row("sweep: one size of all", good("sweep", {"--bytes", "1MB"}), "--bytes: --over bytes sweeps over sizes");
    row("sweep: over with a name too many", good("sweep", {"--over", "bytes:gpu"}), "takes no name");
    row("sweep: one size", good("sweep", {"--sizes", "1KB"}), "--sizes: \"1KB\" is not a range");
    row("sweep: falling", good("sweep", {"--sizes", "2KB..1KB"}), "--sizes: \"2KB..1KB\" is an empty range");
    row("sweep: no size", good("sweep", {"--sizes", "1KB..much"}), "--sizes: \"much\"");
    row("sweep: sizes of nodes", good("sweep", {"--over", "nodes", "--sizes", "1..4"}),
        "--sizes: sizes are swept over");
    row("sweep: twice", good("sweep", {"--bytes", "1..4", "--sizes", "1..4"}), "--sizes: the sizes are given twice");
    row("sweep: points", good("sweep", {"--points", "1"}), "--points: 1 is out of range");
    row("sweep: a map of nodes", good("sweep", {"--map", "--over", "nodes"}), "--map: every number of nodes has");
    row("algorithm", good("simulate", {"--algorithm", "star"}), "--algorithm: \"star\"");
    row("bytes", good("simulate", {"--bytes", "nan"}), "--bytes: \"nan\"");
    row("too many bytes", good("simulate", {"--bytes", "1e19"}), "use 1 B to 1e18 B");
    row("repeat", good("simulate", {"--repeat", "0"}), "--repeat: \"0\" is out of range");
    const QStringList matrix{"--matrix", "[[2,2],[1,2]]"};
    row("unknown collective", good("check", matrix + QStringList{"root:InsideGroup:Gather"}), "\"Gather\"");
    row("unknown level", good("check", matrix + QStringList{"rack:InsideGroup:AllReduce"}), "\"rack\"");
    row("no program", good("check", matrix + QStringList{""}), "is not an instruction");
    row("program without a placement", good("plan", {"--program", "root:InsideGroup:AllReduce"}), "add --matrix");
    row("program number", good("plan", {"--program", "999"}), "there are only 50 programs");
    row("program word", good("plan", {"--program", "best"}), "\"best\" is not a whole number");
    row("placements deal nothing out",
        {"placements", "node:2 gpu:4", "--axes", "4,2", "--reduce", "0", "--scatter", "0"}, "--scatter");
    row("no name to write to", good("plan", {"--program", "1", "-o", ""}), "-o: its value is empty");
    row("no folder", good("plan", {"--program", "1", "-o", "/nowhere/plan.json"}), "there is no such folder");
    row("a variable without a value", {"run", "plan.json", "--env", "P2_NOBODY_SETS_THIS"},
        "is neither NAME=VALUE nor the name of a variable that is set here; use one of the two");
    row("no plan", {"run", "--overlap", "4"}, "PLAN is required; see p2 run --help");
    row("export nothing", {"export"}, "a plan file is needed");
  }

  void files() {
    const auto fileRow = [&](const char* name, const char* file, const char* part) {
      row(name, {"placements", m_folder.filePath(file), "--axes", "2"}, part);
    };
    row("too many pieces", {"run", planFileIn(m_folder), "--overlap", "257"},
        "--overlap: 257 is out of range; use 1 to 256");
    row("a plan right behind --overlap", {"run", "--overlap", planFileIn(m_folder), "--bytes", "many"}, "--bytes: ");
    fileRow("missing file", "missing.json", "there is no such file");
    fileRow("directory", ".", "it is a directory; name a file");
    fileRow("empty file", "empty.json", "the file is empty");
    fileRow("truncated file", "truncated.json", "line 1, column 50: the JSON text ends too early");
    fileRow("newer file", "newer.json", "/version: written by a newer version (2)");
    fileRow("other format", "other.json", "/format: \"p3\"");
    fileRow("wrong type", "level.json", "/levels/0/count: \"x\" is not a whole number");
    row("export for hosts", {"export", "plan.json", "--to", "csv", "--hosts", "a"}, "--hosts: only rankfile and slurm");
    row("export for two hosts", {"export", "plan.json", "--to", "slurm", "--hosts", "a", "--hostfile", "b"},
        "excludes");
    row("export for too many hosts", {"export", planFileIn(m_folder), "--to", "rankfile", "--hosts", "a,b,c,d,e,f"},
        "p2: --hosts: 6 hosts for ");
    row("export in no order", {"export", planFileIn(m_folder), "--to", "rankfile", "--order", "model"},
        "p2: --order: \"model\" is not an axis");
    row("calibrate with half a file", {"calibrate", "gpu:8", m_folder.filePath("truncated.json")},
        "truncated.json: line 1, column 50: the JSON text ends too early");
    row("calibrate with one file twice",
        {"calibrate", "gpu:8", m_folder.filePath("level.json"), m_folder.filePath("./level.json")},
        "it is named twice, and its rows would count twice; name every file once");
    row("export an empty file", {"export", m_folder.filePath("empty.json"), "--to", "csv"}, "the file is empty");
    row("export no plan", {"export", m_folder.filePath("level.json"), "--to", "csv"}, "it needs p2-plan");
  }

  static void tooLarge() {
    const QStringList wide{"a:8 b:8 c:8 d:8 e:8 f:8", "--axes", "8,8,8,8,8,8"};
    row("placements", QStringList{"placements"} + wide, "placements, more than 1000000 to list; use --count");
    row("programs", {"programs", "a:2 b:2 c:2 d:2 e:2", "--axes", "32", "--reduce", "0", "--limit", "9"},
        "programs, more than 1000000 to list; use --count, --best K or a smaller --limit");
    row("explicit search", {"programs", "gpu:512", "--axes", "512", "--reduce", "0", "--hierarchy", "system"},
        "use at most 256 devices");
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliErrors)
#include "tst_cli_errors.moc"
