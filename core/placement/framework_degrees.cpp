// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/framework_degrees.h"

#include <algorithm>
#include <numeric>

#include "base/lists.h"
#include "placement/framework_axes.h"

namespace p2::inline placement {
namespace {

using Roles = std::vector<std::optional<AxisRoles>>;

std::size_t placeOf(const RoleOrder& words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

/// ∏ of the axes with a role.
std::int64_t sizeOf(const std::vector<Axis>& axes, const Roles& roles, std::string_view AxisRoles::*layer,
                    std::string_view word) {
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (roles[axis] && *roles[axis].*layer == word) size *= axes[axis].size;
  }
  return size;
}

/// Whether counting through the axes in this order, the last fastest, gives the matrix.
bool isLaidOut(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix,
               const AxisOrder& order) {
  std::vector<Axis> inOrder;
  for (const std::size_t axis : order) inOrder.push_back(axes[axis]);
  const ParallelismMatrix laid = rowMajorMatrix(system, inOrder);
  if (laid.empty()) return false;
  for (std::size_t row = 0; row < order.size(); ++row) {
    for (std::size_t level = 0; level < laid.columns(); ++level) {
      if (laid.at(row, level) != matrix.at(order[row], level)) return false;
    }
  }
  return true;
}

std::string wordsThere(std::string_view FrameworkAxis::*word) {
  std::string known;
  for (const FrameworkAxis& form : frameworkAxes()) {
    const bool repeated = (", " + known + ",").find(", " + std::string(form.*word) + ",") != std::string::npos;
    if (!(form.*word).empty() && !repeated) known += (known.empty() ? "" : ", ") + std::string(form.*word);
  }
  return known;
}

Error noSuchAxis(const std::string& who, const std::string& name, std::string_view FrameworkAxis::*word) {
  if (const std::string text = meshAxisText(name); !text.empty()) return Error{text, "axes"};
  return Error{who + " has no axis \"" + name + "\"; name it by its role: " + wordsThere(word), "axes"};
}

Error sameAxis(const std::string& who, const std::string& first, const std::string& second, std::string_view word) {
  return Error{"\"" + first + "\" and \"" + second + "\" are both " + who + "'s " + std::string(word) +
                   "; make one axis of them",
               "axes"};
}

/// The roles of the axes. Errors: an axis that has none, two with the same.
Result<Roles> framedRoles(const std::vector<Axis>& axes, const std::string& who) {
  P2_TRY_ASSIGN(auto roles, rolesOf(axes));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size == 1) continue;
    if (!roles[axis]) return noSuchAxis(who, axes[axis].name, &FrameworkAxis::megatron);
    for (std::size_t other = 0; other < axis; ++other) {
      if (axes[other].size == 1 || roles[other]->dense != roles[axis]->dense ||
          roles[other]->expert != roles[axis]->expert || roles[other]->replicates != roles[axis]->replicates) {
        continue;
      }
      return sameAxis(who, axes[other].name, axes[axis].name, roles[axis]->dense);
    }
  }
  return roles;
}

std::int64_t replicasOf(const std::vector<Axis>& axes, const Roles& roles) {
  std::int64_t copies = 1;
  bool shards = false;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (!roles[axis] || roles[axis]->dense != "dp" || axes[axis].size == 1) continue;
    if (roles[axis]->replicates) copies *= axes[axis].size;
    shards = shards || !roles[axis]->replicates;
  }
  return shards ? copies : 1;
}

MegatronDegrees degreesBy(const std::vector<Axis>& axes, const Roles& roles, const RoleOrder& words,
                          const AxisOrder& ranks) {
  MegatronDegrees degrees;
  degrees.ranks = ranks;
  degrees.hasExperts = hasExpertAxes(axes);
  degrees.replicas = replicasOf(axes, roles);
  for (const std::string_view word : words) {
    const std::int64_t dense = sizeOf(axes, roles, &AxisRoles::dense, word);
    const std::int64_t expert = sizeOf(axes, roles, &AxisRoles::expert, word);
    if (dense > 1) degrees.dense[std::string(word)] = dense;
    if (expert > 1) degrees.expert[std::string(word)] = expert;
    if (dense == 1 && expert == 1) continue;
    degrees.order += (degrees.order.empty() ? "" : "-") + std::string(word);
  }
  return degrees;
}

Error noMegatronOrder(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  const auto order = contiguousOrder(axes, matrix);
  if (!order) {
    return Error{"no order of Megatron's axes gives the placement " + matrix.text() +
                 ", whose axes leave a level and come back below others; start the ranks with a rankfile instead"};
  }
  P2_TRY(checkNeighbours(system, axes, matrix, *order, "Megatron"));
  return Error{"no order of Megatron's axes gives the placement " + matrix.text() +
               (hasExpertAxes(axes) ? " to dense layers and to experts at once" : "") +
               " as its assertions ask for (pipeline last, or the same data parallelism for experts as for dense "
               "layers); start the ranks with a rankfile instead"};
}

/// Refuses axes that MaxText's default, sparse_matmul, does not take together (pyconfig.py,
/// validate_sparse_matmul_parallelism).
Result<void> checkMaxtextExperts(const std::vector<Axis>& axes, const std::vector<std::string>& words) {
  const std::vector<std::vector<std::string>> refused{{"expert", "pipeline"}, {"expert", "fsdp", "tensor"}};
  const auto uses = [&](const std::string& word) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].size > 1 && words[axis] == word) return true;
    }
    return false;
  };
  for (const std::vector<std::string>& each : refused) {
    if (!std::all_of(each.begin(), each.end(), uses)) continue;
    return Error{"MaxText does not take the axes " + andList(each) +
                     " together with sparse_matmul, its default; use megatron, or leave one of them out",
                 "axes"};
  }
  return {};
}

}  // namespace

Result<void> checkNeighbours(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix,
                             const AxisOrder& order, const std::string& framework) {
  if (keepsNeighbours(system, order, matrix)) return {};
  return Error{
      "no order of " + framework + "'s axes gives the placement " + matrix.text() +
      ", whose groups would have other neighbours; start the ranks with a rankfile instead, or list the axes in "
      "the order " +
      orderText(axes, order)};
}

std::optional<AxisOrder> foldedOrder(const std::vector<Axis>& axes, const Roles& roles, const RoleOrder& words) {
  AxisOrder order(axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t axis) {
    return std::array<std::size_t, 3>{placeOf(words, roles[axis]->dense), placeOf(words, roles[axis]->expert),
                                      roles[axis]->replicates ? std::size_t{1} : 0};
  };
  const auto ones = std::stable_partition(order.begin(), order.end(), [&](std::size_t a) { return axes[a].size > 1; });
  std::stable_sort(order.begin(), ones, [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
  for (auto axis = order.begin(); axis != ones && axis + 1 != ones; ++axis) {
    if (key(*axis)[1] < key(*(axis + 1))[1]) return std::nullopt;
  }
  return order;
}

bool megatronAccepts(const std::vector<Axis>& axes, const Roles& roles, const RoleOrder& words) {
  std::string_view last;
  for (const std::string_view word : words) {
    const bool used = sizeOf(axes, roles, &AxisRoles::dense, word) * sizeOf(axes, roles, &AxisRoles::expert, word) > 1;
    if (used) last = word;
  }
  return last == "pp" || sizeOf(axes, roles, &AxisRoles::dense, "pp") == 1 ||
         sizeOf(axes, roles, &AxisRoles::dense, "dp") == sizeOf(axes, roles, &AxisRoles::expert, "dp");
}

Result<MegatronDegrees> megatronDegrees(const System& system, const std::vector<Axis>& axes,
                                        const ParallelismMatrix& matrix) {
  P2_TRY_ASSIGN(const auto roles, framedRoles(axes, "Megatron"));
  std::vector<RoleOrder> orders{kMegatronOrder, kMegatronPipelineFirst};
  RoleOrder any = kMegatronOrder;
  std::sort(any.begin(), any.end());
  do orders.push_back(any);
  while (std::next_permutation(any.begin(), any.end()));
  const bool divided = replicasOf(axes, roles) > 1 && sizeOf(axes, roles, &AxisRoles::dense, "cp") > 1;
  for (const bool keeps : {true, false}) {
    for (const RoleOrder& words : orders) {
      // An optimizer's instances are consecutive ranks of data and context together.
      if (divided && placeOf(words, "cp") > placeOf(words, "dp")) continue;
      const auto order = foldedOrder(axes, roles, words);
      if (!order || !megatronAccepts(axes, roles, words) || !isLaidOut(system, axes, matrix, *order)) continue;
      if (keeps ? !keepsDevices(*order, matrix) : !keepsNeighbours(system, *order, matrix)) continue;
      return degreesBy(axes, roles, words, *order);
    }
  }
  return noMegatronOrder(system, axes, matrix);
}

Result<std::vector<std::string>> maxtextWords(const std::vector<Axis>& axes) {
  P2_TRY_ASSIGN(const auto roles, rolesOf(axes));
  const bool replicates = replicasOf(axes, roles) > 1;
  std::vector<std::string> words;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto form = frameworkAxisOf(axes[axis].name);
    words.emplace_back(form ? frameworkAxes()[*form].maxtext : std::string_view());
    if (axes[axis].size == 1) continue;
    if (roles[axis] && (roles[axis]->saysExperts || roles[axis]->expert == "ep")) {
      const std::string pair = std::string(roles[axis]->dense) + " " + std::string(roles[axis]->expert);
      words.back() = pair == "dp ep" ? "expert" : pair == "dp dp" ? "data" : pair == "tp tp" ? "tensor" : "";
      if (words.back().empty() && pair == "cp dp") words.back() = "context";
      if (words.back().empty()) {
        return Error{"MaxText has one mesh for dense layers and experts, so \"" + axes[axis].name +
                         "\" cannot split the two differently; use megatron, or degrees of experts that divide "
                         "the data axis",
                     "axes"};
      }
    }
    if (words.back().empty()) return noSuchAxis("MaxText", axes[axis].name, &FrameworkAxis::maxtext);
    if (replicates && words.back() == "data" && !roles[axis]->replicates) words.back() = "fsdp";
    const auto other = std::find(words.begin(), words.end() - 1, words.back());
    const auto at = static_cast<std::size_t>(other - words.begin());
    if (at < axis && axes[at].size > 1) return sameAxis("MaxText", axes[at].name, axes[axis].name, words.back());
  }
  P2_TRY(checkMaxtextExperts(axes, words));
  return words;
}

AxisOrder maxtextOrder(const std::vector<Axis>& axes) {
  AxisOrder order = listedOrder(axes);
  const auto words = maxtextWords(axes);
  if (!words.ok()) return order;
  const auto place = [&](std::size_t axis) {
    const auto& forms = frameworkAxes();
    const auto found = std::find_if(forms.begin(), forms.end(),
                                    [&](const FrameworkAxis& form) { return form.maxtext == (*words)[axis]; });
    return found - forms.begin();
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

Result<MaxtextDegrees> maxtextDegrees(const System& system, const std::vector<Axis>& axes,
                                      const ParallelismMatrix& matrix) {
  MaxtextDegrees degrees;
  P2_TRY_ASSIGN(degrees.words, maxtextWords(axes));
  const AxisOrder order = maxtextOrder(axes);
  P2_TRY_ASSIGN(degrees.split, nodeSplit(system, axes, matrix, order));
  P2_TRY(checkNeighbours(system, axes, matrix, order, "MaxText"));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (degrees.words[axis] != "expert" || degrees.split.across[axis] == 1 || degrees.split.inside[axis] == 1) continue;
    return Error{"MaxText splits experts across nodes (dcn) or inside them (ici), not both, as \"" + axes[axis].name +
                     "\" would; use megatron",
                 "axes"};
  }
  return degrees;
}

Result<void> checkTorchtitanExperts(const std::vector<Axis>& axes, const Roles& roles) {
  if (!hasExpertAxes(axes)) return {};
  const std::int64_t tensor = sizeOf(axes, roles, &AxisRoles::dense, "tp");
  const std::int64_t expertTensor = sizeOf(axes, roles, &AxisRoles::expert, "tp");
  const std::int64_t expert = sizeOf(axes, roles, &AxisRoles::expert, "ep");
  if (expertTensor != tensor && (expertTensor != 1 || expert == 1)) {
    return Error{"TorchTitan takes tensor parallelism " + std::to_string(tensor) + (expert == 1 ? "" : " or 1") +
                     " for experts, not " + std::to_string(expertTensor),
                 "axes"};
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size == 1 || !roles[axis] || expert == 1) continue;
    const bool isTaken = roles[axis]->dense == "cp" || (roles[axis]->dense == "tp" && expertTensor == 1);
    if (isTaken && roles[axis]->expert != "ep") {
      return Error{
          "TorchTitan's experts are split over all of \"" + axes[axis].name + "\", where they are split at all",
          "axes"};
    }
    if (roles[axis]->dense == "dp" && roles[axis]->replicates && roles[axis]->expert != "dp") {
      return Error{"TorchTitan's experts are not split over the replicas \"" + axes[axis].name + "\"", "axes"};
    }
  }
  return {};
}

Result<TorchtitanDegrees> torchtitanDegrees(const System& system, const std::vector<Axis>& axes,
                                            const ParallelismMatrix& matrix) {
  P2_TRY_ASSIGN(const auto roles, framedRoles(axes, "TorchTitan"));
  P2_TRY(checkTorchtitanExperts(axes, roles));
  const auto order = foldedOrder(axes, roles, kMegatronOrder);
  if (!order || !isLaidOut(system, axes, matrix, *order)) {
    return Error{
        "TorchTitan lays out ranks by pp, dp_replicate, dp_shard, cp, tp, the last varying fastest, which is "
        "not the placement " +
        matrix.text() + "; start the ranks with a rankfile instead"};
  }
  P2_TRY(checkNeighbours(system, axes, matrix, *order, "TorchTitan"));
  TorchtitanDegrees degrees;
  degrees.hasExperts = hasExpertAxes(axes);
  degrees.pipeline = sizeOf(axes, roles, &AxisRoles::dense, "pp");
  degrees.context = sizeOf(axes, roles, &AxisRoles::dense, "cp");
  degrees.tensor = sizeOf(axes, roles, &AxisRoles::dense, "tp");
  degrees.expert = sizeOf(axes, roles, &AxisRoles::expert, "ep");
  degrees.expertTensor = degrees.expert == 1 ? 1 : sizeOf(axes, roles, &AxisRoles::expert, "tp");
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (!roles[axis] || roles[axis]->dense != "dp") continue;
    (roles[axis]->replicates ? degrees.replicate : degrees.shard) *= axes[axis].size;
  }
  return degrees;
}

}  // namespace p2::inline placement
