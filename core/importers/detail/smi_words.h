// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: words of nvidia-smi topo -m.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline importers {

/// The kinds of paths over PCIe, the shortest first.
enum class Reach { Bridge, Bridges, HostBridge, Node, System };

/// One cell: a way over PCIe, or that many NVLinks.
struct Cell {
  std::optional<Reach> reach;
  int links = 0;
};

/// "NODE", "NV18". Errors: any other word.
[[nodiscard]] Result<Cell> cellOf(std::string_view word);

/// A word, and its line.
struct Token {
  std::string_view text;
  std::size_t line = 0;
};

/// The length of the name of a GPU or a network card that a word begins with: "NIC7" of "NIC7NIC8"; 0 for none.
[[nodiscard]] std::size_t nameLength(std::string_view word);
/// The length of the connection that a word begins with: "NODE" of "NODEPIX", "NV18" of "NV18NV18"; 0 for none.
[[nodiscard]] std::size_t cellLength(std::string_view word);

/// Parts of a word that a narrow terminal has joined; the word itself where it is none or leaves a rest.
void appendParts(std::vector<Token>& tokens, const Token& word, std::size_t (*length)(std::string_view));

}  // namespace p2::inline importers
