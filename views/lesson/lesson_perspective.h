// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>

#include "views/lesson/lesson_list_model.h"
#include "views/lesson/shown_page.h"
#include "views/shell/derived.h"
#include "views/shell/perspective.h"

class QListView;
class QPushButton;
class QStackedWidget;
class QTemporaryDir;

namespace p2::inline lesson {
struct CodeLine;
}

namespace p2::views {

class EmptyPage;
class LessonMaker;
class LessonProblemsPage;
class LessonStage;
class Session;
class TaskPanel;

/// Lessons: a page of text, something to watch, and a task whose answer is checked and explained. They have systems of
/// their own and leave the document alone.
class LessonPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit LessonPerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {kLessonsPage, tr("Lessons"), QStringLiteral("lesson")}; }
  [[nodiscard]] static PagePlace place() {
    return {.position = 130, .key = "Ctrl+Shift+L", .views = {"lessonListAction"}};
  }
  [[nodiscard]] QList<QAction*> viewActions() override;
  /// The lesson that is being made and is not saved.
  [[nodiscard]] QString unfinished() const override;
  /// Reads a lesson and starts it, or shows its errors.
  void openFile(const QString& path) override;
  /// kFirstLesson: from its first page.
  void openPart(const QString& part) override;

 private:
  struct PageQuestion {
    std::shared_ptr<const Lesson> lesson;
    int page = 0;
    friend bool operator==(const PageQuestion&, const PageQuestion&) = default;
  };
  struct Preview {
    std::shared_ptr<const ShownPage> page;
    std::size_t placement = 0;
    Program program;
    friend bool operator==(const Preview&, const Preview&) = default;
  };
  /// A written program to be checked.
  struct Attempt {
    std::shared_ptr<const ShownPage> page;
    QString program;
    bool isAsked = true;  ///< false while steps are added: then only success is shown
    friend bool operator==(const Attempt&, const Attempt&) = default;
  };
  struct Judged {
    LessonVerdict verdict;
    std::shared_ptr<const Replay> replay;  ///< null if the text is no program
  };
  static Result<Judged> judge(const Attempt& attempt, std::stop_token stop);

  QWidget* makeList();
  void connectParts();
  void followShelf();
  void followFile();
  void followPage();
  void followAttempt();
  /// Whether the page that is asked for is the one to be seen, and not still being prepared, stopped or broken.
  [[nodiscard]] bool isShown() const;
  void begin(int row);
  void goTo(int row, int page);
  void turnPage(int by);
  void check();
  void settle(const LessonVerdict& verdict);
  void preview(std::size_t candidate);
  void previewWritten(const QString& program);
  void keepAnswer();
  void focusAnswer();
  void turnPresentedPage(int by);
  /// The solved pages of a student, or the reason why a code does not count.
  [[nodiscard]] static QString codeText(const CodeLine& line);
  /// Reads a file of names and codes in a job and shows its lines.
  void readCodesOf(const QString& path);
  void showCodes(const QStringList& lines);
  [[nodiscard]] QString presentedTitle() const;
  [[nodiscard]] QString presentedText() const;
  void showPlace();
  void askForFile();
  void makeLesson();
  void connectMaker(LessonMaker& maker);
  void nameMakeButton();
  void askForCodes();
  void goToList();
  void present();

  Session& m_session;
  LessonListModel m_model;
  Derived<int, LessonShelf> m_shelf;
  Derived<QString, ReadLesson> m_file;
  Derived<PageQuestion, ShownPage> m_page;
  Derived<Preview, Replay> m_preview;
  Derived<Attempt, Judged> m_attempt;
  std::shared_ptr<const ShownPage> m_shown;
  bool m_settled = false;                                         // its task is, since it is shown
  std::map<std::pair<std::string, int>, LessonAnswer> m_answers;  // by lesson and page, of this session
  bool m_firstWanted = false;                                     // the first lesson, when the shelf has been read
  bool m_answersNext = false;                                     // the keyboard goes to the answer of the next page
  int m_row = -1;
  int m_number = 0;                          // number of the page
  std::pair<std::string, int> m_shownPlace;  // lesson and page of m_shown
  std::shared_ptr<QTemporaryDir> m_tried;    // has the file of a lesson on trial

  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  LessonProblemsPage* m_problems = nullptr;
  QWidget* m_lessons = nullptr;
  QListView* m_list = nullptr;
  QPushButton* m_make = nullptr;
  QPointer<LessonMaker> m_maker;  // while a lesson is made, shown or not
  QAction* m_toList = nullptr;
  QAction* m_present = nullptr;
  LessonStage* m_stage = nullptr;
  TaskPanel* m_task = nullptr;
};

}  // namespace p2::views
