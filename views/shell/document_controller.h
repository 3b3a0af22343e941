// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "views/shell/document_dialogs.h"
#include "views/shell/session.h"

class QSettings;

namespace p2::views {

class RecentFiles;

/// The life cycle of the document: new, open, save, export, recent files, the guard of unsaved changes, and the
/// recovery copy. Files are read and written by jobs. A failure is one sentence in trouble() and leaves the document
/// unchanged. An opened plan is saved as a plan. Changes of other programs are never overwritten without a question.
class DocumentController : public QObject {
  Q_OBJECT
 public:
  struct Environment {
    QSettings& settings;
    QString recoveryFolder;
    int autosaveMs = 3'000;  ///< from an edit to its recovery copy
  };
  DocumentController(Session& session, DocumentDialogs& dialogs, Environment environment, QObject* parent = nullptr);
  ~DocumentController() override;

  /// The default example at once; then `path`, or without one the document of the last time, when it has been read.
  /// Without `opensLast` the example stays.
  void start(const QString& path, bool opensLast = true);

  [[nodiscard]] QString path() const;  ///< empty until saved
  [[nodiscard]] QString name() const;  ///< "a100-4x16.p2.json", "Untitled: llama3-70b on dgx-h100:12"
  [[nodiscard]] DocumentKind kind() const;
  [[nodiscard]] bool isModified() const;
  /// The file of the last export, else what saving will do beyond writing down the choices, in one sentence; empty for
  /// a workspace.
  [[nodiscard]] QString saveNote() const;
  /// Why the last open, save or export failed, until the next succeeds or it is dismissed.
  [[nodiscard]] QString trouble() const;
  void dismissTrouble();
  /// Shows as trouble() why a file other than the document's could not be written; an empty sentence for a file that
  /// was.
  void report(const QString& sentence);
  /// The document that a crash left behind and that waits to be restored or discarded; empty without one.
  [[nodiscard]] QString recoverable() const;
  /// A sentence on another program's change of the document's file; empty if there is none.
  [[nodiscard]] QString changedOutside() const;
  /// Leaves the document as it is; saving it will ask what to do.
  void keepOwn();
  [[nodiscard]] RecentFiles& recentFiles();

  /// Asks whether to end while something goes on, given in words.
  [[nodiscard]] bool mayEndWhile(const QString& what);
  /// Calls `proceed` once nothing can be lost: at once, after saving, or never if the user cancels.
  void whenSafe(std::function<void()> proceed);

  /// The path that the user chooses to open; empty if cancelled.
  [[nodiscard]] QString askPath();

 public slots:
  void newDocument();
  void openFile(const QString& path);
  void openExample(const QString& name);
  void save();
  void saveAs();
  void reopen();  ///< the document's file as it is now
  void exportPlan();
  void restore();          ///< opens the recoverable document, as modified
  void discardRecovery();  ///< after a question; then offers the next copy, if any

 signals:
  void documentChanged();  ///< path, name, kind or isModified()
  void troubleChanged();
  void changedOutsideChanged();
  void recoverableChanged();
  void began();                            ///< a new document is shown
  void lessonOpened(const QString& path);  ///< the file is a lesson; the document stays as it is

 private:
  struct Shown {
    Workspace workspace;
    QString path;
    QString name;
    DocumentKind kind = DocumentKind::Workspace;
    std::shared_ptr<KnownContents> known = nullptr;
  };
  void load(const QString& path);
  void show(Shown document);
  /// `of` is the workspace that is written: edits made while writing stay unsaved.
  void saveTo(const DocumentToSave& target, const std::shared_ptr<const Workspace>& of, std::function<void()> then);
  void saveElsewhere(std::function<void()> then);
  void saveThen(std::function<void()> then);
  void noteSaved(const DocumentToSave& saved, bool everything);
  void askAboutChange(const DocumentToSave& refused, const std::shared_ptr<const Workspace>& of,
                      std::function<void()> then);
  void setTrouble(const QString& sentence);

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace p2::views
