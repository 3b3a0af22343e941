// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that take the web page of a lesson in a browser.
#pragma once

namespace p2::test {

/// A student in the page: clicks and types what `answers` says, page by page, and leaves the code in an element.
constexpr const char* kStudent = R"(
<script>
(async () => {
  const answers = ANSWERS, log = [];
  // Headless browsers draw few frames. The time of a frame is that of its beginning: before the click that asked for it.
  window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now() - 40), 5);
  addEventListener("error", event => log.push("error: " + event.message));
  const click = node => { if (!node) throw new Error("nothing to click"); node.click(); };
  const pause = () => new Promise(done => setTimeout(done, 20));
  const type = (id, text) => { const input = document.getElementById(id); input.value = text; input.dispatchEvent(new Event("input", { bubbles: true })); };
  const act = {
    watch: () => { for (let i = 0; i < 200 && !document.getElementById("verdict").textContent; ++i) click(document.getElementById("forward")); },
    paint: cells => document.querySelectorAll("table.grid td button").forEach((cell, i) => { if (cells[i]) click(cell); }),
    choose: n => click(document.querySelector("input[value='" + (n < 0 ? key.right.indexOf(true) : n) + "']")),
    compute: text => type("typed", text),
    order: items => { for (let to = 0; to < items.length; ++to) for (let i = 0; i < 20 && [...document.querySelectorAll("[data-up]")].findIndex(b => b.dataset.up == items[to]) > to; ++i) click(document.querySelector("[data-up='" + items[to] + "']")); },
    compose: texts => { const select = document.getElementById("steps"); for (const text of texts) { select.value = task.steps.findIndex(s => s.text === text); click(document.getElementById("add")); } }
  };
  try {
    type("name", "NAME");
    for (const [kind, answer, wrong] of answers) {
      if (wrong !== null) { act[kind](wrong); click(document.getElementById("check")); log.push(document.getElementById("verdict").textContent); goTo(number); }
      act[kind](answer);
      await pause();
      if (kind !== "watch") click(document.getElementById("check"));
      log.push(document.getElementById("verdict").textContent);
      if (document.documentElement.scrollWidth > innerWidth) log.push("too wide: " + document.documentElement.scrollWidth);
      if (!document.getElementById("next").disabled) click(document.getElementById("next"));
      await pause();
    }
  } catch (problem) { log.push("error: " + problem); }
  const out = document.createElement("pre");
  out.id = "log";
  out.dataset.width = innerWidth;
  out.textContent = log.join("\n");
  document.body.append(out);
})();
</script>
)";

/// Looks at every step of every page every 80 ms, then plays it, and leaves what it has seen in an element: areas of
/// tiles against bytes, the most tiles while one receiver leads, sums, and screen seconds of steps with their costs.
constexpr const char* kSpectator = R"(
<script>
(async () => {
  const seen = { worst: 0, most: 0, frames: 0, steps: 0, missing: [], sums: [], lasts: [], problem: "" };
  const inside = (at, size, whole) => Math.max(0, Math.min(at + size, whole) - Math.max(at, 0)), plain = CanvasRenderingContext2D.prototype, fillRect = plain.fillRect, fillText = plain.fillText;
  let tiles = [], texts = [];
  plain.fillRect = function (x, y, w, h) {
    if (Math.abs(this.globalAlpha - 0.45) < 0.01) tiles.push(inside(x, w, this.canvas.clientWidth) * inside(y, h, this.canvas.clientHeight));
    return fillRect.call(this, x, y, w, h);
  };
  plain.fillText = function (text, x, y) { texts.push(String(text)); return fillText.call(this, text, x, y); };
  // Headless browsers draw few frames of their own.
  window.requestAnimationFrame = () => 0;
  const watch = first => {
    const valid = program.data.states.length - 1;
    for (let step = 0; step < valid; ++step, ++seen.steps) {
      const { messages, leadTo } = program.data.steps[step], { side } = layout(program.data, program.canvas.clientWidth, program.canvas.clientHeight);
      if (!messages.length) seen.missing.push(number + ":" + step);
      for (let t = 0.08 / firstPlay / program.paces[step]; t < 1; t += 0.08 / firstPlay / program.paces[step]) {
        program.position = step + t;
        program.target = step + 1;
        tiles = [];
        texts = [];
        showDevices();
        const chunks = messages.filter(each => t >= each[kStart] && t < each[kEnd]).reduce((sum, each) => sum + each[kChunks], 0);
        const area = tiles.reduce((sum, each) => sum + each, 0), whole = chunks / program.data.chunks * side * side;
        seen.worst = Math.max(seen.worst, whole > 0 ? Math.abs(area / whole - 1) : area > 0 ? 1 : 0);
        if (t < leadTo) seen.most = Math.max(seen.most, tiles.length);
        seen.frames += tiles.length > 0;
        seen.sums.push(...texts.filter(text => / → |Σ/.test(text) && !seen.sums.includes(text)));
      }
    }
    if (!first || valid === 0) return;
    playTo(0, false);
    program.watched = 0;
    program.limit = valid;
    const lasts = Array(valid).fill(0);
    play();
    for (let at = 0, now = program.last; program.playing && at < 5000; ++at, now += 80) {
      const before = program.position;
      tick(now);
      if (program.position > before) lasts[Math.ceil(program.position) - 1] += 0.08;
    }
    seen.lasts.push({ page: number, lasts, seconds: program.data.steps.slice(0, valid).map(step => step.seconds) });
  };
  try {
    for (let to = 0; to < lesson.pages.length; ++to) {
      goTo(to);
      if (page.scene.kind !== "program") continue;
      watch(true);
      if (task.kind !== "compose") continue;
      for (const [at, steps] of key.moves.entries()) steps.forEach((move, n) => {
        const next = key.edges[at][n];
        if (!move || next < 0) return;
        const step = { ...task.steps[n], ...move };
        setProgram({ ...page.scene, steps: [step], states: [key.states[at], key.states[next]], rows: key.rows }, 1, "");
        watch(false);
      });
    }
  } catch (problem) { seen.problem = String(problem.stack); }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();
</script>
)";

/// Leaves what is said below the devices before and after the right order of steps, and what is said about it.
constexpr const char* kBystander = R"(
<script>
(async () => {
  const log = [], say = id => log.push(document.getElementById(id).textContent);
  window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 5);
  goTo(PAGE);
  say("caption");
  pane.order = [...key.right];
  check();
  say("verdict");
  await new Promise(done => setTimeout(done, 500));
  say("caption");
  const out = document.createElement("pre");
  out.id = "log";
  out.textContent = log.join("\n");
  document.body.append(out);
})();
</script>
)";

}  // namespace p2::test
