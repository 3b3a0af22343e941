// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/filled.h"
#include "support/fixtures.h"
#include "support/goals.h"
#include "synthesis/execution.h"
#include "synthesis/lowering.h"
#include "synthesis/shard_order.h"

using namespace p2;

namespace {

struct Nodes {
  System system;
  Placement placement = test::wholeReduction(system);
  SynthesisHierarchy hierarchy{system, placement};

  [[nodiscard]] std::set<std::string> programs(const Goal& goal, int limit, RuleSet rules = RuleSet::Paper) const {
    std::set<std::string> texts;
    for (const Program& program : test::valueOf(enumerateExplicitly(placement, hierarchy, rules, limit, goal))) {
      texts.insert(programText(hierarchy, program));
    }
    return texts;
  }
  [[nodiscard]] ProgramTrace trace(const char* program, const Goal& goal, RuleSet rules = RuleSet::Paper) const {
    const Program parsed = test::valueOf(parseProgram(hierarchy, program));
    return test::valueOf(ProgramTrace::run(placement, hierarchy, parsed, rules, goal));
  }
  [[nodiscard]] std::string order(const char* program, const Goal& goal) const {
    const auto order = shardOrder(trace(program, goal));
    return order ? shardOrderText(*order) : "none";
  }
};

}  // namespace

// Programs that frameworks and libraries are known to run are among those found; levels are nodes and GPUs.
class TestKnownPrograms : public QObject {
  Q_OBJECT

  const Nodes m_nodes{test::systemOf({2, 3})};  // levels a and b

 private slots:
  // PyTorch's and Megatron's two-dimensional ReduceScatter and AllGather: either level first.
  void inTwoDimensions() {
    QCOMPARE(m_nodes.programs(kReduceScatterGoal, 5),
             (std::set<std::string>{"root:InsideGroup:ReduceScatter",
                                    "a:InsideGroup:ReduceScatter; a:Parallel(root):ReduceScatter",
                                    "a:Parallel(root):ReduceScatter; a:InsideGroup:ReduceScatter"}));
    QCOMPARE(m_nodes.programs(kAllGatherGoal, 5),
             (std::set<std::string>{"root:InsideGroup:AllGather", "a:InsideGroup:AllGather; a:Parallel(root):AllGather",
                                    "a:Parallel(root):AllGather; a:InsideGroup:AllGather"}));
  }

  // HSDP reduces gradients over both axes and leaves each device the part of its shard: shards inside the node, copies
  // across. It is the AllReduce without its last step, the AllGather of the weights that follows in another pass.
  void hybridShardingIsAnAllReduceWithoutItsLastStep() {
    const char* program = "a:InsideGroup:ReduceScatter; a:Parallel(root):AllReduce; a:InsideGroup:AllGather";
    QVERIFY(m_nodes.programs(kAllReduceGoal, 3).contains(program));
    const ProgramTrace trace = m_nodes.trace(program, kAllReduceGoal);
    QVERIFY(trace.complete());
    for (int device = 0; device < 6; ++device) {
      const int shard = device % 3;
      const Holding held = trace.holdingOf(Device(device), 2);
      QCOMPARE(held, (Holding{2, 6, 6}));
      QCOMPARE(trace.chunksOf(Device(device), 2), (ChunkSet{{2 * shard, 2 * shard + 2}}));
    }
  }

  // ZeRO++'s hpZ keeps a second copy of the weights in every node, so that the AllGather of the backward pass is one of
  // a smaller axis and never leaves it.
  void aSecondaryShardIsGatheredInsideTheNode() {
    const Workspace workspace = test::workspaceOf("node:2 gpu:3", "2,3", "1", "[[2,1],[1,3]]");
    const Placement placement(workspace.axes, workspace.matrix);
    const SynthesisHierarchy hierarchy(workspace.system, placement);
    const auto programs = test::valueOf(enumerateExplicitly(placement, hierarchy, RuleSet::Paper, 5, kAllGatherGoal));
    QCOMPARE(programs.size(), 1u);
    const auto lowered = test::valueOf(lower(placement, hierarchy, programs[0], RuleSet::Paper, kAllGatherGoal));
    QCOMPARE(lowered.size(), 1u);
    QCOMPARE(lowered[0].groups.size(), 2u);
    for (const LoweredGroup& group : lowered[0].groups) {
      QCOMPARE(group.devices.front().value() / 3, group.devices.back().value() / 3);
    }
  }

  // NCCL's PXN exchanges inside the node first, to the GPU on the rail of the destination; DeepSeek's dispatch crosses
  // on its own rail first and spreads inside.
  void allToAllInTwoPhases() {
    const char* pxn = "a:InsideGroup:AllToAll; a:Parallel(root):AllToAll";
    const char* dispatch = "a:Parallel(root):AllToAll; a:InsideGroup:AllToAll";
    QCOMPARE(m_nodes.programs(kAllToAllGoal, 5), (std::set<std::string>{"root:InsideGroup:AllToAll", pxn, dispatch}));
    QCOMPARE(m_nodes.programs(kAllToAllGoal, 5, RuleSet::All), m_nodes.programs(kAllToAllGoal, 5));
    // After the first phase a GPU has what its node sends along its rail, or what its rail sends to its node.
    const ProgramTrace inside = m_nodes.trace(pxn, kAllToAllGoal);
    const ProgramTrace across = m_nodes.trace(dispatch, kAllToAllGoal);
    for (int device = 0; device < 6; ++device) {
      const std::int64_t node = device / 3;
      const std::int64_t rail = device % 3;
      const std::vector<FoldedState> ofNode = inside.partsOf(Device(device), 1);
      QCOMPARE(ofNode.size(), 1u);
      QCOMPARE(ofNode[0].rows, (ChunkSet{{2 * rail, 2 * rail + 2}}));
      QCOMPARE(ofNode[0].columns, (ChunkSet{{3 * node, 3 * node + 3}}));
      const std::vector<FoldedState> ofRail = across.partsOf(Device(device), 1);
      QCOMPARE(ofRail.size(), 1u);
      QCOMPARE(ofRail[0].rows, (ChunkSet{{3 * node, 3 * node + 3}}));
      QCOMPARE(ofRail[0].columns, (ChunkSet{{rail, rail + 1}, {3 + rail, 4 + rail}}));
    }
  }

  // However few chunks a device still has, their blocks are always as much as its whole vector.
  void allToAllAlwaysWorksOnTheWholeVector() {
    for (const char* program : {"a:InsideGroup:AllToAll; a:Parallel(root):AllToAll", "root:InsideGroup:AllToAll"}) {
      const ProgramTrace trace = m_nodes.trace(program, kAllToAllGoal);
      for (const LoweredStep& step : test::filled(loweredProgram(trace, m_nodes.placement.devices()))) {
        for (const LoweredGroup& group : test::filled(step.groups)) QCOMPARE(workingShare(step.collective, group), 1.0);
      }
    }
    const auto graph = test::valueOf(StateGraph::build({2, 3}, RuleSet::Paper, kNoLimit, {}, kAllToAllGoal));
    for (const StateEdge& edge : test::filled(graph->edges()))
      QCOMPARE(edge.shares, std::vector<GroupShare>{GroupShare{}});
  }

  void vanDeGeijnScattersAndGathers() {
    const char* flat = "root:InsideGroup:Scatter; root:InsideGroup:AllGather";
    QVERIFY(m_nodes.programs(kBroadcastGoal, 2).contains(flat));
    QVERIFY(!m_nodes.programs(test::kPlainBroadcastGoal, 5).contains(flat));
    // Across the nodes alone, and then one Broadcast in each.
    QVERIFY(m_nodes.programs(kBroadcastGoal, 3, RuleSet::All)
                .contains("a:Master(root):Scatter; a:Master(root):AllGather; a:InsideGroup:Broadcast"));
  }

  void collectivesOfOtherGoalsAreRefused() {
    const ProgramTrace trace = m_nodes.trace("root:InsideGroup:AllToAll", kReduceScatterGoal);
    QCOMPARE(trace.validSteps(), 0);
    QCOMPARE(
        trace.problem()->text(),
        std::string("step 1: root:InsideGroup:AllToAll: AllToAll is not a step towards ReduceScatter; use AllReduce, "
                    "ReduceScatter, AllGather, Reduce or Broadcast"));
    QCOMPARE(m_nodes.trace("a:InsideGroup:AllToAll", kAllToAllGoal).problem()->text(),
             std::string("the program ends before every device holds a block from each"));
  }

  void shardsKeepTheOrderOfTheScatter() {
    for (const char* kind : {"ReduceScatter", "AllToAll"}) {
      const Goal goal = test::valueOf(goalFrom(kind));
      const std::string scattered(kind);
      QCOMPARE(m_nodes.order(("root:InsideGroup:" + scattered).c_str(), goal), std::string("0,1,2,3,4,5"));
      QCOMPARE(m_nodes.order(("a:Parallel(root):" + scattered + "; a:InsideGroup:" + scattered).c_str(), goal),
               std::string("0,1,2,3,4,5"));
      QCOMPARE(m_nodes.order(("a:InsideGroup:" + scattered + "; a:Parallel(root):" + scattered).c_str(), goal),
               std::string("0,2,4,1,3,5"));
    }
    QCOMPARE(m_nodes.order("root:InsideGroup:AllReduce", kAllReduceGoal), std::string("none"));
    QCOMPARE(m_nodes.order("a:InsideGroup:ReduceScatter", kReduceScatterGoal), std::string("none"));
    QCOMPARE(shardOrderText({3, 1, 2, 0}, 2), std::string("3,1,…"));
    QVERIFY(isInOrder({0, 1, 2}) && !isInOrder({0, 2, 1}));
  }

  // What a library's AllGather leaves: pieces side by side in the order of the group, worked out here step by step.
  void gatheredPiecesLieAsLibrariesPutThem() {
    int outOfOrder = 0;
    for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{2, 3}, {2, 3, 2}, {2, 2, 2, 2}}) {
      const Nodes nodes{test::systemOf(sizes)};
      for (const std::string& text : nodes.programs(kAllGatherGoal, 4)) {
        std::vector<std::vector<std::int64_t>> buffers;
        for (std::int64_t member = 0; member < nodes.hierarchy.deviceCount(); ++member) buffers.push_back({member});
        for (const Instruction& step : test::valueOf(parseProgram(nodes.hierarchy, text))) {
          for (const MemberGroup& group : nodes.hierarchy.memberGroups(step.pattern)) {
            std::vector<std::int64_t> whole;
            for (const MemberId member : group) {
              const auto& piece = buffers[member.index()];
              whole.insert(whole.end(), piece.begin(), piece.end());
            }
            for (const MemberId member : group) buffers[member.index()] = whole;
          }
        }
        const auto order = shardOrder(nodes.trace(text.c_str(), kAllGatherGoal));
        QVERIFY(order.has_value());
        for (const auto& buffer : test::filled(buffers)) QCOMPARE(*order, buffer);
        outOfOrder += isInOrder(*order) ? 0 : 1;
      }
    }
    QVERIFY(outOfOrder > 20);
  }

  // Gathered in the opposite order of levels, what lies out of order lies in order again: nothing is to be copied.
  void oppositeOrdersCancel() {
    const Nodes nodes{test::systemOf({2, 3, 2})};
    int pairs = 0;
    for (const std::string& text : nodes.programs(kReduceScatterGoal, 5)) {
      Program program = test::valueOf(parseProgram(nodes.hierarchy, text));
      const auto scattered = *shardOrder(nodes.trace(text.c_str(), kReduceScatterGoal));
      std::reverse(program.begin(), program.end());
      for (Instruction& step : program) step.collective = Collective::AllGather;
      const auto gathered = *shardOrder(nodes.trace(programText(nodes.hierarchy, program).c_str(), kAllGatherGoal));
      for (std::size_t place = 0; place < gathered.size(); ++place) {
        QCOMPARE(scattered[std::size_t(gathered[place])], std::int64_t(place));
      }
      ++pairs;
    }
    QCOMPARE(pairs, 11);
  }

  void largeGroupsHaveAnOrderToo() {
    const Nodes nodes{test::systemOf({64, 100})};
    const auto order =
        shardOrder(nodes.trace("a:InsideGroup:ReduceScatter; a:Parallel(root):ReduceScatter", kReduceScatterGoal));
    QCOMPARE(order->size(), 6400u);
    QCOMPARE((*order)[1], 64);
    QCOMPARE((*order)[100], 1);
  }
};

QTEST_APPLESS_MAIN(TestKnownPrograms)
#include "tst_known_programs.moc"
