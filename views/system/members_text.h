// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "base/result.h"
#include "system/system.h"

namespace p2::views {

/// "gpu, PCIe switch 0-1": a name alone stands for all instances.
[[nodiscard]] QString membersText(const std::vector<Member>& members);
/// Errors: a name that is neither a level nor a network, a range that ends before it begins, no member.
[[nodiscard]] Result<std::vector<Member>> membersFrom(const System& system, const QString& text);

}  // namespace p2::views
