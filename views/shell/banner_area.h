// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace p2::views {

class Banner;

/// Banners over a page, which neither move it nor change its size: along its lower edge, or along the upper one where
/// the mouse is below when the first of them appears, so that a click never meets what was not there before.
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
