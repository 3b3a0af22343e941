// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <algorithm>
#include <fstream>

#include "graphs/onnx_import.h"
#include "onnx_models.h"
#include "support/fixtures.h"

namespace p2::test {

using Sizes = std::vector<std::int64_t>;

/// Of its first output.
inline Sizes sizesOf(const Operator& op) {
  const auto output = std::find_if(op.tensors.begin(), op.tensors.end(),
                                   [](const Tensor& tensor) { return tensor.role == Tensor::Role::Output; });
  Sizes sizes;
  if (output == op.tensors.end()) return sizes;
  for (std::size_t i = 0; i < output->dimensions.size(); ++i) sizes.push_back(op.sizeAlong(*output, i));
  return sizes;
}

/// Models as files, read by the program that reads them for users.
class OnnxFolder {
 protected:
  LoadedGraph imported(const Model& model, const OnnxSizes& sizes = {}) {
    std::ofstream(path(), std::ios::binary) << model.bytes();
    return valueOf(importOnnx(path(), sizes));
  }
  /// Of the model that was imported last.
  [[nodiscard]] std::string path() const { return m_folder.filePath("model.onnx").toStdString(); }

 private:
  QTemporaryDir m_folder;
};

}  // namespace p2::test
