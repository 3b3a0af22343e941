// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// The short name of a program in DSL form, "RS in node → AR across nodes → AG in node", as shortProgramNotation(). Two
/// programs of a placement never have the same name. Any other text is returned unchanged.
[[nodiscard]] QString shortProgramName(const QString& program);

}  // namespace p2::views
