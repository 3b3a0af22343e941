// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/torchrun_export.h"

#include "explore/run_prediction.h"
#include "exporters/torchrun.h"
#include "remote/launch_command.h"
#include "text/text_file.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/shell/job_queue.h"

namespace p2::views {
namespace {

Result<std::vector<TorchrunJob>> jobsOf(const std::vector<RunOrder>& orders, const std::stop_token& stop) {
  std::vector<TorchrunJob> jobs;
  for (const RunOrder& order : orders) {
    P2_TRY_ASSIGN(const auto plan, makePlan(order.workspace, stop));
    if (orders.size() == 1) return torchrunJobs(plan);
    jobs.push_back({"program " + std::to_string(jobs.size() + 1), 1, false, plan});
  }
  return jobs;
}

Result<int> piecesOf(const RunOrder& order, const std::stop_token& stop) {
  if (order.pieces) return *order.pieces;
  P2_TRY_ASSIGN(const auto best, predictRun(order.workspace, order.bytes, std::nullopt, stop));
  return best.overlapped->chunks;
}

Result<QString> writeScript(const QString& path, const std::vector<RunOrder>& orders, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto jobs, jobsOf(orders, stop));
  P2_TRY_ASSIGN(const auto script, torchrunScript(jobs));
  P2_TRY(writeTextFile(path.toStdString(), script));
  const RunOrder& first = orders.front();
  P2_TRY_ASSIGN(const int pieces, piecesOf(first, stop));
  const TorchrunLaunch launch{shellWord(path.toStdString()), first.target.launch.launcher == "srun", first.bytes,
                              first.repeat, pieces};
  return qs(torchrunCommand(first.workspace.system, launch));
}

}  // namespace

void exportTorchrun(QWidget* parent, JobQueue& jobs, std::vector<RunOrder> orders,
                    std::function<void(Result<QString>)> done, std::function<void()> cancelled) {
  const SaveWish wish{QStringLiteral("torchrunDialog"),
                      QObject::tr("Save as a script for PyTorch"),
                      {QObject::tr("Python script (*.py)")},
                      QStringLiteral("run")};
  askWhereToSave(parent, wish,
                 [&jobs, orders = std::move(orders), done = std::move(done),
                  cancelled = std::move(cancelled)](const QString& path) {
                   const auto work = [path, orders](const std::stop_token& stop, const Progress&) {
                     return writeScript(path, orders, stop);
                   };
                   jobs.start<QString>(QObject::tr("Save as a script for PyTorch"), {}, work, done, cancelled);
                 });
}

}  // namespace p2::views
