# SPDX-License-Identifier: GPL-3.0-or-later
# One interface target with the warnings everything of ours is compiled with.
option(P2_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
add_library(p2_warnings INTERFACE)
target_compile_options(p2_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused
  # g++ 12 reports overlapping copies in "literal" + std::string() that do not exist (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${P2_WARNINGS_AS_ERRORS}>:-Werror>)
