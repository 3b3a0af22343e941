// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "views/system/system_part.h"

namespace p2::views {

/// One editable property of a part of a system, as text in both directions.
struct PartField {
  enum class Kind {
    Text,    ///< typed; `choices` are suggestions
    Choice,  ///< one of `choices`
    Check,   ///< "yes" or "no"
  };
  QString key;    ///< "bandwidth"
  QString label;  ///< with its mnemonic
  QString tip;
  Kind kind = Kind::Text;
  QStringList choices = {};
  QString value = {};
  QString placeholder = {};  ///< what holds while the value is empty: "default", "unknown"
  bool mixed = false;        ///< of several parts: they do not say the same
};

/// The properties of a part, or of the system itself when there is none, with their present values.
[[nodiscard]] std::vector<PartField> fieldsOf(const System& system, const std::optional<SystemPart>& part);

/// The common properties of several parts, without names and members. At least one part.
[[nodiscard]] std::vector<PartField> commonFields(const System& system, const std::vector<SystemPart>& parts);

/// The system with one field set from typed text. Errors name the text and the remedy; errors elsewhere in the system
/// are not reported.
[[nodiscard]] Result<System> withField(System system, const std::optional<SystemPart>& part, const QString& key,
                                       const QString& text);

/// One sentence that questions a field's change by more than a thousandfold; empty when there is nothing to ask.
[[nodiscard]] QString doubtOf(const System& before, const System& after, const std::optional<SystemPart>& part);

}  // namespace p2::views
