// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/whole_entries.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QScrollBar>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMostCharacters = 110;

}  // namespace

void showWholeEntries(QComboBox& box) {
  QAbstractItemView& list = *box.view();
  list.setTextElideMode(Qt::ElideRight);
  const int needed = list.sizeHintForColumn(0) + list.verticalScrollBar()->sizeHint().width() + 2 * Theme::kGrid;
  list.setMinimumWidth(std::min(needed, kMostCharacters * list.fontMetrics().averageCharWidth()));
}

}  // namespace p2::views
