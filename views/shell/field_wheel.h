// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace p2::views {

/// Leaves the wheel to the page unless the field below it has the keyboard: who scrolls past a list that drops down, a
/// number or a slider changes nothing.
class FieldWheel : public QObject {
  Q_OBJECT
 public:
  /// Watches the whole program for as long as it lives.
  explicit FieldWheel(QObject* parent);

  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace p2::views
