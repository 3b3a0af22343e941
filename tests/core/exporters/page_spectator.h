// SPDX-License-Identifier: GPL-3.0-or-later
// What plays an exported page in a browser, and how long its steps should take.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "plan/plan.h"

namespace p2::test {

/// Looks at what is painted every 80 ms, then lets the page play to its end, and leaves in an element what it has seen.
constexpr const char* kSpectator = R"(
<script>
(async () => {
  const seen = { frames: 0, worst: 0, most: 0, premises: 0, sums: [], texts: [], moved: [], problem: "" };
  seen.sides = document.querySelectorAll("canvas").length;
  // Tiles are the rectangles of that strength, by side.
  const tiles = new Map(), inside = (at, size, whole) => Math.max(0, Math.min(at + size, whole) - Math.max(at, 0)), plain = CanvasRenderingContext2D.prototype, fillRect = plain.fillRect, fillText = plain.fillText;
  plain.fillRect = function (x, y, w, h) {
    if (Math.abs(this.globalAlpha - 0.45) < 0.01) tiles.get(this.canvas).push(inside(x, w, this.canvas.clientWidth) * inside(y, h, this.canvas.clientHeight));
    return fillRect.call(this, x, y, w, h);
  };
  plain.fillText = function (text, x, y) { seen.texts.push(String(text)); return fillText.call(this, text, x, y); };
  const frame = () => { for (const run of runs) tiles.set(run.canvas, []); seen.texts = []; show(); };
  try {
    const slow = race ? 1 : 2, total = slow * pace.reduce((sum, each) => sum + each, 0);
    for (let step = 0; step < steps; ++step) {
      for (let t = 0.08 / slow / pace[step]; t < 1; t += 0.08 / slow / pace[step]) {
        position = target = step + t;
        frame();
        for (const run of runs) {
          const { done, moving } = momentOf(run), at = run.data.steps[done];
          if (!at || moving === 0) continue;
          const { side } = layout(run.data, run.canvas.clientWidth, run.canvas.clientHeight), flown = tiles.get(run.canvas);
          const chunks = at.messages.filter(each => moving >= each[3] && moving < each[4]).reduce((sum, each) => sum + each[2], 0);
          const area = flown.reduce((sum, each) => sum + each, 0), whole = chunks / run.data.chunks * side * side;
          if (whole > 0) seen.worst = Math.max(seen.worst, Math.abs(area / whole - 1));
          else if (area > 0) seen.worst = 1;
          if (moving < at.leadTo) seen.most = Math.max(seen.most, flown.length);
          seen.frames += flown.length > 0;
        }
        seen.sums.push(...seen.texts.filter(text => / → |Σ/.test(text) && !seen.sums.includes(text)));
        seen.premises = Math.max(seen.premises, document.querySelectorAll(".premises span").length);
      }
    }
    seen.wide = document.documentElement.scrollWidth > innerWidth;
    jump(0);
    document.getElementById("play").click();
    for (const run of runs) seen.moved.push(run.data.steps.map(() => 0));
    // Headless browsers draw few frames of their own. The time of the first is before the click.
    for (let at = 0, begin = last - 40; at < 12.5 * (total + 3 * steps); ++at) {
      const before = position;
      tiles.clear();
      for (const run of runs) tiles.set(run.canvas, []);
      tick(begin + 80 * at);
      if (position === before) continue;
      runs.forEach((run, side) => { const { done, moving } = momentOf(run); if (moving > 0) seen.moved[side][done] += 0.08; });
    }
    seen.finished = position === steps && !playing;
    seen.end = document.getElementById("where").textContent;
  } catch (problem) { seen.problem = String(problem.stack); }
  seen.texts = [];
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();
</script>
)";

/// Screen seconds of steps: with one program a logarithm of the cost, twice as long when they are seen first; with two
/// programs, in proportion on one clock.
inline std::vector<double> paceOnPage(const Plan& plan, double longest) {
  std::vector<double> costs;
  for (const StepCost& step : plan.predicted().steps) costs.push_back(step.seconds);
  const double least = *std::min_element(costs.begin(), costs.end());
  for (double& each : costs)
    each = longest > 0 ? 12 * each / longest : 2 * std::min(5.0, 1.4 + 1.2 * std::log10(each / least));
  return costs;
}

}  // namespace p2::test
