// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "workspace/workspace.h"

namespace p2::views {

/// A document that comes with the program.
struct Example {
  QString name;   ///< name of its file, without suffix
  QString title;  ///< "Four nodes of sixteen A100, three axes"
};

/// All of them, the one a first start shows in front.
[[nodiscard]] const std::vector<Example>& examples();
/// The workspace of the example of that name. Errors: there is none.
[[nodiscard]] Result<Workspace> readExample(const QString& name);
/// What File ▸ New starts from: small, valid, and seen at one glance.
[[nodiscard]] Workspace blankWorkspace();

}  // namespace p2::views
