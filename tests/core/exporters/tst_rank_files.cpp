// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <thread>

#include "export_plans.h"
#include "placement/realisation.h"
#include "support/filled.h"
#include "support/warnings.h"

using namespace p2;

namespace {

QStringList saidIn(const std::string& text) {
  QStringList lines;
  for (const QString& line : QString::fromStdString(text).split('\n', Qt::SkipEmptyParts)) {
    if (!line.startsWith('#')) lines << line;
  }
  return lines;
}

QString commentIn(const std::string& text, const QString& pattern) {
  return QRegularExpression(pattern).match(QString::fromStdString(text)).captured(1);
}

std::string refusal(const Plan& plan, const ExportOptions& options) {
  return exportPlan(plan, "rankfile", options).error().text();
}

/// A plan of one AllReduce over data on racks of 72 GB200.
Plan planOnTrays(const std::string& racks, const std::string& axes, const std::string& matrix) {
  Workspace workspace = test::workspaceOf("rack:" + racks + " gpu:72", axes, "data", matrix);
  workspace.system.accelerator.type = "GB200";
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  workspace.program = programText(hierarchy, singleProgram(hierarchy));
  return test::valueOf(makePlan(workspace));
}

/// Of "mpirun (Open MPI) 5.0.7" the 5; 0 where mpirun is another one.
int openMpiVersion() {
  QProcess mpirun;
  mpirun.start("mpirun", {"--version"});
  mpirun.waitForFinished();
  const QString stated = QString::fromUtf8(mpirun.readAllStandardOutput());
  return QRegularExpression("Open MPI\\) (\\d+)").match(stated).captured(1).toInt();
}

}  // namespace

class TestRankFiles : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // A framework left as it is, its ranks counted through the axes, ends up in the placement.
  void ranksAreWhereTheyBelong() {
    for (const Plan& plan : test::filled(test::plansOfPlacements("node:4 gpu:4", "data=8,tensor=2", "data"))) {
      for (const bool turned : {false, true}) {
        ExportOptions options{{"a", "b", "c", "d"}, {}};
        if (turned) options.order = {"TENSOR", "data"};
        const QStringList ranks = saidIn(test::valueOf(exportPlan(plan, "rankfile", options)));
        const QStringList hosts = saidIn(test::valueOf(exportPlan(plan, "slurm", options)));
        QCOMPARE(ranks.size(), 16);
        QCOMPARE(hosts.size(), 16);
        const Placement placement(plan.workspace().axes, plan.workspace().matrix);
        for (int rank = 0; rank < 16; ++rank) {
          const auto match = QRegularExpression("^rank (\\d+)=([a-d]) slot=([0-3])$").match(ranks[rank]);
          QVERIFY2(match.hasMatch(), qPrintable(ranks[rank]));
          QCOMPARE(match.captured(1).toInt(), rank);
          QCOMPARE(hosts[rank], match.captured(2));
          const qint64 device = (match.captured(2)[0].unicode() - 'a') * 4 + match.captured(3).toInt();
          const auto at = placement.coordinates(Device(device));
          QCOMPARE(turned ? at[1] * 8 + at[0] : at[0] * 2 + at[1], rank);
        }
      }
    }
  }

  // Local ranks count up with the ranks; where they are not the devices in turn, the list says which devices they are.
  void devicesByLocalRank() {
    int reported = 0;
    for (const Plan& plan : test::plansOfPlacements("node:2 cpu:2 gpu:4", "data=4,tensor=4", "data", "node")) {
      const std::string text = test::valueOf(exportPlan(plan, "rankfile"));
      const QString list = commentIn(text, "CUDA_VISIBLE_DEVICES=([0-9,]*)");
      const QString bound = commentIn(test::valueOf(exportPlan(plan, "slurm")), "--gpu-bind=map_gpu:([0-9,]*)");
      QCOMPARE(list, bound);
      reported += !list.isEmpty();
      const QStringList visible =
          list.isEmpty() ? QStringList{"0", "1", "2", "3", "4", "5", "6", "7"} : list.split(',');
      std::map<QString, int> started;
      for (const QString& line : test::filled(saidIn(text))) {
        const auto match = QRegularExpression("^rank \\d+=(node\\d) slot=(\\d)$").match(line);
        QVERIFY(match.hasMatch());
        QCOMPARE(visible[started[match.captured(1)]++], match.captured(2));
      }
    }
    QVERIFY(reported > 0);
  }

  // Slurm 24.11 refuses a number of nodes beside a file that names them.
  void srunFindsTheNodesInTheFile() {
    const std::string text = test::valueOf(exportPlan(test::planOf("node:8 gpu:4", "32", "0", "[[8,4]]"), "slurm"));
    QCOMPARE(commentIn(text, "(srun [^\n]*)"), "srun --distribution=arbitrary --ntasks=32");
  }

  void segmentsAreBlocks() {
    const auto comment = [](const char* system, const char* matrix) {
      return commentIn(test::valueOf(exportPlan(test::planOf(system, "32", "0", matrix), "slurm")), "--segment=(\\d+)");
    };
    QCOMPARE(comment("rack:2 node:4 gpu:4", "[[2,4,4]]"), "4");
    QCOMPARE(comment("rack:1 node:8 gpu:4", "[[1,8,4]]"), "");
    QCOMPARE(comment("node:8 gpu:4", "[[8,4]]"), "");
  }

  // A rack of NVL72 is 18 hosts of four GPUs, and Slurm takes racks as blocks.
  void traysAreHosts() {
    const Plan plan = planOnTrays("2", "data=36,tensor=4", "[[2,18],[1,4]]");
    const std::string text = test::valueOf(exportPlan(plan, "slurm"));
    const QStringList hosts = saidIn(text);
    QCOMPARE(hosts.size(), 144);
    for (int rank = 0; rank < 144; ++rank) QCOMPARE(hosts[rank], QStringLiteral("node%1").arg(rank / 4));
    QCOMPARE(commentIn(text, "--segment=(\\d+)"), "18");
    QCOMPARE(saidIn(test::valueOf(exportPlan(plan, "rankfile")))[143], "rank 143=node35 slot=3");
    QCOMPARE(refusal(plan, {{"a", "b"}, {}}),
             std::string("hosts: 2 hosts for 36 trays; name every tray once, in the order of the devices"));
    QCOMPARE(commentIn(test::valueOf(exportPlan(planOnTrays("1", "data=72", "[[1,72]]"), "slurm")), "--segment=(\\d+)"),
             "");
  }

  // Tensor groups of six start on a tray of four: there ranks are in the order of the GPUs, on the next tray they are
  // not.
  void traysWithOrdersOfTheirOwn() {
    const Plan plan = planOnTrays("1", "data=12,tensor=6", "[[1,12],[1,6]]");
    for (const char* format : {"rankfile", "slurm"}) {
      const std::string text = test::valueOf(exportPlan(plan, format, {{}, {"tensor", "data"}}));
      QCOMPARE(commentIn(text, "(map_gpu)"), "");
      QCOMPARE(commentIn(text, "local rank on node1: CUDA_VISIBLE_DEVICES=([0-9,]*)"), "2,3,0,1");
      QCOMPARE(commentIn(text, "(on node0)"), "");
    }
  }

  void badOptionsAreRefused() {
    const Plan plan = test::planOf("node:2 gpu:4", "data=4,tensor=2", "data", "[[2,2],[1,2]]");
    QCOMPARE(refusal(plan, {{"a"}, {}}),
             std::string("hosts: 1 host for 2 nodes; name every node once, in the order of the devices"));
    QCOMPARE(refusal(plan, {{"a", "b c"}, {}}),
             std::string("hosts: \"b c\" is not the name of a host; use letters, digits, \".\", \"-\" and \"_\""));
    QCOMPARE(refusal(plan, {{}, {"data"}}), std::string("order: the order leaves out \"tensor\"; name every axis"));
    QCOMPARE(refusal(plan, {{}, {"data", "Data"}}),
             std::string("order: \"Data\" is named twice; the axes are data-tensor"));
    QCOMPARE(refusal(plan, {{}, {"pipe"}}), std::string("order: \"pipe\" is not an axis; the axes are data-tensor"));
  }

  // Really started, on as many cores as there are: ranks with the same slot share a core, others do not.
  void openMpiTakesIt() {
    if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty()) QSKIP("mpirun is not installed");
    const int cores = std::min(4, int(std::thread::hardware_concurrency()));
    if (cores < 2) QSKIP("there is one core only");
    const Plan plan = test::planOf("node:1 gpu:4", "data=2,tensor=2", "data", "[[1,2],[1,2]]");
    QString text =
        QString::fromStdString(test::valueOf(exportPlan(plan, "rankfile", {{"localhost"}, {"tensor", "data"}})));
    QCOMPARE(saidIn(text.toStdString())[1], "rank 1=localhost slot=2");
    std::map<int, int> core;
    for (int rank = 0; rank < 4; ++rank) core[rank] = (rank % 2 * 2 + rank / 2) % cores;
    for (int slot = cores; slot < 4; ++slot)
      text.replace(QStringLiteral("slot=%1\n").arg(slot), QStringLiteral("slot=%1\n").arg(slot % cores));
    // Open MPI 5.0.7 takes no hyphen in the path.
    QTemporaryDir folder(QDir::tempPath() + "/ranks_XXXXXX");
    QFile file(folder.filePath("ranks"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    file.close();
    QProcess mpirun;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    mpirun.setProcessEnvironment(environment);
    QStringList arguments{"--host", "localhost:4", "-n", "4"};
    if (openMpiVersion() < 5) {
      arguments << "--rankfile" << file.fileName();
    } else {
      // Where there are fewer cores than ranks, several have one.
      arguments << "--map-by"
                << "rankfile:file=" + file.fileName() << "--bind-to"
                << "core:overload-allowed";
    }
    arguments << "sh"
              << "-c"
              << "echo $OMPI_COMM_WORLD_RANK $(grep Cpus_allowed_list /proc/self/status)";
    mpirun.start("mpirun", arguments);
    QVERIFY(mpirun.waitForFinished(60000));
    QVERIFY2(mpirun.exitCode() == 0, mpirun.readAllStandardError().constData());
    std::map<int, QString> allowed;
    for (const QString& line :
         test::filled(QString::fromUtf8(mpirun.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts))) {
      const QStringList words = line.split(' ');
      QCOMPARE(words.size(), 3);
      allowed[words[0].toInt()] = words[2];
    }
    QCOMPARE(allowed.size(), std::size_t{4});
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) QCOMPARE(allowed[a] == allowed[b], core[a] == core[b]);
    }
  }
};

QTEST_GUILESS_MAIN(TestRankFiles)
#include "tst_rank_files.moc"
