# SPDX-License-Identifier: GPL-3.0-or-later
# p2_room([FOLDER folder] [TARGET target] [USES room…] [LIBRARIES name…] [SOURCES source…]): a folder is a room.
#   FOLDER     below the one that it is called in; by default that one itself
#   TARGET     the target that its sources belong to; without one the room becomes a library of its own, core/plan p2_plan
#   USES       rooms whose headers it may include, beside those that they use themselves: "core/plan"
#   LIBRARIES  foreign libraries whose headers it may include: qt, json, hwloc, …
# tests/house holds every #include against it.
function(p2_room)
  cmake_parse_arguments(arg "" "FOLDER;TARGET" "USES;LIBRARIES;SOURCES" ${ARGN})
  set(path ${CMAKE_CURRENT_SOURCE_DIR})
  if(arg_FOLDER)
    cmake_path(APPEND path ${arg_FOLDER})
  endif()
  cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE room)
  list(JOIN arg_USES " " uses)
  list(JOIN arg_LIBRARIES " " libraries)
  set_property(GLOBAL APPEND PROPERTY P2_ROOMS "${room}|${uses}|${libraries}")
  if(arg_TARGET)
    if(qt IN_LIST arg_LIBRARIES)
      p2_moc_room(${arg_TARGET} ${path} mocs)
      list(APPEND arg_SOURCES ${mocs})
    endif()
    target_sources(${arg_TARGET} PRIVATE ${arg_SOURCES})
    cmake_path(GET path FILENAME name)
    p2_unity_room(${arg_TARGET} ${name} ${arg_SOURCES})
    return()
  endif()

  p2_room_target(${room} target)
  add_library(${target} STATIC ${arg_SOURCES})
  p2_unity(${target})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE p2_warnings)
  foreach(used IN LISTS arg_USES)
    p2_room_target(${used} library)
    target_link_libraries(${target} PUBLIC ${library})
  endforeach()
  if(json IN_LIST arg_LIBRARIES)
    target_link_libraries(${target} PUBLIC nlohmann_json::nlohmann_json)
    p2_precompiled(${target} json)
  else()
    p2_precompiled(${target} std)
  endif()
endfunction()

# The library that a room of core is: core/strategy/literal p2_strategy_literal.
function(p2_room_target room result)
  string(REGEX REPLACE "^core/" "p2_" target ${room})
  string(REPLACE "/" "_" target ${target})
  set(${result} ${target} PARENT_SCOPE)
endfunction()
