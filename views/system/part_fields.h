// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "views/system/system_part.h"

namespace p2::views {

/// One thing that can be said about a part of a system, as text both ways.
struct PartField {
  enum class Kind {
    Text,
    Choice,  ///< one of `choices`
    Check,   ///< "yes" or "no"
  };
  QString key;    ///< "bandwidth"
  QString label;  ///< with its mnemonic
  QString tip;
  Kind kind = Kind::Text;
  QStringList choices = {};
  QString value = {};
  bool mixed = false;  ///< of several parts: they do not say the same
};

/// What can be said about a part, or about the system itself when there is none, with what is so now.
[[nodiscard]] std::vector<PartField> fieldsOf(const System& system, const std::optional<SystemPart>& part);

/// What can be said about all of several parts at once; names and members are each part's own. At least one part.
[[nodiscard]] std::vector<PartField> commonFields(const System& system, const std::vector<SystemPart>& parts);

/// The system with one field written as typed. Errors name the text and what would be right; what is wrong elsewhere in
/// the system is none of this field's concern.
[[nodiscard]] Result<System> withField(System system, const std::optional<SystemPart>& part, const QString& key,
                                       const QString& text);

/// One sentence that questions a field's change by more than a thousandfold; empty when there is nothing to ask.
[[nodiscard]] QString doubtOf(const System& before, const System& after, const std::optional<SystemPart>& part);

}  // namespace p2::views
