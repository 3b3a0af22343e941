// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_empty_page.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/common/theme.h"

namespace p2::views {
namespace {

/// The button of an action: it is as able as that is.
QPushButton* sourceButton(QAction& action) {
  auto* button = new QPushButton;
  button->setObjectName(action.objectName() + QStringLiteral("Button"));
  const auto follow = [button, &action] {
    button->setText(action.text());
    button->setAccessibleName(QString(action.text()).remove('&'));
    button->setToolTip(action.toolTip());
    button->setEnabled(action.isEnabled());
  };
  follow();
  QObject::connect(&action, &QAction::changed, button, follow);
  if (action.menu() != nullptr) {
    button->setMenu(action.menu());
  } else {
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
  }
  return button;
}

}  // namespace

EntriesEmptyPage::EntriesEmptyPage(const QList<QAction*>& sources, QWidget* parent) : QWidget(parent) {
  auto* text = new QLabel(tr(
      "No workload yet. Describe the communication of a training step, and placements will be ranked by all of it."));
  text->setObjectName("emptyText");
  text->setAlignment(Qt::AlignCenter);
  text->setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(2 * Theme::kGrid);
  layout->addStretch();
  layout->addWidget(text);
  for (QAction* source : sources) layout->addWidget(sourceButton(*source), 0, Qt::AlignHCenter);
  layout->addStretch();
}

}  // namespace p2::views
