// SPDX-License-Identifier: GPL-3.0-or-later
// The browser that reads exported pages back.
#pragma once

#include <QStandardPaths>
#include <QStringList>

namespace p2::test {

/// Empty where no Chromium is installed.
inline QString browserPath() {
  for (const char* name : {"chromium", "chromium-browser"}) {
    const QString path = QStandardPaths::findExecutable(name);
    if (!path.isEmpty()) return path;
  }
  return {};
}

/// Arguments of a run without a screen, with its own files in a folder.
inline QStringList headlessArguments(const QString& profile) {
  return {"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir=" + profile};
}

}  // namespace p2::test
