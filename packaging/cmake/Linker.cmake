# SPDX-License-Identifier: GPL-3.0-or-later
# A hundred and more test programs are linked: by mold where there is one, in a tenth of the time.
find_program(P2_MOLD mold)
mark_as_advanced(P2_MOLD)
if(P2_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()
