# SPDX-License-Identifier: GPL-3.0-or-later
# Headers that nearly every file of a kind reads are compiled once. p2_precompiled(TARGET KIND) lets a target use those of
# a kind: std, json (nlohmann), qt (widgets) or test (Qt Test).
option(P2_PRECOMPILED_HEADERS "Compile the headers of the standard library, of Qt and of other libraries once" ON)

option(P2_UNITY_BUILD "Compile the files of a room together, two dozen at a time" OFF)

set(P2_HEADERS_std <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <numeric> <optional> <set> <span>
  <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>)
set(P2_HEADERS_json ${P2_HEADERS_std} <nlohmann/json.hpp>)
set(P2_HEADERS_qt ${P2_HEADERS_std} <QtCore/QtCore> <QtGui/QtGui> <QtWidgets/QtWidgets>)
set(P2_HEADERS_test ${P2_HEADERS_std} <QtCore/QtCore> <QtTest/QTest>)
# What waits for files, people and the checks of tests gains nothing from the optimizer's second half, which costs a third
# of the compiler's time. Rooms that compute have all of it: those that read std only, and those that say COMPUTES.
set(P2_LIGHTLY_OPTIMIZED $<$<CONFIG:Release>:-O1>)
set(P2_OPTIONS_json ${P2_LIGHTLY_OPTIMIZED})
set(P2_OPTIONS_qt ${P2_LIGHTLY_OPTIMIZED})
# The folders of the test would be part of Qt Test's header, which is then another one for every folder.
set(P2_OPTIONS_test ${P2_LIGHTLY_OPTIMIZED} -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
set(P2_LIBRARIES_json nlohmann_json::nlohmann_json)
set(P2_LIBRARIES_qt Qt6::Widgets)
set(P2_LIBRARIES_test Qt6::Core Qt6::Test)

# The compiler takes a precompiled header only where it is compiled with the flags of those who use it, so it belongs to
# an empty library with those flags.
function(p2_precompiled target kind)
  target_compile_options(${target} PRIVATE ${P2_OPTIONS_${kind}})
  if(NOT P2_PRECOMPILED_HEADERS)
    return()
  endif()
  set(owner p2_precompiled_${kind})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp CONTENT "")
    add_library(${owner} OBJECT ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)
    target_compile_features(${owner} PRIVATE cxx_std_20)
    target_link_libraries(${owner} PRIVATE p2_warnings ${P2_LIBRARIES_${kind}})
    target_compile_options(${owner} PRIVATE ${P2_OPTIONS_${kind}})
    target_precompile_headers(${owner} PRIVATE ${P2_HEADERS_${kind}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# p2_unity(TARGET): all of a target may be compiled two dozen files at a time: less than half the work when all is built,
# more when one file changes.
function(p2_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${P2_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 24)
endfunction()

# p2_unity_room(TARGET ROOM SOURCE…): the same for one room of a target with several. No batch holds files of two rooms, so that
# names of one need not differ from those of another, and a new file changes the batches of its own room only.
function(p2_unity_room target room)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${P2_UNITY_BUILD} UNITY_BUILD_MODE GROUP)
  get_target_property(folder ${target} SOURCE_DIR)
  list(LENGTH ARGN files)
  math(EXPR batches "(${files} + 23) / 24")
  set(number 0)
  foreach(source IN LISTS ARGN)
    math(EXPR batch "${number} * ${batches} / ${files}")
    math(EXPR number "${number} + 1")
    cmake_path(ABSOLUTE_PATH source)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room}_${batch})
  endforeach()
endfunction()
