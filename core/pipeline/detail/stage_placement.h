// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/mesh.h"

namespace p2::inline pipeline {

/// Devices of the stages of a pipeline: per level of a system, the number of equal blocks into which the children of
/// its instances are cut. A stage takes one block of every level, and so an equal share of it.
using StageFactors = std::vector<std::int64_t>;

/// Every equal division of the devices among that many stages; divisions of outer levels come first.
[[nodiscard]] std::vector<StageFactors> stageFactorsOf(const System& system, std::int64_t stages);
/// ∏ factors.
[[nodiscard]] std::int64_t stageCount(const StageFactors& factors);
/// The system of one stage: fewer children in each level. Only its counts are valid: networks and failed parts stay as
/// they are.
[[nodiscard]] System stageSystem(const System& system, const StageFactors& factors);
/// A mesh of every stage at once: the axis of stages, then the axes of the mesh, which may be `reduced`.
[[nodiscard]] Placement stagedPlacement(const StageFactors& factors, const Mesh& mesh, MeshAxes reduced,
                                        bool alongStages);
/// All devices of a stage as one axis.
[[nodiscard]] Mesh wholeStage(const System& system, const StageFactors& factors);
/// The stage that a device belongs to, 0 to stageCount() − 1, outer levels counting first.
[[nodiscard]] std::int64_t stageOf(const System& system, const StageFactors& factors, Device device);

/// "8 along node × 2 along gpu"; "all devices" where there is one stage.
[[nodiscard]] std::string stageFactorsText(const System& system, const StageFactors& factors);

}  // namespace p2::inline pipeline
