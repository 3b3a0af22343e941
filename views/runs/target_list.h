// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QVariantMap>
#include <vector>

#include "remote/run_request.h"

namespace p2::views {

/// Targets as they stand in the settings, which several windows share.
struct TargetList {
  std::vector<Target> targets;
  std::vector<QVariantMap> unread;  ///< unusable entries (edited by hand or of another version), kept unchanged
  friend bool operator==(const TargetList&, const TargetList&) = default;
};

[[nodiscard]] TargetList readTargets(QSettings& settings);
/// Replaces everything.
void writeTargets(QSettings& settings, const TargetList& list);

/// Entries of `theirs` that were added elsewhere since `before` and are not in `ours`.
[[nodiscard]] std::vector<Target> newTargets(const std::vector<Target>& before, const std::vector<Target>& ours,
                                             const std::vector<Target>& theirs);

/// "NAME=VALUE" each, and back.
[[nodiscard]] QStringList environmentText(const Launch& launch);
void setEnvironment(Launch& launch, const QStringList& texts);
[[nodiscard]] QStringList argumentText(const Launch& launch);
void setArguments(Launch& launch, const QStringList& texts);

}  // namespace p2::views
