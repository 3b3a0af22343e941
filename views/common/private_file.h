// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// Leaves the file readable and writable for its owner alone, whatever the umask says; makes an empty one, and its
/// folder, where there is none. Writing to it, or replacing it with QSaveFile, keeps it so. Changes the mode of nothing
/// but a regular file of this user that has one name: a link, a device, and a file of another user stay as they are,
/// and so does a file on a file system without modes.
void makePrivate(const QString& path);

/// Likewise for a folder, which is made where there is none.
void makeFolderPrivate(const QString& path);

}  // namespace p2::views
