// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/mnemonic.h"

#include <QAbstractButton>
#include <QAction>
#include <QGroupBox>
#include <QLabel>
#include <QShortcut>
#include <QTabBar>

namespace p2::explorer {
namespace {

void addMnemonic(QString& taken, const QString& text) {
  const QKeySequence keys = QKeySequence::mnemonic(text);
  if (!keys.isEmpty()) taken += QChar(int(keys[0].key()));
}

void addKeys(QString& taken, const QKeySequence& keys) {
  if (keys.count() == 1 && keys[0].keyboardModifiers() == Qt::AltModifier) taken += QChar(int(keys[0].key()));
}

}  // namespace

QString withMnemonic(const QString& title, const QWidget& page, const QString& taken) {
  QString used = taken;
  for (const auto* button : page.findChildren<QAbstractButton*>()) {
    addMnemonic(used, button->text());
    addKeys(used, button->shortcut());
  }
  for (const auto* label : page.findChildren<QLabel*>()) {
    if (label->buddy() != nullptr) addMnemonic(used, label->text());
  }
  for (const auto* box : page.findChildren<QGroupBox*>()) addMnemonic(used, box->title());
  for (const auto* tabs : page.findChildren<QTabBar*>()) {
    for (int tab = 0; tab < tabs->count(); ++tab) addMnemonic(used, tabs->tabText(tab));
  }
  for (const auto* action : page.findChildren<QAction*>()) {
    for (const QKeySequence& keys : action->shortcuts()) addKeys(used, keys);
  }
  for (const auto* shortcut : page.findChildren<QShortcut*>()) addKeys(used, shortcut->key());
  for (qsizetype at = 0; at < title.size(); ++at) {
    if (title[at].isLetter() && !used.contains(title[at].toUpper())) return QString(title).insert(at, '&');
  }
  return title;
}

}  // namespace p2::explorer
