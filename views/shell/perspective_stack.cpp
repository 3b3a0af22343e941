// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/perspective_stack.h"

#include <QEvent>
#include <QScrollArea>
#include <algorithm>

namespace p2::views {
namespace {

constexpr std::size_t kMostHistory = 100;
/// Room of a page on a screen of 1440 × 900 pixels at twice the size, 720 × 450, next to the bar, the menus and the
/// lines above and below. A page that needs more is scrolled there.
constexpr QSize kMostNeeded{620, 320};

/// As large as the page's minimum. A scroll area would use the size hint of a page with wrapped lines and scroll where
/// that is not needed.
class PageHolder : public QWidget {
 public:
  explicit PageHolder(QWidget& page) : m_page(page) { page.setParent(this); }
  [[nodiscard]] QSize minimumSizeHint() const override { return m_page.minimumSizeHint(); }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    m_page.resize(size());
  }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QWidget::event(event);
  }

 private:
  QWidget& m_page;
};

QScrollArea* framed(QWidget& page) {
  auto* frame = new QScrollArea;
  frame->setObjectName(QStringLiteral("pageFrame"));
  frame->setFrameShape(QFrame::NoFrame);
  frame->setWidgetResizable(true);
  frame->setFocusPolicy(Qt::NoFocus);
  frame->setWidget(new PageHolder(page));
  return frame;
}

}  // namespace

PerspectiveStack::PerspectiveStack(QWidget* parent) : QStackedWidget(parent) { setObjectName("perspectives"); }

void PerspectiveStack::add(PerspectiveFace face, Factory factory) {
  m_pages.push_back({std::move(face), std::move(factory)});
}

int PerspectiveStack::pageOf(const QString& id) const {
  const auto page = std::find_if(m_pages.begin(), m_pages.end(), [&id](const Page& one) { return one.face.id == id; });
  return page == m_pages.end() ? -1 : int(page - m_pages.begin());
}

Perspective* PerspectiveStack::current() const {
  return m_current < 0 ? nullptr : m_pages[std::size_t(m_current)].widget;
}

QSize PerspectiveStack::minimumSizeHint() const {
  if (current() == nullptr) return QStackedWidget::minimumSizeHint();
  return current()->minimumSizeHint().boundedTo(kMostNeeded);
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

void PerspectiveStack::showPerspective(const QString& id) { showPage(pageOf(id)); }

void PerspectiveStack::showPart(const QString& id, const QString& part) {
  const int page = pageOf(id);
  if (page < 0) return;
  showPage(page);
  current()->openPart(part);
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
    next.frame = framed(*next.widget);
    addWidget(next.frame);
    connect(next.widget, &Perspective::perspectiveWanted, this, &PerspectiveStack::showPerspective);
    connect(next.widget, &Perspective::partWanted, this, &PerspectiveStack::showPart);
  }
  m_current = page;
  setCurrentWidget(next.frame);
  updateGeometry();
  next.widget->setFocus(Qt::OtherFocusReason);
  emit pageChanged(page);
}

}  // namespace p2::views
