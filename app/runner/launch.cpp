// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/launch.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "app/runner/worker.h"
#include "base/child_process.h"
#include "base/terminal_text.h"

namespace p2::runner {
namespace {

constexpr std::size_t kMostWords = 400;     // bytes of a launcher's output
constexpr std::size_t kMostSentence = 800;  // bytes of a rank's output
constexpr std::size_t kMostName = 255;      // bytes of a host's name, as many as DNS allows

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

bool isRule(const std::string& line) {
  return line.starts_with("----") && line.find_first_not_of("-\r") == std::string::npos;
}

std::string joinedWords(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

/// The beginning of a text that somebody else has written, as long as a sentence may be, to a blank where there is one.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t blank = text.rfind(' ', most);
  const std::size_t end = blank == std::string::npos ? wholeCharacters({text.data(), most}) : blank;
  return text.substr(0, end) + " …";
}

/// A text read from front to back, every byte at most once.
class Scan {
 public:
  explicit Scan(std::string_view text) : m_rest(text) {}

  /// Whether the text goes on with these words, which are then behind it.
  bool take(std::string_view words) {
    const bool there = m_rest.starts_with(words);
    if (there) m_rest.remove_prefix(words.size());
    return there;
  }
  /// Everything before the first of these characters, or the end.
  std::string_view until(std::string_view characters) { return taken(m_rest.find_first_of(characters)); }
  std::string_view digits() { return taken(m_rest.find_first_not_of("0123456789")); }
  /// Whether the words come somewhere; everything before them is then behind it, and so are they.
  bool skipPast(std::string_view words) {
    const std::size_t at = m_rest.find(words);
    if (at != std::string_view::npos) m_rest.remove_prefix(at + words.size());
    return at != std::string_view::npos;
  }

 private:
  std::string_view taken(std::size_t end) {
    const std::string_view head = m_rest.substr(0, end);
    m_rest.remove_prefix(head.size());
    return head;
  }
  std::string_view m_rest;
};

struct KilledRank {
  std::string_view rank;
  std::string_view host;
  std::string_view signal;
  std::string_view name;  ///< name of the signal
};

/// "3 with PID 20448 on node vm exited on signal 9 (Killed)".
std::optional<KilledRank> killedRankAt(Scan& scan) {
  KilledRank killed;
  killed.rank = scan.digits();
  if (killed.rank.empty() || !scan.take(" with PID ") || scan.digits().empty() || !scan.take(" on node ")) return {};
  killed.host = scan.until(" ");
  if (killed.host.empty() || !scan.take(" exited on signal ")) return {};
  killed.signal = scan.digits();
  if (killed.signal.empty() || !scan.take(" (")) return {};
  killed.name = scan.until(")");
  return scan.take(")") ? std::optional(killed) : std::nullopt;
}

/// The sentence of the rank that mpirun has seen killed; it may be broken into lines. Linear in the output, which
/// may be anything.
std::string killedRank(const std::string& errors) {
  const std::string words = joinedWords(errors);
  for (Scan scan(words); scan.skipPast("process rank ");) {
    const auto killed = killedRankAt(scan);
    if (!killed) continue;
    const auto part = [](std::string_view text) { return shortened(std::string(text), kMostName); };
    return "rank " + part(killed->rank) + " on " + part(killed->host) + " was killed by signal " +
           part(killed->signal) + " (" + part(killed->name) + ") before the run was over";
  }
  return {};
}

/// mpirun prints its message between two rules, the cause before the consequences.
std::string firstBlock(const std::vector<std::string>& lines) {
  const auto begin = std::find_if(lines.begin(), lines.end(), isRule);
  if (begin == lines.end()) return {};
  std::string block;
  for (auto line = begin + 1; line != lines.end() && !isRule(*line); ++line) block += *line + '\n';
  return joinedWords(block);
}

/// What explains best why a launcher gave up.
std::string launcherSentence(const Launch& launch, const std::vector<std::string>& lines) {
  if (std::string block = firstBlock(lines); !block.empty()) return block;
  // srun also prints progress.
  for (const std::string& opening : {launch.launcher + ": error:", launch.launcher + ":"}) {
    for (const std::string& line : lines) {
      if (line.starts_with(opening)) return line;
    }
  }
  std::string last;
  for (const std::string& line : lines) {
    if (line.find_first_not_of(" -\t\r") != std::string::npos) last = line;
  }
  return last;
}

}  // namespace

std::string unknownToEachOther(const std::string& processes) {
  return "srun has started " + processes +
         " that do not find each other; name the plugin that this MPI goes by among the launcher's arguments, as in "
         "--mpi=pmix (srun --mpi=list has them all)";
}

std::string launchFailure(const Launch& launch, int status, const std::string& stated) {
  if (const std::string problem = loaderProblem(stated); !problem.empty()) {
    return "a program of the run cannot be loaded: " + problem + "; install the missing library on every node";
  }
  const std::vector<std::string> lines = linesOf(stated);
  // A rank's own output is the best explanation.
  for (const std::string& line : lines) {
    const std::size_t at = line.find(kWorkerSays);
    if (at != std::string::npos)
      return shortened(line.substr(at + std::string_view(kWorkerSays).size()), kMostSentence);
  }
  if (std::string signal = killedRank(stated); !signal.empty()) return signal;
  // Open MPI 4 notices it itself, and explains how it is compiled.
  if (stated.find("direct launched using \"srun\"") != std::string::npos) return unknownToEachOther("processes");
  const std::string words = shortened(launcherSentence(launch, lines), kMostWords);
  return launch.launcher + " " + describeStatus(status) + " before the run was over" +
         (words.empty() ? "" : ": " + words);
}

}  // namespace p2::runner
