// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/document.h"

namespace p2::cli {

/// How NCCL's versions differ, oldest first: since when, in what, whether the nccl model prices it, and the first tag
/// of NCCL's source that has it.
[[nodiscard]] Document ncclVersionsAnswer();

}  // namespace p2::cli
