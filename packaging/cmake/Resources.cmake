# SPDX-License-Identifier: GPL-3.0-or-later
# What rooms of core read from resources/ is compiled in as text, so that it is there wherever a program runs. When one of
# these files changes, the build is configured anew.

# p2_resource(VARIABLE PATH): the text of resources/PATH.
function(p2_resource variable path)
  set(file ${PROJECT_SOURCE_DIR}/resources/${path})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# p2_resource_rows(VARIABLE TYPE PATH…): rows of an array in C++, TYPE{"name", R"p2(text)p2"} for each resources/PATH, whose
# name is that of the file without its ending.
function(p2_resource_rows variable type)
  set(rows "")
  foreach(path IN LISTS ARGN)
    p2_resource(text ${path})
    cmake_path(GET path STEM LAST_ONLY name)
    string(APPEND rows "    ${type}{\"${name}\", R\"p2(${text})p2\"},\n")
  endforeach()
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()

# p2_compile_in(FILE): FILE.cpp.in with its @VARIABLES@ is a source of the room it is called in.
function(p2_compile_in file)
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  p2_room_target(${room} target)
  cmake_path(GET file FILENAME name)
  configure_file(${file}.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
endfunction()
