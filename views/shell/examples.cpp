// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/examples.h"

#include <QFile>

#include "workspace/presets.h"

namespace p2::views {

const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples{
      {"a100-4x16", "4 nodes × 16 A100: data, model, shards"},
      {"a100-2x16-data8-model4", "2 nodes × 16 A100: data, model"},
      {"a100-rails-4x8", "4 nodes × 8 A100 on rails: the best program depends on the size"},
      {"gb200-nvl72-2", "2 racks of 72 Blackwell GPUs: NVLink spans the trays"},
      {"tpu-v4-4x16", "4×4×4 TPU v4 chips: a 3-D torus"},
      {"llama3-70b-fsdp32-tp8", "Llama 3.1 70B on 32 nodes × 8 H100: the communication of a training step"},
      {"v100-4x8", "4 nodes × 8 V100 in a ring: data, model, shards"},
      {"figure2", "The paper's Figure 2: rack, servers, CPUs, GPUs"},
      {"paper-a100-4x16-ring", "The paper's setting, ring: 4 nodes × 16 A100, its tables next to predictions"},
      {"paper-a100-4x16-tree", "The paper's setting, tree: 4 nodes × 16 A100, its tables next to predictions"},
      {"a100-64x16", "64 nodes × 16 A100: 1,024 devices, overview and detail"},
      {"teaching-2x4", "Start here: 2 nodes × 4 GPUs, small enough to follow every bit"},
  };
  return kExamples;
}

Result<Workspace> readExample(const QString& name) {
  QFile file(":/p2/examples/" + name + ".p2.json");
  if (!file.open(QIODevice::ReadOnly)) {
    return Error{"there is no example called \"" + name.toStdString() + "\"; choose one from the menu"};
  }
  return workspaceFromJson(file.readAll().toStdString());
}

Workspace blankWorkspace() {
  Workspace workspace;
  workspace.system = std::move(parseSystem("node:2 gpu:4")).value();
  workspace.axes = {{"data", 8, true}};
  // Times are for one run by default.
  workspace.options.cost.repeat = 1;
  return workspace;
}

}  // namespace p2::views
