// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "export_plans.h"
#include "exporters/torchrun.h"
#include "remote/measured_files.h"
#include "runs/measured_program.h"
#include "runs/runs_file.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "tests/core/exporters/torchrun_script.h"

using namespace p2;

namespace {

/// The interpreter with torch; empty where there is none.
QString pythonWithTorch() {
  static const QString found = [] {
    for (const char* name : {"/usr/bin/python3", "python3"}) {
      QProcess python;
      python.start(QLatin1String(name), {"-c", "import torch.distributed as d, sys; sys.exit(not d.is_available())"});
      if (python.waitForFinished(120000) && python.exitStatus() == QProcess::NormalExit && python.exitCode() == 0)
        return QString::fromLatin1(name);
    }
    return QString();
  }();
  return found;
}

const QStringList kQuick{"--spawn", "--bytes", "8000", "--repeat", "1", "--warmup", "0", "--backend", "gloo"};

/// The problem of a run of every job; empty if all elements of all are right.
QString problemOf(const Outcome& outcome, const std::vector<TorchrunJob>& jobs) {
  if (outcome.status != 0 || outcome.runs.size() != jobs.size()) return QString::fromUtf8(outcome.stated);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const RunRecord& run = outcome.runs[i];
    if (!run.result || run.result->wrongElements != 0) return QString::fromStdString(jobs[i].name);
    if (run.result->hosts.size() != std::size_t(jobs[i].workspace().system.deviceCount())) return "hosts";
    const auto* plan = std::get_if<Plan>(&jobs[i].work);
    if (run.result->steps.size() != (plan != nullptr ? plan->steps().size() : 1)) return "steps";
    if (run.plan != (plan != nullptr ? planToJson(*plan) : std::string())) return "another plan";
  }
  return {};
}

}  // namespace

/// The script of p2 export --to torchrun, on processes of this machine.
class TestTorchrunProcesses : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyProgramOnRealProcesses() {
    if (pythonWithTorch().isEmpty()) QSKIP("python3-torch is not installed");
    std::vector<Plan> plans;
    for (const Goal& each : goals()) {
      const auto more = test::plansOfPrograms("node:2 gpu:4", "8", "0", "all", each);
      QVERIFY(!more.empty());
      plans.insert(plans.end(), more.begin(), more.end());
    }
    // All of them, none sampled.
    QCOMPARE(plans.size(), std::size_t{184});
    const auto jobs = jobsOf(plans);
    const Outcome outcome = runScript(pythonWithTorch(), scriptOf(jobs), kQuick);
    const QString problem = problemOf(outcome, jobs);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QVERIFY(outcome.runs[0].result->seconds.median > 0);
  }

  // The documented command, with a stand-in for srun that starts every task with the variables that Slurm sets. Two
  // runs of other programs are two records of one system, side by side.
  // The script's answer is what Runs and A|B show, and p2 calibrate fits to.
  void runsAreComparedAndFitted() {
    if (pythonWithTorch().isEmpty()) QSKIP("python3-torch is not installed");
    const Plan plan =
        test::planOf("node:2@10GB/s gpu:2@100GB/s", "4", "0", "[[2,2]]",
                     "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
    const auto jobs = test::valueOf(torchrunJobs(plan));
    const Outcome outcome = runScript(pythonWithTorch(), scriptOf(jobs), kQuick);
    QCOMPARE(problemOf(outcome, jobs), QString());
    std::vector<MeasuredProgram> measured;
    for (const RunRecord& run : outcome.runs) measured.push_back(measuredProgram(run).value());
    const Workspace& a = jobs[0].workspace();
    const Workspace& b = jobs[1].workspace();
    const MeasuredPair pair = measuredPair(
        measured, {a.system.name, recordedAxes(a.axes), a.matrix.text(), a.program, b.matrix.text(), b.program});
    QVERIFY(pair.a && pair.b && pair.equal);
    QCOMPARE(pair.a->ranks, std::size_t{4});
    QVERIFY2(QString::fromStdString(measuredText(pair, "A", "B")).contains("(torch-gloo, 4 ranks, 8.00 kB)"),
             measuredText(pair, "A", "B").c_str());
    const auto file = test::valueOf(measurementsIn(runsToJson(outcome.runs), "runs.json", a.system));
    QCOMPARE(file.measurements.size(), std::size_t{2});
    for (const MeasuredTime& one : test::filled(file.measurements)) QVERIFY(one.seconds > 0);
  }

  void slurmStartsTheRanks() {
    if (pythonWithTorch().isEmpty()) QSKIP("python3-torch is not installed");
    QTemporaryDir folder;
    const auto write = [&](const QString& name, const QByteArray& content) {
      QFile file(folder.filePath(name));
      if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write");
      file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    write("srun", R"(#!/bin/bash
nodes=1 each=1
while [[ $1 == --* ]]; do
  case $1 in
    --nodes) nodes=$2 ;;
    --ntasks-per-node) each=$2 ;;
    *) echo "srun: $1 is no option" >&2; exit 1 ;;
  esac
  shift 2
done
tasks=()
for ((task = 0; task < nodes * each; ++task)); do
  env SLURM_JOB_ID=$$ SLURM_STEP_NODELIST="localhost,gpu[2-$nodes]" SLURM_NTASKS=$((nodes * each)) SLURM_PROCID=$task \
    SLURM_LOCALID=$((task % each)) SLURM_NODEID=$((task / each)) "$@" &
  tasks+=($!)
done
status=0
for task in "${tasks[@]}"; do wait "$task" || status=1; done
exit $status
)");
    write("python3", "#!/bin/bash\nexec " + pythonWithTorch().toUtf8() + " \"$@\"\n");
    std::vector<RunRecord> records;
    for (const char* program :
         {"root:InsideGroup:AllReduce",
          "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"}) {
      const Plan plan = test::planOf("node:2 gpu:2", "4", "0", "[[2,2]]", program);
      write("run.py", scriptOf(jobsOf({plan})));
      const TorchrunLaunch launch{"run.py", true, Bytes(8000), 1, 1};
      QProcess process;
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
      process.setProcessEnvironment(environment);
      process.setWorkingDirectory(folder.path());
      process.start("bash", {"-c", QString::fromStdString(torchrunCommand(plan.workspace().system, launch))});
      QVERIFY(process.waitForFinished(600000));
      QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
      QFile written(folder.filePath("runs.json"));
      QVERIFY(written.open(QIODevice::ReadOnly));
      const auto runs = test::valueOf(runsFromJson(written.readAll().toStdString()));
      QCOMPARE(runs.size(), std::size_t{1});
      QCOMPARE(runs[0].result->hosts.size(), std::size_t{4});
      QCOMPARE(runs[0].result->wrongElements, std::int64_t{0});
      records.push_back(runs[0]);
    }
    QVERIFY(records[0].plan != records[1].plan);
    QCOMPARE(records[0].result->bytes, records[1].result->bytes);
    QCOMPARE(records[0].result->steps.size(), std::size_t{1});
    QCOMPARE(records[1].result->steps.size(), std::size_t{3});
  }

  // Axes that are not reduced, vectors that do not divide, pieces, computation at the same time.
  void piecesAndComputation() {
    if (pythonWithTorch().isEmpty()) QSKIP("python3-torch is not installed");
    std::vector<Plan> plans = test::plansOfPrograms("node:2 gpu:2", "data=2,tensor=2", "data", "all");
    const auto more = test::plansOfPrograms("node:2 gpu:2", "4", "0", "all", kAllToAllGoal);
    plans.insert(plans.end(), more.begin(), more.end());
    const auto jobs = jobsOf(plans);
    const Outcome outcome = runScript(pythonWithTorch(), scriptOf(jobs),
                                      {"--spawn", "--bytes", "10007", "--repeat", "1", "--warmup", "0", "--backend",
                                       "gloo", "--overlap", "3", "--compute"});
    const QString problem = problemOf(outcome, jobs);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    for (const RunRecord& run : test::filled(outcome.runs)) QCOMPARE(run.result->pieces, 3);
  }

  // All kinds of entries, over every axis, in rings and chains, with replicas.
  void everyEntryOfAStep() {
    if (pythonWithTorch().isEmpty()) QSKIP("python3-torch is not installed");
    StepQuestion question;
    question.system = test::valueOf(parseSystem("node:2 gpu:4"));
    question.workload.name = "all kinds";
    question.workload.axes = {{"data", 2}, {"shards", 2}, {"stages", 2}};
    for (const CommunicationKind kind : kCommunicationKinds) {
      WorkloadEntry entry{std::string(nameOf(kind)), {"data", "shards"}, kind, 40000, 3};
      if (kind == CommunicationKind::Dispatch) entry.routing = ExpertRouting{8, 2};
      question.workload.collectives.push_back(entry);
    }
    question.workload.collectives.push_back({"chain", {"stages"}, CommunicationKind::Shift, 8000, 2});
    question.workload.collectives.back().closed = false;
    question.workload.collectives.push_back(
        {"replicas", {"data", "shards"}, CommunicationKind::ReduceScatter, 8000, 2});
    question.workload.collectives.back().scatter = {"shards"};
    question.workload.collectives.back().overlap.extent = CommunicationOverlap::Extent::Compute;
    const auto ranking = test::valueOf(rankSteps(question));
    std::vector<TorchrunJob> jobs;
    for (const PlacementStep& placement : test::filled(ranking->placements)) {
      const auto more = test::valueOf(torchrunJobs(*ranking, placement));
      QCOMPARE(more.size(), ranking->entries().size());
      jobs.insert(jobs.end(), more.begin(), more.end());
    }
    const QByteArray script = QByteArray::fromStdString(test::valueOf(torchrunScript(jobs, "all kinds")));
    const Outcome outcome = runScript(pythonWithTorch(), script, kQuick);
    const QString problem = problemOf(outcome, jobs);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    // Entries of 40,000 bytes ran with 8,000.
    QVERIFY2(outcome.stated.contains("all kinds: "), outcome.stated.constData());
    QVERIFY2(outcome.stated.contains(" entries ran with fewer bytes than the step has"), outcome.stated.constData());
  }

  // An executor that loses a step ends with wrong elements, and says so.
  void wrongElementsFailTheRun() {
    if (pythonWithTorch().isEmpty()) QSKIP("python3-torch is not installed");
    QByteArray script = scriptOf(jobsOf({test::planOf("gpu:2", "2", "0", "[[2]]")}));
    const QByteArray call = "self.world.dist.all_reduce(piece.data(part.before * self.block), group=group)";
    QVERIFY(script.contains(call));
    script.replace(call, "pass");
    const Outcome outcome = runScript(pythonWithTorch(), script, kQuick);
    QCOMPARE(outcome.status, 1);
    QVERIFY(outcome.runs.size() == 1 && outcome.runs[0].result->wrongElements > 0);
  }
};

QTEST_GUILESS_MAIN(TestTorchrunProcesses)
#include "tst_torchrun_processes.moc"
