// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_export_button.h"

#include <QMenu>

#include "exporters/exporters.h"
#include "views/common/text.h"
#include "views/strategy/strategy_finder.h"

namespace p2::views {

StrategyExportButton::StrategyExportButton(Session& session, StrategyFinder& finder, QWidget* parent)
    : FileButton(session, parent), m_finder(finder) {
  setObjectName(QStringLiteral("strategyExport"));
  setText(tr("Ex&port"));
  setPopupMode(QToolButton::InstantPopup);
  setToolTip(tr("Export: save the strategy that is shown as JSON or as a table (Alt+P)"));
  setAccessibleName(tr("Export the strategy"));
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  for (const ExportFormat& format : exportFormats(ExportSubject::Strategy)) {
    const QString name = qs(format.name);
    QAction* action = menu->addAction(tr("%1 …").arg(name.toUpper()), this, [this, format] { ask(format); });
    action->setObjectName("strategyExport-" + name);
    action->setToolTip(qs(format.description));
  }
  setMenu(menu);
}

void StrategyExportButton::ask(const ExportFormat& format) {
  askForFile({tr("Export the strategy"), QStringLiteral("strategyExportDialog"), QStringLiteral("strategy"),
              qs(format.extension), tr("Exporting the strategy")},
             [this, name = std::string(format.name)] { return contentsAs(name); });
}

FileButton::Contents StrategyExportButton::contentsAs(const std::string& format) const {
  const auto answer = m_finder.answer();
  if (!answer) return {};
  const std::size_t shown = std::min(m_strategy, answer->solution.strategies.size() - 1);
  return [answer, shown, format] {
    const StrategyInstance& instance = *answer->instance;
    return exportStrategy(
        {instance.problem, instance.graph ? &*instance.graph : nullptr, answer->solution.strategies[shown],
         instance.onMesh ? &instance.mapped() : nullptr,
         instance.graph ? std::optional(strategyStepOf(*instance.graph, instance.options)) : std::nullopt},
        format);
  };
}

}  // namespace p2::views
