# SPDX-License-Identifier: GPL-3.0-or-later
# What goes where when it is installed, and the Debian package: cpack --config build/release/CPackConfig.cmake
include(GNUInstallDirs)
set(P2_ID org.p2explorer.P2Explorer)

install(FILES packaging/man/p2.1 packaging/man/p2-runner.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY resources/schemas resources/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/p2-explorer)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(P2_BUILD_EXPLORER)
  install(FILES packaging/man/p2-explorer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES packaging/${P2_ID}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES packaging/${P2_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES resources/icons/p2-explorer.svg RENAME ${P2_ID}.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME p2-explorer)
set(CPACK_PACKAGE_CONTACT "The P2 Explorer developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Lists every placement of parallelism axes on a system of nodes and accelerators,\
 synthesizes the reduction programs of each, predicts their cost and shows what every device holds step by step.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Plugins and programs that no library dependency names.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6sql6-sqlite, openmpi-bin, graphviz")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, openssh-client, qt6-wayland")
include(CPack)
