// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// Leaves the file readable and writable for its owner alone, whatever the umask says; makes an empty one where there
/// is none. Whoever then writes to it, or replaces it with QSaveFile, keeps it so. A file system without modes stays
/// as it is.
void makePrivate(const QString& path);

}  // namespace p2::views
