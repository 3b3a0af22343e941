// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/python_text.h"

namespace p2::inline exporters {
namespace {

bool isControl(char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f; }

}  // namespace

std::string pythonString(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string literal = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') literal += '\\';
    if (isControl(letter)) {
      const auto code = static_cast<unsigned char>(letter);
      literal += "\\x";
      literal += kHex[code >> 4];
      literal += kHex[code & 15];
    } else {
      literal += letter;
    }
  }
  return literal + "\"";
}

std::string pythonTuple(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "(" : ", ") + std::to_string(number);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

std::string pythonNames(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) text += (text.empty() ? "(" : ", ") + pythonString(axis.name);
  return text + (axes.size() == 1 ? ",)" : ")");
}

std::string placementComment(const Plan& plan) {
  const Workspace& workspace = plan.workspace();
  std::string axes;
  for (const Axis& axis : workspace.axes)
    axes += (axes.empty() ? "" : ", ") + axis.name + "=" + std::to_string(axis.size);
  std::string text = "Placement " + workspace.matrix.text() + " of " + axes + " on " + describe(workspace.system);
  // A name may hold characters that end the comment.
  for (char& letter : text) letter = isControl(letter) ? ' ' : letter;
  return "# " + text + "\n";
}

}  // namespace p2::inline exporters
