// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "base/bytes.h"
#include "base/result.h"

namespace p2::views {

/// Quantities as text to be edited: the pretty spelling when it reads back as exactly the same number ("270 GB/s",
/// "2 GiB"), else every digit in the base unit.
[[nodiscard]] QString editableBandwidth(double bytesPerSecond);
[[nodiscard]] QString editableSeconds(double seconds);
[[nodiscard]] QString editableBytes(Bytes bytes);

/// Bytes as they are shown: in the unit in which they are a round number, "2 GiB" or "512 MB", else "1.23 GB".
[[nodiscard]] QString shownBytes(Bytes bytes);

/// The quantity typed over such a text of `before`: a number without a unit has the unit shown before; point and comma
/// are both decimal signs. Errors as of parseBandwidth() etc. Parsed text of an input typed over `shown`: "1.5
/// GB/s" for "1,5 GB/s", and "100GB/s" for "100" over "270GB/s".
[[nodiscard]] std::string withShownUnit(const QString& typed, const QString& shown);
[[nodiscard]] Result<double> typedBandwidth(const QString& typed, double before);
[[nodiscard]] Result<double> typedSeconds(const QString& typed, double before);
[[nodiscard]] Result<Bytes> typedBytes(const QString& typed, Bytes before);

/// One sentence on a quantity that was changed more than a thousandfold, most likely by a slip: "100 B/s is 2.7 billion
/// times less than 270 GB/s". Empty when there is nothing to ask.
[[nodiscard]] QString doubtOfBandwidth(double before, double after);
[[nodiscard]] QString doubtOfSeconds(double before, double after);
[[nodiscard]] QString doubtOfBytes(Bytes before, Bytes after);

}  // namespace p2::views
