// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/mnemonic.h"

#include <QAbstractButton>
#include <QAction>
#include <QGroupBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTabBar>

namespace p2::views {
namespace {

QString mnemonicOf(const QString& text) {
  const QKeySequence keys = QKeySequence::mnemonic(text);
  return keys.isEmpty() ? QString() : QString(QChar(int(keys[0].key())));
}

void addKeys(QString& taken, const QKeySequence& keys) {
  if (keys.count() == 1 && keys[0].keyboardModifiers() == Qt::AltModifier) taken += QChar(int(keys[0].key()));
}

/// Alt letters of a page without those in `form`.
QString lettersOf(const QWidget& page, const QWidget* form) {
  QString used;
  const auto isOther = [form](const QWidget* widget) { return form == nullptr || !form->isAncestorOf(widget); };
  for (const auto* button : page.findChildren<QAbstractButton*>()) {
    if (isOther(button)) used += mnemonicOf(button->text());
    addKeys(used, button->shortcut());
  }
  for (const auto* label : page.findChildren<QLabel*>()) {
    if (label->buddy() != nullptr && isOther(label)) used += mnemonicOf(label->text());
  }
  for (const auto* box : page.findChildren<QGroupBox*>()) used += mnemonicOf(box->title());
  for (const auto* tabs : page.findChildren<QTabBar*>()) {
    for (int tab = 0; tab < tabs->count(); ++tab) used += mnemonicOf(tabs->tabText(tab));
  }
  for (const auto* action : page.findChildren<QAction*>()) {
    for (const QKeySequence& keys : action->shortcuts()) addKeys(used, keys);
  }
  for (const auto* shortcut : page.findChildren<QShortcut*>()) addKeys(used, shortcut->key());
  return used;
}

/// With an "&" before the first letter that is not in `used`.
QString withFreeLetter(const QString& title, const QString& used) {
  for (qsizetype at = 0; at < title.size(); ++at) {
    if (title[at].isLetter() && !used.contains(title[at].toUpper())) return QString(title).insert(at, '&');
  }
  return title;
}

}  // namespace

QString menuLettersOf(const QWidget& page) {
  QString letters;
  const auto* bar = page.window()->findChild<QMenuBar*>();
  if (bar == nullptr) return letters;
  for (const QAction* action : bar->actions()) {
    const QMenu* menu = action->menu();
    if (menu == nullptr || menu->objectName() != kPageMenu) letters += mnemonicOf(action->text());
  }
  return letters;
}

QString withMnemonic(const QString& title, const QWidget& page, const QString& taken) {
  return withFreeLetter(title, taken + lettersOf(page, nullptr));
}

void makeMnemonicsDistinct(QWidget& form, const QWidget& page, const QString& title) {
  QString used = menuLettersOf(page) + lettersOf(page, &form);
  used += mnemonicOf(withFreeLetter(title, used));
  for (auto* label : form.findChildren<QLabel*>()) {
    if (label->buddy() == nullptr) continue;
    label->setText(withFreeLetter(label->text().remove('&'), used));
    used += mnemonicOf(label->text());
  }
}

}  // namespace p2::views
