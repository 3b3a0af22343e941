// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/export_button.h"

#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <algorithm>
#include <array>

#include "exporters/exporters.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/present/run_files.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

struct Nothing {};

struct Format {
  const char* name;  ///< of its action and of the plan's export format
  const char* suffix;
  const char* text;
  bool ofPlan;  ///< written by core/exporters, which p2 export knows as well
};

constexpr std::array kFormats{
    Format{"png", "png", QT_TRANSLATE_NOOP("QObject", "This moment as PNG"), false},
    Format{"svg", "svg", QT_TRANSLATE_NOOP("QObject", "This moment as SVG"), false},
    Format{"pdf", "pdf", QT_TRANSLATE_NOOP("QObject", "This moment as PDF"), false},
    Format{"gif", "gif", QT_TRANSLATE_NOOP("QObject", "All steps as animated GIF"), false},
    Format{"page", "html", QT_TRANSLATE_NOOP("QObject", "All steps as an interactive web page"), true},
    Format{"handout", "html", QT_TRANSLATE_NOOP("QObject", "Handout to fill in"), true},
    Format{"handout-answers", "html", QT_TRANSLATE_NOOP("QObject", "Handout with answers"), true},
};
constexpr std::size_t kPictures = 3;  // the first ones are of a moment

}  // namespace

ExportButton::ExportButton(Session& session, QWidget* parent) : QToolButton(parent), m_session(session) {
  setObjectName("exportButton");
  setText(tr("Ex&port"));
  setIcon(Theme::icon("export"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  setToolTip(tr("Save a step as a picture, or all steps as an animation, web page or handout (Alt+P)"));
  setAccessibleName(tr("Export"));
  auto* menu = new QMenu(this);
  menu->setObjectName("exportMenu");
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (i == kPictures) menu->addSeparator();
    QAction* action = menu->addAction(tr("%1 …").arg(QObject::tr(kFormats[i].text)));
    action->setObjectName(QStringLiteral("export-") + kFormats[i].name);
    connect(action, &QAction::triggered, this, [this, i] { askForFile(i); });
  }
  setMenu(menu);
}

void ExportButton::setRun(ShownRun run, const Timeline& timeline) {
  m_run = std::move(run);
  m_steps = std::min(timeline.step(), m_run.replay->playedSteps());
  m_progress = timeline.progress();
}

void ExportButton::askForFile(std::size_t format) {
  m_run = {};
  emit wanted();
  if (!m_run.replay) return;
  const QString suffix = QLatin1String(kFormats[format].suffix);
  const SaveWish wish{QStringLiteral("exportDialog"),
                      tr("Export"),
                      {QStringLiteral("%1 (*.%2)").arg(QObject::tr(kFormats[format].text), suffix)},
                      qs(programTitle(m_run.replay->program))};
  askWhereToSave(this, wish, [this, format](const QString& path) { write(kFormats[format].name, path); });
}

void ExportButton::write(const QString& format, const QString& path) {
  const auto known = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const Format& one) { return QLatin1String(one.name) == format; });
  if (known == kFormats.end() || !m_run.replay) return;
  Theme::Look look = Theme::look();
  // Paper is light.
  if (format == "pdf") look.dark = false;
  const QString title = tr("Exporting %1").arg(QFileInfo(path).fileName());
  const auto done = [self = QPointer(this), path](const Result<Nothing>& result) {
    if (!self) return;
    if (result.ok()) return emit self->written(path);
    emit self->failed(qs(result.error().text()));
  };
  const auto stopped = [self = QPointer(this), path] {
    if (self) emit self->failed(tr("Exporting %1 was stopped.").arg(QFileInfo(path).fileName()));
  };
  Workspace workspace = m_session.exploration() ? m_session.exploration()->workspace : Workspace();
  workspace.matrix = m_run.replay->placement.matrix();
  workspace.program = programText(*m_run.replay->hierarchy, m_run.replay->program);
  m_session.jobs().start<Nothing>(
      title, {},
      [=, run = m_run, steps = m_steps, at = m_progress, ofPlan = known->ofPlan](
          std::stop_token stop, const Progress& progress) -> Result<Nothing> {
        if (ofPlan) {
          P2_TRY_ASSIGN(const Plan plan, makePlan(workspace, stop));
          P2_TRY_ASSIGN(const std::string text, exportPlan(plan, format.toStdString()));
          P2_TRY(writeText(text, path));
        } else if (format == "gif") {
          P2_TRY(writeAnimation(run, look, path, std::move(stop), progress));
        } else {
          P2_TRY(writeStep(run, steps, at, look, path));
        }
        return Nothing{};
      },
      done, stopped);
}

}  // namespace p2::views
