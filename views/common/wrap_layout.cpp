// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/wrap_layout.h"

#include <QWidget>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {

WrapLayout::WrapLayout(QWidget* parent) : QLayout(parent) {
  setContentsMargins({});
  setSpacing(Theme::kGrid);
}

WrapLayout::~WrapLayout() { qDeleteAll(m_items); }

QLayoutItem* WrapLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int WrapLayout::heightForWidth(int width) const { return arrange(QRect(0, 0, width, 0), false); }

QSize WrapLayout::sizeHint() const {
  QSize all;
  for (const QLayoutItem* item : m_items) {
    if (item->isEmpty()) continue;
    const QSize each = item->sizeHint();
    all = QSize(all.width() + each.width() + (all.isEmpty() ? 0 : spacing()), std::max(all.height(), each.height()));
  }
  return all;
}

QSize WrapLayout::minimumSize() const {
  QSize least;
  for (const QLayoutItem* item : m_items) {
    if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
  }
  return least;
}

void WrapLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int WrapLayout::arrange(const QRect& rect, bool move) const {
  int top = rect.top();
  QList<QLayoutItem*> line;
  int used = 0;
  int height = 0;
  const auto finish = [&](bool last) {
    int left = rect.left();
    for (QLayoutItem* item : line) {
      const QSize size = item->sizeHint().boundedTo(QSize(rect.width(), item->sizeHint().height()));
      if (last && m_lastAtEnd && item == line.last()) left = std::max(left, rect.right() + 1 - size.width());
      if (move) item->setGeometry(QRect(left, top + (height - size.height()) / 2, size.width(), size.height()));
      left += size.width() + spacing();
    }
    top += height + (last ? 0 : spacing());
    line.clear();
    used = height = 0;
  };
  for (QLayoutItem* item : m_items) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (!line.isEmpty() && used + size.width() > rect.width()) finish(false);
    line.append(item);
    used += size.width() + spacing();
    height = std::max(height, size.height());
  }
  if (!line.isEmpty()) finish(true);
  return top - rect.top();
}

}  // namespace p2::views
