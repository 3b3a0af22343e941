// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "app/cli/atlas_listing.h"

namespace p2::cli {

/// What NCCL's versions differ in, oldest first: since when, what, whether the nccl model prices it, and the tag of
/// NCCL's source that has it first.
void writeNcclVersions(std::ostream& out, AtlasFormat format);

}  // namespace p2::cli
