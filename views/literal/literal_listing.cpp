// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_listing.h"

#include <QEvent>
#include <QFontDatabase>

#include "views/common/theme.h"
#include "views/literal/literal_text.h"

namespace p2::views {
namespace {

using Kind = LiteralMoment::Kind;

constexpr int kAlgorithmRole = Qt::UserRole;
constexpr int kLineRole = Qt::UserRole + 1;
constexpr int kDefaultWidth = 40;  // characters

struct PrintedLine {
  int algorithm;
  int number;
  int indent;
  const char* text;
};

/// Algorithms 1 and 3 of the early form of PaSE, in the notation of a text; numbers are the printed ones.
constexpr PrintedLine kPrinted[] = {
    {1, 1, 0, "procedure FindOptStrategy(G, nprocs)"},
    {1, 5, 1, "for all v ∈ V do"},
    {1, 6, 2, "v.n ← neighbours of v"},
    {1, 7, 2, "v.un ← v.n"},
    {1, 8, 2, "v.cfg ← configurations of v"},
    {1, 12, 1, "for all v ∈ V do"},
    {1, 13, 2, "v.tbl ← ∏ u.cfg over u ∈ {v} ∪ v.n"},
    {1, 15, 1, "U ← V"},
    {1, 16, 1, "while U ≠ ∅ do"},
    {1, 18, 2, "v_min ← argmin |v.un| over v ∈ U"},
    {1, 20, 2, "P ← v_min.tbl, by the configurations of v_min.n"},
    {1, 22, 2, "for all S ∈ P do"},
    {1, 23, 3, "best ← argmin Cost(G, s) over s ∈ S"},
    {1, 24, 3, "rem ← S \\ {best}"},
    {1, 25, 3, "v_min.tbl ← v_min.tbl \\ rem"},
    {1, 27, 2, "for all v ∈ v_min.n do"},
    {1, 29, 3, "common ← (v_min.n ∩ v.n) ∪ {v_min, v}"},
    {1, 30, 3, "v.tbl ← rows that agree with v_min.tbl on common"},
    {1, 31, 3, "v.un ← v.un \\ {v_min}"},
    {1, 33, 2, "U ← U \\ {v_min}"},
    {1, 36, 1, "S' ← ValidStrategies(G)"},
    {3, 3, 2, "for all v ∈ V do"},
    {3, 5, 3, "S ← v.tbl, the first time"},
    {3, 9, 3, "for all s ∈ S, t ∈ v.tbl do"},
    {3, 14, 4, "if they agree: S' ← S' ∪ {s ∪ t}"},
    {3, 18, 3, "S ← S'"},
    {1, 37, 1, "S ← argmin Cost(G, S) over S'"},
    {1, 38, 1, "return S"},
};

}  // namespace

ListingLines linesOf(LiteralMoment::Kind kind) {
  switch (kind) {
    case Kind::Tables:
      return {1, 5, 14};
    case Kind::Choose:
      return {1, 18, 18};
    case Kind::Partition:
      return {1, 19, 20};
    case Kind::Best:
      return {1, 22, 26};
    case Kind::Restrict:
      return {1, 27, 32};
    case Kind::Join:
      return {3, 3, 19};
    case Kind::Result:
      return {1, 36, 38};
  }
  return {};
}

LiteralListing::LiteralListing(QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("literalListing"));
  setAccessibleName(tr("The algorithm as printed"));
  setToolTip(
      tr("Algorithm 1, and Algorithm 3 where it is called, of %1; the current lines are marked").arg(literalPaper()));
  setSelectionMode(QAbstractItemView::NoSelection);
  setTabKeyNavigation(false);
  setUniformItemSizes(true);
  setFrameShape(QFrame::NoFrame);
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(this->font().pointSizeF() * 0.9);
  setFont(font);
  addLines();
  setMinimumWidth(kDefaultWidth / 2 * fontMetrics().averageCharWidth());
}

void LiteralListing::setTextPixels(int pixels) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPixelSize(pixels);
  setFont(font);
  mark();
}

void LiteralListing::addLines() {
  for (const PrintedLine& line : kPrinted) {
    auto* item = new QListWidgetItem(
        QStringLiteral("%1%2  %3%4")
            .arg(line.algorithm == 3 ? QStringLiteral("3:") : QString())
            .arg(line.number, line.algorithm == 3 ? 2 : 4)
            .arg(QString(qsizetype(2) * line.indent, QLatin1Char(' ')), QString::fromUtf8(line.text)));
    item->setData(kAlgorithmRole, line.algorithm);
    item->setData(kLineRole, line.number);
    item->setFlags(Qt::ItemIsEnabled);
    addItem(item);
  }
}

void LiteralListing::showLines(const ListingLines& lines, bool broken) {
  if (lines == m_lines && broken == m_broken) return;
  m_lines = lines;
  m_broken = broken;
  mark();
}

void LiteralListing::mark() {
  QListWidgetItem* first = nullptr;
  QListWidgetItem* last = nullptr;
  for (int row = 0; row < count(); ++row) {
    QListWidgetItem* line = item(row);
    const int number = line->data(kLineRole).toInt();
    const bool here =
        line->data(kAlgorithmRole).toInt() == m_lines.algorithm && number >= m_lines.first && number <= m_lines.last;
    line->setBackground(here ? QBrush(Theme::tint()) : QBrush());
    line->setForeground(here ? (m_broken ? Theme::bad() : Theme::text()) : Theme::mutedText());
    QFont font = this->font();
    font.setBold(here);
    line->setFont(font);
    if (here && first == nullptr) first = line;
    if (here) last = line;
  }
  if (first == nullptr) return;
  scrollToItem(last);
  scrollToItem(first);
}

QStringList LiteralListing::marked() const {
  QStringList texts;
  for (int row = 0; row < count(); ++row) {
    if (item(row)->font().bold()) texts.append(item(row)->text().simplified());
  }
  return texts;
}

void LiteralListing::changeEvent(QEvent* event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) mark();
}

}  // namespace p2::views
