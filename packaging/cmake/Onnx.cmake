# SPDX-License-Identifier: GPL-3.0-or-later
# The target onnx: Debian's libonnx, whose package file expects protobuf's target.
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
# So it is called on Debian 12; on Debian 13 it is ONNX::onnx.
if(NOT TARGET onnx)
  add_library(onnx INTERFACE IMPORTED)
  target_link_libraries(onnx INTERFACE ONNX::onnx)
endif()
