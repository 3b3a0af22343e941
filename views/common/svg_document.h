// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSvgGenerator>
#include <functional>

class QIODevice;

namespace p2::views {

/// Writes what `paint` draws, which sets size, resolution and title first. Text names a sans-serif family behind its
/// own, for programs without that font. False if `paint` or the file fails.
[[nodiscard]] bool writeSvgDocument(QIODevice& file, const std::function<bool(QSvgGenerator&)>& paint);

}  // namespace p2::views
