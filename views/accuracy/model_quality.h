// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <optional>
#include <stop_token>
#include <vector>

#include "atlas/predictions.h"
#include "base/progress.h"

namespace p2::views {

/// "abci-a100, 2 nodes × 8 A100-SXM4-40GB, NCCL 2.18, AllReduce of all 16": where a table was measured.
[[nodiscard]] QString tableTitle(const AtlasTable& table);
/// A table's note and where it was published, as far as these are known.
[[nodiscard]] QString tableSource(const AtlasTable& table);

/// The measured tables of the goal's collective on machines like a system: of as many nodes first, then of the nearest
/// number.
[[nodiscard]] std::vector<const AtlasTable*> measuredAllReduces(const System& system);

/// One size of a measured table, predicted.
struct QualityPoint {
  const AtlasTable* table = nullptr;
  double bytes = 0;
  double measured = 0;   ///< seconds, the median of the rows of that size
  double predicted = 0;  ///< seconds
};

/// Errors of the nccl model's predictions on machines like a system.
struct ModelQuality {
  struct Band {
    std::size_t sizes = 0;
    std::optional<double> here;  ///< median |predicted / measured − 1| of the points
    double everywhere = 0;       ///< over all healthy tables of the atlas
  };
  std::vector<const AtlasTable*> tables;
  std::vector<QualityPoint> points;
  std::array<Band, kSizeBands> bands;
};

/// Predicts the tables of machines like a system; with `onlyAllReduce` the goal's collective alone. Tables of
/// machines that were out of order are left out. Some tenths of a second. Errors: what checkParts() finds, cancelled.
[[nodiscard]] Result<ModelQuality> modelQuality(const System& system, bool onlyAllReduce, const std::stop_token& stop,
                                                const Progress& progress);

/// "below 64 KiB", "from 64 KiB to 4 MiB", "above 4 MiB".
[[nodiscard]] QString bandTitle(std::size_t band);

}  // namespace p2::views
