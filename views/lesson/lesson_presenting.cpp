// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson on the whole screen.
#include "views/common/text.h"
#include "views/lesson/answer_pane.h"
#include "views/lesson/lesson_perspective.h"
#include "views/lesson/lesson_stage.h"
#include "views/lesson/task_panel.h"
#include "views/present/present_window.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostPresentedAnswers = 8;

}  // namespace

void LessonPerspective::present() {
  if (m_row < 0 || !m_shown) return;
  const PresentWindow* window = m_stage->present(presentedTitle(), presentedText());
  if (window == nullptr) return;
  connect(window, &PresentWindow::left, this, [this] {
    activateWindow();
    m_stage->takeFocus();
  });
}

QString LessonPerspective::presentedTitle() const {
  return tr("%1, page %2").arg(m_model.lesson(m_row).title).arg(m_number + 1);
}

/// The text, the question, and the answers to choose from.
QString LessonPerspective::presentedText() const {
  const PreparedPage& prepared = m_shown->prepared;
  QString html = Qt::convertFromPlainText(qs(prepared.page.text), Qt::WhiteSpaceNormal);
  html += QStringLiteral("<p><b>%1</b></p>").arg(qs(prepared.page.task.question).toHtmlEscaped());
  if (prepared.candidates.empty() || prepared.candidates.size() > kMostPresentedAnswers) return html;
  html += QStringLiteral("<ol type=\"A\">");
  for (const QString& answer : m_task->answer().choices()) {
    html += QStringLiteral("<li>%1</li>").arg(answer.toHtmlEscaped());
  }
  return html + QStringLiteral("</ol>");
}

// The class predicts, the next key reveals the step, the one after it turns the page.
void LessonPerspective::turnPresentedPage(int by) {
  if (by > 0 && isShown() && m_stage->revealNext()) return;
  turnPage(by);
}

}  // namespace p2::views
