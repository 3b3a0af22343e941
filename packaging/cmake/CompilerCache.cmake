# SPDX-License-Identifier: GPL-3.0-or-later
# Files that were compiled before are taken from ccache where there is one, precompiled headers included.
find_program(P2_CCACHE ccache)
mark_as_advanced(P2_CCACHE)
if(P2_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${P2_CCACHE})
endif()
