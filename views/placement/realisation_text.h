// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "placement/realisation.h"

namespace p2::views {

/// The ways to realise a placement: "plain reshape · jax · torch", "needs a rankfile; …".
struct RealisationText {
  QString line;
  QString tip;  ///< a line for every way, with how
};
/// The matrix must be one of the axes on the system (checkMatrix).
[[nodiscard]] RealisationText realisationText(const System& system, const std::vector<Axis>& axes,
                                              const ParallelismMatrix& matrix);

}  // namespace p2::views
