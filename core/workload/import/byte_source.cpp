// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/counted.h"

namespace p2::inline workload {
namespace {

constexpr std::size_t kBuffer = std::size_t{256} << 10;
// Traces are packed to a tenth, at most to some fortieth of their size; deflate can make a thousandth of nothing at
// all.
constexpr std::int64_t kMostPacked = 100;
constexpr std::int64_t kAlwaysUnpacked = std::int64_t{64} << 20;

Error unreadableFile(int code) {
  std::string message = std::string("it cannot be read: ") + std::strerror(code);
  if (code == ENOENT) message = "there is no such file; check the name";
  if (code == EISDIR) message = "it is a directory; name a file";
  if (code == EACCES) message = "no permission to read it; check its owner and mode";
  return {message, ErrorPlace{}, ErrorKind::Failed};
}

/// zlib passes uncompressed data through.
class FileSource : public ByteSource {
 public:
  FileSource(gzFile file, std::int64_t size) : m_file(file), m_size(size), m_buffer(kBuffer) {}
  ~FileSource() override { gzclose(m_file); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::string_view> next() override {
    const int count = gzread(m_file, m_buffer.data(), static_cast<unsigned>(m_buffer.size()));
    int code = Z_OK;
    const char* const stated = gzerror(m_file, &code);
    if (code == Z_BUF_ERROR) return damaged("the packed file ends too early; copy it again");
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_ERRNO) return unreadableFile(errno);
    if (count < 0 || code < 0)
      return damaged(std::string("the packed file is damaged (") + stated + "); copy it again");
    m_total += count;
    if (m_total > kMostBytes) {
      return Error{"it has more than 32 GiB unpacked; record fewer steps", {}, ErrorKind::TooLarge};
    }
    // Bytes that zlib has read ahead count as well; they are few.
    if (m_total > kAlwaysUnpacked && m_total / kMostPacked > gzoffset(m_file)) {
      return Error{"it unpacks to over " + std::to_string(kMostPacked) +
                       " times its size, as no trace does; if it is one, unpack it first, as with gunzip",
                   {},
                   ErrorKind::TooLarge};
    }
    return std::string_view(m_buffer.data(), static_cast<std::size_t>(count));
  }

  [[nodiscard]] double done() const override {
    const auto at = static_cast<double>(gzoffset(m_file));
    return m_size > 0 ? std::clamp(at / static_cast<double>(m_size), 0.0, 1.0) : 0;
  }

 private:
  [[nodiscard]] Error damaged(const std::string& message) const {
    return Error{message, "after " + countedText(m_total, "unpacked byte")};
  }

  gzFile m_file;
  std::int64_t m_size;
  std::int64_t m_total = 0;
  std::vector<char> m_buffer;
};

class TextSource : public ByteSource {
 public:
  TextSource(std::string_view text, std::size_t piece) : m_text(text), m_piece(piece) {}
  Result<std::string_view> next() override {
    const std::string_view piece = m_text.substr(m_at, m_piece);
    m_at += piece.size();
    return piece;
  }
  [[nodiscard]] double done() const override {
    return m_text.empty() ? 1 : static_cast<double>(m_at) / static_cast<double>(m_text.size());
  }

 private:
  std::string_view m_text;
  std::size_t m_piece;
  std::size_t m_at = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> openFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadableFile(errno);
  struct stat known {};
  const bool isKnown = ::fstat(descriptor, &known) == 0;
  if (isKnown && S_ISDIR(known.st_mode)) {
    ::close(descriptor);
    return unreadableFile(EISDIR);
  }
  const gzFile file = gzdopen(descriptor, "rb");
  if (file == nullptr) {
    ::close(descriptor);
    throw std::bad_alloc();
  }
  gzbuffer(file, kBuffer);
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(file, isKnown ? known.st_size : 0));
}

std::unique_ptr<ByteSource> bytesOf(std::string_view text, std::size_t piece) {
  return std::make_unique<TextSource>(text, piece);
}

}  // namespace p2::inline workload
