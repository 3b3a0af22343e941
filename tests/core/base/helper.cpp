// SPDX-License-Identifier: GPL-3.0-or-later
// What tst_helper_program asks: a helper that misbehaves as its argument says.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "base/helper_program.h"

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "echo") {
    std::cout << std::string{std::istreambuf_iterator<char>(std::cin), {}} << std::flush;
    std::cerr << "chatter of a library\n" << p2::kHelperMark << "a note\n";
    return p2::kHelperDone;
  }
  if (what == "refuse") {
    std::cerr << p2::kHelperMark << "line 3: the count is 0; it needs 1 or more\n";
    return p2::kHelperRefused;
  }
  if (what == "crash") {
    // Sanitizers catch it and end with a status of their own.
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
  }
  if (what == "hang") ::pause();
  if (what == "status") return 77;
  if (what == "load") {
    std::cerr << "helper: error while loading shared libraries: libhwloc.so.15: file too short\n";
    return 127;
  }
  if (what == "grow") {
    try {
      std::vector<std::vector<char>> all;
      while (all.size() < 4096) all.emplace_back(std::size_t{1} << 20, 'x');
    } catch (const std::bad_alloc&) {
      return p2::kHelperNoMemory;
    }
  }
  if (what == "core") {
    rlimit limit{};
    ::getrlimit(RLIMIT_CORE, &limit);
    std::cout << limit.rlim_cur << std::flush;
  }
  return p2::kHelperDone;
}
