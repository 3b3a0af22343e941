// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QWidget;

namespace p2::views {

/// A part of a drawing as assistive technology sees it.
struct AccessibleItem {
  QString name;   ///< "device 5 · gpu 5 of node 0"
  QString value;  ///< its value or contents
  QRect rect;     ///< in the widget
};

/// A widget whose drawing shows things that are found one by one. Screen readers see them as the items of a list.
class AccessibleItems {
 public:
  virtual ~AccessibleItems() = default;
  [[nodiscard]] virtual int itemCount() const = 0;
  [[nodiscard]] virtual AccessibleItem itemAt(int index) const = 0;
  /// The one that the keyboard is on; −1 for none.
  [[nodiscard]] virtual int focusedItem() const = 0;
};

/// Makes screen readers find the items of a widget, an AccessibleItems. Called by its constructor.
void exposeAccessibleItems(QWidget& widget);
/// The keyboard has come to the widget's focusedItem().
void tellFocusedItem(QWidget& widget);
/// Announces a change in the widget: the sentence becomes the widget's accessible description.
void announce(QWidget& widget, const QString& sentence);

}  // namespace p2::views
