// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/banner_area.h"

#include <QEvent>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/shell/banner.h"

namespace p2::views {

BannerArea::BannerArea(QWidget& page) : QFrame(page.parentWidget()), m_page(page) {
  setObjectName(QStringLiteral("bannerArea"));
  bareLayout<QVBoxLayout>(this, 0);
  page.installEventFilter(this);
  hide();
}

void BannerArea::add(Banner* banner) {
  layout()->addWidget(banner);
  banner->installEventFilter(this);
  place();
}

bool BannerArea::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) place();
  return QFrame::event(event);
}

bool BannerArea::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool page = watched == &m_page;
  if (page ? type == QEvent::Resize || type == QEvent::Move
           : type == QEvent::ShowToParent || type == QEvent::HideToParent) {
    place();
  }
  return QFrame::eventFilter(watched, event);
}

void BannerArea::place() {
  const bool wasHidden = isHidden();
  layout()->activate();
  if (layout()->isEmpty()) return hide();
  const QRect page = m_page.geometry();
  const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(page.width()) : sizeHint().height();
  const int height = qMin(wanted, page.height());
  const QRect below(page.left(), page.bottom() + 1 - height, page.width(), height);
  if (wasHidden) m_above = below.contains(parentWidget()->mapFromGlobal(QCursor::pos()));
  setGeometry(m_above ? QRect(page.topLeft(), below.size()) : below);
  show();
  raise();
}

}  // namespace p2::views
