// SPDX-License-Identifier: GPL-3.0-or-later
// The lower part of a lesson maker: problems, numbers, and the files: lesson, web page, and a copy to be
// tried.
#include <QFileInfo>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <variant>

#include "lesson/lesson_page.h"
#include "lesson/lesson_web.h"
#include "text/text_file.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/lesson/lesson_maker.h"
#include "views/lesson/placeholder_button.h"

namespace p2::views {
namespace {

Result<std::string> plain(const std::string& json, const std::stop_token&) { return json; }

Result<std::string> webPage(const std::string& json, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto lesson, lessonFromJson(json, stop));
  return lessonToPage(lesson, stop);
}

}  // namespace

QPushButton* LessonMaker::makerButton(const char* name, const QString& text, const QString& tip) {
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setAutoDefault(false);
  return button;
}

QWidget* LessonMaker::makeEnd() {
  auto* side = new QWidget;
  m_problems = named(new QListWidget, "makerProblems", tr("Problems of the lesson"),
                     tr("All problems, with their places; click one to go to its page"));
  m_problems->setWordWrap(true);
  connect(m_problems, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) {
    const QStringList parts = item->data(Qt::UserRole).toString().split('/');
    if (parts.size() > 2 && parts[1] == QStringLiteral("pages")) m_pages->setCurrentRow(parts[2].toInt());
  });
  auto* undo = makerButton("makerUndo", tr("&Undo"), tr("Undo the last edit (Ctrl+Z)"));
  connect(undo, &QPushButton::clicked, m_undo, &QUndoStack::undo);
  connect(m_undo, &QUndoStack::canUndoChanged, undo, &QPushButton::setEnabled);
  undo->setEnabled(false);
  m_try = makerButton("makerTry", tr("Tr&y as a student"), tr("Open the lesson as a student does"));
  m_save = makerButton("makerSave", tr("&Save…"), tr("Save the lesson as a file"));
  m_web = makerButton("makerWeb", tr("&Web page…"), tr("Write the lesson as a web page for students' phones"));
  connect(m_try, &QPushButton::clicked, this, &LessonMaker::tryIt);
  connect(m_save, &QPushButton::clicked, this, [this] {
    askWhereToSave(this,
                   {QStringLiteral("makerSaveDialog"), tr("Save the lesson"), {tr("Lessons (*.json)")}, tr("lesson")},
                   [this](const QString& path) { save(path); });
  });
  connect(m_web, &QPushButton::clicked, this, [this] {
    askWhereToSave(this,
                   {QStringLiteral("makerWebDialog"),
                    tr("Web page: text, pictures and checked tasks in one file"),
                    {tr("Web pages (*.html)")},
                    tr("lesson")},
                   [this](const QString& path) { saveWebPage(path); });
  });
  auto* row = new QHBoxLayout;
  auto* again = makerButton("makerAgain", tr("Start &again"),
                            tr("Replace all pages by new ones for the chosen program; Undo brings them back"));
  connect(again, &QPushButton::clicked, this, &LessonMaker::newDraftWanted);
  row->addWidget(undo);
  row->addWidget(again);
  auto* reported = named(new InlineMessage, "makerMessage");
  reported->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  // Lines that wrap would change the heights of all that is above while it is there.
  reported->setWordWrap(false);
  connect(this, &LessonMaker::written, reported, [reported](const QString& path) {
    reported->sayBriefly(InlineMessage::Kind::Good, tr("Written: %1").arg(path));
    reported->setToolTip(reported->text());
  });
  row->addWidget(reported, 1);
  row->addStretch();
  for (QPushButton* button : {m_try, m_web, m_save}) row->addWidget(button);
  auto* column = panelLayout(side);
  column->addWidget(m_problems, 1);
  column->addLayout(row);
  return side;
}

Result<std::vector<LessonMaker::PageNumbers>> LessonMaker::numbersOf(const std::string& json,
                                                                     const std::stop_token& stop) {
  P2_TRY_ASSIGN(const Lesson lesson, lessonFromJson(json, stop));
  std::vector<PageNumbers> numbers;
  for (const LessonPage& page : lesson.pages) {
    P2_TRY_ASSIGN(const PreparedPage prepared, preparePage(page, stop));
    PageNumbers& made = numbers.emplace_back();
    for (const auto& [name, value] : prepared.facts.values()) {
      made.all.emplace_back(qs(name), qs(value));
      if (prepared.facts.number(name).ok()) made.computed.emplace_back(qs(name), qs(value));
    }
  }
  return numbers;
}

LessonMaker::PageNumbers LessonMaker::numbersOfPage() const {
  if (!m_numbered || !(m_numbered->draft.setting == m_draft.setting)) return {};
  const auto at = std::size_t(page());
  const DraftPage& shown = m_draft.pages[at];
  const auto& pages = m_numbered->draft.pages;
  const auto hasItsNumbers = [&shown](const DraftPage& other) {
    const auto isWritten = [](const DraftPage& each) { return each.task == DraftPage::Task::Compose; };
    return other.program == shown.program && isWritten(other) == isWritten(shown);
  };
  if (at < pages.size() && hasItsNumbers(pages[at])) return m_numbered->numbers[at];
  const auto same = std::find_if(pages.begin(), pages.end(), hasItsNumbers);
  if (same == pages.end()) return {};
  return m_numbered->numbers[std::size_t(same - pages.begin())];
}

void LessonMaker::offerNumbers() {
  const PageNumbers offered = numbersOfPage();
  const QString why = m_checked.isRunning() ? tr("Checking…") : tr("Fix the problems below first");
  m_insert->offer(offered.all, why);
  m_ask->offer(offered.computed, why);
}

void LessonMaker::showReady() {
  const auto checked = m_checked.current();
  const bool ready = checked && checked->problems.empty() && !m_writing;
  for (QPushButton* button : {m_try, m_web}) button->setEnabled(ready);
  m_save->setEnabled(checked && !m_writing);
}

void LessonMaker::write(const QString& path, Content content, const std::function<void()>& done) {
  const auto checked = m_checked.current();
  if (!checked || m_writing) return;
  m_writing = true;
  showReady();
  m_jobs.start<std::monostate>(
      tr("Writing %1").arg(QFileInfo(path).fileName()), {},
      [json = checked->json, path, content](std::stop_token stop, const Progress&) -> Result<std::monostate> {
        P2_TRY_ASSIGN(const std::string text, content(json, stop));
        P2_TRY(writeTextFile(path.toStdString(), text));
        return std::monostate();
      },
      [self = QPointer(this), done](const Result<std::monostate>& result) {
        if (!self) return;
        self->m_writing = false;
        self->showReady();
        if (result.ok()) return done();
        self->showProblem(qs(result.error().text()));
      },
      [self = QPointer(this)] {
        if (!self) return;
        self->m_writing = false;
        self->showReady();
      });
}

void LessonMaker::save(const QString& path) {
  write(path, plain, [this, path, saved = m_draft] {
    if (m_draft == saved) m_undo->setClean();
    emit written(path);
  });
}

void LessonMaker::saveWebPage(const QString& path) {
  write(path, webPage, [this, path] { emit written(path); });
}

void LessonMaker::tryIt() {
  if (!m_tried) m_tried = std::make_shared<QTemporaryDir>();
  if (!m_tried->isValid())
    return showProblem(tr("No temporary folder for trying the lesson: %1").arg(m_tried->errorString()));
  const QString path = m_tried->filePath(QStringLiteral("lesson.json"));
  write(path, plain, [this, path] { emit tried(path, m_tried); });
}

}  // namespace p2::views
