// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/examples.h"

#include <QFile>

#include "workspace/presets.h"

namespace p2::views {

const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples{
      {"a100-4x16", "4 nodes × 16 A100: data, model, shards"},
      {"a100-2x16-data8-model4", "2 nodes × 16 A100: data, model"},
      {"a100-rails-4x8", "4 nodes × 8 A100 on rails: the best changes with the size"},
      {"gb200-nvl72-2", "2 racks of 72 Blackwell GPUs: NVLink reaches across the trays"},
      {"tpu-v4-4x16", "4×4×4 TPU v4 chips: a torus in three dimensions"},
      {"llama3-70b-fsdp32-tp8", "Llama 3.1 70B on 32 nodes × 8 H100: a whole training step"},
      {"v100-4x8", "4 nodes × 8 V100 in a ring: data, model, shards"},
      {"figure2", "The paper's Figure 2: rack, servers, CPUs, GPUs"},
      {"a100-64x16", "64 nodes × 16 A100: 1,024 devices, seen from afar and close by"},
      {"teaching-2x4", "Small, for following every bit: 2 nodes × 4 GPUs"},
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
  // Times are of one run unless somebody asks for those of several.
  workspace.options.cost.repeat = 1;
  return workspace;
}

}  // namespace p2::views
