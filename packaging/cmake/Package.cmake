# SPDX-License-Identifier: GPL-3.0-or-later
# What goes where when it is installed, and the Debian package, which packaging/deb makes.
include(GNUInstallDirs)
set(P2_ID org.p2explorer.P2Explorer)
set(P2_RELEASE_DATE 2026-11-22)
set(P2_RELEASE_DATE_RFC "Sun, 22 Nov 2026 12:00:00 +0000")
set(share ${CMAKE_INSTALL_DATADIR}/p2-explorer)

# Manual pages are packed, and those about the manual's pages made, by what packaging/deb installs.
set(manpages ${CMAKE_BINARY_DIR}/packaging/man)
set(P2_MAN_PAGES p2-runner)
if(P2_BUILD_EXPLORER)
  list(APPEND P2_MAN_PAGES p2-explorer)
endif()
set(packed "")
foreach(page IN LISTS P2_MAN_PAGES)
  set(source ${CMAKE_SOURCE_DIR}/packaging/man/${page}.1)
  add_custom_command(OUTPUT ${manpages}/${page}.1.gz DEPENDS ${source} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manpages} COMMAND sh -c "gzip -9nc '${source}' > '${manpages}/${page}.1.gz'")
  list(APPEND packed ${manpages}/${page}.1.gz)
endforeach()
# p2(1) has the options that p2 declares.
set(source ${CMAKE_SOURCE_DIR}/packaging/man/p2.1.in)
add_custom_command(OUTPUT ${manpages}/p2.1.gz DEPENDS ${source} p2 VERBATIM
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manpages}
  COMMAND sh -c "'$<TARGET_FILE:p2>' help --man-page '${source}' > '${manpages}/p2.1' && gzip -9nf '${manpages}/p2.1'")
list(APPEND packed ${manpages}/p2.1.gz)
find_program(P2_CMARK cmark-gfm)
mark_as_advanced(P2_CMARK)
if(P2_CMARK)
  file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/manual/*.md)
  foreach(page IN LISTS pages)
    get_filename_component(name ${page} NAME_WE)
    add_custom_command(OUTPUT ${manpages}/p2-${name}.7.gz VERBATIM
      DEPENDS ${page} ${CMAKE_SOURCE_DIR}/packaging/man/from-markdown ${CMAKE_SOURCE_DIR}/packaging/man/tables.awk
      COMMAND ${CMAKE_COMMAND} -E make_directory ${manpages}
      COMMAND ${CMAKE_SOURCE_DIR}/packaging/man/from-markdown ${P2_CMARK} ${page} ${manpages}/p2-${name}.7.gz)
    list(APPEND packed ${manpages}/p2-${name}.7.gz)
  endforeach()
endif()
configure_file(packaging/debian/changelog.in packaging/changelog @ONLY)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/packaging/changelog.gz DEPENDS ${CMAKE_BINARY_DIR}/packaging/changelog VERBATIM
  COMMAND sh -c "gzip -9nc '${CMAKE_BINARY_DIR}/packaging/changelog' > '${CMAKE_BINARY_DIR}/packaging/changelog.gz'")
add_custom_target(package_texts DEPENDS ${packed} ${CMAKE_BINARY_DIR}/packaging/changelog.gz)

foreach(section 1 7)
  install(DIRECTORY ${manpages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} FILES_MATCHING PATTERN *.${section}.gz)
endforeach()
install(DIRECTORY resources/schemas resources/examples resources/manual resources/screenshots DESTINATION ${share})
install(FILES README.md packaging/debian/copyright ${CMAKE_BINARY_DIR}/packaging/changelog.gz
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/p2-explorer OPTIONAL)
if(P2_BUILD_EXPLORER)
  configure_file(packaging/${P2_ID}.metainfo.xml.in packaging/${P2_ID}.metainfo.xml @ONLY)
  install(FILES packaging/${P2_ID}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${CMAKE_BINARY_DIR}/packaging/${P2_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES packaging/${P2_ID}.mime.xml RENAME ${P2_ID}.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES resources/icons/p2-explorer.svg RENAME ${P2_ID}.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
# Only the programs are built for it, by packaging/deb, not every test.
set(CPACK_CMAKE_GENERATOR Ninja)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_PACKAGE_NAME p2-explorer)
set(CPACK_PACKAGE_CONTACT "The P2 Explorer developers <developers@p2explorer.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explore parallelism placements and reduction programs")
# Lines of a description have at most 80 characters, and a full stop stands for an empty one.
string(JOIN "\n" CPACK_PACKAGE_DESCRIPTION
  "P2 Explorer is for people who decide how a large model is spread over"
  "accelerators. It lists every placement of parallelism axes on a system of"
  "nodes and accelerators, synthesizes the reduction programs of each, predicts"
  "their cost and shows what every device holds step by step."
  "."
  "The desktop program p2-explorer, the command line program p2 and p2-runner,"
  "which runs programs over MPI, are included.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Plugins and programs that no library dependency names.
# Until Debian 12 the plugins for SVG are in the library's package.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libqt6sql6-sqlite, qt6-qpa-plugins, qt6-svg-plugins | libqt6svg6 (<< 6.8), openmpi-bin, graphviz, sqlite3")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, openssh-client, qt6-wayland")
include(CPack)
