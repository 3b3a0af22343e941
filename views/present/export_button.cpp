// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/export_button.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <QSaveFile>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "exporters/exporters.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/present/run_files.h"
#include "views/present/zip_writer.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

struct Format {
  const char* name;  ///< name of its action and of the plan's export format
  const char* suffix;
  const char* text;
  const char* contains;  ///< a line for tool tip and dialog
  bool ofPlan;           ///< written by core/exporters, which p2 export knows as well
};

constexpr std::array kFormats{
    Format{"png", "png", QT_TRANSLATE_NOOP("QObject", "This moment as PNG"),
           QT_TRANSLATE_NOOP("QObject", "title, devices, legend, rule, bytes and time; 2400 × 1520 pixels"), false},
    Format{"svg", "svg", QT_TRANSLATE_NOOP("QObject", "This moment as SVG"),
           QT_TRANSLATE_NOOP("QObject", "title, devices, legend, rule, bytes and time; scales"), false},
    Format{"pdf", "pdf", QT_TRANSLATE_NOOP("QObject", "This moment as PDF"),
           QT_TRANSLATE_NOOP("QObject", "title, devices, legend, rule, bytes and time; one light page"), false},
    Format{
        "slides", "pdf", QT_TRANSLATE_NOOP("QObject", "All steps as slides"),
        QT_TRANSLATE_NOOP("QObject", "a light PDF page before and after each step, with title, legend, bytes and time"),
        false},
    Format{"gif", "gif", QT_TRANSLATE_NOOP("QObject", "All steps as animated GIF"),
           QT_TRANSLATE_NOOP("QObject", "the motion of the window at its pace, resting after each step"), false},
    Format{"page", "html", QT_TRANSLATE_NOOP("QObject", "All steps as an interactive web page"),
           QT_TRANSLATE_NOOP("QObject", "one file that plays in a browser without a network; A and B side by side"),
           true},
    Format{
        "handout", "html", QT_TRANSLATE_NOOP("QObject", "Handout to fill in"),
        QT_TRANSLATE_NOOP("QObject",
                          "rules, empty grids of 4 mm, figures to compute bytes and times, name and date; A and B side "
                          "by side"),
        true},
    Format{"handout-answers", "html", QT_TRANSLATE_NOOP("QObject", "Handout with answers"),
           QT_TRANSLATE_NOOP("QObject", "the key to the handout, for the teacher"), true},
    Format{"kit", "zip", QT_TRANSLATE_NOOP("QObject", "Lecture kit"),
           QT_TRANSLATE_NOOP("QObject",
                             "one archive with slides, a PNG of every step, GIF, web page, handout and its key"),
           false},
};
constexpr std::array<std::size_t, 2> kSeparatorsBefore{3, 8};  // moment, all steps, kit

Result<Plan> planOf(Workspace workspace, const Replay& replay, const std::stop_token& stop) {
  workspace.matrix = replay.placement.matrix();
  workspace.program = programText(*replay.hierarchy, replay.program);
  return makePlan(workspace, stop);
}

/// A run with the place and the look of its files.
struct Order {
  Workspace workspace;
  ShownRun run;
  int steps = 0;
  double progress = 0;
  Theme::Look look;
  QString path;
};

Result<void> writePlans(const Order& order, const char* format, const QString& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const Plan plan, planOf(order.workspace, *order.run.replay, stop));
  if (!order.run.rival) {
    P2_TRY_ASSIGN(const std::string text, exportPlan(plan, format));
    return writeText(text, path);
  }
  P2_TRY_ASSIGN(const Plan rival, planOf(order.workspace, *order.run.rival->replay, stop));
  const std::string_view name = format;
  P2_TRY_ASSIGN(const std::string text,
                name == "page" ? plansToPage(plan, rival) : plansToHandout(plan, rival, name == "handout-answers"));
  return writeText(text, path);
}

struct KitPart {
  const char* name;
  const char* contains;
};
constexpr std::array kKitParts{
    KitPart{"slides.pdf", QT_TRANSLATE_NOOP("QObject", "slides: a page before and after each step")},
    KitPart{"step-N.png", QT_TRANSLATE_NOOP("QObject", "the devices before step 1 and after step N")},
    KitPart{"animation.gif", QT_TRANSLATE_NOOP("QObject", "all steps in motion")},
    KitPart{"page.html", QT_TRANSLATE_NOOP("QObject", "the steps to play with, in any browser, without a network")},
    KitPart{"handout.html", QT_TRANSLATE_NOOP("QObject", "handout to print and fill in")},
    KitPart{"handout-key.html", QT_TRANSLATE_NOOP("QObject", "its key, for the teacher")},
};

/// List of the files in the kit.
std::string kitContents(const ShownRun& run) {
  QString text = QObject::tr("Lecture kit: %1").arg(run.title) + '\n';
  if (run.rival) {
    text += QObject::tr("A is the program above, B: %1. Every file shows both.").arg(run.rival->title) + '\n';
  }
  text += '\n';
  for (const KitPart& part : kKitParts) {
    text += QLatin1String(part.name).toString().leftJustified(20) + QObject::tr(part.contains) + '\n';
  }
  return text.toStdString();
}

Result<void> pack(const QDir& folder, const QString& path) {
  QSaveFile file(path);
  bool fine = file.open(QIODevice::WriteOnly);
  ZipWriter archive(file);
  for (const QFileInfo& info : folder.entryInfoList(QDir::Files, QDir::Name)) {
    QFile part(info.filePath());
    fine = fine && part.open(QIODevice::ReadOnly) && archive.add("lecture/" + info.fileName(), part.readAll());
  }
  if (fine && archive.finish() && file.commit()) return {};
  return Error{"cannot be written: " + file.errorString().toStdString(), path.toStdString(), ErrorKind::Failed};
}

/// Everything for a lecture in one archive.
Result<void> writeKit(const Order& order, const std::stop_token& stop, const Progress& progress) {
  const QTemporaryDir made;
  if (!made.isValid()) {
    return Error{"no folder for temporary files: " + made.errorString().toStdString(), {}, ErrorKind::Failed};
  }
  const QDir folder(made.path());
  Theme::Look light = order.look;
  light.dark = false;
  int steps = order.run.replay->playedSteps();
  if (order.run.rival) steps = std::max(steps, order.run.rival->replay->playedSteps());
  for (int step = 0; step <= steps; ++step) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY(writeStep(order.run, step, 0, light, folder.filePath(QStringLiteral("step-%1.png").arg(step))));
  }
  P2_TRY(writeSlides(order.run, light, folder.filePath(QStringLiteral("slides.pdf")), stop));
  for (const auto& [format, name] : {std::pair{"page", "page.html"}, std::pair{"handout", "handout.html"},
                                     std::pair{"handout-answers", "handout-key.html"}}) {
    P2_TRY(writePlans(order, format, folder.filePath(QLatin1String(name)), stop));
  }
  P2_TRY(writeAnimation(order.run, light, folder.filePath(QStringLiteral("animation.gif")), stop, progress));
  P2_TRY(writeText(kitContents(order.run), folder.filePath(QStringLiteral("contents.txt"))));
  return pack(folder, order.path);
}

Result<void> writeAs(const Format& format, const Order& order, const std::stop_token& stop, const Progress& progress) {
  const std::string_view name = format.name;
  if (format.ofPlan) return writePlans(order, format.name, order.path, stop);
  if (name == "kit") return writeKit(order, stop, progress);
  if (name == "slides") return writeSlides(order.run, order.look, order.path, stop);
  if (name == "gif") return writeAnimation(order.run, order.look, order.path, stop, progress);
  return writeStep(order.run, order.steps, order.progress, order.look, order.path);
}

}  // namespace

ExportButton::ExportButton(Session& session, QWidget* parent) : QToolButton(parent), m_session(session) {
  setObjectName("exportButton");
  setText(tr("Ex&port"));
  setIcon(Theme::icon("export"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  setToolTip(
      tr("Save a step as a picture, or all steps as slides, animation, web page or handout, or all of it as a lecture "
         "kit (Alt+P; the kit alone: Ctrl+Shift+K)"));
  setAccessibleName(tr("Export"));
  auto* menu = new QMenu(this);
  menu->setObjectName("exportMenu");
  menu->setToolTipsVisible(true);
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (std::find(kSeparatorsBefore.begin(), kSeparatorsBefore.end(), i) != kSeparatorsBefore.end())
      menu->addSeparator();
    QAction* action = menu->addAction(tr("%1 …").arg(QObject::tr(kFormats[i].text)));
    action->setToolTip(tr("Contains: %1").arg(QObject::tr(kFormats[i].contains)));
    action->setObjectName(QStringLiteral("export-") + kFormats[i].name);
    connect(action, &QAction::triggered, this, [this, i] { askForFile(i); });
    if (QLatin1String(kFormats[i].name) != QLatin1String("kit")) continue;
    action->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_K);
    addAction(action);
  }
  setMenu(menu);
}

void ExportButton::setRun(ShownRun run, int steps, double progress) {
  m_run = std::move(run);
  m_steps = std::min(steps, m_run.replay->playedSteps());
  m_progress = progress;
}

void ExportButton::askForFile(std::size_t format) {
  m_run = {};
  emit wanted();
  if (!m_run.replay) return;
  const QString suffix = QLatin1String(kFormats[format].suffix);
  const SaveWish wish{QStringLiteral("exportDialog"),
                      tr("Export: %1").arg(QObject::tr(kFormats[format].contains)),
                      {QStringLiteral("%1 (*.%2)").arg(QObject::tr(kFormats[format].text), suffix)},
                      suffix == "zip" ? tr("lecture kit") : qs(programTitle(m_run.replay->program))};
  askWhereToSave(this, wish, [this, format](const QString& path) { write(kFormats[format].name, path); });
}

void ExportButton::write(const QString& format, const QString& path) {
  const auto known = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const Format& one) { return QLatin1String(one.name) == format; });
  if (known == kFormats.end() || !m_run.replay) return;
  Order order{m_session.exploration() ? m_session.exploration()->workspace : Workspace(),
              m_run,
              m_steps,
              m_progress,
              Theme::look(),
              path};
  // Paper is light.
  if (format == "pdf") order.look.dark = false;
  const QString title = tr("Exporting %1").arg(QFileInfo(path).fileName());
  const auto done = [self = QPointer(this), path](const Result<std::monostate>& result) {
    if (!self) return;
    if (result.ok()) return emit self->written(path);
    emit self->failed(qs(result.error().text()));
  };
  const auto stopped = [self = QPointer(this), path] {
    if (self) emit self->failed(tr("Exporting %1 was stopped.").arg(QFileInfo(path).fileName()));
  };
  m_session.jobs().start<std::monostate>(
      title, {},
      [order, known](std::stop_token stop, const Progress& progress) -> Result<std::monostate> {
        P2_TRY(writeAs(*known, order, stop, progress));
        return std::monostate();
      },
      done, stopped);
}

}  // namespace p2::views
