// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// Makes a file readable and writable for its owner only, under any umask; creates an empty file and its folder if
/// missing. Writing to it, or replacing it with QSaveFile, keeps the mode. Only regular files of this user with a
/// single name are changed: links, devices, files of other users and file systems without modes are left alone.
void makePrivate(const QString& path);

/// Does the same for a folder, which is created if missing.
void makeFolderPrivate(const QString& path);

}  // namespace p2::views
