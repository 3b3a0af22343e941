// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "lesson/lesson_draft.h"
#include "lesson/lesson_validator.h"
#include "views/shell/derived.h"

class QComboBox;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QUndoStack;

namespace p2::views {

class JobQueue;
class PlaceholderButton;

/// Makes a lesson from a program: pages with text, task and hints, in any order; its problems are listed all the time.
/// Edits can be undone. It can be tried as a student, saved, and written as a web page.
class LessonMaker : public QDialog {
  Q_OBJECT
 public:
  LessonMaker(JobQueue& jobs, LessonDraft draft, QWidget* parent = nullptr);

  [[nodiscard]] const LessonDraft& draft() const { return m_draft; }
  /// Whether closing would lose no edit.
  [[nodiscard]] bool isSaved() const;
  /// Replaces the draft as an edit.
  void startFrom(LessonDraft draft);
  /// Adds a problem to the list, until the next check.
  void showProblem(const QString& sentence);
  /// Replaces the draft, without undo.
  void restore(const LessonDraft& draft, int page);
  /// Writes the lesson in a job.
  void save(const QString& path);
  /// Writes the web page in a job.
  void saveWebPage(const QString& path);

 signals:
  void written(QString path);
  void newDraftWanted();  ///< asks for a draft from the chosen program
  /// A file to be opened as a student does. It exists as long as its folder is held.
  void tried(QString path, std::shared_ptr<QTemporaryDir> folder);

 private:
  /// Placeholders of a page with their values, and the ones that a task can ask for.
  struct PageNumbers {
    std::vector<std::pair<QString, QString>> all;
    std::vector<std::pair<QString, QString>> computed;
  };
  struct Checked {
    std::string json;
    std::vector<LessonProblem> problems;
    LessonDraft draft;
    std::vector<PageNumbers> numbers;  ///< by page of the draft, where there are no problems
  };
  static Result<std::vector<PageNumbers>> numbersOf(const std::string& json, const std::stop_token& stop);
  static QPushButton* makerButton(const char* name, const QString& text, const QString& tip);
  QWidget* makePages();
  QWidget* makeForm();
  QWidget* makeEnd();
  void edit(const QString& what, LessonDraft draft, int page);
  void editPage(const QString& what, const std::function<void(DraftPage&)>& change);
  void movePage(int by);
  void showDraft(int page);
  void showPage();
  void followCheck();
  /// Numbers of the page that is shown: its own since the latest check, or of a page with the same program.
  [[nodiscard]] PageNumbers numbersOfPage() const;
  void offerNumbers();
  /// Enables the buttons that apply to the lesson now.
  void showReady();
  void tryIt();
  using Content = std::function<Result<std::string>(const std::string& json, const std::stop_token& stop)>;
  /// Writes the content made of the checked lesson in a job; errors join the problems.
  void write(const QString& path, Content content, const std::function<void()>& done);
  [[nodiscard]] int page() const;

  JobQueue& m_jobs;
  LessonDraft m_draft;
  Derived<LessonDraft, Checked> m_checked;
  std::shared_ptr<QTemporaryDir> m_tried;  // for the student's view
  bool m_writing = false;                  // one file at a time
  QUndoStack* m_undo;
  bool m_showing = false;  // fields follow the draft
  QLineEdit* m_title = nullptr;
  QSpinBox* m_minutes = nullptr;
  QListWidget* m_pages = nullptr;
  QPlainTextEdit* m_text = nullptr;
  QLineEdit* m_program = nullptr;
  QComboBox* m_task = nullptr;
  QSpinBox* m_device = nullptr;
  QSpinBox* m_step = nullptr;
  QLineEdit* m_fact = nullptr;
  PlaceholderButton* m_insert = nullptr;
  PlaceholderButton* m_ask = nullptr;
  std::shared_ptr<const Checked> m_numbered;  // the latest without problems
  QLineEdit* m_question = nullptr;
  QPlainTextEdit* m_hints = nullptr;
  QLineEdit* m_done = nullptr;
  QListWidget* m_problems = nullptr;
  QPushButton* m_save = nullptr;
  QPushButton* m_try = nullptr;
  QPushButton* m_web = nullptr;
};

}  // namespace p2::views
