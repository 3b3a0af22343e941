// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace p2::inline training {

/// What people call the model of a file. A file with a name of its own has that: "ours" for "ours.json". For a
/// config.json, or a text without such a file, the first of these that is there:
/// - the repository in the cache of the Hugging Face hub, "GLM-4.5" in "models--zai-org--GLM-4.5/snapshots/…";
/// - the repository that "_name_or_path" names;
/// - the folder, where it is called as a repository is: the family or a size or version is a part of its name;
/// - the class of "architectures" without its task, "Glm4Moe" for "Glm4MoeForCausalLM";
/// - the "model_type".
/// A p2-model file is called as it says. Empty if nothing of this is there. O(length of the text).
[[nodiscard]] std::string modelNameOf(const std::string& path, const std::string& text);

}  // namespace p2::inline training
