// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/listing.h"
#include "app/cli/output.h"

namespace p2::cli {

Result<std::shared_ptr<const OtherAxes>> pricedOtherAxes(const Workspace& workspace) {
  auto others = otherAxes(workspace);
  if (others.ok() || others.error().kind != ErrorKind::TooLarge) return others;
  std::cerr << "p2: note: what the other axes pay is left out: " << oneLine(others.error().message) << '\n';
  return std::shared_ptr<const OtherAxes>();
}

void writeOtherAxes(JsonWriter& json, const OtherAxes& others, const ParallelismMatrix& matrix) {
  json.beginArray(JsonWriter::Layout::OneLine);
  if (const auto found = others.find(matrix); found != others.end()) {
    for (const OtherAxisCost& cost : found->second) {
      json.beginObject().key("axis").text(cost.axis).key("crosses").text(cost.crosses);
      json.key("seconds_per_gib").number(cost.secondsPerGib).key("times_best").number(cost.timesBest).end();
    }
  }
  json.end();
}

std::string otherAxesText(const std::shared_ptr<const OtherAxes>& others, const ParallelismMatrix& matrix) {
  std::string text;
  const auto found = others ? others->find(matrix) : OtherAxes::const_iterator();
  if (!others || found == others->end()) return text;
  for (const OtherAxisCost& cost : found->second) text += (text.empty() ? "" : "; ") + otherAxisText(cost);
  return text;
}

}  // namespace p2::cli
