// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/decimal_box.h"

namespace p2::views {

/// A number with its unit, as short as it can be written: "50 GB/s", "1.5:1". The unit may be typed with the number.
class QuantityBox : public DecimalBox {
 public:
  [[nodiscard]] QString textFromValue(double value) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;

 private:
  [[nodiscard]] QString beforeUnit(const QString& text) const;
  /// How many characters of the unit end the text before it: two in "4:1:1", where a typed "4:1" is followed by ":1".
  [[nodiscard]] qsizetype typedOfUnit(const QString& text) const;
  [[nodiscard]] QString withoutTyped(const QString& text) const;
};

}  // namespace p2::views
