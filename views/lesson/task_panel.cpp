// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/task_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/lesson/lesson_progress.h"

namespace p2::views {
namespace {

constexpr int kDefaultWidth = 46;  // characters, so that a line can be read at one glance

QLabel* textLabel(const char* name) {
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

QString sentenceOf(const std::string& text) {
  QString sentence = qs(text);
  if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
  return sentence;
}

}  // namespace

TaskPanel::TaskPanel(QWidget* parent)
    : QWidget(parent),
      m_scroll(new QScrollArea),
      m_content(new QWidget),
      m_place(panelTitle({})),
      m_dots(new QLabel),
      m_text(textLabel("lessonText")),
      m_question(panelTitle({})),
      m_answer(new AnswerPane),
      m_message(new InlineMessage),
      m_done(textLabel("lessonDone")),
      m_hintText(textLabel("lessonHints")) {
  wrapped(named(m_place, "lessonPlace"));
  m_dots->setObjectName(QStringLiteral("lessonDots"));
  m_dots->setToolTip(tr("Pages of this lesson; filled circles are solved"));
  wrapped(named(m_question, "lessonQuestion"));
  m_message->setObjectName(QStringLiteral("lessonVerdict"));
  auto* column = panelLayout(m_content);
  for (QWidget* part : std::initializer_list<QWidget*>{m_place, m_dots, m_text, m_question, m_answer}) {
    column->addWidget(part);
  }
  for (QWidget* part : std::initializer_list<QWidget*>{m_message, m_done, m_hintText}) column->addWidget(part);
  column->addStretch();
  m_scroll->setObjectName(QStringLiteral("lessonScroll"));
  m_scroll->setWidget(m_content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(m_scroll, 1);
  layout->addLayout(makeButtons());
  connect(m_check, &QAction::triggered, this, &TaskPanel::checkWanted);
  connect(m_hint, &QAction::triggered, this, &TaskPanel::showHint);
  connect(m_back, &QAction::triggered, this, [this] { emit pageWanted(-1); });
  for (QAction* action : {m_next, m_goOn}) connect(action, &QAction::triggered, this, [this] { emit pageWanted(1); });
  connect(m_answer, &AnswerPane::answered, this, &TaskPanel::checkWanted);
  connect(m_answer, &AnswerPane::edited, this, &TaskPanel::clearVerdict);
}

/// They stand below what scrolls: in sight at any size, and always in one place.
QHBoxLayout* TaskPanel::makeButtons() {
  m_buttons = new QHBoxLayout;
  m_buttons->setContentsMargins(Theme::kGrid, 0, Theme::kGrid, Theme::kGrid);
  m_check = addAction("checkAnswer", tr("&Check"), tr("Check the answer"), QKeySequence(Qt::CTRL | Qt::Key_Return));
  m_hint = addAction("lessonHint", tr("H&int"), tr("Show the next hint"), QKeySequence(Qt::CTRL | Qt::Key_H));
  m_buttons->addStretch();
  m_back = addAction("previousLessonPage", tr("&Back"), tr("Previous page"), QKeySequence(Qt::CTRL | Qt::Key_PageUp));
  m_next = addAction("nextLessonPage", tr("Nex&t"), tr("Next page or lesson; Enter after a right answer"),
                     QKeySequence(Qt::CTRL | Qt::Key_PageDown));
  m_goOn = new QAction(tr("Go on"), this);
  m_goOn->setObjectName(QStringLiteral("goOnAction"));
  m_goOn->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
  m_goOn->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_goOn->setEnabled(false);
  QWidget::addAction(m_goOn);
  return m_buttons;
}

QAction* TaskPanel::addAction(const char* name, const QString& text, const QString& tip, const QKeySequence& shortcut) {
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(name) + QStringLiteral("Action"));
  action->setShortcut(shortcut);
  action->setToolTip(tr("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name) + QStringLiteral("Button"));
  button->setToolTip(action->toolTip());
  button->setAutoDefault(false);
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  connect(action, &QAction::changed, button, [action, button] {
    button->setEnabled(action->isEnabled());
    button->setVisible(action->isVisible());
    button->setText(action->text());
  });
  m_buttons->addWidget(button);
  m_actions.append(action);
  return action;
}

void TaskPanel::setPlace(const QString& lesson, int page, int pages, const std::set<int>& solved) {
  m_place->setText(lesson);
  m_dots->setText(tr("page %1 of %2   %3").arg(page + 1).arg(pages).arg(progressText(solved, pages)));
  m_next->setText(page + 1 == pages ? tr("Nex&t lesson") : tr("Nex&t"));
}

void TaskPanel::setPage(std::shared_ptr<const ShownPage> page) {
  m_page = std::move(page);
  m_hints = 0;
  const LessonPage& shown = m_page->prepared.page;
  m_text->setText(qs(shown.text));
  m_question->setText(qs(shown.task.question));
  m_hintText->clear();
  m_hintText->hide();
  m_answer->show();
  m_answer->setPage(m_page->prepared);
  m_check->setEnabled(true);
  // Watching needs no check: it ends with the last step.
  m_check->setVisible(!std::holds_alternative<WatchTask>(shown.task.kind));
  m_hint->setEnabled(!shown.task.hints.empty());
  clearVerdict();
  m_scroll->verticalScrollBar()->setValue(0);
  updateGeometry();
}

void TaskPanel::showProblem(const QString& sentence) {
  m_page.reset();
  m_text->clear();
  m_question->clear();
  m_answer->hide();
  m_check->setEnabled(false);
  m_hint->setEnabled(false);
  clearVerdict();
  m_message->showProblem(sentence);
}

void TaskPanel::showVerdict(const LessonVerdict& verdict) {
  m_answer->showVerdict(verdict);
  m_goOn->setEnabled(verdict.right);
  m_message->say(verdict.right ? InlineMessage::Kind::Good : InlineMessage::Kind::Problem,
                 sentenceOf(verdict.sentence));
  const QString done = qs(m_page->prepared.page.task.done);
  m_done->setText(done);
  m_done->setVisible(verdict.right && !done.isEmpty());
  bringIntoSight({m_message, m_done});
}

void TaskPanel::showNote(const QString& sentence) {
  m_message->say(InlineMessage::Kind::Note, sentence);
  bringIntoSight({m_message});
}

void TaskPanel::bringIntoSight(const std::vector<QWidget*>& parts) {
  // Once they are laid out; the first part wins where there is no room for all.
  QTimer::singleShot(0, this, [this, parts] {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if ((*part)->isVisible()) m_scroll->ensureWidgetVisible(*part, 0, Theme::kGrid);
    }
  });
}

void TaskPanel::clearVerdict() {
  m_goOn->setEnabled(false);
  m_message->say(InlineMessage::Kind::Note, {});
  m_done->hide();
}

void TaskPanel::showHint() {
  if (!m_page) return;
  const auto& hints = m_page->prepared.page.task.hints;
  if (m_hints < hints.size()) ++m_hints;
  QStringList lines;
  for (std::size_t i = 0; i < m_hints; ++i) {
    lines << tr("Hint %1 of %2: %3").arg(i + 1).arg(hints.size()).arg(qs(hints[i]));
  }
  m_hintText->setText(lines.join('\n'));
  m_hintText->setVisible(!lines.isEmpty());
  m_hint->setEnabled(m_hints < hints.size());
  bringIntoSight({m_hintText});
}

QSize TaskPanel::minimumSizeHint() const {
  const int most = kDefaultWidth * fontMetrics().averageCharWidth();
  const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  const int width = std::clamp(m_content->minimumSizeHint().width() + bar, most / 2 + 4 * Theme::kGrid, most);
  return {std::max(width, m_buttons->minimumSize().width()), QWidget::minimumSizeHint().height()};
}

void TaskPanel::takeFocus() { m_answer->takeFocus(); }

}  // namespace p2::views
