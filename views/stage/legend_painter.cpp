// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/legend_painter.h"

#include <QFontMetricsF>
#include <QObject>
#include <algorithm>
#include <cmath>

#include "views/common/contributor_colors.h"
#include "views/common/theme.h"
#include "views/stage/glyphs.h"
#include "views/stage/grid_style.h"
#include "views/stage/stage_groups.h"
#include "views/stage/stage_marks.h"

namespace p2::views {
namespace {

constexpr double kLeastSide = 11;
// Between entries, for symbols of the least size; the other in narrow legends.
constexpr double kGap = 14;
constexpr double kSmallGap = 10;
constexpr int kMostWholeLines = 3;
constexpr int kNarrow = 30;  // symbols; wider legends stay the same from program to program
const auto kSumText = QStringLiteral("3+5→8");

/// Symbols grow with the letters: a presentation has letters of 70 pixels.
double sideOf(const QFont& font) { return std::max(kLeastSide, std::floor(0.6 * QFontMetricsF(font).height())); }

bool isNarrow(int width, const QFont& font) { return width < kNarrow * sideOf(font); }

double gapOf(int width, const QFont& font) {
  return (isNarrow(width, font) ? kSmallGap : kGap) * sideOf(font) / kLeastSide;
}

/// Between a symbol and its text.
double spaceOf(const QFont& font) { return 5 * sideOf(font) / kLeastSide; }

double lineHeight(const QFont& font) { return std::max(QFontMetricsF(font).height(), sideOf(font) + 4); }

}  // namespace

void LegendPainter::setReplay(const Replay* replay) {
  m_moves = m_sums = m_hasRoot = replay == nullptr;
  m_leavesNothing = replay == nullptr || replay->shareOf(Device(0), 0) < 1;
  for (const Instruction& step : replay != nullptr ? replay->program : Program()) {
    const CollectiveTraits& traits = traitsOf(step.collective);
    m_moves = true;
    m_sums |= traits.makes == Makes::Sum;
    m_leavesNothing |= traits.leaves != Leaves::Everywhere;
    m_hasRoot |= traits.rooted();
  }
  m_hues.clear();
  if (replay != nullptr && replay->members <= kContributorColors) {
    for (const Device device : replay->contributorsOf(Device(0))) m_hues.push_back(int(device.value()));
  }
  fill();
}

void LegendPainter::setNumbers(bool numbers) {
  m_numbers = numbers;
  fill();
}

void LegendPainter::setGlyphs(bool glyphs) {
  m_glyphs = glyphs;
  fill();
}

void LegendPainter::fill() {
  m_entries = {{Symbol::None, QObject::tr("row = chunk")}};
  if (m_glyphs) {
    m_entries = {{Symbol::Bars, QObject::tr("grey = chunks held"), QObject::tr("grey = held")},
                 {Symbol::None, QObject::tr("dark = share of contributors summed"), QObject::tr("dark = summed")}};
  } else if (m_numbers) {
    m_entries.push_back(
        {Symbol::None, QObject::tr("number = sum; the first contributor starts with 1, the next with 2")});
  } else {
    m_entries.push_back({m_hues.empty() ? Symbol::None : Symbol::Hues, QObject::tr("column = contributor")});
    m_entries.push_back({Symbol::Part, QObject::tr("has the contribution"), QObject::tr("contribution")});
    m_entries.push_back({Symbol::Missing, QObject::tr("held, contribution missing"), QObject::tr("missing")});
    m_entries.push_back({Symbol::Plate, QObject::tr("sum; contributor n starts with n"), QObject::tr("sum")});
  }
  m_entries.push_back({Symbol::NotHeld, QObject::tr("not held")});
  if (!m_glyphs) m_entries.push_back({Symbol::Changed, QObject::tr("changed")});
  m_entries.push_back({Symbol::Tile, QObject::tr("on its way; area = bytes"), QObject::tr("moving")});
  m_entries.push_back({Symbol::Group, QObject::tr("group")});
  m_entries.push_back({Symbol::Root, QObject::tr("root")});
}

QStringList LegendPainter::words() const {
  QStringList words;
  for (const Entry& entry : m_entries) words.append(entry.text);
  return words;
}

bool LegendPainter::canOccur(Symbol symbol) const {
  switch (symbol) {
    case Symbol::NotHeld:
      return m_leavesNothing;
    case Symbol::Plate:
      return m_sums;
    case Symbol::Changed:
    case Symbol::Tile:
    case Symbol::Group:
      return m_moves;
    case Symbol::Root:
      return m_hasRoot;
    case Symbol::None:
    case Symbol::Part:
    case Symbol::Hues:
    case Symbol::Missing:
    case Symbol::Bars:
      return true;
  }
  return true;
}

double LegendPainter::symbolWidth(Symbol symbol, const QFont& font) const {
  if (symbol == Symbol::None) return 0;
  if (symbol == Symbol::Hues) return sideOf(font) * double(m_hues.size()) + spaceOf(font);
  return (symbol == Symbol::Plate ? QFontMetricsF(font).horizontalAdvance(kSumText) + 6 : sideOf(font) + 2) +
         spaceOf(font);
}

std::vector<LegendPainter::Entry> LegendPainter::laidOut(int width, const QFont& font) const {
  std::vector<Entry> entries = m_entries;
  layOut(entries, width, font);
  const bool narrow = isNarrow(width, font);
  if (!narrow && entries.back().at.y() < kMostWholeLines * lineHeight(font)) return entries;
  for (Entry& entry : entries) {
    if (!entry.brief.isEmpty()) entry.text = entry.brief;
  }
  std::erase_if(entries, [&](const Entry& entry) {
    // The colours of all contributors say the same.
    return entry.symbol == Symbol::Part ? !m_hues.empty() : narrow && !canOccur(entry.symbol);
  });
  layOut(entries, width, font);
  return entries;
}

void LegendPainter::layOut(std::vector<Entry>& entries, int width, const QFont& font) const {
  const QFontMetricsF metrics(font);
  const double gap = gapOf(width, font);
  QPointF at;
  for (Entry& entry : entries) {
    const double wide = symbolWidth(entry.symbol, font) + metrics.horizontalAdvance(entry.text);
    if (at.x() > 0 && at.x() + wide > width) at = {0, at.y() + lineHeight(font)};
    entry.at = at;
    at.rx() += wide + gap;
  }
}

int LegendPainter::heightForWidth(int width, const QFont& font) const {
  return int(laidOut(width, font).back().at.y() + lineHeight(font)) + 1;
}

int LegendPainter::lastLineWidth(int width, const QFont& font) const {
  const Entry last = laidOut(width, font).back();
  return int(
      std::ceil(last.at.x() + symbolWidth(last.symbol, font) + QFontMetricsF(font).horizontalAdvance(last.text)));
}

void LegendPainter::paint(QPainter& painter, int width, const QFont& font) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  const double side = sideOf(font);
  for (const Entry& entry : laidOut(width, font)) {
    const double wide = symbolWidth(entry.symbol, font);
    const QRectF line(entry.at, QSizeF(width, lineHeight(font)));
    if (wide > 0) {
      paintSymbol(painter, entry.symbol,
                  QRectF(line.left() + 1, line.center().y() - side / 2, wide - spaceOf(font) - 2, side));
    }
    painter.setPen(Theme::text());
    painter.drawText(line.adjusted(wide, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
  }
}

void LegendPainter::paintSymbol(QPainter& painter, Symbol symbol, const QRectF& rect) const {
  const GridInk ink = GridInk::current();
  const double thick = rect.height() / kLeastSide;
  const auto box = [&](const QColor& fill, const QColor& frame) {
    painter.setPen(QPen(frame, thick));
    painter.setBrush(fill);
    painter.drawRect(rect.adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2));
  };
  switch (symbol) {
    case Symbol::None:
      return;
    case Symbol::Hues:
      for (std::size_t i = 0; i < m_hues.size(); ++i) {
        painter.fillRect(QRectF(rect.left() + double(i) * rect.height(), rect.top(), rect.height() - 1, rect.height()),
                         memberColor(int(i), int(m_hues.size())));
      }
      return;
    case Symbol::Bars:
      return Glyphs::paint(painter, rect, {QRectF(0, 0.25, 0.4, 0.5)}, 1);
    case Symbol::Part:
      return box(memberColor(0, 8), ink.frame);
    case Symbol::Missing:
      return box(ink.missing, ink.frame);
    case Symbol::NotHeld:
      painter.fillRect(rect, ink.ground);
      painter.setPen(QPen(ink.frame, thick, Qt::DotLine));
      painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
      return;
    case Symbol::Tile: {
      QColor body = Theme::accent();
      body.setAlphaF(0.3f);
      return box(body, Theme::accent());
    }
    case Symbol::Plate: {
      const double high = painter.fontMetrics().height();
      const QRectF plate(rect.left(), rect.center().y() - high / 2, rect.width(), high);
      painter.setPen(Qt::NoPen);
      painter.setBrush(Theme::accent());
      painter.drawRoundedRect(plate, 3, 3);
      painter.setPen(Theme::surface());
      return painter.drawText(plate, Qt::AlignCenter | Qt::TextDontClip, kSumText);
    }
    case Symbol::Changed:
      return paintDoubleRing(painter, rect.adjusted(3.5 * thick, 3.5 * thick, -3.5 * thick, -3.5 * thick),
                             Theme::accent(), thick);
    case Symbol::Root:
      return paintCrown(painter, rect.adjusted(0, 1, 0, -1), Theme::text());
    case Symbol::Group:
      painter.setPen(groupPen(1, Theme::text(), 1.2 * thick));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(rect);
      return;
  }
}

}  // namespace p2::views
