# SPDX-License-Identifier: GPL-3.0-or-later
set(P2_SANITIZE "" CACHE STRING "Sanitizers to build with: address;undefined or thread")
if(P2_SANITIZE)
  string(REPLACE ";" "," P2_SANITIZE_FLAG "${P2_SANITIZE}")
  # What is found ends the program: a test that prints it and goes on would pass.
  add_compile_options(-fsanitize=${P2_SANITIZE_FLAG} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${P2_SANITIZE_FLAG})
endif()
