// SPDX-License-Identifier: GPL-3.0-or-later
// All harnesses for libFuzzer: --parser=NAME says which one reads. With --parsers it only says which there are, and
// where their real files lie.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "fuzz/changed_json.h"
#include "fuzz/harness.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t count, std::size_t most);

namespace {

using p2::fuzz::Harness;

const Harness* g_harness = nullptr;

template <class Visit>
void forEachHarness(Visit visit) {
  for (const auto harnesses : {p2::fuzz::documentHarnesses(), p2::fuzz::importHarnesses(), p2::fuzz::wordHarnesses()}) {
    for (const Harness& harness : harnesses) visit(harness);
  }
}

std::string_view asText(const std::uint8_t* bytes, std::size_t count) {
  return {reinterpret_cast<const char*>(bytes), count};
}

/// The count of bytes, or 0 where there are too many for the place.
std::size_t put(std::string_view text, std::uint8_t* place, std::size_t most) {
  if (text.size() > most) return 0;
  std::memcpy(place, text.data(), text.size());
  return text.size();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view kParser = "--parser=";
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (argument == "--parsers") {
      forEachHarness([](const Harness& harness) { std::printf("%s %s\n", harness.name, harness.seeds); });
      std::exit(0);
    }
    if (!argument.starts_with(kParser)) continue;
    forEachHarness([&](const Harness& harness) {
      if (harness.name == argument.substr(kParser.size())) g_harness = &harness;
    });
  }
  if (g_harness != nullptr) return 0;
  std::fputs("fuzz: which parser reads? --parser=NAME says it, and --parsers lists them\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  g_harness->run(asText(bytes, count));
  return 0;
}

// Every second JSON text is changed as JSON, all others byte by byte.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t count, std::size_t most,
                                               unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 2 == 0) {
    const std::string_view text = asText(bytes, count);
    const auto changed = p2::fuzz::changedJson(text, text, random);
    const std::size_t length = changed ? put(*changed, bytes, most) : 0;
    if (length > 0) return length;
  }
  return LLVMFuzzerMutate(bytes, count, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t oneCount, const std::uint8_t* two,
                                                 std::size_t twoCount, std::uint8_t* bytes, std::size_t most,
                                                 unsigned seed) {
  std::mt19937 random(seed);
  const auto changed = p2::fuzz::changedJson(asText(one, oneCount), asText(two, twoCount), random);
  if (changed) return put(*changed, bytes, most);
  const std::string_view first = asText(one, oneCount), second = asText(two, twoCount);
  std::string text(first.substr(0, random() % (first.size() + 1)));
  text += second.substr(random() % (second.size() + 1));
  return put(std::string_view(text).substr(0, most), bytes, most);
}
