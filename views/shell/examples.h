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

/// All examples; the first is the one that a first start shows.
[[nodiscard]] const std::vector<Example>& examples();
/// The workspace of the example of that name. Errors: there is none.
[[nodiscard]] Result<Workspace> readExample(const QString& name);
/// The document of File ▸ New: small and valid.
[[nodiscard]] Workspace blankWorkspace();

}  // namespace p2::views
