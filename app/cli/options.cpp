// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <algorithm>
#include <cctype>

namespace p2::cli {
namespace {

std::string lastWordOf(std::string_view key) {
  std::string word(key.substr(key.rfind('_') + 1));
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

}  // namespace

std::string placeholderOf(const PropertyInfo& info) {
  switch (info.kind) {
    case PropertyKind::Count:
    case PropertyKind::Whole:
    case PropertyKind::Colour:
    case PropertyKind::Number:
      return "N";
    case PropertyKind::Bandwidth:
      return "BANDWIDTH";
    case PropertyKind::Seconds:
      return "TIME";
    case PropertyKind::Amount:
      return "BYTES";
    case PropertyKind::Speed:
      return "FLOPS";
    case PropertyKind::Flag:
      return "YES|NO";
    case PropertyKind::Text:
    case PropertyKind::Choice:
    case PropertyKind::Members:
      return lastWordOf(info.key);
  }
  return {};
}

}  // namespace p2::cli
