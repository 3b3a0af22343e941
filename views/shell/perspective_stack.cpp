// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/perspective_stack.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostHistory = 100;

}  // namespace

PerspectiveStack::PerspectiveStack(QWidget* parent) : QStackedWidget(parent) { setObjectName("perspectives"); }

void PerspectiveStack::add(const QString& title, Factory factory) { m_pages.push_back({title, std::move(factory)}); }

Perspective* PerspectiveStack::current() const {
  return m_current < 0 ? nullptr : m_pages[std::size_t(m_current)].widget;
}

QString PerspectiveStack::unfinished() const {
  QStringList all;
  for (const Page& page : m_pages) {
    if (page.widget) all << page.widget->unfinished();
  }
  all.removeAll(QString());
  return all.join(QStringLiteral(", "));
}

void PerspectiveStack::showPage(int page) {
  if (page < 0 || page >= pageCount() || page == m_current) return;
  if (m_current >= 0) m_history.push_back(m_current);
  if (m_history.size() > kMostHistory) m_history.erase(m_history.begin());
  turnTo(page);
}

void PerspectiveStack::showTitled(const QString& title) {
  for (int page = 0; page < pageCount(); ++page) {
    if (titleOf(page) == title) return showPage(page);
  }
}

void PerspectiveStack::goBack() {
  if (m_history.empty()) return;
  const int page = m_history.back();
  m_history.pop_back();
  turnTo(page);
}

void PerspectiveStack::turnTo(int page) {
  Page& next = m_pages[std::size_t(page)];
  if (!next.widget) {
    next.widget = next.factory();
    addWidget(next.widget);
    connect(next.widget, &Perspective::perspectiveWanted, this, &PerspectiveStack::showTitled);
  }
  m_current = page;
  setCurrentWidget(next.widget);
  next.widget->setFocus(Qt::OtherFocusReason);
  emit pageChanged(page);
}

}  // namespace p2::views
