// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "atlas/predictions.h"
#include "cost/prediction_ranges.h"
#include "support/atlas/nccl_fit.h"

namespace p2 {

/// |predicted / measured − 1| of the samples of one machine, collective and band.
struct BandError {
  std::string machine;
  std::string collective;
  std::size_t band = 0;
  std::size_t samples = 0;
  double nominal = 0;  ///< median, with the constants as they are
  double heldOut = 0;  ///< median, with constants fitted to all other machines
  double fitted = 0;   ///< median, with constants fitted to all machines
};

/// Predicted over measured seconds of one size of a table.
struct AtlasRatio {
  const AtlasTable* table = nullptr;
  Bytes bytes;
  double nominal = 1;                        ///< with the constants as they are
  double heldOut = 1;                        ///< with constants fitted to all other machines
  NetworkKind network = NetworkKind::Other;  ///< between its nodes
  GroupReach reach = {};                     ///< as the model counts nodes: a rack of NVL72 is one
  std::optional<RangeCell> cell = {};        ///< empty for operations that programs do not use
};

/// How well the nccl model predicts the atlas: cell by cell, and over all samples of a band of sizes.
struct AtlasValidation {
  std::vector<BandError> errors;
  std::vector<AtlasRatio> ratios;            ///< one for each predictable sample
  std::array<double, kSizeBands> nominal{};  ///< median over all samples
  std::array<double, kSizeBands> heldOut{};
  std::array<double, kSizeBands> fitted{};
  NcclFit fit;  ///< to all machines
  NetworkLabels networks;
  std::vector<HeldOutTime> heldOutTimes;     ///< of collectives that programs are made of, machines with equal weight
  std::vector<std::string> heldOutMachines;  ///< theirs
  std::map<std::string, NcclConstants> heldOutConstants;  ///< by machine, fitted to all others
};

/// The ranges of uncalibrated predictions, from held-out times. A cell with fewer than three machines gets the range of
/// all collectives on the same number of nodes.
[[nodiscard]] PredictionRanges rangesOf(const AtlasValidation& validation);

/// Compares the nccl model with the healthy tables of the atlas, each machine predicted by constants fitted to the
/// others (NcclRefit::without()); without steps, by the prior. All machines have equal weight in a fit, regardless of
/// their number of rows, and their large parts as much as their small ones. Takes some ten seconds.
[[nodiscard]] AtlasValidation validateOnAtlas(int fitSteps, std::stop_token stop = {});

/// Tables of at least that many nodes, predicted by constants fitted to the tables of fewer alone, their own machines'
/// among them (AtlasRatio::heldOut). Meaningless after a stop request. Takes some seconds.
[[nodiscard]] std::vector<AtlasRatio> extrapolated(std::int64_t mostNodes, std::int64_t leastNodes, int fitSteps,
                                                   std::stop_token stop = {});

}  // namespace p2
