// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/explorer/random_choice.h"

namespace p2::test {

/// What somebody may type into a field: numbers, quantities, systems and programs, in their own fields or in others,
/// and what nobody would.
[[nodiscard]] QString nonsense(RandomChoice& choice);

}  // namespace p2::test
