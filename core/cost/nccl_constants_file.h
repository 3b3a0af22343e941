// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: resources/nccl/constants.json as it was when this was compiled.
#pragma once

#include <string_view>

namespace p2 {

[[nodiscard]] std::string_view ncclConstantsFile();

}  // namespace p2
