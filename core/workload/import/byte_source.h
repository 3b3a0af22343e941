// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline workload {

/// The bytes of a file, piece by piece, in constant memory; gzip files come decompressed.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The next bytes, valid until the next call; none at the end. Errors: reading fails, a packed file is damaged or
  /// ends too early, unpacks to over a hundred times its size, and more than kMostBytes.
  [[nodiscard]] virtual Result<std::string_view> next() = 0;
  /// The share of the file that has been read, 0 … 1.
  [[nodiscard]] virtual double done() const = 0;

  static constexpr std::int64_t kMostBytes = std::int64_t{32} << 30;  ///< unpacked
};

/// Errors: the file is missing, a directory, or may not be read.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openFile(const std::string& path);
/// The bytes of a text that must outlive it, handed out in pieces of `piece` bytes.
[[nodiscard]] std::unique_ptr<ByteSource> bytesOf(std::string_view text, std::size_t piece = std::size_t{1} << 16);

}  // namespace p2::inline workload
