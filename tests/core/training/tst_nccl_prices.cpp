// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "cost/flows/link_loads.h"
#include "cost/simulator.h"
#include "support/filled.h"
#include "synthesis/lowering.h"
#include "training/detail/constants.h"
#include "training/detail/nccl_prices.h"
#include "training/detail/ring_prices.h"
#include "workspace/presets.h"

using namespace p2;

/// Prices on drawn links: what a group's place makes of them, and how far rings from bandwidths alone are from them.
class TestNcclPrices : public QObject {
  Q_OBJECT

  static ModelShape llama70() {
    ModelShape model;
    model.layers = 80;
    model.hidden = 8192;
    model.ffn = 28672;
    model.heads = 64;
    model.kvHeads = 8;
    model.vocabulary = 128256;
    return resolved(model);
  }

  struct Drawn {
    TrainingPlan plan;
    std::unique_ptr<NcclPrices> prices;
  };
  static Drawn drawn(const char* preset, TrainingPlan plan, const ModelShape& model) {
    const System system = *parseSystem(preset);
    plan.devices = system.deviceCount();
    plan = resolved(plan);
    const TrainingMesh mesh = *trainingMesh(model, plan);
    const ParallelismMatrix matrix = *defaultPlacement(system, mesh);
    std::optional<ExpertRouting> routing;
    if (model.experts > 0) routing = ExpertRouting{model.experts, model.expertsPerToken};
    auto topology = std::make_shared<const Topology>(*validated(system));
    return {plan, std::make_unique<NcclPrices>(topology, mesh, matrix, routing)};
  }

  /// A mixture whose experts are spread over that many devices.
  struct Experts {
    std::shared_ptr<const Topology> topology;
    TrainingMesh mesh;
    ParallelismMatrix matrix;
    ExpertRouting routing;
  };
  static Experts experts(const char* preset, std::int64_t parallel, const char* version = "2.29.2",
                         std::int64_t all = 64) {
    ModelShape model = llama70();
    model.experts = all;
    model.expertsPerToken = 8;
    model.expertFfn = 2048;
    model = resolved(model);
    System system = *parseSystem(preset);
    system.library.version = version;
    TrainingPlan plan;
    plan.expert = parallel;
    plan.devices = system.deviceCount();
    const TrainingMesh mesh = *trainingMesh(model, resolved(plan));
    return {std::make_shared<const Topology>(*validated(system)), mesh, *defaultPlacement(system, mesh),
            ExpertRouting{model.experts, model.expertsPerToken}};
  }

 private slots:
  void tensorInsideNodesAndDataAcross() {
    TrainingPlan plan;
    plan.tensor = 8;
    const Drawn machine = drawn("dgx-h100:4", plan, llama70());
    const double gibibyte = 1 << 30;
    const double tensor = machine.prices->seconds(TrainingGroup::Tensor, CommunicationKind::AllReduce, gibibyte);
    const double busBandwidth = gibibyte * 2 * 7 / 8 / tensor;
    QVERIFY2(busBandwidth > 250e9 && busBandwidth < 480e9, qPrintable(QString::number(busBandwidth)));
    const double data = machine.prices->seconds(TrainingGroup::Data, CommunicationKind::AllReduce, gibibyte);
    const double dataBandwidth = gibibyte * 2 * 3 / 4 / data;
    QVERIFY2(dataBandwidth > 25e9 && dataBandwidth < 50e9, qPrintable(QString::number(dataBandwidth)));
    QCOMPARE(machine.prices->seconds(TrainingGroup::Expert, CommunicationKind::Dispatch, gibibyte), 0.0);
    QCOMPARE(machine.prices->seconds(TrainingGroup::Pipeline, CommunicationKind::Shift, gibibyte), 0.0);
  }

  void halvesOfAnAllReduceTakeHalfOfIt() {
    TrainingPlan plan;
    plan.tensor = 8;
    const Drawn machine = drawn("dgx-a100:4", plan, llama70());
    for (const TrainingGroup group : {TrainingGroup::Tensor, TrainingGroup::Data}) {
      const double all = machine.prices->seconds(group, CommunicationKind::AllReduce, 4e9);
      const double halves = machine.prices->seconds(group, CommunicationKind::ReduceScatter, 4e9) +
                            machine.prices->seconds(group, CommunicationKind::AllGather, 4e9);
      QVERIFY2(halves > .8 * all && halves < 1.7 * all, qPrintable(QString::number(halves / all)));
    }
  }

  void pipelineAndExperts() {
    ModelShape model = llama70();
    model.experts = 8;
    model.expertsPerToken = 2;
    model.expertFfn = 14336;
    model = resolved(model);
    TrainingPlan plan;
    plan.tensor = 2;
    plan.pipeline = 4;
    plan.expert = 8;
    const Drawn machine = drawn("dgx-h100:8", plan, model);
    QVERIFY(machine.prices->seconds(TrainingGroup::Pipeline, CommunicationKind::Shift, 1e8) > 1e8 / 100e9);
    const double small = machine.prices->seconds(TrainingGroup::Expert, CommunicationKind::Dispatch, 1e7);
    const double large = machine.prices->seconds(TrainingGroup::Expert, CommunicationKind::Dispatch, 1e9);
    QVERIFY(small > 0 && large > 10 * small);
  }

  // Frameworks of one question share traffic, but send tokens to their experts in different ways.
  void placementsThatShareTrafficKeepTheirDispatch() {
    const Experts placed = experts("dgx-h100:8", 64);
    const auto secondsOf = [&](auto traffic, const std::optional<ExpertRouting>& routing) {
      const NcclPrices prices(traffic, placed.mesh, placed.matrix, routing);
      return prices.seconds(TrainingGroup::Expert, CommunicationKind::Dispatch, 1e9);
    };
    const double onceEach = secondsOf(placed.topology, placed.routing);
    const double copies = secondsOf(placed.topology, std::nullopt);
    QVERIFY(onceEach < .9 * copies);
    const auto groups = std::make_shared<NcclGroups>(placed.topology);
    QCOMPARE(secondsOf(groups, placed.routing), onceEach);
    QCOMPARE(secondsOf(groups, std::nullopt), copies);
    QCOMPARE(secondsOf(groups, placed.routing), onceEach);
  }

  // A copy for each node stays on the rail of its sender: with rails inside racks, two nodes of a rack need no spine.
  // Copies for every expert cross it before NCCL 2.12, which had no PXN.
  void theBusiestLinkOfADispatchIsOnItsWay() {
    const auto linkOf = [&](const char* version, bool once) {
      const Experts placed = experts("dgx-h100-racks:2", 16, version);
      const NcclPrices prices(placed.topology, placed.mesh, placed.matrix,
                              once ? std::optional(placed.routing) : std::nullopt);
      return prices.busiestLink(TrainingGroup::Expert, CommunicationKind::Dispatch, 1e9);
    };
    for (const char* version : {"2.29.2", "2.11.4"}) {
      const std::string once = linkOf(version, true);
      QVERIFY2(!once.empty() && once.find("spine") == std::string::npos, once.c_str());
    }
    const std::string copies = linkOf("2.29.2", false);
    QVERIFY2(copies.find("NIC") != std::string::npos && copies.find("spine") == std::string::npos, copies.c_str());
    const std::string old = linkOf("2.11.4", false);
    QVERIFY2(old.find("spine") != std::string::npos, old.c_str());
  }

  // The plan's exchange of tokens, the same AllToAll as a program's step, and the load of the links for it.
  void planProgramAndLinksAgreeOnRailsInRacks_data() {
    QTest::addColumn<QString>("version");
    QTest::addColumn<qint64>("experts");
    QTest::addColumn<bool>("overSpine");
    QTest::newRow("in a rack, with PXN") << "2.29.2" << qint64(16) << false;
    QTest::newRow("in a rack, without") << "2.11.4" << qint64(16) << true;
    QTest::newRow("over both racks") << "2.29.2" << qint64(128) << true;
  }
  void planProgramAndLinksAgreeOnRailsInRacks() {
    QFETCH(QString, version);
    QFETCH(qint64, experts);
    QFETCH(bool, overSpine);
    const Experts placed = this->experts("dgx-h100-racks:2", experts, qPrintable(version), 128);
    const Topology& topology = *placed.topology;
    const NcclPrices prices(placed.topology, placed.mesh, placed.matrix, std::nullopt);
    const double planned = prices.seconds(TrainingGroup::Expert, CommunicationKind::Dispatch, 1e9);

    std::vector<Axis> axes = placed.mesh.axes;
    for (Axis& axis : axes) axis.reduce = std::ranges::count(placed.mesh.expert, axis.name) > 0;
    const SynthesisHierarchy hierarchy(*topology.system(), Placement(axes, placed.matrix));
    const CostOptions options{Algorithm::Auto, Bytes(1e9), 1, "nccl"};
    LoweredStep step{Collective::AllToAll, {}};
    for (const DeviceGroup& group : test::filled(hierarchy.groups({0, hierarchy.levelCount(), false}))) {
      QCOMPARE(qint64(group.size()), experts);
      const std::vector<double> whole(group.size(), 1);
      step.groups.push_back({group, whole, whole});
    }
    const StepCost cost = simulateStep(topology, step, options);
    QVERIFY2(std::abs(planned / cost.seconds - 1) < 1e-9, qPrintable(QString::number(planned / cost.seconds)));

    const LinkLoads loads = linkLoads(topology, step, options);
    double spine = 0;
    double rail = 0;
    for (const LinkId link : topology.links()) {
      const std::string name = topology.linkName(link);
      if (name.find("spine") != std::string::npos) spine = std::max(spine, loads.seconds(link));
      if (name.find("NIC") != std::string::npos) rail = std::max(rail, loads.seconds(link));
    }
    QCOMPARE(spine > 0, overSpine);
    QVERIFY(rail > 0);
    QVERIFY(cost.seconds >= std::max(rail, spine));
    QCOMPARE(topology.linkName(cost.link), prices.busiestLink(TrainingGroup::Expert, CommunicationKind::Dispatch, 1e9));
  }

  /// Of large messages, two models that share no code.
  void ringsAreNear() {
    TrainingPlan plan;
    plan.tensor = 8;
    for (const char* preset : {"dgx-a100:8", "dgx-h100:8"}) {
      const Drawn machine = drawn(preset, plan, llama70());
      const TrainingAccelerator accelerator = *trainingAcceleratorOf(*parseSystem(preset));
      TrainingConfiguration configuration;
      configuration.plan = machine.plan;
      const StepConstants constants(trainingConstants(),
                                    trainingConstants().numbersFor(accelerator.generation, configuration));
      const RingPrices rings(accelerator, machine.plan, 0, constants);
      for (const TrainingGroup group : {TrainingGroup::Tensor, TrainingGroup::Data}) {
        const double ratio = rings.seconds(group, CommunicationKind::AllReduce, 2e9) /
                             machine.prices->seconds(group, CommunicationKind::AllReduce, 2e9);
        QVERIFY2(ratio > .5 && ratio < 2, qPrintable(QString("%1: %2").arg(preset).arg(ratio)));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestNcclPrices)
#include "tst_nccl_prices.moc"
