// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// A program in DSL form as lists name it, "RS·node → AR·node∥root → AG·node": collectives in short with the groups
/// they work on, so that two programs of a placement never have the same name. What is no program stays as it is.
[[nodiscard]] QString shortProgramName(const QString& program);

}  // namespace p2::views
