// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/explorer/random_choice.h"

class QAbstractItemView;

namespace p2::test {

/// "QToolButton \"undoButton\"": the class, and the nearest name.
[[nodiscard]] QString nameOf(const QWidget& widget);
/// What somebody would press, type into or point at.
[[nodiscard]] bool isForUiDriver(const QWidget& widget);

/// What hands do to one widget, by chance: press it, choose from it, type into it, click, drag and turn the wheel over
/// it.
class WidgetDriver {
 public:
  /// `tell` is told what is done before it is.
  WidgetDriver(RandomChoice& choice, std::function<void(const QString&)> tell)
      : m_choice(choice), m_tell(std::move(tell)) {}

  void use(QWidget& widget);

 private:
  void useItems(QAbstractItemView& view);
  void typeInto(QWidget& field);
  void pointAt(QWidget& canvas);

  RandomChoice& m_choice;
  std::function<void(const QString&)> m_tell;
};

}  // namespace p2::test
