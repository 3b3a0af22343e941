// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: the words of a shell script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline training_files::shell {

/// How a statement follows the one before it.
enum class Link { Sequence, And, Or, Pipe, CaseEnd };

/// A simple command or a keyword with its words, as written: quotes and `$` are still there.
struct Statement {
  Link link = Link::Sequence;
  std::vector<std::string> words;
  std::size_t line = 1;
};

struct Script {
  std::vector<Statement> statements;
  std::vector<std::string> documents;  ///< bodies of here-documents
};

/// Splits a script into statements. An array assignment `NAME=(a b)` is one word, with its parts joined by '\n'.
/// Comments are left out, except the requests of Slurm: `#SBATCH --nodes=4` is a statement. O(length).
[[nodiscard]] Script scriptOf(std::string_view text);

}  // namespace p2::inline training_files::shell
