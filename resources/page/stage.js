// Devices and their chunks on a canvas, and the messages of the step under way. A picture has the data of a program
// (devices, chunks, levels, times, steps, states, rows), its canvas, and a map of pictures of states.
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const leastPace = 1.4, pacePerDecade = 1.2, mostPace = 5, restSeconds = 0.8, firstPlay = 2;
// A message of a step, by its place in the data.
const kFrom = 0, kTo = 1, kChunks = 2, kStart = 3, kEnd = 4, kGroup = 5, kLeads = 6, kLanded = 7, kHeld = 8, kBrought = 9;
let ink = null, hues = null;

function takeInk(names) {
  const scheme = dark.matches ? "dark" : "light";
  ink = palette[scheme];
  hues = palette.contributors[scheme];
  for (const name of names) document.documentElement.style.setProperty("--" + name, ink[name === "muted" ? "mutedText" : name]);
}

// A frame can carry an earlier time than the click that it shows.
const secondsBetween = (last, now) => Math.max(0, Math.min((now - last) / 1000, 0.1));

// A step lasts longer on screen the more it costs.
function pacesOf(costs) {
  const least = Math.min(...costs.filter(each => each > 0), Infinity);
  return costs.map(each => each > 0 ? Math.min(mostPace, leastPace + pacePerDecade * Math.log10(each / least)) : 2);
}

function hueOf(run, column) {
  const k = run.data.chunks;
  return k <= hues.length ? hues[column] : hues[Math.floor(column * hues.length / k)];
}

// As the bytes of a pixel stand in memory.
const pixelOf = hue => (0xff000000 | parseInt(hue.slice(5, 7) + hue.slice(3, 5) + hue.slice(1, 3), 16)) >>> 0;

// Rows of a device, with those that have landed since the step began.
function rowsOf(story, done, device, landed) {
  const runs = story.states[done][device], rows = [];
  for (let i = 0; i < runs.length; i += 2) rows.push(...Array(runs[i + 1]).fill(runs[i]));
  for (const message of landed) {
    const changes = message[kLanded];
    for (let i = 0; i < changes.length; i += 3) rows.fill(changes[i + 2], changes[i], changes[i] + changes[i + 1]);
  }
  return rows;
}

// A small picture, a pixel a bit, drawn large without smoothing. Of a step under way, the latest of each device is kept.
function pictureOf(run, done, device, landed = []) {
  const story = run.data, k = story.chunks, key = device + " " + (landed.length > 0 ? "landed" : done);
  const known = run.pictures.get(key);
  if (known && known.done === done && known.landed === landed.length) return known.picture;
  const picture = document.createElement("canvas");
  picture.width = picture.height = k;
  const at = picture.getContext("2d"), image = at.createImageData(k, k), pixels = new Uint32Array(image.data.buffer);
  const absent = pixelOf(ink.boxes[0]), missing = pixelOf(ink.surface), of = Array.from({ length: k }, (_, column) => pixelOf(hueOf(run, column)));
  rowsOf(story, done, device, landed).forEach((number, row) => {
    const bits = story.rows[number];
    for (let c = 0; c < k; ++c) pixels[row * k + c] = number === 0 ? absent : bits[c] === "1" ? of[c] : missing;
  });
  at.putImageData(image, 0, 0);
  run.pictures.set(key, { done, landed: landed.length, picture });
  return picture;
}

// The messages that have landed at a device, in the order in which they did.
function landedAt(step, device, moving) {
  if (!step.landings) {
    step.landings = new Map();
    for (const message of step.messages) {
      if (message[kLanded].length === 0) continue;
      if (!step.landings.has(message[kTo])) step.landings.set(message[kTo], []);
      step.landings.get(message[kTo]).push(message);
    }
  }
  return (step.landings.get(device) || []).filter(message => message[kEnd] <= moving);
}

// The innermost instances are boxes with their devices in them.
function layout(story, width, height) {
  const inner = story.levels.length > 1 ? story.levels[story.levels.length - 1].count : story.devices;
  const boxes = story.devices / inner;
  const head = 30, gap = 10;
  let best = null;
  for (let across = 1; across <= boxes; ++across) {
    for (let columns = 1; columns <= inner; ++columns) {
      const lines = Math.ceil(boxes / across), rows = Math.ceil(inner / columns);
      const room = Math.min((width - gap - across * (gap * 2)) / across / columns,
                            (height - gap - lines * (gap * 2 + head)) / lines / rows - 16);
      if (!best || room > best.room) best = { room, across, columns, rows };
    }
  }
  const side = Math.max(best.room - gap, 4), cellW = side + gap, cellH = side + gap + 16;
  const boxW = best.columns * cellW + gap, boxH = best.rows * cellH + gap + head;
  const left = (width - best.across * (boxW + gap) + gap) / 2;
  const top = (height - Math.ceil(boxes / best.across) * (boxH + gap) + gap) / 2;
  const result = { boxes: [], cells: [], side, gap, head };
  for (let b = 0; b < boxes; ++b) {
    const x = left + (b % best.across) * (boxW + gap), y = top + Math.floor(b / best.across) * (boxH + gap);
    result.boxes.push({ x, y, w: boxW, h: boxH, label: nameOf(story, b) });
    for (let d = 0; d < inner; ++d) {
      result.cells.push({ box: b, x: x + gap + (d % best.columns) * cellW, y: y + head + Math.floor(d / best.columns) * cellH + 16 });
    }
  }
  return result;
}

function nameOf(story, box) {
  const names = [];
  let rest = box;
  for (let level = story.levels.length - 2; level >= 0; --level) {
    names.unshift(story.levels[level].name + " " + rest % story.levels[level].count);
    rest = Math.floor(rest / story.levels[level].count);
  }
  return names.join(", ");
}

function letterOf(group) {
  let letters = "";
  for (let rest = group; rest >= 0; rest = Math.floor(rest / 26) - 1) letters = String.fromCharCode(65 + rest % 26) + letters;
  return letters;
}

const between = (value, from, to) => Math.min(1, Math.max(0, (value - from) / (to - from)));
const eased = t => t * t * (3 - 2 * t);

const busOfBox = (box, places) => box.y + places.head - 4;

// Where the messages of a group meet: in the strip of its node, or outside between its nodes.
function middleOf(places, group) {
  const boxes = [...new Set(group.map(device => places.cells[device].box))].map(box => places.boxes[box]);
  const first = boxes[0], last = boxes[boxes.length - 1];
  const x = (Math.min(first.x, last.x) + Math.max(first.x + first.w, last.x + last.w)) / 2;
  return boxes.length === 1 ? [x, busOfBox(first, places)] : [x, first.y - places.gap / 2];
}

function wayToMiddle(places, device, group) {
  const cell = places.cells[device], half = places.side / 2, bus = busOfBox(places.boxes[cell.box], places);
  const middle = middleOf(places, group), beside = cell.x - places.gap / 2;
  const way = [[cell.x + half, cell.y + half], [beside, cell.y + half], [beside, bus]];
  if (middle[1] !== bus) {
    const outside = places.boxes[cell.box].x - places.gap / 2;
    way.push([outside, bus], [outside, middle[1]]);
  }
  return [...way, middle];
}

function wayOfMessage(places, message, groups) {
  if (message[kTo] < 0) return wayToMiddle(places, message[kFrom], groups[message[kGroup]]);
  if (message[kFrom] < 0) return wayToMiddle(places, message[kTo], groups[message[kGroup]]).reverse();
  return wayOf(places, message[kFrom], message[kTo]);
}

// Ways keep to the gaps: beside the device, along the strip at the top of its node, outside between nodes.
function wayOf(places, from, to) {
  const a = places.cells[from], b = places.cells[to], half = places.side / 2;
  const out = cell => [[cell.x + half, cell.y + half], [cell.x - places.gap / 2, cell.y + half]];
  if (a.box === b.box && Math.abs(a.y - b.y) < 1) {
    const y = a.y - 8;
    return [[a.x + half, a.y + half], [a.x + half, y], [b.x + half, y], [b.x + half, b.y + half]];
  }
  const busOf = cell => busOfBox(places.boxes[cell.box], places);
  const way = [...out(a), [a.x - places.gap / 2, busOf(a)]];
  if (a.box !== b.box) {
    const outside = box => [box.x - places.gap / 2, box.y - places.gap / 2], one = places.boxes[a.box], other = places.boxes[b.box];
    way.push([outside(one)[0], busOf(a)], outside(one), [outside(other)[0], outside(one)[1]], outside(other), [outside(other)[0], busOf(b)]);
  }
  way.push([b.x - places.gap / 2, busOf(b)], ...out(b).reverse());
  return way;
}

function along(way, share) {
  const lengths = way.slice(1).map((point, i) => Math.hypot(point[0] - way[i][0], point[1] - way[i][1]));
  let left = share * lengths.reduce((sum, each) => sum + each, 0);
  for (let i = 0; i < lengths.length; ++i) {
    if (left <= lengths[i] || i === lengths.length - 1) {
      const t = lengths[i] > 0 ? Math.min(1, left / lengths[i]) : 0;
      return [way[i][0] + (way[i + 1][0] - way[i][0]) * t, way[i][1] + (way[i + 1][1] - way[i][1]) * t];
    }
    left -= lengths[i];
  }
  return way[0];
}

// Draws the devices `done` steps after the start, with the share `moving` of the next step done.
function drawRun(run, done, moving) {
  const canvas = run.canvas, pen = canvas.getContext("2d"), story = run.data;
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.clearRect(0, 0, width, height);
  const places = layout(story, width, height);
  const shown = moving > 0 ? done : done - 1, step = shown >= 0 ? story.steps[shown] : null;
  const groupOf = new Map();
  if (step) step.groups.forEach((group, number) => group.forEach(device => groupOf.set(device, number)));
  pen.font = "13px 'DejaVu Sans', system-ui, sans-serif";
  for (const box of places.boxes) {
    pen.fillStyle = ink.boxes[1];
    pen.strokeStyle = ink.line;
    pen.fillRect(box.x, box.y, box.w, box.h);
    pen.strokeRect(box.x + 0.5, box.y + 0.5, box.w, box.h);
    pen.fillStyle = ink.mutedText;
    pen.fillText(box.label, box.x + 8, box.y + 15);
  }
  const merged = eased(between(moving, story.times.arrived, story.times.merged));
  for (let device = 0; device < story.devices; ++device) drawDevice(run, pen, device, places, groupOf, done, moving, merged);
  if (moving > 0 && !still.matches) drawMessages(run, pen, places, step, moving);
}

// How much the first group alone is in the light.
const spotlight = (step, moving, { announced, fade }) => step.leadTo <= announced ? 0
  : eased(between(moving, announced - fade, announced)) * (1 - eased(between(moving, step.leadTo, step.leadTo + fade)));

function drawDevice(run, pen, device, places, groupOf, done, moving, merged) {
  const story = run.data, k = story.chunks, cell = places.cells[device], side = places.side, group = groupOf.get(device);
  const step = moving > 0 ? story.steps[done] : null, leading = step ? step.groups.findIndex(each => each.length > 1) : -1;
  const outside = group === undefined ? eased(between(moving, 0, story.times.announced)) * (1 - eased(between(moving, story.times.arrived, 1)))
    : group !== leading && step ? spotlight(step, moving, story.times) : 0;
  pen.globalAlpha = 1 - 0.7 * outside;
  const landed = step && !still.matches ? landedAt(step, device, moving) : [];
  pen.drawImage(pictureOf(run, done, device, landed), cell.x, cell.y, side, side);
  if (merged > 0) {
    const alpha = pen.globalAlpha;
    pen.globalAlpha = alpha * merged;
    pen.drawImage(pictureOf(run, done + 1, device), cell.x, cell.y, side, side);
    pen.globalAlpha = alpha;
  }
  if (side / k >= 6) {
    drawBitLines(pen, cell, side, k);
    drawAbsent(pen, cell, side, rowsOf(story, merged > 0 ? done + 1 : done, device, merged > 0 ? [] : landed));
  }
  pen.strokeStyle = group === undefined ? ink.line : ink.text;
  pen.lineWidth = group === undefined ? 1 : 1.6;
  pen.setLineDash(group === undefined ? [] : [[6, 3], [2, 2], [9, 3, 2, 3], []][group % 4]);
  pen.strokeRect(cell.x - 1, cell.y - 1, side + 2, side + 2);
  pen.setLineDash([]);
  pen.lineWidth = 1;
  if (side >= 28) {
    pen.fillStyle = ink.text;
    pen.fillText("d" + device, cell.x, cell.y - 4);
    if (group !== undefined) pen.fillText(letterOf(group), cell.x + side - 10, cell.y - 4);
  }
  pen.globalAlpha = 1;
}

// Bits stand apart where there is room between them.
function drawBitLines(pen, cell, side, k) {
  pen.strokeStyle = ink.surface;
  pen.beginPath();
  for (let i = 1; i < k; ++i) {
    const at = Math.round(i * side / k) + 0.5;
    pen.moveTo(cell.x, cell.y + at);
    pen.lineTo(cell.x + side, cell.y + at);
    pen.moveTo(cell.x + at, cell.y);
    pen.lineTo(cell.x + at, cell.y + side);
  }
  pen.stroke();
}

// Rows that a device does not hold are dotted.
function drawAbsent(pen, cell, side, rows) {
  pen.strokeStyle = ink.edge;
  pen.setLineDash([1, 3]);
  pen.beginPath();
  rows.forEach((number, row) => {
    if (number !== 0) return;
    const y = cell.y + (row + 0.5) * side / rows.length;
    pen.moveTo(cell.x + 4, y);
    pen.lineTo(cell.x + side - 4, y);
  });
  pen.stroke();
  pen.setLineDash([]);
}

// What the price counts is what flies: the area of a tile is its bytes, in chunks of a device's picture.
function drawTile(run, pen, places, at, chunks) {
  const area = chunks / run.data.chunks * places.side * places.side;
  // As wide as a grid where that leaves it high enough to be seen.
  const least = 5, width = area / places.side >= least ? places.side : area / least >= least ? area / least : Math.sqrt(area);
  const height = area / width;
  // All of it stays on the canvas, so that no part of its area is lost.
  const within = (middle, size, whole) => Math.max(0, Math.min(middle - size / 2, whole - size));
  const x = within(at[0], width, run.canvas.clientWidth), y = within(at[1], height, run.canvas.clientHeight);
  pen.fillStyle = pen.strokeStyle = ink.accent;
  pen.globalAlpha = 0.45;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 0.9;
  pen.strokeRect(x, y, width, height);
  pen.globalAlpha = 1;
}

function drawMessages(run, pen, places, step, moving) {
  const groups = step.groups.filter(group => group.length > 1);
  for (const message of step.messages) {
    if (moving < message[kStart] || moving >= message[kEnd]) continue;
    const share = eased(between(moving, message[kStart], message[kEnd]));
    drawTile(run, pen, places, along(wayOfMessage(places, message, groups), share), message[kChunks]);
  }
  if (step.sums.length > 0 && moving >= step.sums[0] && moving <= step.sums[1]) {
    for (const group of groups) drawPlate(pen, middleOf(places, group), "Σ");
  }
  for (const message of step.messages) {
    if (message.length <= kHeld) continue;
    const lasts = message[kEnd] - message[kStart];
    if (moving < message[kStart] + lasts / 2 || moving >= message[kEnd] + run.data.times.added * lasts) continue;
    const terms = message[kHeld] + " + " + message[kBrought];
    const text = moving < message[kEnd] ? terms : terms + " → " + (message[kHeld] + message[kBrought]);
    const [x, y] = wayOfMessage(places, message, groups).pop();
    drawPlate(pen, [x, y + places.side / 2 + 10], text);
  }
}

function drawPlate(pen, at, text) {
  pen.font = "bold 14px 'DejaVu Sans', system-ui, sans-serif";
  const width = pen.measureText(text).width + 10;
  pen.fillStyle = ink.accent;
  pen.fillRect(at[0] - width / 2, at[1] - 10, width, 20);
  pen.fillStyle = ink.surface;
  pen.fillText(text, at[0] - width / 2 + 5, at[1] + 5);
}
