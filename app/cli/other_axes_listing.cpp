// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/listing.h"
#include "app/cli/output.h"

namespace p2::cli {

Result<std::shared_ptr<const OtherAxes>> pricedOtherAxes(const Workspace& workspace) {
  auto others = otherAxes(workspace);
  if (others.ok() || others.error().kind != ErrorKind::TooLarge) return others;
  std::cerr << "p2: note: the cost of the other axes is left out: " << oneLine(others.error().message) << '\n';
  return std::shared_ptr<const OtherAxes>();
}

Value otherAxesValue(const OtherAxes& others, const ParallelismMatrix& matrix) {
  std::vector<Value> axes;
  const auto found = others.find(matrix);
  if (found == others.end()) return Value::list({});
  for (const OtherAxisCost& cost : found->second) {
    Document axis;
    axis.field("axis", Value::text(cost.axis)).field("crosses", Value::text(cost.crosses));
    axis.field("seconds_per_gib", Value::number(cost.secondsPerGib));
    axis.field("times_best", Value::number(cost.timesBest));
    axes.push_back(Value::object(std::move(axis)));
  }
  return Value::list(std::move(axes));
}

std::string otherAxesText(const std::shared_ptr<const OtherAxes>& others, const ParallelismMatrix& matrix) {
  std::string text;
  const auto found = others ? others->find(matrix) : OtherAxes::const_iterator();
  if (!others || found == others->end()) return text;
  for (const OtherAxisCost& cost : found->second) text += (text.empty() ? "" : "; ") + otherAxisText(cost);
  return text;
}

}  // namespace p2::cli
