// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>

namespace p2::views {

/// A number that is shown with a decimal point, as everywhere in the program, and read with a point or a comma.
class DecimalBox : public QDoubleSpinBox {
  Q_OBJECT
 public:
  explicit DecimalBox(QWidget* parent = nullptr) : QDoubleSpinBox(parent) { setLocale(QLocale::c()); }

  [[nodiscard]] double valueFromText(const QString& text) const override {
    return QDoubleSpinBox::valueFromText(QString(text).replace(',', '.'));
  }
  QValidator::State validate(QString& text, int& position) const override {
    text.replace(',', '.');
    return QDoubleSpinBox::validate(text, position);
  }
};

}  // namespace p2::views
