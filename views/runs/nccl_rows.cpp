// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/nccl_rows.h"

#include "base/counted.h"
#include "cost/simulator.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

/// A step of all devices in one group. A device holds a part of the vector before an AllGather and after a
/// ReduceScatter, the whole vector in all other cases.
LoweredStep stepOf(Collective collective, std::int64_t devices) {
  LoweredGroup group;
  for (const Device device : IdRange<Device>(devices)) group.devices.push_back(device);
  const double part = 1.0 / static_cast<double>(devices);
  group.before.assign(group.devices.size(), collective == Collective::AllGather ? part : 1);
  group.after.assign(group.devices.size(), collective == Collective::ReduceScatter ? part : 1);
  return {collective, {group}};
}

}  // namespace

Result<std::vector<RunRow>> rowsFrom(const NcclTests& tests, const Workspace& workspace, const QString& source) {
  const std::string measurer = tests.program == "NCCL Inspector" ? tests.program : "nccl-tests";
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const std::int64_t all = workspace.system.deviceCount();
  const std::int64_t ranks = tests.ranks > 0 ? tests.ranks : all;
  if (ranks > all || ranks < 2) {
    return Error{measurer + " ran on " + countedText(ranks, "rank") + ", and the system has " +
                     countedText(all, "device") + "; open the system that was measured",
                 source.toStdString()};
  }
  P2_TRY_ASSIGN(const auto collective, collectiveFrom(tests.collective));
  const Topology topology(system);
  const LoweredStep step = stepOf(collective, ranks);
  std::vector<RunRow> rows;
  for (const NcclTest& test : tests.sizes) {
    CostOptions options = workspace.options.cost;
    options.bytes = test.bytes;
    options.repeat = 1;
    RunRow row;
    row.when = QDateTime::currentDateTime();
    row.target = source;
    row.system = qs(workspace.system.name);
    row.program = QString("%1 of %2 · %3").arg(qs(tests.collective)).arg(ranks).arg(qs(measurer));
    row.predicted = simulateStep(topology, step, options).seconds;
    const Spread seconds{test.seconds, test.seconds, test.seconds};
    const double bandwidth = test.bytes.value() / test.seconds;
    const double share = flowFactor(collective, traitsOf(collective).shape, ranks);
    row.setResult({"nccl",
                   measurer,
                   {},
                   {},
                   std::vector<std::string>(std::size_t(ranks)),
                   test.bytes,
                   1,
                   test.wrong,
                   seconds,
                   {{tests.collective, ranks, test.bytes, seconds, bandwidth, bandwidth * share}}});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace p2::views
