// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <stop_token>

#include "base/result.h"

namespace p2::views {

/// What a file that somebody hands over is for.
enum class FileUse {
  Document,      ///< a workspace or plan: the document itself
  Machine,       ///< a description of a machine, or a system of ours: to be imported
  Workload,      ///< what a training step communicates, or a trace of it
  ModelShape,    ///< the shape of a model, from which a workload follows once degrees are given
  Graph,         ///< a computation graph, or tables of what its configurations cost
  Measurements,  ///< measured times, to calibrate with
};

/// Told by the content, but for ONNX models, which are told by their name. O(file) for measurements alone; of all
/// others only the beginning is read, unpacked where it is packed. Errors: no regular file, not to be read, of no kind
/// that is known: one sentence that says which are.
[[nodiscard]] Result<FileUse> fileUse(const QString& path, const std::stop_token& stop = {});

}  // namespace p2::views
