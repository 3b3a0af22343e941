// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/mesh.h"

namespace p2 {

/// Where the stages of a pipeline lie: by level of a system into how many parts its instances' children are cut, in
/// blocks. A stage has the devices that fall to its parts: an equal share of every level.
using StageFactors = std::vector<std::int64_t>;

/// Every way to deal the devices to so many stages, those that cut the outer levels first.
[[nodiscard]] std::vector<StageFactors> stageFactorsOf(const System& system, std::int64_t stages);
/// ∏ factors.
[[nodiscard]] std::int64_t stageCount(const StageFactors& factors);
/// What one stage has: the system with fewer children in each level. For its counts alone: networks and what is out of
/// order are left as they are.
[[nodiscard]] System stageSystem(const System& system, const StageFactors& factors);
/// A mesh of every stage at once: the stages as an axis before those of the mesh, which may be among the `reduced`.
[[nodiscard]] Placement stagedPlacement(const StageFactors& factors, const Mesh& mesh, MeshAxes reduced,
                                        bool alongStages);
/// All devices of a stage as one axis.
[[nodiscard]] Mesh wholeStage(const System& system, const StageFactors& factors);
/// The stage of a device: in the order of the devices that have the same place in their stages.
[[nodiscard]] std::int64_t stageOf(const System& system, const StageFactors& factors, Device device);

/// "8 along node × 2 along gpu"; "all devices" where there is one stage.
[[nodiscard]] std::string stageFactorsText(const System& system, const StageFactors& factors);

}  // namespace p2
