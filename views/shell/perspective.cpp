// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/perspective.h"

#include <QAbstractItemView>

namespace p2::views {

QWidget* Perspective::mainList() {
  for (auto* list : findChildren<QAbstractItemView*>()) {
    if (list->isVisible() && list->isEnabled()) return list;
  }
  return nullptr;
}

}  // namespace p2::views
