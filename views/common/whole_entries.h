// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace p2::views {

/// Opens the list as wide as its present entries, up to a line of text; longer entries are cut at their end, after the
/// name. Call it again after the entries have changed.
void showWholeEntries(QComboBox& box);

}  // namespace p2::views
