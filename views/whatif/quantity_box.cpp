// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/quantity_box.h"

#include <QLocale>
#include <algorithm>

namespace p2::views {

QString QuantityBox::textFromValue(double value) const {
  return QString::number(value, 'f', QLocale::FloatingPointShortest).section('e', 0, 0);
}

// Otherwise the ":" of a typed "1:1" is refused, and its digits become 11:1.
QValidator::State QuantityBox::validate(QString& text, int& position) const {
  const qsizetype typed = typedOfUnit(text);
  if (typed > 0 && typed < suffix().size()) return QValidator::Intermediate;
  if (typed > 0) text = withoutTyped(text);
  position = std::min(position, int(text.size()));
  return DecimalBox::validate(text, position);
}

void QuantityBox::fixup(QString& text) const {
  text = withoutTyped(text);
  DecimalBox::fixup(text);
}

QString QuantityBox::beforeUnit(const QString& text) const {
  return text.endsWith(suffix()) ? text.chopped(suffix().size()) : text;
}

qsizetype QuantityBox::typedOfUnit(const QString& text) const {
  const QString before = beforeUnit(text);
  qsizetype typed = suffix().size();
  while (typed > 0 && !before.endsWith(suffix().left(typed))) --typed;
  return typed;
}

QString QuantityBox::withoutTyped(const QString& text) const {
  return beforeUnit(text).chopped(typedOfUnit(text)) + suffix();
}

}  // namespace p2::views
