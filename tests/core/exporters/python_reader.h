// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <string>
#include <utility>
#include <vector>

namespace p2::test {

// Executes every source of a list with stand-ins for the libraries, and prints what each called them with. Devices are
// listed in another order than that of their ids.
inline constexpr const char* kReader = R"(
import json, sys, types

class Array:
    def __init__(self, items): self.items = list(items)
    def __getitem__(self, order): return Array(self.items[i] for i in order)
    def reshape(self, shape):
        def cut(items, shape):
            if not shape: return items[0].id
            size = len(items) // shape[0]
            assert size * shape[0] == len(items)
            return [cut(items[i * size:(i + 1) * size], shape[1:]) for i in range(shape[0])]
        return cut(self.items, list(shape))

class Device:
    def __init__(self, id): self.id = id

def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made
    return made

for case in json.load(sys.stdin):
    seen = {}
    def mesh(array, names): seen.update(mesh=array, names=list(names))
    def torch_mesh(kind, mesh, mesh_dim_names): seen.update(kind=kind, mesh=mesh, names=list(mesh_dim_names))
    def hybrid(ici_mesh_shape, dcn_mesh_shape): seen.update(ici=list(ici_mesh_shape), dcn=list(dcn_mesh_shape))
    def megatron(**arguments): seen.update(arguments)
    module("numpy", array=Array)
    module("jax", devices=lambda: [Device(i) for i in reversed(range(case["devices"]))],
           sharding=types.SimpleNamespace(Mesh=mesh))
    module("torch", tensor=lambda ranks: ranks)
    module("torch.distributed")
    module("torch.distributed.device_mesh", DeviceMesh=torch_mesh)
    module("axlearn"); module("axlearn.common")
    module("axlearn.common.utils", HybridMeshShape=hybrid)
    module("megatron")
    state = types.SimpleNamespace(initialize_model_parallel=megatron)
    module("megatron.core", parallel_state=state)
    scope = {}
    exec(case["source"], scope)
    if "mesh_axis_names" in scope: seen["names"] = list(scope["mesh_axis_names"])
    print(json.dumps(seen))
)";

/// What each source calls the libraries with.
inline std::vector<QJsonObject> readByPython(const std::vector<std::pair<std::string, std::int64_t>>& sources) {
  QJsonArray cases;
  for (const auto& [source, devices] : sources) {
    cases.append(QJsonObject{{"source", QString::fromStdString(source)}, {"devices", qint64(devices)}});
  }
  QProcess python;
  python.start(QStringLiteral("python3"), {QStringLiteral("-c"), QString::fromLatin1(kReader)});
  python.write(QJsonDocument(cases).toJson());
  python.closeWriteChannel();
  if (!python.waitForFinished(60000) || python.exitCode() != 0) qFatal("%s", python.readAllStandardError().constData());
  std::vector<QJsonObject> answers;
  for (const QByteArray& line : python.readAllStandardOutput().trimmed().split('\n')) {
    answers.push_back(QJsonDocument::fromJson(line).object());
  }
  return answers;
}

inline bool hasPython() { return !QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty(); }

}  // namespace p2::test
