// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/placeholder_button.h"

#include <QMenu>

namespace p2::views {

PlaceholderButton::PlaceholderButton(const char* name, const QString& tip, QWidget* parent) : QToolButton(parent) {
  setObjectName(QLatin1String(name));
  setText(tr("Computed numbers"));
  setToolTip(tip);
  setAccessibleName(tip);
  setFocusPolicy(Qt::StrongFocus);
  setPopupMode(QToolButton::InstantPopup);
  setMenu(new QMenu(this));
  connect(menu(), &QMenu::triggered, this, [this](const QAction* action) { emit chosen(action->data().toString()); });
  offer({});
}

void PlaceholderButton::offer(const std::vector<std::pair<QString, QString>>& placeholders) {
  menu()->clear();
  for (const auto& [name, value] : placeholders) {
    menu()->addAction(QStringLiteral("%1\t%2").arg(name, value))->setData(name);
  }
  if (placeholders.empty()) menu()->addAction(tr("First correct the problems below"))->setEnabled(false);
}

}  // namespace p2::views
