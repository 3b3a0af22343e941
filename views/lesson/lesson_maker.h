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

/// Makes a lesson from a program: pages with text, task and hints, in any order; its problems are listed all the time.
/// Edits can be undone. It can be tried as a student, saved, and written as a web page.
class LessonMaker : public QDialog {
  Q_OBJECT
 public:
  LessonMaker(JobQueue& jobs, LessonDraft draft, QWidget* parent = nullptr);

  [[nodiscard]] const LessonDraft& draft() const { return m_draft; }
  /// Replaces the draft, without undo.
  void restore(const LessonDraft& draft, int page);
  /// Writes the lesson in a job.
  void save(const QString& path);
  /// Writes the web page in a job.
  void saveWebPage(const QString& path);

 signals:
  void written(QString path);
  void tried(QString path);  ///< a file to be opened as a student does; it goes with the maker

 private:
  struct Checked {
    std::string json;
    std::vector<LessonProblem> problems;
  };
  QWidget* makePages();
  QWidget* makeForm();
  QWidget* makeEnd();
  void edit(const QString& what, LessonDraft draft, int page);
  void editPage(const QString& what, const std::function<void(DraftPage&)>& change);
  void movePage(int by);
  void showDraft(int page);
  void showPage();
  void followCheck();
  void tryIt();
  using Content = std::function<Result<std::string>(const std::string& json, const std::stop_token& stop)>;
  /// Writes the content made of the checked lesson in a job; errors join the problems.
  void write(const QString& path, Content content, const std::function<void()>& done);
  [[nodiscard]] int page() const;

  JobQueue& m_jobs;
  LessonDraft m_draft;
  Derived<LessonDraft, Checked> m_checked;
  std::unique_ptr<QTemporaryDir> m_tried;  // for the student's view
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
  QLineEdit* m_question = nullptr;
  QPlainTextEdit* m_hints = nullptr;
  QLineEdit* m_done = nullptr;
  QListWidget* m_problems = nullptr;
  QPushButton* m_save = nullptr;
  QPushButton* m_try = nullptr;
  QPushButton* m_web = nullptr;
};

}  // namespace p2::views
