// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <map>
#include <random>
#include <set>

#include "explore/comparison.h"
#include "explore/gain_parts.h"
#include "support/fixtures.h"
#include "views/common/text.h"
#include "views/start/finding.h"

using namespace p2;
using namespace p2::views;
using p2::test::valueOf;

namespace {

constexpr int kDocuments = 60;

struct Machine {
  std::int64_t nodes = 1;
  std::int64_t gpus = 1;
  bool latency = false;
  std::array<double, 2> bandwidths{};
  QString text;
};

/// Bytes through the busiest port of a node (0) and of a GPU (1), counted by hand for rings.
using Ports = std::array<double, 2>;

/// A draw without a distribution of the library, whose results differ between libraries.
template <class Values>
auto anyOf(std::mt19937& dice, const Values& values) {
  return *(std::begin(values) + dice() % std::size(values));
}

Machine machineOf(std::mt19937& dice) {
  Machine machine;
  machine.nodes = anyOf(dice, std::array{2, 3, 4, 6});
  machine.gpus = anyOf(dice, std::array{2, 4, 6, 8});
  machine.latency = dice() % 2 == 0;
  const auto network = anyOf(dice, std::array{5, 8, 25, 50, 200});
  const auto inside = anyOf(dice, std::array{60, 200, 270, 450});
  machine.bandwidths = {network * 1e9, inside * 1e9};
  const QString latency = machine.latency ? QStringLiteral(",%1us") : QString();
  machine.text = QStringLiteral("node:%1@%2GB/s%3 gpu:%4@%5GB/s%6")
                     .arg(machine.nodes)
                     .arg(network)
                     .arg(machine.latency ? latency.arg(anyOf(dice, std::array{5, 12, 30})) : latency)
                     .arg(machine.gpus)
                     .arg(inside)
                     .arg(machine.latency ? latency.arg(anyOf(dice, std::array{1, 3})) : latency);
  return machine;
}

Workspace documentOf(std::mt19937& dice, const Machine& machine) {
  const std::int64_t devices = machine.nodes * machine.gpus;
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 2; size <= devices; ++size) {
    if (devices % size == 0) sizes.push_back(size);
  }
  const std::int64_t data = anyOf(dice, sizes);
  const std::string axes = data == devices
                               ? "data=" + std::to_string(data)
                               : "data=" + std::to_string(data) + ",model=" + std::to_string(devices / data);
  Workspace workspace = test::workspaceOf(machine.text.toStdString(), axes, "data");
  workspace.options.cost.model = "paper";
  workspace.options.cost.algorithm = Algorithm::Ring;
  workspace.options.cost.bytes = Bytes(std::pow(10, 3 + double(dice() % 7)) * (1 + double(dice() % 8)));
  workspace.options.cost.repeat = 1;
  return workspace;
}

/// 2(n − 1)/n for the steps that pass twice through a ring of n, (n − 1)/n for those that pass once; the others are not
/// counted here.
std::optional<double> ringFactor(Collective collective, std::size_t n) {
  const double share = double(n - 1) / double(n);
  if (collective == Collective::AllReduce) return 2 * share;
  if (collective == Collective::ReduceScatter || collective == Collective::AllGather) return share;
  return std::nullopt;
}

/// Every member of a ring sends to the next one in device order: edges that leave a node load its port, all edges load
/// those of their GPUs. Nothing for programs with other collectives.
std::optional<Ports> portsOf(const Exploration& exploration, const PlacementResult& result, const Program& program,
                             const Machine& machine) {
  const Workspace& workspace = exploration.workspace;
  const Placement placement(workspace.axes, result.matrix);
  const auto trace = valueOf(ProgramTrace::run(placement, *result.hierarchy, program, workspace.options.rules));
  std::map<std::int64_t, double> out[2];
  std::map<std::int64_t, double> in[2];
  for (std::size_t step = 0; step < program.size(); ++step) {
    const Instruction& instruction = program[step];
    // The hierarchy is that of the reduction; each of its groups stands for one in every reduction group.
    for (const DeviceGroup& group : result.hierarchy->groups(instruction.pattern)) {
      const auto factor = ringFactor(instruction.collective, group.size());
      if (!factor) return std::nullopt;
      const int after = int(step) + (instruction.collective == Collective::AllGather ? 1 : 0);
      const double chunks = double(trace.holdingOf(group[0], after).chunks);
      const double bytes = *factor * chunks / double(trace.chunks()) * workspace.options.cost.bytes.value();
      DeviceGroup ring = group;
      std::sort(ring.begin(), ring.end());
      for (std::size_t i = 0; i < ring.size() && ring.size() > 1; ++i) {
        const std::int64_t from = ring[i].value();
        const std::int64_t to = ring[(i + 1) % ring.size()].value();
        out[1][from] += bytes;
        in[1][to] += bytes;
        if (from / machine.gpus == to / machine.gpus) continue;
        out[0][from / machine.gpus] += bytes;
        in[0][to / machine.gpus] += bytes;
      }
    }
  }
  Ports ports{};
  for (std::size_t level = 0; level < 2; ++level) {
    for (const auto* side : {&out[level], &in[level]}) {
      for (const auto& [port, bytes] : *side) ports[level] = std::max(ports[level], bytes);
    }
  }
  return ports;
}

/// Seconds that remain of a vector of next to nothing.
double latencyOf(const Exploration& exploration, const PlacementResult& result, const Program& program) {
  Workspace empty = exploration.workspace;
  empty.options.cost.bytes = Bytes(1e-3);
  return valueOf(evaluateProgram(empty, result.matrix, program)).seconds;
}

std::int64_t nodesOf(const Exploration& exploration, const PlacementResult& result, const Machine& machine) {
  const Placement placement(exploration.workspace.axes, result.matrix);
  std::set<std::int64_t> nodes;
  for (const Device device : placement.groupMembers(0)) nodes.insert(device.value() / machine.gpus);
  return std::int64_t(nodes.size());
}

/// "2.15 instead of 4.16 GB", as the sentence writes it.
QString insteadOf(const QString& now, const QString& before) {
  const QString unit = now.section(' ', 1);
  return (before.section(' ', 1) == unit ? now.section(' ', 0, 0) : now) + " instead of " + before;
}

bool explained(double before, double now, double factor) {
  if (!(before > 0) || !(now > 0)) return false;
  return std::abs(before / now / factor - 1) <= 0.1 && before / now - 1 >= (factor - 1) / 2;
}

}  // namespace

/// Every reason that the window gives for one time being shorter than another, derived again from prices and from
/// rings counted by hand, on random documents.
class TestReasons : public QObject {
  Q_OBJECT

  static void row(const char* name) { QTest::newRow(name) << QByteArray(name).toUInt(); }

  /// A reason by bytes stands in the sentence exactly where the bytes explain the factor, and with the bytes as
  /// counted. `part` is the text that the factor begins.
  static void byBytes(const QString& part, double before, double now, double factor, const QString& owner) {
    const bool reported = part.contains(" through the busiest port of ");
    QVERIFY2(reported == explained(before, now, factor),
             qPrintable(QString("%1: %2, %3, %4").arg(part).arg(before).arg(now).arg(factor)));
    if (!reported) return;
    const QString text =
        insteadOf(bytesText(Bytes(now)), bytesText(Bytes(before))) + " through the busiest port of " + owner;
    QVERIFY2(part.contains(text), qPrintable(part + " should say " + text));
  }

 private slots:
  void theFinding_data() {
    QTest::addColumn<unsigned>("seed");
    for (int seed = 0; seed < kDocuments; ++seed) row(QByteArray::number(seed));
  }
  void theFinding() {
    QFETCH(const unsigned, seed);
    std::mt19937 dice(seed);
    const Machine machine = machineOf(dice);
    const Workspace workspace = documentOf(dice, machine);
    const auto exploration = valueOf(exploreWorkspace(workspace, {}));
    const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
    const int reference =
        exploration->defaultPlacement >= 0 ? exploration->defaultPlacement : exploration->bestPlacement;
    const PlacementResult& standard = exploration->placements[std::size_t(reference)];
    const Program& program = best.programs.front().program;
    const double seconds = best.programs.front().seconds;
    const QString finding = findingOf(*exploration, valueOf(gainPartsWithBytes(*exploration)));
    if (!(seconds < standard.singleSeconds * 0.995)) {
      QVERIFY2(finding.contains(" is just as fast."), qPrintable(finding));
      return;
    }
    const double byPlacement = standard.singleSeconds / best.singleSeconds;
    const double byProgram = best.singleSeconds / seconds;
    QVERIFY2(finding.startsWith(QString("The best plan takes %1, %2 faster than ")
                                    .arg(secondsText(seconds), factorText(byPlacement * byProgram))),
             qPrintable(finding));
    const auto single = singleProgram(*best.hierarchy);
    const auto singlePorts = portsOf(*exploration, best, single, machine);
    const auto usualPorts = portsOf(*exploration, standard, singleProgram(*standard.hierarchy), machine);
    const auto bestPorts = portsOf(*exploration, best, program, machine);
    QVERIFY(singlePorts && usualPorts);
    // The port that decides the reference is the one that takes longest.
    const std::size_t level =
        (*usualPorts)[0] / machine.bandwidths[0] >= (*usualPorts)[1] / machine.bandwidths[1] ? 0 : 1;
    const QString owner = level == 0 ? "a node" : "a gpu";
    const QString placementPart = finding.section(" from the program ", 0, 0);
    const bool splits = finding.contains(" from crossing ") || finding.contains(" from staying inside ") ||
                        finding.contains(" from the placement");
    if (std::abs(byPlacement - 1) > 0.005) {
      QVERIFY2(splits, qPrintable(finding));
      const std::int64_t now = nodesOf(*exploration, best, machine);
      const std::int64_t before = nodesOf(*exploration, standard, machine);
      const QString reason = now == before ? QString("from the placement")
                             : now == 1    ? QString("from staying inside a node instead of crossing %1").arg(before)
                                           : QString("from crossing %1 nodes instead of %2").arg(now).arg(before);
      QVERIFY2(placementPart.contains(reason), qPrintable(placementPart + " should say " + reason));
      byBytes(placementPart, (*usualPorts)[level], (*singlePorts)[level], byPlacement, owner);
    } else {
      QVERIFY2(!splits, qPrintable(finding));
    }
    if (QTest::currentTestFailed() || std::abs(byProgram - 1) <= 0.005 || !bestPorts) return;
    const QString programPart = finding.section(" from the program ", 1);
    QVERIFY2(!programPart.isEmpty(), qPrintable(finding));
    byBytes(programPart, (*singlePorts)[level], (*bestPorts)[level], byProgram, owner);
    if (!programPart.contains(" of latency")) return;
    const double before = latencyOf(*exploration, best, single);
    const double now = latencyOf(*exploration, best, program);
    QVERIFY2(before - now >= 0.49 * (best.singleSeconds - seconds), qPrintable(finding));
    QVERIFY2(programPart.contains(insteadOf(secondsText(now), secondsText(before)) + " of latency"),
             qPrintable(finding));
  }

  void aAndB_data() { theFinding_data(); }
  void aAndB() {
    QFETCH(const unsigned, seed);
    std::mt19937 dice(seed);
    const Machine machine = machineOf(dice);
    const Workspace workspace = documentOf(dice, machine);
    const auto exploration = valueOf(exploreWorkspace(workspace, {}));
    const PlacementResult& placement = exploration->placements[std::size_t(exploration->bestPlacement)];
    const Placement placed(workspace.axes, placement.matrix);
    const ProgramResult& other = placement.programs[dice() % placement.programs.size()];
    const Program single = singleProgram(*placement.hierarchy);
    const auto contestant = [&](const std::string& name, const Program& program, double seconds) {
      const auto trace = valueOf(ProgramTrace::run(placed, *placement.hierarchy, program, workspace.options.rules));
      Contestant one{name, seconds, {}, valueOf(portBytes(*exploration->topology, trace, workspace.options.cost))};
      one.latencySeconds = latencyOf(*exploration, placement, program);
      return one;
    };
    const Contestant a = contestant("A", other.program, other.seconds);
    const Contestant b = contestant("B", single, placement.singleSeconds);
    const QString text = QString::fromStdString(comparisonText(workspace.system, a, b));
    const auto byA = portsOf(*exploration, placement, other.program, machine);
    const auto byB = portsOf(*exploration, placement, single, machine);
    QVERIFY(byB);
    const bool same = std::abs(a.seconds / b.seconds - 1) <= 0.005;
    QCOMPARE(text.contains(" take the same time, "), same);
    if (!byA) return;
    for (const std::size_t level : {0, 1}) {
      const QString port = level == 0 ? "through the busiest port of a node " : "through the busiest port of a gpu ";
      if (!text.contains(port)) continue;
      const auto sent = [](double bytes) { return bytes > 0 ? bytesText(Bytes(bytes)) : QString("nothing"); };
      const QString bytes = std::abs((*byA)[level] - (*byB)[level]) <= 1e-6 * (*byB)[level]
                                ? "both send " + sent((*byA)[level])
                                : "A sends " + sent((*byA)[level]) + ", B " + sent((*byB)[level]);
      QVERIFY2(text.contains(port + bytes), qPrintable(text + " should say " + bytes));
      if (same) continue;
      const bool faster = a.seconds < b.seconds;
      const bool reason = faster ? explained((*byB)[level], (*byA)[level], b.seconds / a.seconds)
                                 : explained((*byA)[level], (*byB)[level], a.seconds / b.seconds);
      const bool byRate = text.contains(" on average") || text.contains("which is not the reason");
      QVERIFY2(byRate != reason, qPrintable(text));
    }
    if (!text.contains("latency takes")) return;
    QVERIFY((a.latencySeconds - b.latencySeconds) / (a.seconds - b.seconds) >= 0.49);
    QVERIFY2(text.contains(secondsText(a.latencySeconds) + " of it in A, " + secondsText(b.latencySeconds) + " in B"),
             qPrintable(text));
  }

  // The documents reach every kind of sentence.
  void theDocumentsAreMixed() {
    std::map<QString, int> seen;
    for (unsigned seed = 0; seed < kDocuments; ++seed) {
      std::mt19937 dice(seed);
      const Machine machine = machineOf(dice);
      const auto exploration = valueOf(exploreWorkspace(documentOf(dice, machine), {}));
      const QString finding = findingOf(*exploration, valueOf(gainPartsWithBytes(*exploration)));
      for (const char* part : {" is just as fast", " from the program ", " from crossing ", " from staying inside ",
                               " through the busiest port of ", " of latency"}) {
        seen[part] += finding.contains(part);
      }
    }
    for (const auto& [part, count] : seen) QVERIFY2(count > 0, qPrintable(part));
  }
};

QTEST_GUILESS_MAIN(TestReasons)
#include "tst_reasons.moc"
