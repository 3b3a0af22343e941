// SPDX-License-Identifier: GPL-3.0-or-later
#include <concepts>
#include <limits>

#include "exporters/detail/msccl_schedule.h"
#include "exporters/detail/formats.h"
#include "synthesis/instruction.h"

namespace p2::inline exporters {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

template <std::integral Number>
std::string attribute(std::string_view name, Number value) {
  return attribute(name, std::to_string(value));
}

/// "p2_RS_AR_AG", within the 63 letters that MSCCL keeps.
std::string algorithmName(const Plan& plan) {
  std::string name = "p2";
  for (const PlanStep& step : plan.steps()) name += "_" + std::string(shortNameOf(step.collective));
  return name.substr(0, 63);
}

std::string stepXml(const MscclStep& step, std::size_t index) {
  return "      <step" + attribute("s", index) + attribute("type", step.type) +
         attribute("srcbuf", std::string(1, step.from.buffer)) + attribute("srcoff", step.from.offset) +
         attribute("dstbuf", std::string(1, step.to.buffer)) + attribute("dstoff", step.to.offset) +
         attribute("cnt", step.count) + attribute("depid", step.block) + attribute("deps", step.step) +
         attribute("hasdep", step.awaited ? 1 : 0) + "/>\n";
}

std::string blockXml(const MscclBlock& block, std::size_t index) {
  std::string text = "    <tb" + attribute("id", index) + attribute("send", block.send) +
                     attribute("recv", block.receive) + attribute("chan", block.channel) + ">\n";
  for (std::size_t step = 0; step < block.steps.size(); ++step) text += stepXml(block.steps[step], step);
  return text + "    </tb>\n";
}

/// Chunks of the vector that a call of the collective counts: one rank's part for Scatter, a rank's input for AllToAll,
/// the whole vector for the others.
std::int64_t chunksPerLoop(const MscclSchedule& schedule) {
  if (schedule.collective == "alltoall") return schedule.input;
  return schedule.collective == "scatter" ? schedule.output : schedule.chunks;
}

}  // namespace

Result<std::string> planToMsccl(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto schedule, mscclSchedule(plan));
  std::string text = "<algo" + attribute("name", algorithmName(plan)) + attribute("proto", "Simple") +
                     attribute("nchannels", schedule.channels) + attribute("nchunksperloop", chunksPerLoop(schedule)) +
                     attribute("ngpus", schedule.ranks.size()) + attribute("coll", schedule.collective) +
                     attribute("inplace", 1) + attribute("outofplace", schedule.scratch > 0 ? 1 : 0) +
                     attribute("minBytes", 0) + attribute("maxBytes", std::numeric_limits<std::int64_t>::max()) + ">\n";
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    text += "  <gpu" + attribute("id", rank) + attribute("i_chunks", schedule.input) +
            attribute("o_chunks", schedule.output) + attribute("s_chunks", schedule.scratch) + ">\n";
    for (std::size_t block = 0; block < schedule.ranks[rank].size(); ++block) {
      text += blockXml(schedule.ranks[rank][block], block);
    }
    text += "  </gpu>\n";
  }
  return text + "</algo>\n";
}

}  // namespace p2::inline exporters
