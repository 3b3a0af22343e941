# SPDX-License-Identifier: GPL-3.0-or-later
# Qt's moc without AUTOMOC. AUTOMOC lets moc read all headers of Qt again for every class, a minute of work that changes
# nothing in what it writes, and compiles what it writes apart from the files that read the same headers.

# p2_moc(SOURCE OUTPUT): what moc makes of a file; without the macros of an object, nothing.
function(p2_moc source output)
  add_custom_command(OUTPUT ${output} COMMAND Qt6::moc --no-notes ${source} -o ${output} DEPENDS ${source} VERBATIM)
  set_source_files_properties(${output} PROPERTIES HEADER_FILE_ONLY ON)
endfunction()

# p2_moc_room(TARGET PATH RESULT): RESULT is the file that compiles what moc makes of the headers of the folder at PATH.
function(p2_moc_room target path result)
  file(GLOB headers RELATIVE ${path} CONFIGURE_DEPENDS ${path}/*.h)
  cmake_path(GET path FILENAME room)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/moc/${room})
  set(includes "")
  foreach(header IN LISTS headers)
    set(output ${folder}/${header}.moc)
    string(APPEND includes "#include \"${header}.moc\"\n")
    set_property(TARGET ${target} APPEND PROPERTY P2_MOC_HEADERS ${path}/${header})
    set_property(TARGET ${target} APPEND PROPERTY P2_MOC_OUTPUTS ${output})
  endforeach()
  set(mocs ${folder}/${room}_mocs.cpp)
  file(CONFIGURE OUTPUT ${mocs} CONTENT "${includes}")
  set(${result} ${mocs} PARENT_SCOPE)
endfunction()

# p2_moc_target(TARGET): the rules for all of its rooms. CMake wants them in the folder of the target.
function(p2_moc_target target)
  get_target_property(headers ${target} P2_MOC_HEADERS)
  get_target_property(outputs ${target} P2_MOC_OUTPUTS)
  foreach(header output IN ZIP_LISTS headers outputs)
    p2_moc(${header} ${output})
  endforeach()
  target_sources(${target} PRIVATE ${outputs})
endfunction()
