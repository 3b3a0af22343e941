// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/busiest_list.h"

#include <QLabel>
#include <QLinearGradient>
#include <QListWidget>
#include <algorithm>

#include "base/units.h"
#include "views/common/panel.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr int kMostListed = 20;
constexpr int kCharacters = 30;

/// A bar behind the words, as long as the link's load over the busiest one's.
QBrush barOf(const ShownLoad& load) {
  const double end = std::clamp(load.fraction, 0.001, 0.999);
  QLinearGradient bar(0, 0, 1, 0);
  bar.setCoordinateMode(QGradient::ObjectMode);
  bar.setColorAt(0, Theme::tint());
  bar.setColorAt(end, Theme::tint());
  bar.setColorAt(end + 0.001, Qt::transparent);
  return bar;
}

}  // namespace

BusiestList::BusiestList(QWidget* parent) : QWidget(parent), m_first(new QLabel), m_list(new QListWidget) {
  m_first->setObjectName(QStringLiteral("busiestLink"));
  m_first->setTextFormat(Qt::PlainText);
  m_first->setWordWrap(true);
  named(m_list, "busiestLinks", tr("Busiest links"), tr("Click to select the link in the drawing (Enter)"));
  m_list->setWordWrap(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QVBoxLayout* layout = panelLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(m_first);
  layout->addWidget(m_list, 1);
  setFixedWidth(fontMetrics().averageCharWidth() * kCharacters);
  const auto go = [this](const QListWidgetItem* item) { emit linkWanted(item->data(Qt::UserRole).toString()); };
  connect(m_list, &QListWidget::itemClicked, this, go);
  connect(m_list, &QListWidget::itemActivated, this, go);
  hide();
}

void BusiestList::show(const std::vector<std::pair<QString, ShownLoad>>& links) {
  m_list->clear();
  setVisible(!links.empty());
  if (links.empty()) return;
  m_first->setText(tr("Busiest: %1: %2").arg(links.front().first, links.front().second.text));
  // Symmetric machines carry the same everywhere: equal links are one row.
  for (std::size_t i = 0; i < links.size() && m_list->count() < kMostListed;) {
    const auto& [name, load] = links[i];
    std::size_t end = i + 1;
    while (end < links.size() && links[end].second.text == load.text) ++end;
    QString text = QStringLiteral("%1\n%2, %3").arg(name, load.text, qs(formatPercent(load.fraction)));
    if (end > i + 1) text += tr("\nand %L1 more like it").arg(end - i - 1);
    auto* item = new QListWidgetItem(text, m_list);
    item->setData(Qt::UserRole, name);
    item->setBackground(barOf(load));
    if (load.stale) item->setForeground(Theme::mutedText());
    i = end;
  }
}

}  // namespace p2::views
