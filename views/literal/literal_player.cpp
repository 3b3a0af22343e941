// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_player.h"

#include <QLabel>
#include <QSplitter>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/literal/literal_graph_view.h"
#include "views/literal/literal_listing.h"
#include "views/literal/literal_strip.h"
#include "views/literal/literal_tables.h"
#include "views/literal/literal_text.h"

namespace p2::views {

LiteralPlayer::LiteralPlayer(QWidget* parent)
    : QWidget(parent),
      m_player(new Player(this)),
      m_bar(new PlayerBar(*m_player, PlayerBar::Motion::Jumps)),
      m_strip(new LiteralStrip),
      m_graph(new LiteralGraphView),
      m_listing(new LiteralListing),
      m_tables(new LiteralTables) {
  auto* side = splitterOf(Qt::Vertical, {{m_graph}, {m_listing}}, "literalSideSplitter");
  auto* split = splitterOf(Qt::Horizontal, {{side}, {m_tables}}, "literalSplitter");
  split->setSizes({400, 560});
  split->setStretchFactor(0, 2);
  split->setStretchFactor(1, 3);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addWidget(m_bar);
  layout->addWidget(m_strip);
  layout->addWidget(split, 1);
  addWords(*layout);
  connect(m_player, &Player::moved, this, &LiteralPlayer::showMoment);
  connect(m_graph, &LiteralGraphView::vertexPicked, this, &LiteralPlayer::showTables);
  connect(m_strip, &LiteralStrip::momentWanted, this, &LiteralPlayer::goTo);
}

void LiteralPlayer::addWords(QVBoxLayout& layout) {
  m_lines = panelTitle({});
  named(m_lines, "literalLines", {}, literalPaper());
  m_words = named(new QLabel, "literalWords");
  m_words->setTextFormat(Qt::PlainText);
  m_words->setWordWrap(true);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  // Room for the longest sentence, so that nothing jumps while steps pass.
  m_words->setMinimumHeight(2 * m_words->fontMetrics().lineSpacing());
  m_invariant = named(new InlineMessage, "literalInvariant");
  layout.addWidget(m_lines);
  layout.addWidget(m_words);
  layout.addWidget(m_invariant);
}

QList<QAction*> LiteralPlayer::actions() const { return m_bar->actions(); }

QWidget* LiteralPlayer::graph() const { return m_graph; }

void LiteralPlayer::setRun(std::shared_ptr<const LiteralRun> run) {
  m_run = std::move(run);
  m_seen = 0;
  m_graph->setRun(m_run);
  m_strip->setRun(m_run);
  const int moments = m_run ? int(m_run->trace().moments.size()) : 1;
  m_bar->setStepCount(moments);
  m_player->change([moments](Timeline& timeline) { timeline = timeline.restarted(moments - 1); });
}

void LiteralPlayer::limitTo(int steps) {
  if (!m_run) return;
  const int most = std::clamp(steps, 1, int(m_run->trace().moments.size()));
  const int at = std::min(int(m_moment), most - 1);
  m_player->change([&](Timeline& timeline) {
    timeline = timeline.restarted(most - 1);
    timeline.scrubTo(at);
  });
}

void LiteralPlayer::tellAhead(bool tell) {
  m_tellsAhead = tell;
  showMoment();
}

void LiteralPlayer::goTo(std::size_t moment) {
  m_player->change([moment](Timeline& timeline) { timeline.scrubTo(double(moment)); });
}

void LiteralPlayer::pause() { m_player->change(&Timeline::pause); }

void LiteralPlayer::lead(LiteralPlayer& other) {
  setRun(other.m_run);
  tellAhead(other.m_tellsAhead);
  limitTo(int(other.m_player->timeline().steps()) + 1);
  goTo(other.m_moment);
  connect(this, &LiteralPlayer::momentChanged, &other, &LiteralPlayer::goTo);
}

void LiteralPlayer::setTextPixels(int pixels) {
  m_graph->setTextPixels(pixels);
  m_listing->setTextPixels(pixels);
  m_tables->setTextPixels(pixels);
}

void LiteralPlayer::showMoment() {
  if (!m_run) return;
  m_moment = std::size_t(m_player->timeline().step());
  m_graph->setMoment(m_moment);
  m_seen = std::max(m_seen, m_moment);
  m_strip->setMoment(m_moment, m_tellsAhead ? std::size_t(m_player->timeline().steps()) : m_seen);
  const auto lost = lostMoment(m_run->trace());
  m_listing->showLines(linesOf(m_run->trace().moments[m_moment].kind), lost && m_moment >= *lost);
  m_lines->setText(linesText(*m_run, m_moment));
  m_words->setText(momentText(*m_run, m_moment));
  const InvariantText invariant = invariantText(*m_run, m_moment);
  m_invariant->say(invariant.kind, invariant.sentence);
  showTables();
  emit momentChanged(m_moment);
}

void LiteralPlayer::showTables() { m_tables->show(m_run, m_moment, m_graph->picked()); }

}  // namespace p2::views
