// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/paper_model.h"

namespace p2 {

StepCost PaperModel::price(const Traffic& traffic, Bytes bytes) const {
  LinkLoad busiest;
  for (const LinkLoad& load : traffic.loads) {
    if (load.isBusierThan(busiest)) busiest = load;
  }
  const Bytes flow = bytes * traffic.factor;
  return {busiest.seconds() * flow.value() + traffic.hops.seconds(), busiest.link, busiest.bytes * flow,
          traffic.algorithm};
}

}  // namespace p2
