// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <stop_token>

#include "base/result.h"

namespace p2::views {

/// The use of an opened or dropped file.
enum class FileUse {
  Document,      ///< a workspace or plan: the document itself
  Machine,       ///< a description of a machine, or a system of ours: to be imported
  Workload,      ///< a workload, or a trace of one
  ModelShape,    ///< the shape of a model, from which a workload follows once degrees are given
  Graph,         ///< a computation graph, or tables of what its configurations cost
  Measurements,  ///< measured times, to calibrate with
  Training,      ///< a launch script or configuration file of a training framework, or a plan of p2 train
};

/// Determined by the contents; for ONNX models by the name. Reads measurements completely, all other files only at the
/// beginning, unpacked if packed. Errors: not a regular file, unreadable, unknown kind; the sentence lists the known
/// kinds.
[[nodiscard]] Result<FileUse> fileUse(const QString& path, const std::stop_token& stop = {});

}  // namespace p2::views
