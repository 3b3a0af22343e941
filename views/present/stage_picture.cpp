// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/stage_picture.h"

#include <QFontMetricsF>

#include "views/common/navigation.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMargin = 16;
constexpr int kRuleLines = 2;  // a rule may take that many

QFont bold(QFont font) {
  font.setBold(true);
  return font;
}

double lineOf(const QFont& font) { return QFontMetricsF(font).lineSpacing(); }

}  // namespace

StagePicture::StagePicture(ShownRun run, QSize size)
    : m_run(std::move(run)), m_size(size), m_font(Theme::tabularFont()) {
  m_legend.setReplay(m_run.replay.get());
  m_stage.setReplay(m_run.replay);
  const int width = m_size.width() - 2 * kMargin;
  const double top = kMargin + 2 * lineOf(m_font);
  const double below = m_legend.heightForWidth(width, m_font) + (kRuleLines + 2) * lineOf(m_font) + 2 * kMargin;
  m_stageRect = QRectF(kMargin, top, width, m_size.height() - top - below);
  m_stage.layout(m_stageRect.size() - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid));
  m_zoom = Navigation::fittedZoom(m_stage.map().bounds, m_stageRect.size(), 1).value_or(1);
  m_stage.setScale(m_zoom, 1);
  m_legend.setGlyphs(m_stage.layout().detail() >= Detail::Glyph);
}

QColor StagePicture::ground() { return Theme::surface(); }

void StagePicture::paint(QPainter& painter, int steps, double progress, double devicePixelRatio) {
  const double width = m_size.width() - 2 * kMargin;
  painter.fillRect(QRectF(QPointF(), QSizeF(m_size)), ground());
  painter.setFont(bold(m_font));
  painter.setPen(Theme::text());
  painter.drawText(QRectF(kMargin, kMargin, width, lineOf(m_font)), Qt::AlignLeft | Qt::AlignVCenter, m_run.title);

  painter.save();
  painter.setClipRect(m_stageRect);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF bounds = m_stage.map().bounds;
  painter.translate(m_stageRect.center() - bounds.center() * m_zoom);
  painter.scale(m_zoom, m_zoom);
  m_stage.setScale(m_zoom, devicePixelRatio);
  StageFrame frame;
  frame.step = steps;
  frame.progress = progress;
  const QSizeF seen = m_stageRect.size() / m_zoom;
  m_stage.paint(painter, frame, QRectF(bounds.center() - QPointF(seen.width(), seen.height()) / 2, seen));
  painter.restore();

  painter.save();
  painter.translate(kMargin, m_stageRect.bottom() + kMargin / 2.0);
  m_legend.paint(painter, int(width), m_font);
  painter.restore();
  paintCaption(painter, captionAt(steps, progress <= 0));
}

/// At rest the step that led here; at the end with the result. On the way, the step that moves.
ShownRun::Caption StagePicture::captionAt(int steps, bool rests) const {
  const std::vector<ShownRun::Caption>& captions = m_run.captions;
  const int shown = rests ? std::max(0, steps - 1) : steps;
  ShownRun::Caption caption = captions[std::min(std::size_t(shown), captions.size() - 1)];
  const int played = m_run.replay->playedSteps();
  if (!rests || played == 0 || steps < played || steps > m_run.replay->validSteps()) return caption;
  const ShownRun::Caption& end = captions.back();
  if (!end.rule.isEmpty()) caption.rule += QStringLiteral(" — ") + end.rule;
  caption.wrong = caption.wrong || end.wrong;
  return caption;
}

void StagePicture::paintCaption(QPainter& painter, const ShownRun::Caption& caption) const {
  const double line = lineOf(m_font);
  const double width = m_size.width() - 2 * kMargin;
  double y = m_size.height() - kMargin - (kRuleLines + 2) * line;
  const auto say = [&](const QFont& font, const QColor& color, const QString& text, int lines) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QRectF(kMargin, y, width, lines * line), int(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap,
                     text);
    y += lines * line;
  };
  say(bold(m_font), Theme::text(), caption.title, 1);
  const QString mark = caption.wrong ? QStringLiteral("✗ ") : QStringLiteral("⟹ ");
  say(m_font, caption.wrong ? Theme::bad() : Theme::text(), caption.rule.isEmpty() ? QString() : mark + caption.rule,
      kRuleLines);
  say(m_font, Theme::mutedText(), caption.facts, 1);
}

}  // namespace p2::views
