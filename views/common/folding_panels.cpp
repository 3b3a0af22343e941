// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/folding_panels.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <algorithm>
#include <numeric>

#include "views/common/edge_button.h"

namespace p2::views {

FoldingPanels::FoldingPanels(QSplitter* splitter, std::vector<Panel> panels, QWidget* parent)
    : QWidget(parent), m_splitter(splitter), m_panels(std::move(panels)), m_shown(m_panels.size(), true) {
  m_splitter->setParent(this);
  for (int panel = 0; panel < int(m_panels.size()); ++panel) {
    auto* edge = new EdgeButton(m_panels[std::size_t(panel)].title, this);
    edge->setObjectName(m_panels[std::size_t(panel)].name + QStringLiteral("Edge"));
    edge->hide();
    connect(edge, &EdgeButton::clicked, this, [this, panel] { open(panel); });
    m_edges.push_back(edge);
  }
}

QSize FoldingPanels::sizeHint() const { return m_splitter->sizeHint(); }

int FoldingPanels::wantedWidth(int panel) const {
  const QWidget& widget = *m_splitter->widget(panel);
  int wanted = std::max({widget.minimumSizeHint().width(), widget.minimumWidth(), m_panels[std::size_t(panel)].room});
  // Vertical scroll areas must not need horizontal scrolling.
  if (const auto* scroll = qobject_cast<const QScrollArea*>(&widget);
      scroll != nullptr && scroll->widget() != nullptr) {
    const int bar = scroll->verticalScrollBar()->sizeHint().width();
    wanted = std::max(wanted, scroll->widget()->minimumSizeHint().width() + bar);
  }
  return wanted;
}

QSize FoldingPanels::minimumSizeHint() const {
  QSize least;
  for (int panel = 0; panel < int(m_panels.size()); ++panel) {
    const QWidget& widget = *m_splitter->widget(panel);
    least = least.expandedTo(widget.minimumSizeHint()).expandedTo(widget.minimumSize());
  }
  // All the others may be folded, to either side.
  int edges = 0;
  for (const EdgeButton* edge : m_edges) edges = std::max(edges, edge->sizeHint().width());
  return {least.width() + std::min(2, int(m_panels.size()) - 1) * edges, least.height()};
}

std::vector<int> FoldingPanels::byRank() const {
  std::vector<int> order(m_panels.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](int a, int b) {
    const auto rankOf = [this](int panel) { return panel == m_opened ? -1 : m_panels[std::size_t(panel)].rank; };
    return rankOf(a) < rankOf(b);
  });
  return order;
}

int FoldingPanels::edgeWidth(bool left, const std::vector<bool>& shown) const {
  const auto first = std::find(shown.begin(), shown.end(), true) - shown.begin();
  int width = 0;
  for (int panel = 0; panel < int(shown.size()); ++panel) {
    if (!shown[std::size_t(panel)] && (panel < first) == left) {
      width = std::max(width, m_edges[std::size_t(panel)]->sizeHint().width());
    }
  }
  return width;
}

/// Panels of the lowest ranks that fit, at least one.
std::vector<bool> FoldingPanels::fitting() const {
  std::vector<bool> shown(m_panels.size(), false);
  bool any = false;
  for (const int panel : byRank()) {
    std::vector<bool> more = shown;
    more[std::size_t(panel)] = true;
    int needed = edgeWidth(true, more) + edgeWidth(false, more) - m_splitter->handleWidth();
    for (int each = 0; each < int(more.size()); ++each) {
      if (more[std::size_t(each)]) needed += wantedWidth(each) + m_splitter->handleWidth();
    }
    if (any && needed > width()) continue;
    shown = std::move(more);
    any = true;
  }
  return shown;
}

void FoldingPanels::open(int panel) {
  m_opened = panel;
  fold();
  // The button that had the keyboard has gone.
  const QWidget* opened = m_splitter->widget(panel);
  for (QWidget* next = opened->nextInFocusChain(); next != opened; next = next->nextInFocusChain()) {
    if (!opened->isAncestorOf(next) || !next->isVisible() || !(next->focusPolicy() & Qt::TabFocus)) continue;
    return next->setFocus(Qt::TabFocusReason);
  }
}

void FoldingPanels::reveal(const QWidget& widget) {
  for (int panel = 0; panel < int(m_panels.size()); ++panel) {
    const QWidget* each = m_splitter->widget(panel);
    if (m_shown[std::size_t(panel)] || (each != &widget && !each->isAncestorOf(&widget))) continue;
    m_opened = panel;
    fold();
  }
}

void FoldingPanels::revealAll(QWidget& widget) {
  for (QWidget* above = widget.parentWidget(); above != nullptr; above = above->parentWidget()) {
    if (auto* panels = qobject_cast<FoldingPanels*>(above)) panels->reveal(widget);
  }
}

void FoldingPanels::fold() {
  std::vector<bool> shown = fitting();
  const bool all = std::find(shown.begin(), shown.end(), false) == shown.end();
  if (all) m_opened = -1;
  if (shown != m_shown) {
    const bool hadAll = std::find(m_shown.begin(), m_shown.end(), false) == m_shown.end();
    if (hadAll) m_sizes = m_splitter->sizes();
    m_shown = std::move(shown);
    for (int panel = 0; panel < int(m_panels.size()); ++panel) {
      m_splitter->widget(panel)->setVisible(m_shown[std::size_t(panel)]);
      m_edges[std::size_t(panel)]->setVisible(!m_shown[std::size_t(panel)]);
    }
    if (all) m_splitter->setSizes(m_sizes);
  }
  place();
}

/// A shown panel gets its wanted width from panels that have more than theirs.
void FoldingPanels::share() {
  QList<int> sizes = m_splitter->sizes();
  for (int panel = 0; panel < int(m_shown.size()); ++panel) {
    int lacking = m_shown[std::size_t(panel)] ? wantedWidth(panel) - sizes[panel] : 0;
    for (int other = 0; other < int(m_shown.size()) && lacking > 0; ++other) {
      if (other == panel || !m_shown[std::size_t(other)]) continue;
      const int taken = std::clamp(sizes[other] - wantedWidth(other), 0, lacking);
      sizes[other] -= taken;
      sizes[panel] += taken;
      lacking -= taken;
    }
  }
  if (sizes != m_splitter->sizes()) m_splitter->setSizes(sizes);
}

void FoldingPanels::place() {
  const int left = edgeWidth(true, m_shown);
  const int right = edgeWidth(false, m_shown);
  m_splitter->setGeometry(left, 0, width() - left - right, height());
  const auto first = std::find(m_shown.begin(), m_shown.end(), true) - m_shown.begin();
  for (const bool onLeft : {true, false}) {
    int folded = 0;
    for (int panel = 0; panel < int(m_shown.size()); ++panel) {
      folded += int(!m_shown[std::size_t(panel)] && (panel < first) == onLeft);
    }
    int at = 0;
    for (int panel = 0; panel < int(m_shown.size()); ++panel) {
      if (m_shown[std::size_t(panel)] || (panel < first) != onLeft) continue;
      const int top = height() * at / folded;
      const int bottom = height() * ++at / folded;
      m_edges[std::size_t(panel)]->setGeometry(onLeft ? 0 : width() - right, top, onLeft ? left : right, bottom - top);
    }
  }
}

void FoldingPanels::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fold();
  // Only then: a splitter moved by the user stays.
  share();
}

bool FoldingPanels::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) {
    fold();
    updateGeometry();
  }
  return QWidget::event(event);
}

}  // namespace p2::views
