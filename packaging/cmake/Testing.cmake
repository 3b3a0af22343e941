# SPDX-License-Identifier: GPL-3.0-or-later
option(P2_TESTS_TOGETHER "Compile the tests of a folder into one program: about a quarter of the work when all are built" OFF)

# p2_test(tst_name [LABEL unit|gui|…] [LIBS …] [ALONE]): a Qt Test unit from tst_name.cpp, and the test of that name.
# A program of its own: always where P2_TESTS_TOGETHER is off, where it is on only for those who ask for tst_name, and for
# a unit that is ALONE because it has its own main() or is linked in its own way.
function(p2_test name)
  cmake_parse_arguments(arg "ALONE" "LABEL" "LIBS" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  # tst_name.cpp includes it.
  set(moc ${CMAKE_CURRENT_BINARY_DIR}/moc/${name}.moc)
  p2_moc(${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp ${moc})
  add_executable(${name} ${name}.cpp ${moc})
  p2_test_program(${name} ${arg_LIBS})
  if(P2_TESTS_TOGETHER AND NOT arg_ALONE)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    get_property(units DIRECTORY PROPERTY P2_TEST_UNITS)
    if(NOT units)
      cmake_language(DEFER CALL p2_tests_together)
    endif()
    set_property(DIRECTORY APPEND PROPERTY P2_TEST_UNITS ${name})
    p2_together_name(together)
    add_test(NAME ${name} COMMAND ${together} ${name})
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  # A function may take what its unit has, in milliseconds: Qt Test gives it five minutes, too few on a busy machine.
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT 1200
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=1200000")
endfunction()

# All units of this folder in one program. What was said about them one by one, libraries, definitions and what must be
# there before, is said about it.
function(p2_tests_together)
  get_property(units DIRECTORY PROPERTY P2_TEST_UNITS)
  p2_together_name(together)
  add_executable(${together} ${PROJECT_SOURCE_DIR}/tests/support/many_units.cpp)
  foreach(unit IN LISTS units)
    get_target_property(sources ${unit} SOURCES)
    target_sources(${together} PRIVATE ${sources})
    get_target_property(libraries ${unit} LINK_LIBRARIES)
    list(APPEND all_libraries ${libraries})
    get_target_property(definitions ${unit} COMPILE_DEFINITIONS)
    target_compile_definitions(${together} PRIVATE ${definitions})
    get_target_property(before ${unit} MANUALLY_ADDED_DEPENDENCIES)
    if(before)
      add_dependencies(${together} ${before})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES all_libraries)
  p2_test_program(${together} ${all_libraries})
  set_target_properties(${together} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#include \"support/many_units.h\"")
endfunction()

# The name of the program with all units of this folder: tests_core_cost.
function(p2_together_name result)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" folder ${folder})
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# What every program of tests is compiled with and linked to.
function(p2_test_program target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests
                                               ${CMAKE_CURRENT_BINARY_DIR}/moc)
  target_compile_definitions(${target} PRIVATE P2_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                               P2_RESOURCES="${PROJECT_SOURCE_DIR}/resources")
  target_link_libraries(${target} PRIVATE p2_core Qt6::Core Qt6::Test p2_warnings p2_test_home ${ARGN})
  if(p2_views IN_LIST ARGN OR p2_explorer IN_LIST ARGN)
    p2_precompiled(${target} qt)
  elseif(NOT "${ARGN}" MATCHES "Qt6::(Gui|Network|DBus)")  # With these Qt Test's header reads more.
    p2_precompiled(${target} test)
  endif()
endfunction()
