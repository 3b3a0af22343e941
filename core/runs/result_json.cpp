// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/result_json.h"

namespace p2::inline runs {

Json spreadJson(const Spread& spread) { return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}}; }

Json resultJson(const RunResult& result) {
  Json steps = Json::array();
  for (const StepRun& step : result.steps) {
    steps.push_back({{"collective", step.collective},
                     {"members", step.members},
                     {"bytes", step.bytes.value()},
                     {"seconds", spreadJson(step.seconds)},
                     {"algorithm_bandwidth", step.algorithmBandwidth},
                     {"bus_bandwidth", step.busBandwidth}});
  }
  return {{"backend", result.backend},
          {"library", result.library},
          {"version", result.version},
          {"plan_hash", result.planHash},
          {"hosts", result.hosts},
          {"bytes", result.bytes.value()},
          {"repeat", result.repeat},
          {"wrong_elements", result.wrongElements},
          {"seconds", spreadJson(result.seconds)},
          {"steps", std::move(steps)},
          {"pieces", result.pieces}};
}

}  // namespace p2::inline runs
