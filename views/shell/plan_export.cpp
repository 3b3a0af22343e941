// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/plan_export.h"

#include <QFileInfo>
#include <variant>

#include "exporters/exporters.h"
#include "text/text_file.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

Result<std::monostate> written(const QString& path, const std::string& text) {
  P2_TRY(writeTextFile(path.toStdString(), text));
  return std::monostate();
}

}  // namespace

void exportPlanOf(const Workspace& workspace, const DocumentDialogs::ExportTarget& target, JobQueue& jobs,
                  const std::function<void(const QString& trouble)>& settled) {
  const QString name = QFileInfo(target.path).fileName();
  jobs.start<std::monostate>(
      JobQueue::tr("Exporting %1").arg(name), QStringLiteral("export"),
      [target, workspace](const std::stop_token& stop, const Progress&) -> Result<std::monostate> {
        P2_TRY_ASSIGN(const auto plan, makePlan(workspace, stop));
        P2_TRY_ASSIGN(const auto text, exportPlan(plan, target.format));
        return written(target.path, text);
      },
      [settled](const Result<std::monostate>& result) { settled(result.ok() ? QString() : qs(result.error().text())); },
      [settled, name] { settled(JobQueue::tr("Exporting %1 was stopped.").arg(name)); });
}

}  // namespace p2::views
