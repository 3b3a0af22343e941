// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace p2::views {

class Banner;

/// Banners that are over a page, so that it neither moves nor changes its size. They stand along its lower edge, or
/// along the upper one if the mouse is below when the first of them appears: no click hits a banner that has only just
/// come.
class BannerArea : public QFrame {
  Q_OBJECT
 public:
  /// A sibling of the page, above it.
  explicit BannerArea(QWidget& page);
  /// Below those that are there.
  void add(Banner* banner);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QWidget& m_page;
  bool m_above = false;
};

}  // namespace p2::views
