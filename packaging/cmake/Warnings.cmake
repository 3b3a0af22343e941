# SPDX-License-Identifier: GPL-3.0-or-later
# One interface target with the warnings everything of ours is compiled with.
# AUTO: errors with the compiler that the project is held to, Debian 12's; only warnings with those that find new ones.
set(P2_WARNINGS_AS_ERRORS OFF CACHE STRING "Treat warnings as errors: AUTO, ON or OFF")
set_property(CACHE P2_WARNINGS_AS_ERRORS PROPERTY STRINGS AUTO ON OFF)
set(P2_WERROR ${P2_WARNINGS_AS_ERRORS})
if(P2_WERROR STREQUAL "AUTO")
  set(P2_WERROR OFF)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12[.]" AND NOT P2_SANITIZE)
    set(P2_WERROR ON)
  endif()
endif()
add_library(p2_warnings INTERFACE)
target_compile_options(p2_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused
  # What clang++ means by -Wconversion has signs in it, what g++ means by it in C++ has not.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  # g++ 12 reports overlapping copies in "literal" + std::string() that do not exist (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # In release, where files are compiled together, it also reports overlong copies of the same kind (GCC bug 105329), values
  # of an empty std::optional that nobody reads (GCC bug 80635), and files that look like one that includes the others. The
  # other presets keep these warnings.
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${P2_UNITY_BUILD}>>:-Wno-stringop-overflow;-Wno-maybe-uninitialized;-Wno-subobject-linkage>"
  $<$<BOOL:${P2_WERROR}>:-Werror>)
