// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/answer_code.h"

#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"

namespace p2::inline lesson {
namespace {

// Without letters that look like digits (Crockford).
constexpr std::string_view kCodeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::uint32_t kTwentyBits = (1U << 20) - 1;
constexpr std::size_t kMarkCodeLetters = 4;

std::uint32_t hashOf(std::string_view text, std::uint32_t hash = 2166136261U) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// The upper bits vary as much as the lower ones.
std::uint32_t folded(std::uint32_t hash) { return (hash ^ (hash >> 20)) & kTwentyBits; }

std::string letters20(std::uint32_t value) {
  std::string text;
  for (std::size_t i = kMarkCodeLetters; i-- > 0;) text += kCodeLetters[(value >> (5 * i)) & 31U];
  return text;
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Lower case ASCII, without blanks.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (isSpace(c)) continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

char letterOf(const PageOutcome& page) {
  const unsigned tries = static_cast<unsigned>(std::clamp(page.tries, 0, kMostTries));
  return kCodeLetters[(page.solved ? 1U : 0U) | (page.hinted ? 2U : 0U) | (tries << 2U)];
}

/// A letter as it may be typed: small, O for 0, I and L for 1.
char readLetter(char c) {
  if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (c == 'O') return '0';
  return c == 'I' || c == 'L' ? '1' : c;
}

/// Characters around a name or a code.
bool isEdge(char c) { return isSpace(c) || c == ':' || c == ',' || c == ';' || c == '"'; }

std::string_view bare(std::string_view text) {
  while (!text.empty() && isEdge(text.front())) text.remove_prefix(1);
  while (!text.empty() && isEdge(text.back())) text.remove_suffix(1);
  return text;
}

/// Where "P2-" of a code begins; npos without one. Parts of a code can end in P2 themselves.
std::size_t beginOfCode(std::string_view line) {
  for (std::size_t at = line.size(); at-- > 0;) {
    if (at > 0 && !isEdge(line[at - 1])) continue;
    if (at + 3 <= line.size() && readLetter(line[at]) == 'P' && line[at + 1] == '2' && line[at + 2] == '-') return at;
  }
  return std::string_view::npos;
}

struct WrittenCode {
  std::string lesson;
  std::string pages;
  std::string check;
};

std::optional<WrittenCode> writtenCode(std::string_view code) {
  std::vector<std::string> parts(1);
  for (const char c : code.substr(3)) {
    if (isSpace(c)) continue;
    if (c == '-') {
      parts.emplace_back();
    } else {
      parts.back() += readLetter(c);
    }
  }
  if (parts.size() != 3 || parts[0].size() != kMarkCodeLetters || parts[2].size() != kMarkCodeLetters)
    return std::nullopt;
  return WrittenCode{parts[0], parts[1], parts[2]};
}

std::vector<PageOutcome> outcomesOf(const std::string& letters) {
  std::vector<PageOutcome> pages;
  for (const char c : letters) {
    const std::size_t bits = kCodeLetters.find(c);
    if (bits == std::string_view::npos) return {};
    pages.push_back({(bits & 1U) != 0, (bits & 2U) != 0, static_cast<int>(bits >> 2U)});
  }
  return pages;
}

/// Reads the code, or gives the reason why it does not count.
void judge(CodeLine& line, std::string_view code, const std::vector<Lesson>& lessons) {
  const auto parts = writtenCode(bare(code));
  if (!parts) {
    line.problem = "the code is not complete; it has the form P2-XXXX-X…-XXXX";
    return;
  }
  const auto lesson = std::find_if(lessons.begin(), lessons.end(),
                                   [&](const Lesson& each) { return letters20(fingerprintOf(each)) == parts->lesson; });
  if (lesson == lessons.end()) {
    line.problem =
        "the code belongs to another lesson, or to another version of it; open or name the lesson's file first";
    return;
  }
  line.lesson = lesson->title;
  std::vector<PageOutcome> pages = outcomesOf(parts->pages);
  if (pages.size() != lesson->pages.size() || answerCode(fingerprintOf(*lesson), line.name, pages) !=
                                                  "P2-" + parts->lesson + "-" + parts->pages + "-" + parts->check) {
    line.problem = "the code does not belong to this name, or has a typo";
    return;
  }
  line.pages = std::move(pages);
}

}  // namespace

int CodeLine::solved() const {
  return static_cast<int>(
      std::count_if(pages.begin(), pages.end(), [](const PageOutcome& each) { return each.solved; }));
}

std::string CodeLine::triesText() const {
  return joined(pages, " ", [](const PageOutcome& page) {
    return (page.solved ? std::to_string(std::max(page.tries, 1)) : std::string("–")) + (page.hinted ? "+" : "");
  });
}

std::uint32_t fingerprintOf(const Lesson& lesson) {
  std::uint32_t hash = hashOf(lesson.title);
  for (const LessonPage& page : lesson.pages) {
    for (const std::string* text : {&page.text, &page.program, &page.task.question, &page.task.done})
      hash = hashOf("\n", hashOf(*text, hash));
    for (const std::string& hint : page.task.hints) hash = hashOf(hint, hash);
    hash = hashOf(std::to_string(page.task.kind.index()), hash);
  }
  return folded(hash);
}

std::string answerCode(std::uint32_t fingerprint, std::string_view name, const std::vector<PageOutcome>& pages) {
  std::string letters;
  for (const PageOutcome& page : pages) letters += letterOf(page);
  const std::string lesson = letters20(fingerprint);
  const std::uint32_t check = folded(hashOf(plainName(name) + "|" + lesson + "|" + letters));
  return "P2-" + lesson + "-" + letters + "-" + letters20(check);
}

Result<std::vector<CodeLine>> readCodes(std::string_view text, const std::vector<Lesson>& lessons) {
  std::vector<CodeLine> lines;
  bool any = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view written = bare(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (written.empty() || written.front() == '#') continue;
    const std::size_t code = beginOfCode(written);
    CodeLine line;
    line.line = number;
    line.name = std::string(bare(written.substr(0, std::min(code, written.size()))));
    if (code == std::string_view::npos) {
      line.problem = "there is no code in this line; it begins with P2-";
    } else {
      any = true;
      judge(line, written.substr(code), lessons);
    }
    lines.push_back(std::move(line));
  }
  if (!any) return Error{"no line has a code; write a name and a code on every line, as in Ada: P2-7K2M-5D1-Q3ZT"};
  return lines;
}

}  // namespace p2::inline lesson
