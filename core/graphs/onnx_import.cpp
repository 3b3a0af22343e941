// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx_import.h"

#include <dlfcn.h>

#include <filesystem>

#include "graphs/onnx_module.h"

namespace p2 {
namespace {

namespace fs = std::filesystem;

/// The module's folder lies beside or above the executable's, when installed as in a build tree. The root is left out:
/// what is there belongs to another installation.
fs::path modulePath() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  for (fs::path folder = program.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    fs::path module = folder / P2_MODULES / kOnnxModule;
    if (fs::exists(module, failed)) return module;
  }
  return {};
}

struct OnnxModule {
  ReadOnnx* read;
};

Result<OnnxModule> loadModule() {
  const fs::path path = modulePath();
  if (path.empty()) {
    return Error{std::string("ONNX models are read by ") + kOnnxModule + ", which is not in " P2_MODULES +
                     "; install P² Explorer again",
                 {},
                 ErrorKind::Failed};
  }
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* read = module == nullptr ? nullptr : dlsym(module, kReadOnnx);
  if (read != nullptr) return OnnxModule{reinterpret_cast<ReadOnnx*>(read)};
  return Error{
      std::string("ONNX models cannot be read: ") + dlerror() + "; install P² Explorer again", {}, ErrorKind::Failed};
}

}  // namespace

Result<LoadedGraph> importOnnx(const std::string& path, std::optional<std::int64_t> batch) {
  if (batch && (*batch < 1 || *batch > kMostDimensionSize)) {
    return Error{"a batch of " + std::to_string(*batch) + "; use 1 to 2^40"};
  }
  static const Result<OnnxModule> kModule = loadModule();
  if (!kModule.ok()) return kModule.error().within(path);
  Result<LoadedGraph> loaded = LoadedGraph();
  kModule->read(path, batch, loaded);
  if (!loaded.ok()) return loaded;
  P2_TRY_ASSIGN(auto graph, validated(std::move(loaded.value().graph)).within(path));
  return LoadedGraph{std::move(graph), std::move(loaded.value().warnings)};
}

}  // namespace p2
