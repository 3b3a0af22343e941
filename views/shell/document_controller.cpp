// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_controller.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <utility>

#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/shell/document_recovery.h"
#include "views/shell/document_watch.h"
#include "views/shell/examples.h"
#include "views/shell/plan_export.h"
#include "views/shell/recent_files.h"
#include "views/shell/save_queue.h"

namespace p2::views {
namespace {

constexpr QLatin1StringView kLastDocument("lastDocument");
constexpr std::chrono::milliseconds kNoteShown{5000};

}  // namespace

struct DocumentController::Private {
  Private(Session& s, DocumentDialogs& asked, Environment& environment)
      : session(s),
        dialogs(asked),
        settings(environment.settings),
        recent(environment.settings),
        recovery(s, environment.recoveryFolder, environment.autosaveMs,
                 [this] {
                   return DocumentRecovery::File{path, kind, known};
                 }),
        watch(s.jobs()),
        saves(s.jobs()) {}

  Session& session;
  DocumentDialogs& dialogs;
  QSettings& settings;
  RecentFiles recent;
  DocumentRecovery recovery;
  DocumentWatch watch;
  SaveQueue saves;
  std::shared_ptr<const Workspace> settled;  // changes that the next opened file may replace
  std::shared_ptr<const Workspace> opened;
  QString path;
  QString name;
  DocumentKind kind = DocumentKind::Workspace;
  std::shared_ptr<KnownContents> known = std::make_shared<KnownContents>();
  QString trouble;
  QString written;  // by the last export, for five seconds
  QTimer writtenShown;
  QString keptAside;  // shown until dismissed, even if other files are opened

  [[nodiscard]] QString newSubject() const {
    return path.isEmpty() && opened ? newSubjectOf(*opened, *session.workspace()) : QString();
  }
  [[nodiscard]] QString nameToSave() const {
    if (const QString subject = newSubject(); !subject.isEmpty()) return plainFileName(subject) + ".p2.json";
    return name.endsWith(".json") ? name : name + ".p2.json";
  }
  /// Contents of a file of this kind: a plan needs a program and takes the shown one if none is chosen.
  [[nodiscard]] Workspace contentFor(DocumentKind wanted) const {
    const Workspace& chosen = *session.workspace();
    const bool complete = !chosen.matrix.empty() && !chosen.program.empty();
    return wanted == DocumentKind::Workspace || complete ? chosen : session.workspaceWithSelection();
  }
};

DocumentController::DocumentController(Session& session, DocumentDialogs& dialogs, Environment environment,
                                       QObject* parent)
    : QObject(parent), d(std::make_unique<Private>(session, dialogs, environment)) {
  connect(&d->recovery, &DocumentRecovery::leftChanged, this, &DocumentController::recoverableChanged);
  connect(&d->recovery, &DocumentRecovery::failed, this, &DocumentController::setTrouble);
  connect(&d->recovery, &DocumentRecovery::unreadable, this, [this](const QStringList& files) {
    d->keptAside = tr("The recovery copy cannot be read; it is kept as %1.").arg(files.join(QStringLiteral(", ")));
    emit troubleChanged();
  });
  connect(&d->watch, &DocumentWatch::changed, this, &DocumentController::changedOutsideChanged);
  connect(&session.undoStack(), &QUndoStack::cleanChanged, this, &DocumentController::documentChanged);
  d->writtenShown.setSingleShot(true);
  const auto forget = [this] {
    if (!std::exchange(d->written, {}).isEmpty()) emit documentChanged();
  };
  connect(&d->writtenShown, &QTimer::timeout, this, forget);
  // The file on disk is of the document before.
  connect(&session, &Session::workspaceChanged, this, forget);
}

DocumentController::~DocumentController() = default;

void DocumentController::start(const QString& path, bool opensLast) {
  const QString last = d->settings.value(kLastDocument).toString();
  openExample(examples().front().name);
  d->recovery.offer();
  if (!path.isEmpty()) {
    load(QFileInfo(path).absoluteFilePath());
  } else if (opensLast && !last.isEmpty()) {
    load(last);
  }
}

QString DocumentController::path() const { return d->path; }
QString DocumentController::name() const {
  const QString subject = d->newSubject();
  return subject.isEmpty() ? d->name : tr("Untitled: %1").arg(subject);
}
DocumentKind DocumentController::kind() const { return d->kind; }
bool DocumentController::isModified() const { return !d->session.undoStack().isClean(); }
QString DocumentController::trouble() const { return d->trouble.isEmpty() ? d->keptAside : d->trouble; }

void DocumentController::dismissTrouble() {
  if (d->trouble.isEmpty() && !std::exchange(d->keptAside, {}).isEmpty()) emit troubleChanged();
  setTrouble({});
}

QString DocumentController::changedOutside() const {
  return d->watch.hasChanged() ? tr("%1 was changed by another program.").arg(d->name) : QString();
}

void DocumentController::keepOwn() { d->watch.putUpWithIt(); }
void DocumentController::reopen() { load(d->path); }
void DocumentController::report(const QString& sentence) { setTrouble(sentence); }

RecentFiles& DocumentController::recentFiles() { return d->recent; }

QString DocumentController::saveNote() const {
  QStringList notes;
  if (!d->written.isEmpty()) notes << d->written;
  if (d->kind == DocumentKind::Plan)
    notes << tr("Plan file: saving computes the groups and times of the program again");
  return notes.join(QStringLiteral(" · "));
}

QString DocumentController::recoverable() const {
  const auto& left = d->recovery.left();
  if (!left) return {};
  return left->documentPath.isEmpty() ? tr("Untitled") : QFileInfo(left->documentPath).fileName();
}

bool DocumentController::mayEndWhile(const QString& what) { return d->dialogs.askEndWhile(what); }
void DocumentController::whenSafe(std::function<void()> proceed) {
  if (!isModified()) return proceed();
  switch (d->dialogs.askUnsaved(name())) {
    case DocumentDialogs::Unsaved::Save:
      return saveThen([this, proceed = std::move(proceed)] { whenSafe(proceed); });
    case DocumentDialogs::Unsaved::Discard:
      return proceed();
    case DocumentDialogs::Unsaved::Cancel:
      return;
  }
}

void DocumentController::newDocument() {
  whenSafe([this] {
    show({blankWorkspace(), {}, tr("Untitled")});
    emit began();
  });
}

QString DocumentController::askPath() { return d->dialogs.askOpenPath(QFileInfo(d->path).absolutePath()); }

void DocumentController::openFile(const QString& path) { load(QFileInfo(path).absoluteFilePath()); }

void DocumentController::openExample(const QString& name) {
  whenSafe([this, name] {
    auto workspace = readExample(name);
    if (!workspace.ok()) return setTrouble(qs(workspace.error().text()));
    show({std::move(workspace).value(), {}, name + ".p2.json"});
  });
}

void DocumentController::load(const QString& path) {
  d->session.jobs().start<OpenedDocument>(
      tr("Opening %1").arg(QFileInfo(path).fileName()), QStringLiteral("open"),
      [path](const std::stop_token& stop, const Progress&) { return readDocument(path, stop); },
      [this, path, settled = std::exchange(d->settled, {})](Result<OpenedDocument> read) {
        if (!read.ok()) {
          d->recent.remove(path);
          return setTrouble(qs(read.error().text()));
        }
        if (read->isLesson) {
          d->recent.add(path);
          setTrouble({});
          emit lessonOpened(path);
          return;
        }
        const auto opened = std::make_shared<OpenedDocument>(std::move(read).value());
        const auto proceed = [this, path, opened] {
          show({opened->workspace, path, QFileInfo(path).fileName(), opened->kind, opened->known});
          d->recent.add(path);
        };
        if (settled == d->session.workspace()) return proceed();
        // Asked only now, when it is known that the file takes the document's place: a lesson or a broken file does
        // not.
        whenSafe(proceed);
      });
}

void DocumentController::show(Shown document) {
  d->path = document.path;
  d->name = document.name;
  d->kind = document.kind;
  d->known = document.known ? document.known : std::make_shared<KnownContents>();
  d->watch.watch(d->path, d->known);
  d->recovery.forget();
  d->written.clear();
  setTrouble({});
  d->session.reset(std::move(document.workspace));
  d->opened = d->session.workspace();
  if (d->path.isEmpty()) {
    d->settings.remove(kLastDocument);
  } else {
    d->settings.setValue(kLastDocument, d->path);
  }
  emit documentChanged();
}

void DocumentController::save() {
  saveThen([] {});
}

void DocumentController::saveThen(std::function<void()> then) {
  // As soon as it is on its way to another place that is where it belongs.
  if (const DocumentToSave* last = d->saves.last()) {
    return saveTo({last->path, d->contentFor(last->kind), last->kind, last->known}, d->session.workspace(),
                  std::move(then));
  }
  if (d->path.isEmpty()) return saveElsewhere(std::move(then));
  // An unchanged plan keeps its stored prediction.
  if (d->kind == DocumentKind::Plan && !isModified()) return then();
  saveTo({d->path, d->contentFor(d->kind), d->kind, d->known}, d->session.workspace(), std::move(then));
}

void DocumentController::saveAs() {
  saveElsewhere([] {});
}

void DocumentController::saveElsewhere(std::function<void()> then) {
  const QString name = d->nameToSave();
  const auto target = d->dialogs.askSaveTarget({d->path.isEmpty() ? QDir::home().filePath(name) : d->path, d->kind});
  if (!target || target->path.isEmpty()) return;
  // The dialog has asked about a file that is there already.
  saveTo({target->path, d->contentFor(target->kind), target->kind, std::make_shared<KnownContents>(), true},
         d->session.workspace(), std::move(then));
}

void DocumentController::saveTo(const DocumentToSave& target, const std::shared_ptr<const Workspace>& of,
                                std::function<void()> then) {
  d->saves.save(
      target,
      [this, target, of, then = std::move(then)](const Result<SaveOutcome>& outcome) {
        if (!outcome.ok()) {
          setTrouble(qs(outcome.error().text()));
        } else if (*outcome == SaveOutcome::ChangedByAnother) {
          askAboutChange(target, of, then);
        } else {
          noteSaved(target, of == d->session.workspace());
          then();
        }
      },
      [this, name = QFileInfo(target.path).fileName()] {
        setTrouble(tr("Saving %1 was stopped; your changes are not saved.").arg(name));
      });
}

void DocumentController::noteSaved(const DocumentToSave& saved, bool everything) {
  d->path = saved.path;
  d->name = QFileInfo(saved.path).fileName();
  d->kind = saved.kind;
  d->known = saved.known;
  d->watch.watch(d->path, d->known);
  d->recent.add(saved.path);
  d->settings.setValue(kLastDocument, saved.path);
  d->written.clear();
  if (everything) {
    d->session.undoStack().setClean();
    d->recovery.forget();
  } else {
    // The previous contents are gone as well.
    d->session.undoStack().resetClean();
  }
  setTrouble({});
  emit documentChanged();
}

void DocumentController::askAboutChange(const DocumentToSave& refused, const std::shared_ptr<const Workspace>& of,
                                        std::function<void()> then) {
  switch (d->dialogs.askChanged(QFileInfo(refused.path).fileName())) {
    case DocumentDialogs::Changed::Replace: {
      DocumentToSave forced = refused;
      forced.replace = true;
      return saveTo(forced, of, std::move(then));
    }
    case DocumentDialogs::Changed::SaveAs:
      return saveElsewhere(std::move(then));
    case DocumentDialogs::Changed::Reopen:
      d->settled = d->session.workspace();
      return load(refused.path);
    case DocumentDialogs::Changed::Cancel:
      return;
  }
}

void DocumentController::exportPlan() {
  if (!d->session.isCurrent() || !d->session.program()) {
    return setTrouble(
        tr("There is no program to export yet; wait for the exploration to finish, or fix the reported errors."));
  }
  const QFileInfo file(d->path.isEmpty() ? QDir::home().filePath(d->name) : d->path);
  const Workspace workspace = d->session.workspaceWithSelection();
  const auto target = d->dialogs.askExportTarget(file.dir().filePath(file.baseName()), {d->session.jobs(), workspace});
  if (!target) return;
  exportPlanOf(workspace, *target, d->session.jobs(), [this, path = target->path](const QString& trouble) {
    setTrouble(trouble);
    d->written = trouble.isEmpty() ? tr("Written: %1").arg(path) : QString();
    d->writtenShown.start(kNoteShown);
    emit documentChanged();
  });
}

void DocumentController::restore() {
  whenSafe([this] {
    const auto& left = d->recovery.left();
    if (!left) return;
    auto workspace = workspaceFromJson(left->text);
    if (!workspace.ok()) {
      return setTrouble(qs(workspace.error().within(d->recovery.leftFile().toStdString()).text()));
    }
    show({std::move(workspace).value(), left->documentPath, recoverable(), left->kind,
          KnownContents::fromText(left->known)});
    d->session.undoStack().resetClean();
    d->recovery.takeLeft();
  });
}

void DocumentController::discardRecovery() {
  if (d->dialogs.askDiscard(recoverable())) d->recovery.discardLeft();
}

void DocumentController::setTrouble(const QString& sentence) {
  if (std::exchange(d->trouble, sentence) != sentence) emit troubleChanged();
}

}  // namespace p2::views
