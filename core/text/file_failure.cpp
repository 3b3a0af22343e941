// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/detail/file_failure.h"

#include <cerrno>
#include <cstring>

namespace p2::inline text {

Error fileFailure(const std::string& path, int code, bool reading) {
  std::string message = std::string("it cannot be ") + (reading ? "read: " : "written: ") + std::strerror(code);
  if (code == ENOENT) {
    message = reading ? "there is no such file; check the name" : "there is no such folder; create it first";
  }
  if (code == EISDIR) message = "it is a directory; name a file";
  if (code == EACCES) {
    message = std::string("no permission to ") + (reading ? "read it" : "write it") + "; check its owner and mode";
  }
  if (code == ENAMETOOLONG) message = "its name is too long; use one of at most 255 bytes";
  if (code == ENXIO) message = "this pipe has no reader; start it first";
  if (code == EPIPE) message = "its reader has stopped reading";
  return {message, path, ErrorKind::Failed};
}

}  // namespace p2::inline text
