// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/accessible_toggle.h"

#include <QAbstractButton>
#include <QAccessibleWidget>
#include <QAction>
#include <QCheckBox>
#include <QRadioButton>
#include <QToolButton>

namespace p2::views {
namespace {

class ToggleInterface : public QAccessibleWidget {
 public:
  ToggleInterface(QAbstractButton& button, QAccessible::Role role) : QAccessibleWidget(&button, role) {}

  QString text(QAccessible::Text type) const override {
    const QString own = QAccessibleWidget::text(type);
    return own.isEmpty() && type == QAccessible::Name ? button().text().remove('&') : own;
  }
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.checkable = true;
    state.checked = button().isChecked();
    const auto* box = qobject_cast<const QCheckBox*>(&button());
    state.checkStateMixed = box != nullptr && box->checkState() == Qt::PartiallyChecked;
    return state;
  }
  QStringList actionNames() const override {
    QStringList names;
    if (button().isEnabled()) names += toggleAction();
    return names + QAccessibleWidget::actionNames();
  }
  void doAction(const QString& name) override {
    if (name != toggleAction()) {
      QAccessibleWidget::doAction(name);
    } else if (button().isEnabled()) {
      button().click();
    }
  }

 private:
  QAbstractButton& button() const { return *static_cast<QAbstractButton*>(widget()); }
};

// A tool button is asked for while it takes its action's text, before it takes that the action can be checked.
bool isToggle(const QAbstractButton& button) {
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  const bool byAction = tool != nullptr && tool->defaultAction() != nullptr && tool->defaultAction()->isCheckable();
  return byAction || button.isCheckable();
}

QAccessibleInterface* makeToggle(const QString&, QObject* object) {
  auto* button = qobject_cast<QAbstractButton*>(object);
  if (button == nullptr || !isToggle(*button)) return nullptr;
  const bool radio = qobject_cast<QRadioButton*>(button) != nullptr;
  return new ToggleInterface(*button, radio ? QAccessible::RadioButton : QAccessible::CheckBox);
}

}  // namespace

void clickWhatIsToggled() {
  static const bool kInstalled = [] {
    QAccessible::installFactory(makeToggle);
    return true;
  }();
  Q_UNUSED(kInstalled);
}

}  // namespace p2::views
