// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_export_button.h"

#include <QFileDialog>
#include <QMenu>

#include "exporters/exporters.h"
#include "text/text_file.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_finder.h"

namespace p2::views {

StrategyExportButton::StrategyExportButton(Session& session, StrategyFinder& finder, QWidget* parent)
    : QToolButton(parent), m_session(session), m_finder(finder) {
  setObjectName(QStringLiteral("strategyExport"));
  setText(tr("Ex&port"));
  setIcon(Theme::icon(QStringLiteral("export")));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  setToolTip(tr("Export: save the strategy that is shown as JSON or as a table (Alt+P)"));
  setAccessibleName(tr("Export the strategy"));
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  for (const ExportFormat& format : exportFormats(ExportSubject::Strategy)) {
    const QString name = QString::fromStdString(format.name);
    QAction* action = menu->addAction(tr("%1 …").arg(name.toUpper()), this, [this, format] { askForFile(format); });
    action->setObjectName("strategyExport-" + name);
    action->setToolTip(QString::fromStdString(format.description));
  }
  setMenu(menu);
}

void StrategyExportButton::askForFile(const ExportFormat& format) {
  const QString extension = QString::fromStdString(format.extension);
  delete m_dialog;
  m_dialog = new QFileDialog(this, tr("Export the strategy"), {}, QStringLiteral("*.%1").arg(extension));
  m_dialog->setObjectName(QStringLiteral("strategyExportDialog"));
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  m_dialog->setAcceptMode(QFileDialog::AcceptSave);
  m_dialog->setDefaultSuffix(extension);
  m_dialog->selectFile("strategy." + extension);
  connect(m_dialog, &QFileDialog::fileSelected, this,
          [this, name = format.name](const QString& path) { write(path, name); });
  m_dialog->open();
}

void StrategyExportButton::write(const QString& path, const std::string& format) {
  const auto answer = m_finder.answer();
  if (!answer) return;
  const std::size_t shown = std::min(m_strategy, answer->solution.strategies.size() - 1);
  m_session.jobs().start<bool>(
      tr("Exporting the strategy"), QStringLiteral("strategy-export"),
      [answer, shown, format, file = path.toStdString()](std::stop_token, const Progress&) -> Result<bool> {
        const StrategyInstance& instance = *answer->instance;
        P2_TRY_ASSIGN(const auto text, exportStrategy({instance.problem, instance.graph ? &*instance.graph : nullptr,
                                                       answer->solution.strategies[shown],
                                                       instance.onMesh ? &instance.onMesh->solution.mapped : nullptr},
                                                      format));
        P2_TRY(writeTextFile(file, text));
        return true;
      },
      [self = QPointer(this), path](const Result<bool>& saved) {
        if (self) emit self->written(saved.ok() ? QString() : QString::fromStdString(saved.error().text()), path);
      },
      [self = QPointer(this), path] {
        if (self) emit self->written(tr("Exporting was stopped."), path);
      });
}

}  // namespace p2::views
