// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "exporters/exporters.h"
#include "exporters/python_text.h"
#include "placement/framework_axes.h"
#include "placement/realisation.h"

namespace p2 {
namespace {

using FrameworkWord = std::string_view FrameworkAxis::*;

/// What a framework calls each axis; axes of size 1 need no word. Errors: it has no such form, or two are the same.
Result<std::vector<std::string>> wordsOf(const std::vector<Axis>& axes, FrameworkWord word, const std::string& who) {
  std::string known;
  for (const FrameworkAxis& form : frameworkAxes()) {
    const bool repeated = (", " + known + ",").find(", " + std::string(form.*word) + ",") != std::string::npos;
    if (!(form.*word).empty() && !repeated) known += (known.empty() ? "" : ", ") + std::string(form.*word);
  }
  std::vector<std::string> words;
  std::map<std::string, std::string> taken;
  for (const Axis& axis : axes) {
    const auto form = frameworkAxisOf(axis.name);
    words.emplace_back(form ? frameworkAxes()[*form].*word : std::string_view());
    if (axis.size == 1) continue;
    if (words.back().empty()) {
      return Error{who + " has no axis \"" + axis.name + "\"; name it after what it is: " + known, "axes"};
    }
    const auto [other, fresh] = taken.emplace(words.back(), axis.name);
    if (!fresh) {
      return Error{"\"" + other->second + "\" and \"" + axis.name + "\" are both " + who + "'s " + words.back() +
                       "; make one axis of them",
                   "axes"};
    }
  }
  return words;
}

struct MegatronDegrees {
  std::map<std::string, std::int64_t> sizes;  // by word
  std::string order;                          // fastest first, of the words with a size above 1
};

/// The words of a default order that are in use: the order that the flag leaves.
std::string usedOf(std::string_view defaults, const MegatronDegrees& degrees) {
  std::string used;
  for (std::size_t at = 0; at < defaults.size(); at += 3) {
    const std::string word(defaults.substr(at, 2));
    if (degrees.sizes.contains(word)) used += (used.empty() ? "" : "-") + word;
  }
  return used;
}

/// Megatron has two meshes over the same ranks, one of them for the experts; they agree only so far.
Result<void> checkExperts(const MegatronDegrees& degrees) {
  if (!degrees.sizes.contains("ep")) return {};
  if (degrees.sizes.contains("cp")) {
    return Error{"Megatron's mesh of experts has no context axis beside the expert axis; use rankfile", "axes"};
  }
  const auto ep = degrees.order.find("ep");
  const auto dp = degrees.order.find("dp");
  const auto pp = degrees.order.find("pp");
  const auto other = dp == std::string::npos ? ep : dp;
  if (pp != std::string::npos && (pp > std::min(ep, other)) && (pp < std::max(ep, other))) {
    return Error{"Megatron's pipeline cannot lie between the expert axis and the data axis; use rankfile"};
  }
  const auto tp = degrees.order.find("tp");
  if (tp != std::string::npos && tp > std::min(ep, other) && tp < std::max(ep, other)) {
    return Error{"Megatron's tensor axis cannot lie between the expert axis and the data axis; use rankfile"};
  }
  return {};
}

/// Whether the framework's order of axes leaves every device the neighbours that the placement is priced with.
Result<void> checkNeighbours(const Workspace& workspace, const AxisOrder& order, const std::string& framework) {
  if (keepsNeighbours(workspace.system, order, workspace.matrix)) return {};
  return Error{
      "no order of " + framework + "'s axes gives the placement " + workspace.matrix.text() +
      ", whose groups would have other neighbours; start the ranks with a rankfile instead, or list the axes in "
      "the order " +
      orderText(workspace.axes, order)};
}

Result<MegatronDegrees> megatronDegrees(const Workspace& workspace) {
  P2_TRY_ASSIGN(const auto words, wordsOf(workspace.axes, &FrameworkAxis::megatron, "Megatron"));
  const auto order = contiguousOrder(workspace.axes, workspace.matrix);
  if (!order) {
    return Error{"no order of Megatron's axes gives the placement " + workspace.matrix.text() +
                 ", whose axes leave a level and come back below others; start the ranks with a rankfile instead"};
  }
  P2_TRY(checkNeighbours(workspace, *order, "Megatron"));
  MegatronDegrees degrees;
  for (auto axis = order->rbegin(); axis != order->rend(); ++axis) {
    if (workspace.axes[*axis].size == 1) continue;
    degrees.sizes[words[*axis]] = workspace.axes[*axis].size;
    degrees.order += (degrees.order.empty() ? "" : "-") + words[*axis];
  }
  P2_TRY(checkExperts(degrees));
  // Outside the experts the ranks of this axis are data parallel, for which the order needs a place.
  if (const auto ep = degrees.order.find("ep"); ep != std::string::npos && !degrees.sizes.contains("dp")) {
    degrees.order.insert(ep + 2, "-dp");
    degrees.sizes["dp"] = 1;
  }
  return degrees;
}

struct MegatronDegree {
  std::string_view word;
  std::string_view parameter;  // of initialize_model_parallel()
};
constexpr MegatronDegree kMegatronDegrees[] = {
    {"tp", "tensor_model_parallel_size"},
    {"pp", "pipeline_model_parallel_size"},
    {"cp", "context_parallel_size"},
    {"ep", "expert_model_parallel_size"},
};

std::string flagOf(std::string_view parameter) {
  std::string flag = "--" + std::string(parameter);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

/// The command line that says the same, or that there is none.
std::string megatronFlags(const MegatronDegrees& degrees) {
  std::string flags;
  for (const MegatronDegree& degree : kMegatronDegrees) {
    const auto size = degrees.sizes.find(std::string(degree.word));
    if (size != degrees.sizes.end()) flags += " " + flagOf(degree.parameter) + " " + std::to_string(size->second);
  }
  if (flags.empty()) flags = " none: data parallelism is what is left";
  if (usedOf("tp-cp-ep-dp-pp", degrees) == degrees.order) return "# The flags:" + flags + "\n";
  if (usedOf("tp-cp-ep-pp-dp", degrees) == degrees.order) return "# The flags:" + flags + " --use-tp-pp-dp-mapping\n";
  return "# No flag sets this order; it is an argument of the function.\n";
}

}  // namespace

Result<std::string> planToMaxtext(const Plan& plan, const ExportOptions&) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const auto words, wordsOf(workspace.axes, &FrameworkAxis::maxtext, "MaxText"));
  P2_TRY_ASSIGN(const auto split,
                nodeSplit(workspace.system, workspace.axes, workspace.matrix, maxtextOrder(workspace.axes)));
  P2_TRY(checkNeighbours(workspace, maxtextOrder(workspace.axes), "MaxText"));
  std::string text;
  for (const bool inside : {false, true}) {
    for (std::size_t axis = 0; axis < words.size(); ++axis) {
      if (words[axis].empty()) continue;
      text += (inside ? "ici_" : "dcn_") + words[axis] +
              "_parallelism=" + std::to_string((inside ? split.inside : split.across)[axis]) + "\n";
    }
  }
  return text;
}

Result<std::string> planToMegatron(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto degrees, megatronDegrees(plan.workspace()));
  std::string text = placementComment(plan) + "# Ranks are numbered node by node, as torchrun does.\n" +
                     megatronFlags(degrees) +
                     "from megatron.core import parallel_state\n\nparallel_state.initialize_model_parallel(\n";
  for (const MegatronDegree& degree : kMegatronDegrees) {
    const auto size = degrees.sizes.find(std::string(degree.word));
    if (degree.word == "ep" && size == degrees.sizes.end()) continue;
    text += "    " + std::string(degree.parameter) + "=" +
            std::to_string(size == degrees.sizes.end() ? 1 : size->second) + ",\n";
  }
  return text + "    order=" + pythonString(degrees.order.empty() ? "tp-cp-ep-dp-pp" : degrees.order) + ",\n)\n";
}

}  // namespace p2
