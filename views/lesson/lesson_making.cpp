// SPDX-License-Identifier: GPL-3.0-or-later
// Teachers' part of the lessons: making one, and the codes of a class.
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QVBoxLayout>

#include "lesson/answer_code.h"
#include "text/text_file.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/lesson/lesson_maker.h"
#include "views/lesson/lesson_perspective.h"
#include "views/lesson/task_panel.h"
#include "views/shell/session.h"

namespace p2::views {

void LessonPerspective::makeLesson() {
  if (!m_maker) {
    auto draft = draftFrom(m_session.workspaceWithSelection());
    if (!draft.ok()) return m_task->showNote(qs(draft.error().text()));
    m_maker = new LessonMaker(m_session.jobs(), std::move(draft).value(), this);
    connectMaker(*m_maker);
  }
  nameMakeButton();
  m_maker->show();
  m_maker->raise();
  m_maker->activateWindow();
}

void LessonPerspective::connectMaker(LessonMaker& maker) {
  // An unsaved lesson is kept, and the button leads back to it.
  connect(&maker, &QDialog::finished, this, [this] {
    if (!m_maker->isSaved()) return;
    m_maker->deleteLater();
    m_maker = nullptr;
    nameMakeButton();
  });
  connect(&maker, &LessonMaker::newDraftWanted, this, [this] {
    auto draft = draftFrom(m_session.workspaceWithSelection());
    if (!draft.ok()) return m_maker->showProblem(qs(draft.error().text()));
    m_maker->startFrom(std::move(draft).value());
  });
  connect(&maker, &LessonMaker::tried, this, [this](const QString& path, const std::shared_ptr<QTemporaryDir>& folder) {
    m_tried = folder;
    openFile(path);
    m_maker->hide();  // it would cover the lesson
  });
}

QString LessonPerspective::unfinished() const {
  return m_maker && !m_maker->isSaved() ? tr("1 unsaved lesson") : QString();
}

void LessonPerspective::nameMakeButton() {
  m_make->setText(m_maker ? tr("Back to the ne&w lesson") : tr("Ne&w lesson from this program…"));
  m_make->setToolTip(m_maker ? tr("Continue the lesson that you are making")
                             : tr("Make a lesson from the selected program"));
}

QString LessonPerspective::codeText(const CodeLine& line) {
  if (!line.problem.empty()) return tr("✗ line %1, %2: %3").arg(line.line).arg(qs(line.name), qs(line.problem));
  return tr("✓ %1: %2, %3 of %4 pages solved; tries page by page: %5")
      .arg(qs(line.name), qs(line.lesson))
      .arg(line.solved())
      .arg(line.pages.size())
      .arg(qs(line.triesText()));
}

void LessonPerspective::readCodesOf(const QString& path) {
  std::vector<std::shared_ptr<const Lesson>> shelf;
  for (int row = 0; row < m_model.rowCount(); ++row) shelf.push_back(m_model.lesson(row).lesson);
  m_session.jobs().start<std::vector<CodeLine>>(
      tr("Reading %1").arg(QFileInfo(path).fileName()), {},
      [shelf, path](const std::stop_token&, const Progress&) -> Result<std::vector<CodeLine>> {
        P2_TRY_ASSIGN(const std::string text, readTextFile(path.toStdString()));
        std::vector<Lesson> lessons;
        for (const auto& lesson : shelf) lessons.push_back(*lesson);
        return readCodes(text, lessons);
      },
      [self = QPointer(this)](const Result<std::vector<CodeLine>>& lines) {
        if (!self) return;
        if (!lines.ok()) return self->showCodes({qs(lines.error().text())});
        QStringList list;
        for (const CodeLine& line : *lines) list << codeText(line);
        self->showCodes(list);
      });
}

void LessonPerspective::showCodes(const QStringList& lines) {
  auto* shown = named(new QDialog(this), "codesShown");
  shown->setAttribute(Qt::WA_DeleteOnClose);
  shown->setWindowTitle(tr("Answers of a class"));
  auto* list = named(new QListWidget, "codesList");
  list->setWordWrap(true);
  list->addItems(lines);
  auto* layout = new QVBoxLayout(shown);
  layout->addWidget(list);
  layout->addWidget(new QLabel(tr("+ with a hint, – not solved")));
  shown->resize(560, 420);
  shown->show();
}

void LessonPerspective::askForCodes() {
  auto* dialog = named(new QFileDialog(this, tr("Read answer codes: a name and a code on every line")), "codesDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setNameFilters({tr("Texts (*.txt *.csv)"), tr("All files (*)")});
  connect(dialog, &QFileDialog::fileSelected, this, &LessonPerspective::readCodesOf);
  dialog->open();
}

}  // namespace p2::views
