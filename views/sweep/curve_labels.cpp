// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/curve_labels.h"

#include <algorithm>
#include <numeric>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMostRows = 5;
constexpr int kGap = 6;
constexpr double kMostShare = 0.4;  // share of the height for sentences

int rowHeight() { return QFontMetrics(Theme::tabularFont()).height() + 2; }

template <class Item>
void resizeItems(QCustomPlot& plot, std::vector<Item*>& items, std::size_t count) {
  for (; items.size() > count; items.pop_back()) plot.removeItem(items.back());
  while (items.size() < count) {
    items.push_back(new Item(&plot));
    items.back()->setSelectable(false);
  }
}

QColor faded(QColor color, bool fade) {
  if (fade) color.setAlphaF(0.4F);
  return color;
}

}  // namespace

CurveLabels::CurveLabels(QCustomPlot& plot) : QObject(&plot), m_plot(plot) {
  connect(&plot, &QCustomPlot::afterLayout, this, &CurveLabels::place);
}

void CurveLabels::setEnds(std::vector<EndLabel> ends) {
  m_ends = std::move(ends);
  resizeItems(m_plot, m_endItems, m_ends.size());
  for (QCPItemText* item : m_endItems) {
    item->setClipToAxisRect(false);
    item->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    item->position->setType(QCPItemPosition::ptAbsolute);
  }
}

void CurveLabels::setLines(std::vector<LineLabel> lines) {
  m_lines = std::move(lines);
  resizeItems(m_plot, m_lineItems, m_lines.size());
  resizeItems(m_plot, m_lineMarks, m_lines.size());
  for (QCPItemText* item : m_lineItems) {
    item->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    item->position->setType(QCPItemPosition::ptAbsolute);
    item->setPadding(QMargins(2, 0, 2, 0));
    // Lines of other sentences end behind them.
    item->setLayer(QStringLiteral("overlay"));
  }
}

int CurveLabels::roomAtRight() const {
  const QFontMetrics metrics(Theme::tabularFont());
  int most = 0;
  for (const EndLabel& end : m_ends) most = std::max(most, metrics.horizontalAdvance(end.text));
  return most + 2 * kGap;
}

int CurveLabels::mostRows(int height) { return std::clamp(int(kMostShare * height / rowHeight()), 1, kMostRows); }

int CurveLabels::roomAtTop(int height) const {
  return std::min<int>(mostRows(height), int(m_lines.size())) * rowHeight();
}

void CurveLabels::place() {
  placeEnds();
  placeLines();
}

void CurveLabels::placeEnds() {
  const QRect rect = m_plot.axisRect()->rect();
  const double height = QFontMetrics(Theme::tabularFont()).height();
  std::vector<std::size_t> order(m_ends.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [this](std::size_t a, std::size_t b) { return m_ends[a].value > m_ends[b].value; });
  double free = rect.top();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const EndLabel& end = m_ends[order[i]];
    const double below = double(order.size() - 1 - i) * height;
    const double wanted = m_plot.yAxis->coordToPixel(std::max(end.value, m_plot.yAxis->range().lower));
    const double y = std::max(free + height / 2, std::min(wanted, rect.bottom() - height / 2 - below));
    free = y + height / 2;
    QCPItemText& item = *m_endItems[order[i]];
    item.setText(end.text);
    item.setFont(Theme::tabularFont());
    item.setColor(faded(end.color, m_faded));
    item.position->setCoords(rect.right() + kGap, y);
  }
}

// A sentence takes the first row in which it meets none before it, and stands left of its line where there is no room
// on the right.
void CurveLabels::placeLines() {
  const QRect rect = m_plot.axisRect()->rect();
  const QFontMetrics metrics(Theme::tabularFont());
  std::vector<std::vector<std::pair<double, double>>> rows(std::size_t(mostRows(rect.height())));
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    const LineLabel& line = m_lines[i];
    const double x = m_plot.xAxis->coordToPixel(line.value);
    m_lineMarks[i]->setPen(QPen(faded(Theme::mutedText(), m_faded), 1, Qt::DashLine));
    m_lineMarks[i]->point1->setCoords(line.value, 1);
    m_lineMarks[i]->point2->setCoords(line.value, 2);
    const double width = metrics.horizontalAdvance(line.text) + 4 + kGap;
    const bool onTheLeft = x + width > rect.right() && x - width > rect.left();
    const double left = onTheLeft ? x - width : x + 3;
    const auto isFree = [&](const auto& row) {
      return std::none_of(row.begin(), row.end(),
                          [&](const auto& taken) { return left < taken.second && left + width > taken.first; });
    };
    const auto row = std::find_if(rows.begin(), rows.end(), isFree);
    QCPItemText& item = *m_lineItems[i];
    const bool inside = x >= rect.left() && x <= rect.right();
    item.setVisible(inside && row != rows.end());
    m_lineMarks[i]->setVisible(inside);
    if (!item.visible()) continue;
    row->emplace_back(left, left + width);
    item.setText(line.text);
    item.setFont(Theme::tabularFont());
    item.setColor(faded(Theme::text(), m_faded));
    item.setBrush(Theme::surface());
    item.position->setCoords(left, rect.top() + 2 + double(row - rows.begin()) * rowHeight());
  }
}

}  // namespace p2::views
