/* Paints a match's frames on a canvas, at any time of any turn: see shared/core/drawing/shapes.py.
 *
 * Frame `turn` shows how the game stands after a turn; at time 0 of that turn it looks like the
 * frame before, at time 1 like itself, and in between what has a key is on its way.
 */

const MIN_TEXT = 7; // CSS pixels
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const ORIGIN = [0, 0];
// What passes smoothly from a frame to the next, besides place and angle.
const MEASURES = ["opacity", "radius", "width", "height", "corner", "start", "end", "size", "points"];
const USUAL = { opacity: 1, corner: 0 }; // where it is not said

/* A frame's shapes by their keys, those in groups too. */
function keyed(frame) {
  if (!frame.keyed) {
    frame.keyed = new Map();
    const collect = (shape) => {
      if (shape.key) frame.keyed.set(shape.key, shape);
      shape.shapes?.forEach(collect);
    };
    frame.shapes.forEach(collect);
  }
  return frame.keyed;
}

/* A number, or numbers in lists, a part of the way from one to another. */
function mix(from, to, part) {
  if (Array.isArray(to)) {
    return from.length === to.length ? to.map((value, i) => mix(from[i], value, part)) : to;
  }
  return from + (to - from) * part;
}

/* Where a shape is at a time of a turn, on the way from its place before past those in `via`. */
function along(before, after, time) {
  let [start, from] = [0, before.at ?? ORIGIN];
  for (const [moment, ...place] of after.via ?? []) {
    if (time < moment) return mix(from, place, (time - start) / (moment - start));
    [start, from] = [moment, place];
  }
  return mix(from, after.at ?? ORIGIN, start < 1 ? (time - start) / (1 - start) : 1);
}

/* A shape as it is at a time of the turn that led to it. */
function moving(shape, { frames, turn, time }) {
  if (!shape.key || time === 1) return shape;
  const before = keyed(frames[turn - 1]).get(shape.key);
  if (before?.kind !== shape.kind) return shape;
  const now = { ...shape, at: along(before, shape, time) };
  const turned = (shape.angle ?? 0) - (before.angle ?? 0);
  const shortWay = Math.atan2(Math.sin(turned), Math.cos(turned));
  now.angle = (before.angle ?? 0) + shortWay * time;
  for (const name of MEASURES) {
    const [from, to] = [before, shape].map((one) => one[name] ?? USUAL[name]);
    if (to !== from) now[name] = mix(from, to, time);
  }
  return now;
}

/* Pixels to a unit of a board that shows whole. */
function fittingIn([left, top, right, bottom], width, height) {
  return Math.min(width / (right - left), height / (bottom - top));
}

/* Makes a canvas show the bounds of a board in its middle. */
function placeBoard(context, bounds, width, height) {
  const [left, top, right, bottom] = bounds;
  const scale = fittingIn(bounds, width, height);
  context.translate(width / 2, height / 2);
  context.scale(scale, scale);
  context.translate(-(left + right) / 2, -(top + bottom) / 2);
  context.lineJoin = "round";
}

/* The shapes to paint at a time of a turn: those that are new come in, those that vanished go. */
function present({ frames, turn, time }) {
  const { shapes } = frames[turn];
  if (time === 1) return shapes;
  const [before, after] = [keyed(frames[turn - 1]), keyed(frames[turn])];
  const faded = (shape, part) => ({ ...shape, opacity: (shape.opacity ?? 1) * part });
  const isNew = ({ key, kind }) => key && kind !== "swarm" && !before.has(key);
  const isGone = ({ key, kind, until }) =>
    key && kind !== "swarm" && until === undefined && !after.has(key);
  const gone = frames[turn - 1].shapes.filter(isGone);
  return [
    ...shapes.map((shape) => (isNew(shape) ? faded(shape, time) : shape)),
    ...gone.map((shape) => ({ ...faded(shape, 1 - time), key: "" })),
  ];
}

/* Paints shapes. The scene is {context, colour, pixel, frames, turn, time, tips}: `colour` gives
 * the CSS colour of a role, `pixel` is the size of a CSS pixel in the board's units, and `tips`
 * collects {tip, outline, place, width} of every shape with a tip, those on top last. */
function paint(shapes, scene) {
  const { context, time, pixel } = scene;
  for (const shape of shapes) {
    const { since = 0, until = Infinity } = shape;
    if (time < since || time >= until) continue;
    if (shape.view !== undefined && shape.view !== view) continue;
    if (shape.layer && !shownLayers.has(shape.layer)) continue;
    if (shape.kind === "trail") {
      paintTrail(shape, scene);
      continue;
    }
    if (MASSES[shape.kind]) {
      context.save();
      context.translate(...(shape.at ?? ORIGIN));
      context.globalAlpha *= shape.opacity ?? 1;
      MASSES[shape.kind](shape, scene);
      context.restore();
      continue;
    }
    const now = moving(shape, scene);
    const { at = ORIGIN, angle = 0, opacity = 1, tip = scene.tip } = now;
    context.save();
    context.translate(...at);
    context.rotate(angle);
    context.globalAlpha *= opacity;
    context.lineWidth = Math.max(now.stroke_width ?? 0, pixel);
    if (now.kind === "group") {
      paint(now.shapes, { ...scene, tip });
    } else {
      const outline = now.kind === "text" ? paintText(now, scene) : paintOutline(now, scene);
      // A line is where it is painted, and a little beside it; what it goes around is none of it.
      const width = now.kind === "line" ? Math.max(context.lineWidth, 8 * pixel) : 0;
      if (tip) scene.tips.push({ tip, outline, place: context.getTransform(), width });
    }
    context.restore();
  }
}

const OUTLINES = {
  circle: (path, { radius }) => path.arc(0, 0, radius, 0, 2 * Math.PI),
  rect: (path, { width, height, corner = 0 }) =>
    path.roundRect(-width / 2, -height / 2, width, height, corner),
  polygon: (path, { points }) => {
    points.forEach((point) => path.lineTo(...point));
    path.closePath();
  },
  line: (path, { points, head = 0 }) => {
    points.forEach((point) => path.lineTo(...point));
    if (head) addHead(path, points, head);
  },
  arc: (path, { radius, start, end }) => path.arc(0, 0, radius, start, end),
};

/* The two barbs of an arrow at the end of a line. */
function addHead(path, points, length) {
  const [[fromX, fromY], [x, y]] = points.slice(-2);
  const backward = Math.atan2(fromY - y, fromX - x);
  const barb = (angle) => [
    x + length * Math.cos(backward + angle),
    y + length * Math.sin(backward + angle),
  ];
  path.moveTo(...barb(0.7));
  path.lineTo(x, y);
  path.lineTo(...barb(-0.7));
}

/* Fills and strokes a shape and returns its outline. */
function paintOutline(shape, { context, colour }) {
  const path = new Path2D();
  OUTLINES[shape.kind](path, shape);
  if (shape.fill) {
    context.fillStyle = colour(shape.fill);
    context.fill(path);
  }
  if (shape.stroke) {
    context.strokeStyle = colour(shape.stroke);
    context.stroke(path);
  }
  return path;
}

/* Writes a text, on a border of the stroke's colour, and returns the box it fills. */
function paintText({ text, size, bold, fill, stroke }, { context, colour, pixel }) {
  const height = Math.max(size, MIN_TEXT * pixel);
  context.font = `${bold ? 700 : 500} ${height}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (stroke) {
    context.strokeStyle = colour(stroke);
    context.strokeText(text, 0, height * 0.04);
  }
  if (fill) {
    context.fillStyle = colour(fill);
    context.fillText(text, 0, height * 0.04);
  }
  const { width } = context.measureText(text);
  const box = new Path2D();
  box.rect(-width / 2, -height / 2, width, height);
  return box;
}

// What consists of many cells, and is not looked at one by one.
const MASSES = { raster: paintRaster, swarm: paintSwarm, fog: paintFog };
const STEPS = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] };

const rasters = new Map(); // canvases by shape, each with the colour that it has

function paintRaster(shape, { context, colour }) {
  const fill = colour(shape.fill);
  if (rasters.get(shape)?.fill !== fill) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [shape.rows[0].length, shape.rows.length];
    const own = canvas.getContext("2d");
    own.fillStyle = fill;
    shape.rows.forEach((row, y) => {
      for (let x = 0; x < row.length; x++) if (row[x] !== ".") own.fillRect(x, y, 1, 1);
    });
    rasters.set(shape, { canvas, fill });
  }
  context.imageSmoothingEnabled = false;
  context.drawImage(rasters.get(shape).canvas, 0, 0);
}

function paintSwarm(shape, { context, colour, time, tips, pixel }) {
  const { cells, columns, came = "", tip } = shape;
  const size = Math.max(shape.size, 2 * pixel);
  const path = new Path2D();
  for (let i = 0; i < cells.length; i++) {
    const grown = came[i] === "+" ? size * time : size;
    const [dx, dy] = STEPS[came[i]] ?? ORIGIN;
    const x = (cells[i] % columns) + 0.5 - dx * (1 - time);
    const y = Math.floor(cells[i] / columns) + 0.5 - dy * (1 - time);
    path.rect(x - grown / 2, y - grown / 2, grown, grown);
  }
  if (shape.fill) {
    context.fillStyle = colour(shape.fill);
    context.fill(path);
  }
  if (shape.stroke) {
    context.strokeStyle = colour(shape.stroke);
    context.lineWidth = Math.max(shape.stroke_width ?? 0, pixel);
    context.stroke(path);
  }
  if (tip) tips.push({ tip, outline: path, place: context.getTransform() });
}

/* Fog is made on a canvas of a pixel a cell, out of which what is near is cut. */
let fogCanvas = null;

function paintFog({ rows, columns, of, reach, fill }, { context, colour, frames, turn }) {
  fogCanvas ??= document.createElement("canvas");
  [fogCanvas.width, fogCanvas.height] = [columns, rows];
  const own = fogCanvas.getContext("2d");
  own.fillStyle = colour(fill);
  own.fillRect(0, 0, columns, rows);
  for (const key of of) {
    for (const cell of keyed(frames[turn]).get(key)?.cells ?? []) {
      for (let dy = 1 - reach.length; dy < reach.length; dy++) {
        const y = (Math.floor(cell / columns) + dy + rows) % rows;
        const [left, width] = [(cell % columns) - reach[Math.abs(dy)], 2 * reach[Math.abs(dy)] + 1];
        own.clearRect(left, y, width, 1);
        if (left < 0) own.clearRect(left + columns, y, width, 1);
        if (left + width > columns) own.clearRect(left - columns, y, width, 1);
      }
    }
  }
  context.imageSmoothingEnabled = false;
  context.drawImage(fogCanvas, 0, 0);
}

/* The way of a shape over the last turns, fainter with age. */
function paintTrail(trail, { context, colour, pixel, frames, turn, time }) {
  const { of, turns, stroke, stroke_width = 0, opacity = 1 } = trail;
  context.save();
  context.strokeStyle = colour(stroke);
  context.lineWidth = Math.max(stroke_width, 1.5 * pixel);
  for (let passed = Math.max(turn - turns, 0) + 1; passed <= turn; passed++) {
    const [before, after] = [keyed(frames[passed - 1]).get(of), keyed(frames[passed]).get(of)];
    if (!before || !after || frames[passed].still) continue;
    const end = passed === turn ? time : 1;
    const bends = (after.via ?? []).map(([moment]) => moment).filter((moment) => moment < end);
    context.globalAlpha = opacity * (1 - (turn - passed) / turns);
    context.beginPath();
    for (const moment of [0, ...bends, end]) context.lineTo(...along(before, after, moment));
    context.stroke();
  }
  context.restore();
}
