// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QWidget;

namespace p2::views {

/// A thing drawn in a widget, for who does not see it.
struct AccessibleItem {
  QString name;   ///< "device 5 · gpu 5 of node 0"
  QString value;  ///< what it holds or is worth
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

/// Makes screen readers find the items of every widget that has some. Called by those widgets; more than once is once.
void exposeAccessibleItems();
/// The keyboard has come to the widget's focusedItem().
void tellFocusedItem(QWidget& widget);
/// Has a sentence spoken about what has just changed in the widget: it becomes the widget's description.
void announce(QWidget& widget, const QString& sentence);

}  // namespace p2::views
