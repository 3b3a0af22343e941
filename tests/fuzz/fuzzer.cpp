// SPDX-License-Identifier: GPL-3.0-or-later
// One harness for libFuzzer: P2_FUZZ_HARNESS is its name. With --seeds it only says where its real files lie.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/harness.h"

namespace {

const p2::fuzz::Harness& chosen() {
  for (const auto harnesses : {p2::fuzz::documentHarnesses(), p2::fuzz::importHarnesses(), p2::fuzz::wordHarnesses()}) {
    for (const p2::fuzz::Harness& harness : harnesses) {
      if (std::string_view(harness.name) == P2_FUZZ_HARNESS) return harness;
    }
  }
  __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count != 2 || std::string_view((*arguments)[1]) != "--seeds") return 0;
  std::puts(chosen().seeds);
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const p2::fuzz::Harness& harness = chosen();
  harness.run({reinterpret_cast<const char*>(bytes), count});
  return 0;
}
