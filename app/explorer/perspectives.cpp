// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/perspectives.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/session.h"

namespace p2::explorer {

std::span<const PerspectiveRow> perspectives() {
  static const std::vector<PerspectiveRow> kPerspectives = [] {
    std::vector<PerspectiveRow> rows = allPages();
    std::ranges::sort(rows, {}, [](const PerspectiveRow& row) { return row.place().position; });
    return rows;
  }();
  return kPerspectives;
}

void addPerspectives(std::span<const PerspectiveRow> pages, views::PerspectiveStack& stack, views::PerspectiveBar& bar,
                     views::Session& session) {
  bool grouped = false;
  for (const PerspectiveRow& row : pages) {
    const views::PagePlace place = row.place();
    if (!place.group.isEmpty() && !std::exchange(grouped, true)) {
      bar.addGroup(
          {views::kCollectivesGroup, QCoreApplication::translate("PerspectiveBar", "Collectives"), "collectives"},
          true);
    }
    stack.add(row.face(), [&session, make = row.make] { return make(session); });
    bar.add(row.face(), place);
  }
}

}  // namespace p2::explorer
