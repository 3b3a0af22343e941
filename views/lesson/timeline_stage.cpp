// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/timeline_stage.h"

#include <QLabel>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_view.h"

namespace p2::views {
namespace {

constexpr double kMomentSeconds = 0.4;
constexpr int kTableLines = 9;

std::vector<double> paceOf(int steps) { return std::vector<double>(std::size_t(steps), kMomentSeconds); }

}  // namespace

TimelineStage::TimelineStage(QWidget* parent)
    : QWidget(parent),
      m_player(new Player(this)),
      m_bar(new PlayerBar(*m_player, PlayerBar::Motion::Moves)),
      m_view(new TimelineView),
      m_hidden(new QLabel),
      m_caption(new QLabel),
      m_tables(new QTextBrowser) {
  m_view->setObjectName(QStringLiteral("lessonTimeline"));
  m_hidden->setObjectName(QStringLiteral("lessonTimelineHidden"));
  m_hidden->setText(tr("The timeline is shown after the answer."));
  m_hidden->setAlignment(Qt::AlignCenter);
  m_caption->setObjectName(QStringLiteral("lessonTimelineCaption"));
  named(m_tables, "lessonTables", tr("Memory and time of the steps"), tr("Memory and time of the steps, part by part"));
  m_tables->setFrameShape(QFrame::NoFrame);
  m_tables->setMinimumHeight(kTableLines * fontMetrics().lineSpacing());
  m_tables->setMinimumWidth(1);
  m_caption->setWordWrap(true);
  auto* column = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  column->addWidget(m_bar);
  column->addWidget(m_hidden, 1);
  column->addWidget(m_view, 1);
  column->addWidget(m_caption);
  column->addWidget(m_tables, 1);
  for (QAction* action : m_bar->actions()) addAction(action);
  connect(m_player, &Player::moved, this, &TimelineStage::showMoment);
}

QList<QAction*> TimelineStage::actions() const { return m_bar->actions(); }

void TimelineStage::pause() { m_player->change(&Timeline::pause); }

void TimelineStage::show(std::shared_ptr<const PreparedPage> page) {
  m_page = std::move(page);
  m_drawn = -1;
  m_revealed = m_page && m_page->isShownBefore();
  if (!m_page) return m_view->show(nullptr);
  const bool plays = !m_page->moments.empty();
  const int steps = plays ? m_page->steps() : 0;
  m_bar->setVisible(plays);
  m_bar->setStepCount(steps);
  m_bar->setHeldBack(m_revealed ? QString() : tr("Answer the question to see the timeline"));
  m_player->change([&](Timeline& timeline) {
    timeline = timeline.paced(paceOf(m_revealed ? steps : 0));
    timeline.first();
    // A pipeline that may be seen before the answer is seen whole.
    if (plays && m_revealed && !std::holds_alternative<WatchTask>(m_page->page.task.kind)) timeline.scrubTo(steps);
  });
  showMoment();
  showTables();
}

void TimelineStage::reveal() {
  if (!m_page || m_revealed) return;
  m_revealed = true;
  m_bar->setHeldBack({});
  const int steps = m_page->moments.empty() ? 0 : m_page->steps();
  m_player->change([&](Timeline& timeline) {
    timeline = timeline.paced(paceOf(steps));
    timeline.first();
    if (steps > 0) timeline.play();
  });
  m_drawn = -1;
  showMoment();
  showTables();
}

void TimelineStage::showMoment() {
  if (!m_page || !m_page->timeline) {
    m_view->hide();
    m_hidden->hide();
    m_caption->hide();
    emit shownChanged();
    return;
  }
  m_view->setVisible(m_revealed);
  m_hidden->setVisible(!m_revealed);
  m_caption->setVisible(m_revealed);
  if (!m_revealed) return emit shownChanged();
  const bool plays = !m_page->moments.empty();
  const int step =
      plays ? std::min(m_player->timeline().step() + (m_player->timeline().progress() > 0 ? 1 : 0), m_page->steps())
            : 0;
  if (step != m_drawn) {
    m_drawn = step;
    m_drawnTimeline =
        plays
            ? std::make_shared<const p2::Timeline>(timelineUpTo(*m_page->timeline, m_page->moments[std::size_t(step)]))
            : m_page->timeline;
    m_view->show(m_drawnTimeline);
    m_caption->setText(captionText(step));
    emit shownChanged();
  }
  emit stepsSeenChanged(step);
}

QString TimelineStage::captionText(int step) const {
  if (m_page->moments.empty()) return tr("One training step: %1.").arg(secondsText(m_page->timeline->seconds));
  if (step == 0) return tr("Nothing has begun yet.");
  return tr("%1: %2 of %3.")
      .arg(qs(m_page->timeline->title), secondsText(m_page->moments[std::size_t(step)]),
           secondsText(m_page->timeline->seconds));
}

void TimelineStage::showTables() {
  QString html;
  if (m_page && m_revealed) {
    for (const LessonTable& table : m_page->tables) html += tableHtml(table);
  }
  m_tables->setHtml(html);
  m_tables->setVisible(!html.isEmpty());
  emit shownChanged();
}

QWidget* TimelineStage::largeCopy() {
  auto* large = named(new QWidget, "presentTimeline");
  auto* view = named(new TimelineView, "presentTimelineView");
  auto* hidden = new QLabel(m_hidden->text());
  auto* caption = named(new QLabel, "presentTimelineCaption");
  auto* tables = named(new QTextBrowser, "presentTables", m_tables->accessibleName());
  tables->setFrameShape(QFrame::NoFrame);
  for (QLabel* label : {hidden, caption}) label->setWordWrap(true);
  auto* column = bareLayout<QVBoxLayout>(large);
  column->addWidget(hidden, 1);
  column->addWidget(view, 2);
  column->addWidget(caption);
  column->addWidget(tables, 1);
  large->setFocusProxy(view);
  const auto copy = [this, view, hidden, caption, tables] {
    const bool drawn = m_page && m_page->timeline && m_revealed;
    view->setVisible(drawn);
    hidden->setVisible(m_page && !m_revealed);
    caption->setVisible(drawn);
    if (drawn) view->show(m_drawnTimeline);
    caption->setText(m_caption->text());
    tables->setHtml(m_tables->toHtml());
    tables->setVisible(m_revealed && m_page && !m_page->tables.empty());
  };
  connect(this, &TimelineStage::shownChanged, large, copy);
  copy();
  return large;
}

QString tableHtml(const LessonTable& table) {
  QString html =
      QStringLiteral("<p><b>%1</b></p><table cellpadding=\"3\"><tr><td></td>").arg(qs(table.title).toHtmlEscaped());
  for (const std::string& column : table.columns)
    html += QStringLiteral("<th align=\"right\">%1</th>").arg(qs(column).toHtmlEscaped());
  html += QStringLiteral("</tr>");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const bool isSum = row + 1 == table.rows.size();
    const auto& values = table.values[row];
    if (!isSum && std::all_of(values.begin(), values.end(), [](double value) { return value <= 0; })) continue;
    html += QStringLiteral("<tr><td>%1</td>").arg(qs(table.rows[row]).toHtmlEscaped());
    for (const double value : values) {
      const QString text = qs(numberText({value, table.unit}));
      html += QStringLiteral("<td align=\"right\">%1</td>").arg(isSum ? QStringLiteral("<b>%1</b>").arg(text) : text);
    }
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

}  // namespace p2::views
