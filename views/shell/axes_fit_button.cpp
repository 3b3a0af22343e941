// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/axes_fit_button.h"

#include <QPushButton>

#include "views/common/text.h"
#include "views/shell/axes_fit.h"
#include "views/shell/session.h"

namespace p2::views {

void fitAxesBy(QPushButton& button, Session& session) {
  const auto waysOf = [](const Workspace& workspace) { return fitOf(workspace.system, workspace.axes).suggestions; };
  const auto refresh = [&button, &session, waysOf] {
    const Workspace& workspace = *session.workspace();
    const auto ways = session.problem() ? waysOf(workspace) : std::vector<AxesFit::Suggestion>();
    button.setVisible(!ways.empty());
    if (ways.empty()) return;
    button.setText(QObject::tr("Set %1 to %2").arg(qs(workspace.axes[ways[0].axis].name)).arg(ways[0].size));
  };
  QObject::connect(&session, &Session::freshnessChanged, &button, refresh);
  QObject::connect(&button, &QPushButton::clicked, &button, [&session, waysOf] {
    Workspace next = *session.workspace();
    const auto ways = waysOf(next);
    if (ways.empty()) return;
    next.axes[ways[0].axis].size = ways[0].size;
    session.edit(QObject::tr("Fit the axes"), std::move(next));
  });
  refresh();
}

}  // namespace p2::views
