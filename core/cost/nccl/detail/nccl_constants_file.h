// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: the files of resources/nccl as they were when this was compiled.
#pragma once

#include <string_view>

namespace p2::inline cost {

[[nodiscard]] std::string_view ncclConstantsFile();
[[nodiscard]] std::string_view ncclRangesFile();
[[nodiscard]] std::string_view ncclVersionsFile();
[[nodiscard]] std::string_view ncclSitesFile();
[[nodiscard]] std::string_view ncclTunerFile();
[[nodiscard]] std::string_view deviceMemoryFile();
[[nodiscard]] std::string_view latenciesFile();

}  // namespace p2::inline cost
