// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::test {

/// The smallest file that is a workspace.
inline constexpr const char* kSmallWorkspace = R"({"format": "p2-workspace", "version": 1,
  "system": {"levels": [{"name": "node", "count": 2}, {"name": "gpu", "count": 4}]},
  "axes": [{"name": "data", "size": 4}, {"name": "shards", "size": 2}], "reduce": [0]})";

/// The same with one part of it another.
inline QString replaced(const char* from, const char* to) {
  const QString small = QString::fromUtf8(kSmallWorkspace);
  Q_ASSERT(small.contains(QString::fromUtf8(from)));
  return QString(small).replace(QString::fromUtf8(from), QString::fromUtf8(to));
}

}  // namespace p2::test
