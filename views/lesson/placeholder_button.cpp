// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/placeholder_button.h"

#include <QMenu>
#include <map>

namespace p2::views {
namespace {

constexpr int kLeastGroup = 3;  // placeholders of one prefix that get a menu of their own

}  // namespace

PlaceholderButton::PlaceholderButton(const char* name, const QString& text, const QString& tip, QWidget* parent)
    : QToolButton(parent) {
  setObjectName(QLatin1String(name));
  setText(text);
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
  qDeleteAll(menu()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
  const auto groupOf = [](const QString& name) { return name.contains('.') ? name.section('.', 0, 0) : QString(); };
  std::map<QString, int> sizes;
  for (const auto& [name, value] : placeholders) ++sizes[groupOf(name)];
  std::map<QString, QMenu*> groups;
  for (const auto& [name, value] : placeholders) {
    const QString group = groupOf(name);
    QMenu*& to = groups[group];
    if (to == nullptr) to = group.isEmpty() || sizes[group] < kLeastGroup ? menu() : menu()->addMenu(group);
    to->addAction(QStringLiteral("%1\t%2").arg(name, value))->setData(name);
  }
  if (placeholders.empty()) menu()->addAction(tr("First correct the problems below"))->setEnabled(false);
}

}  // namespace p2::views
