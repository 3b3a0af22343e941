// SPDX-License-Identifier: GPL-3.0-or-later
// What people type, and what is said between processes.
#include <array>
#include <string>
#include <vector>

#include "base/terminal_text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "exporters/exporters.h"
#include "fuzz/expect.h"
#include "fuzz/harness.h"
#include "placement/parallelism_matrix.h"
#include "placement/placement.h"
#include "remote/detail/line_buffer.h"
#include "remote/messages.h"
#include "synthesis/program_notation.h"
#include "system/valid_system.h"
#include "text/host_list.h"
#include "workspace/presets.h"

namespace p2::fuzz {
namespace {

void systemText(std::string_view text) {
  const auto value = parseSystem(text);
  if (!read(value)) return;
  const auto valid = validated(*value);
  // A level may have no links of its own, or a mesh of many; whether its devices are joined and how many links there
  // are is known only of the whole.
  const auto says = [&](const char* what) { return valid.error().message.find(what) != std::string::npos; };
  expect(valid.ok() || says("are not connected") || says("links; use a switch"),
         "a system that was typed can be worked with");
}

struct Reading {
  SynthesisHierarchy hierarchy;
  RuleSet rules;
  Goal goal;
};

Reading readingOf(const std::vector<Axis>& axes, const char* matrix, RuleSet rules, const Goal& goal) {
  return {{parseSystem("node:2 gpu:4").value(), Placement(axes, parseMatrix(matrix).value())}, rules, goal};
}

void program(std::string_view text) {
  static const std::array kReadings{
      readingOf({{"all", 8, true}}, "[[2,4]]", RuleSet::All, kAllReduceGoal),
      readingOf({{"all", 8, true}}, "[[2,4]]", RuleSet::Paper, kScatterGoal),
      readingOf({{"replica", 2, true, true}, {"shard", 4, true}}, "[[2,1],[1,4]]", RuleSet::All, kReduceScatterGoal)};
  for (const Reading& reading : kReadings) {
    const SynthesisHierarchy& hierarchy = reading.hierarchy;
    const auto value = readProgram(hierarchy, text, reading.rules, reading.goal);
    if (!read(value)) continue;
    for (const std::string& written : {programText(hierarchy, *value), notationText(hierarchy, *value)}) {
      expectSame(readProgram(hierarchy, written, reading.rules, reading.goal), *value);
    }
  }
}

void matrix(std::string_view text) { read(parseMatrix(text)); }

template <class Parse, class Type>
void typedAgain(std::string_view text, Parse parse, Type typed) {
  const auto value = parse(text);
  if (read(value)) expectSame(parse(typed(*value)), *value);
}

void quantity(std::string_view text) {
  typedAgain(text, parseBandwidth, typedBandwidth);
  typedAgain(text, parseSeconds, typedSeconds);
  typedAgain(text, parseBytes, typedBytes);
  typedAgain(text, parseFlops, typedFlops);
}

/// Sizes, and behind the first semicolon the axes to reduce over and to scatter over.
void axes(std::string_view text) {
  const std::size_t cut = std::min(text.find(';'), text.size());
  const auto value = parseAxes(text.substr(0, cut));
  if (!read(value)) return;
  std::string named;
  for (const Axis& axis : *value) named += (named.empty() ? "" : " ") + axis.name + '=' + std::to_string(axis.size);
  expectSame(parseAxes(named), *value);
  const auto reduced = withReduction(*value, text.substr(std::min(cut + 1, text.size())));
  if (read(reduced)) read(withScatter(*reduced, text.substr(std::min(cut + 1, text.size()))));
}

void message(std::string_view text) {
  const auto value = messageFrom(text);
  if (read(value)) expectSame(messageFrom(messageLine(*value)), *value);
  LineBuffer lines(1 << 10);
  std::size_t taken = 0;
  for (const std::string_view half : {text.substr(0, text.size() / 2), text.substr(text.size() / 2)}) {
    lines.append(half);
    while (const auto line = lines.next()) taken += line->size() + 1;
  }
  expect(taken <= text.size(), "no line comes from nowhere");
}

void terminal(std::string_view text) {
  const std::string shown = terminalText(text);
  expect(isUtf8(shown), "what is shown is UTF-8");
  expect(terminalText(shown) == shown, "what is shown is harmless");
  expect(wholeCharacters(text) <= text.size(), "no more characters than there are");
}

void hosts(std::string_view text) { read(hostsFromFile(text)); }

constexpr std::array kHarnesses{
    Harness{"system_text", systemText, ""},
    Harness{"program", program, ""},
    Harness{"matrix", matrix, ""},
    Harness{"quantity", quantity, ""},
    Harness{"axes", axes, ""},
    Harness{"message", message, ""},
    Harness{"terminal", terminal, "tests/data/import/*.txt"},
    Harness{"hosts", hosts, ""},
};

}  // namespace

std::span<const Harness> wordHarnesses() { return kHarnesses; }

}  // namespace p2::fuzz
