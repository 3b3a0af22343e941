# SPDX-License-Identifier: GPL-3.0-or-later
# Graphviz::gvc and Graphviz::cgraph, graphviz as libraries (Debian: libgraphviz-dev).
find_path(Graphviz_INCLUDE_DIR graphviz/gvc.h)
find_library(Graphviz_gvc_LIBRARY gvc)
find_library(Graphviz_cgraph_LIBRARY cgraph)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Graphviz
  REQUIRED_VARS Graphviz_gvc_LIBRARY Graphviz_cgraph_LIBRARY Graphviz_INCLUDE_DIR)
mark_as_advanced(Graphviz_INCLUDE_DIR Graphviz_gvc_LIBRARY Graphviz_cgraph_LIBRARY)
foreach(part gvc cgraph)
  if(Graphviz_FOUND AND NOT TARGET Graphviz::${part})
    add_library(Graphviz::${part} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(Graphviz::${part} PROPERTIES
      IMPORTED_LOCATION ${Graphviz_${part}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${Graphviz_INCLUDE_DIR})
  endif()
endforeach()
