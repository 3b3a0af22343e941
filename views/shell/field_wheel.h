// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace p2::views {

/// Passes wheel events of combo boxes, and of spin boxes and sliders without focus, to the page, so that scrolling
/// changes no value. Fields get the focus by click and by Tab, not by the wheel.
class FieldWheel : public QObject {
  Q_OBJECT
 public:
  /// Watches the whole program for as long as it lives.
  explicit FieldWheel(QObject* parent);

  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace p2::views
