// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_controller.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "exporters/exporters.h"
#include "text/text_file.h"
#include "views/shell/examples.h"
#include "views/shell/recent_files.h"
#include "views/shell/recovery.h"
#include "workspace/presets.h"

namespace p2::views {
namespace {

const QString kLastDocument = QStringLiteral("lastDocument");

struct Nothing {};

/// Reads and understands a file, on whatever thread. Only regular files: reading a pipe could wait for ever.
Result<Workspace> readWorkspace(const QString& path, const std::stop_token& stop) {
  const std::string name = path.toStdString();
  const QFileInfo info(path);
  if (info.exists() && !info.isFile() && !info.isDir()) {
    return Error{"it is not a regular file; name a workspace or plan file", name, ErrorKind::Failed};
  }
  const auto text = readTextFile(name);
  if (!text.ok()) return text.error();
  auto workspace = workspaceFromJson(*text, stop);
  if (!workspace.ok()) return workspace.error().within(name);
  return workspace;
}

Result<Nothing> written(const QString& path, const std::string& text) {
  auto result = writeTextFile(path.toStdString(), text);
  if (!result.ok()) return result.error();
  return Nothing{};
}

/// What File ▸ New starts from: small, valid, and seen at one glance.
Workspace blankWorkspace() {
  Workspace workspace;
  workspace.system = std::move(parseSystem("node:2 gpu:4")).value();
  workspace.axes = {{"data", 8, true}};
  return workspace;
}

}  // namespace

struct DocumentController::Private {
  Private(Session& s, DocumentDialogs& asked, Environment& environment)
      : session(s),
        dialogs(asked),
        settings(environment.settings),
        recent(environment.settings),
        recovery(environment.recoveryFolder) {}

  Session& session;
  DocumentDialogs& dialogs;
  QSettings& settings;
  RecentFiles recent;
  Recovery recovery;
  std::optional<Recovery::Copy> left;  // by a crash
  QTimer autosave;
  int saveJob = 0;
  std::function<void()> saveNext;  // asked for while another save runs
  QString path;
  QString name;
  QString trouble;

  [[nodiscard]] bool isSaving() const {
    const auto running = session.jobs().running();
    return std::any_of(running.begin(), running.end(), [this](const auto& job) { return job.id == saveJob; });
  }
  /// What a crash left and nobody has answered for stays.
  void forgetCopies() {
    autosave.stop();
    recovery.discard();
    if (!left) recovery.dropAdopted();
  }
};

DocumentController::DocumentController(Session& session, DocumentDialogs& dialogs, Environment environment,
                                       QObject* parent)
    : QObject(parent), d(std::make_unique<Private>(session, dialogs, environment)) {
  d->autosave.setSingleShot(true);
  d->autosave.setInterval(environment.autosaveMs);
  connect(&d->autosave, &QTimer::timeout, this, &DocumentController::autosave);
  connect(&session.undoStack(), &QUndoStack::indexChanged, this, [this] {
    if (isModified() && !d->autosave.isActive()) d->autosave.start();
  });
  connect(&session.undoStack(), &QUndoStack::cleanChanged, this, &DocumentController::documentChanged);
}

DocumentController::~DocumentController() = default;

void DocumentController::start(const QString& path) {
  const QString last = d->settings.value(kLastDocument).toString();
  openExample(examples().front().name);
  offerRecovery();
  if (!path.isEmpty()) {
    load(QFileInfo(path).absoluteFilePath());
  } else if (!last.isEmpty()) {
    load(last);
  }
}

void DocumentController::offerRecovery() {
  d->left = d->recovery.adopt();
  emit recoverableChanged();
}

QString DocumentController::path() const { return d->path; }
QString DocumentController::name() const { return d->name; }
bool DocumentController::isModified() const { return !d->session.undoStack().isClean(); }
QString DocumentController::trouble() const { return d->trouble; }
void DocumentController::dismissTrouble() { setTrouble({}); }
RecentFiles& DocumentController::recentFiles() { return d->recent; }

QString DocumentController::recoverable() const {
  if (!d->left) return {};
  return d->left->documentPath.isEmpty() ? tr("Untitled") : QFileInfo(d->left->documentPath).fileName();
}

void DocumentController::whenSafe(std::function<void()> proceed) {
  if (!isModified()) return proceed();
  switch (d->dialogs.askUnsaved(d->name)) {
    case DocumentDialogs::Unsaved::Save:
      return saveThen([this, proceed] { whenSafe(proceed); });
    case DocumentDialogs::Unsaved::Discard:
      return proceed();
    case DocumentDialogs::Unsaved::Cancel:
      return;
  }
}

void DocumentController::newDocument() {
  whenSafe([this] { show(blankWorkspace(), {}, tr("Untitled")); });
}

void DocumentController::open() {
  whenSafe([this] {
    const QString path = d->dialogs.askOpenPath(QFileInfo(d->path).absolutePath());
    if (!path.isEmpty()) load(path);
  });
}

void DocumentController::openFile(const QString& path) {
  whenSafe([this, path] { load(QFileInfo(path).absoluteFilePath()); });
}

void DocumentController::openExample(const QString& name) {
  whenSafe([this, name] {
    auto workspace = readExample(name);
    if (!workspace.ok()) return setTrouble(QString::fromStdString(workspace.error().text()));
    show(std::move(workspace).value(), {}, name + ".p2.json");
  });
}

void DocumentController::load(const QString& path) {
  d->session.jobs().start<Workspace>(
      tr("Opening %1").arg(QFileInfo(path).fileName()), QStringLiteral("open"),
      [path](const std::stop_token& stop, const Progress&) { return readWorkspace(path, stop); },
      [this, path](Result<Workspace> workspace) {
        if (!workspace.ok()) {
          d->recent.remove(path);
          return setTrouble(QString::fromStdString(workspace.error().text()));
        }
        show(std::move(workspace).value(), path, QFileInfo(path).fileName());
        d->recent.add(path);
      });
}

void DocumentController::show(Workspace workspace, const QString& path, const QString& name) {
  d->path = path;
  d->name = name;
  d->forgetCopies();
  setTrouble({});
  d->session.reset(std::move(workspace));
  if (path.isEmpty()) {
    d->settings.remove(kLastDocument);
  } else {
    d->settings.setValue(kLastDocument, path);
  }
  emit documentChanged();
}

void DocumentController::save() {
  saveThen([] {});
}

void DocumentController::saveThen(std::function<void()> then) {
  if (!d->path.isEmpty()) return saveTo(d->path, std::move(then));
  QString suggestion = d->name.endsWith(".json") ? d->name : d->name + ".p2.json";
  const QString path = d->dialogs.askSavePath(QDir::home().filePath(suggestion));
  if (!path.isEmpty()) saveTo(path, std::move(then));
}

void DocumentController::saveAs() {
  const QString suggestion = d->path.isEmpty() ? QDir::home().filePath(d->name) : d->path;
  const QString path = d->dialogs.askSavePath(suggestion);
  if (!path.isEmpty()) saveTo(path, [] {});
}

void DocumentController::saveTo(const QString& path, std::function<void()> then) {
  // Two writers at once could leave the older content.
  if (d->isSaving()) {
    d->saveNext = [this, path, then = std::move(then)] { saveTo(path, then); };
    return;
  }
  const auto saved = d->session.workspace();
  d->saveJob = d->session.jobs().start<Nothing>(
      tr("Saving %1").arg(QFileInfo(path).fileName()), {},
      [path, content = d->session.workspaceWithSelection()](std::stop_token, const Progress&) {
        return written(path, workspaceToJson(content));
      },
      [this, path, saved, then = std::move(then)](const Result<Nothing>& result) {
        const auto next = std::exchange(d->saveNext, {});
        if (result.ok()) {
          noteSaved(path, saved == d->session.workspace());
          then();
        } else {
          setTrouble(QString::fromStdString(result.error().text()));
        }
        if (next) next();
      });
}

void DocumentController::noteSaved(const QString& path, bool everything) {
  d->path = path;
  d->name = QFileInfo(path).fileName();
  d->recent.add(path);
  d->settings.setValue(kLastDocument, path);
  if (everything) {
    d->session.undoStack().setClean();
    d->forgetCopies();
  }
  setTrouble({});
  emit documentChanged();
}

void DocumentController::exportPlan() {
  if (!d->session.isCurrent() || !d->session.program()) {
    return setTrouble(tr("There is no program to export yet; wait for the exploration, or mend what is wrong."));
  }
  const QFileInfo file(d->path.isEmpty() ? QDir::home().filePath(d->name) : d->path);
  if (const auto target = d->dialogs.askExportTarget(file.dir().filePath(file.baseName()))) writeExport(*target);
}

void DocumentController::writeExport(const DocumentDialogs::ExportTarget& target) {
  d->session.jobs().start<Nothing>(
      tr("Exporting %1").arg(QFileInfo(target.path).fileName()), QStringLiteral("export"),
      [target, workspace = d->session.workspaceWithSelection()](std::stop_token, const Progress&) -> Result<Nothing> {
        const auto plan = makePlan(workspace);
        if (!plan.ok()) return plan.error();
        const auto text = p2::exportPlan(*plan, target.format);
        if (!text.ok()) return text.error();
        return written(target.path, *text);
      },
      [this](const Result<Nothing>& result) {
        setTrouble(result.ok() ? QString() : QString::fromStdString(result.error().text()));
      });
}

void DocumentController::autosave() {
  if (!isModified()) return;
  d->session.jobs().start<Nothing>(
      tr("Keeping a recovery copy"), QStringLiteral("autosave"),
      [write = d->recovery.writer(), path = d->path, workspace = d->session.workspaceWithSelection()](
          std::stop_token, const Progress&) -> Result<Nothing> {
        if (auto kept = write({path, workspaceToJson(workspace)}); !kept.ok()) return kept.error();
        return Nothing{};
      },
      [this](const Result<Nothing>& result) {
        if (!result.ok()) return setTrouble(QString::fromStdString(result.error().text()));
        // What was restored is now in the own copy.
        if (!d->left) d->recovery.dropAdopted();
      });
}

void DocumentController::restore() {
  whenSafe([this] {
    if (!d->left) return;
    auto workspace = workspaceFromJson(d->left->text);
    if (!workspace.ok()) return setTrouble(QString::fromStdString(workspace.error().text()));
    show(std::move(workspace).value(), d->left->documentPath, recoverable());
    d->left.reset();
    d->session.undoStack().resetClean();
    autosave();
    emit recoverableChanged();
  });
}

void DocumentController::discardRecovery() {
  if (!d->left) return;
  d->recovery.dropAdopted();
  offerRecovery();
}

void DocumentController::setTrouble(const QString& sentence) {
  if (std::exchange(d->trouble, sentence) != sentence) emit troubleChanged();
}

}  // namespace p2::views
