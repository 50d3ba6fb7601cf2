/* The page of a review: see explore/review_page.py. */

const data = JSON.parse(byId("data").textContent);
const rows = unpackRows(data);
const PROVEN = 1e98; // WON in review.py
const GHOST = 0.6; // opacity of what an action brings on the board
const [GUTTER, FOOT] = [52, 18]; // room of a chart's numbers
const shownLayers = new Set();
let view = -1; // as picture.js expects: the whole board
let chosen = 0; // the row of the table

data.colours.forEach((colour, player) => {
  document.documentElement.style.setProperty(`--player-${player}`, `var(--colour-${colour})`);
});

function shown(value) {
  if (Math.abs(value) >= PROVEN) return value > 0 ? "win" : "loss";
  if (Math.abs(value) < 0.0005) return "0.000"; // not −0.000
  if (Math.abs(value) < 100) return value.toFixed(3);
  return value.toLocaleString("en", { maximumFractionDigits: 0 });
}

/* The address of a turn on its match page. */
function addressOf({ game, turn }) {
  const { page } = data.games.find(({ name }) => name === game);
  return `${page}#turn=${turn}`;
}

/* A game's values over its turns: by the long search, and thin as the bot saw them. A click chooses
 * the nearest listed turn. */
function addCurve({ name, curve, lost }) {
  const [figure, canvas] = [element("figure", ""), document.createElement("canvas")];
  const worst = data.losses.filter((one) => one.game === name).slice(0, 3);
  const caption = element("figcaption", "", `${name} · `);
  worst.forEach((one, i) => {
    const link = element("a", "", `turn ${one.turn} ${one.lost ? "lost it" : `−${shown(one.loss)}`}`);
    link.href = addressOf(one);
    caption.append(i ? ", " : "", link);
  });
  if (lost) caption.append(element("p", "", `It ${lost}.`));
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `values of ${name}`);
  figure.append(canvas, caption);
  byId("curves").append(figure);
  const values = curve.flatMap(([, value, seen]) => [value, seen ?? value]);
  const finite = values.filter((value) => Math.abs(value) < PROVEN);
  // Around 0, unless all values are on one side of it.
  const most = Math.max(0.001, ...finite.map(Math.abs));
  const isOneSided = finite.every((value) => value > 0) || finite.every((value) => value < 0);
  const [low, high] = isOneSided ? [Math.min(...finite), Math.max(...finite)] : [-most, most];
  const last = Math.max(1, ...curve.map(([turn]) => turn));
  const placeOf = (turn, width) => GUTTER + (turn / last) * (width - GUTTER - 6);
  canvas.addEventListener("click", ({ offsetX }) => {
    const off = (one) => Math.abs(placeOf(one.turn, canvas.clientWidth) - offsetX);
    const own = data.losses.filter((one) => one.game === name).sort((a, b) => off(a) - off(b));
    if (own.length) choose(data.losses.indexOf(own[0]));
  });
  return () => {
    const { context, width, height } = prepared(canvas);
    const colour = palette();
    const bottom = height - FOOT;
    const x = (turn) => placeOf(turn, width);
    const part = (value) => (Math.max(low, Math.min(high, value)) - low) / (high - low || 1);
    const y = (value) => bottom - 6 - part(value) * (bottom - 12);
    context.font = `11px ${FONT}`;
    context.textBaseline = "middle";
    for (const mark of [low, (low + high) / 2, high]) {
      context.fillStyle = colour("line");
      context.fillRect(GUTTER, y(mark), width - GUTTER, 1);
      context.fillStyle = colour("muted");
      context.textAlign = "right";
      context.fillText(shown(mark), GUTTER - 6, y(mark));
    }
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => (width - GUTTER) / (last / one) > 50) ?? last;
    context.textAlign = "center";
    for (let turn = 0; turn <= last; turn += step) context.fillText(turn || "turn 0", x(turn), height - 6);
    for (const { turn, lost } of worst) {
      context.fillStyle = colour(lost ? "alert" : "accent");
      context.globalAlpha = 0.4;
      context.fillRect(x(turn) - 3, 0, 6, bottom);
      context.globalAlpha = 1;
    }
    const now = data.losses[chosen];
    context.fillStyle = colour("ink");
    if (now?.game === name) context.fillRect(x(now.turn) - 0.5, 0, 1, bottom);
    [2, 1].forEach((column) => {
      context.strokeStyle = colour(column === 1 ? "colour-0" : "muted");
      context.lineWidth = column === 1 ? 2 : 1;
      context.beginPath();
      for (const point of curve) {
        if (point[column] !== null) context.lineTo(x(point[0]), y(point[column]));
      }
      context.stroke();
    });
  };
}

function addTable() {
  const head = element("tr", "");
  const numbers = ["value", "loss"];
  const names = ["turn", "phase", "played", "value", "better", "value", "loss"];
  head.append(...names.map((name) => element("th", numbers.includes(name) ? "number" : "", name)));
  const body = data.losses.map((one, i) => {
    const row = element("tr", one.lost ? "lost" : "");
    const link = element("a", "", data.games.length > 1 ? `${one.game}, ${one.turn}` : `${one.turn}`);
    link.href = addressOf(one);
    const place = element("td", "");
    place.append(link);
    row.append(
      place,
      element("td", "", one.phase),
      element("td", "", one.played),
      element("td", "number", shown(one.value_played)),
      element("td", "", one.other ? one.best : "none"),
      element("td", "number", shown(one.value)),
      element("td", "number", shown(one.loss)),
    );
    row.addEventListener("click", () => choose(i));
    return row;
  });
  byId("losses").replaceChildren(head, ...body);
}

function choose(number) {
  chosen = Math.min(Math.max(number, 0), data.losses.length - 1);
  [...byId("losses").rows].slice(1).forEach((row, i) => row.setAttribute("aria-selected", i === chosen));
  byId("losses").rows[chosen + 1]?.scrollIntoView({ block: "nearest" });
  showChosen();
  redraw();
}

/* Says of the chosen turn what was played and missed. */
function showChosen() {
  const { game, player, turn, played, best, other, value, value_played: got } = data.losses[chosen];
  const { source } = data.games.find(({ name }) => name === game);
  const said = [element("strong", "", data.games.length > 1 ? `${game}, turn ${turn}` : `Turn ${turn}`)];
  said.push(element("span", "sign played", `played ${played}: ${shown(got)}`));
  if (other) said.push(element("span", "sign better", `better ${best}: ${shown(value)}`));
  byId("chosen").replaceChildren(...said);
  // Lines end between words, not behind the hyphens of an option.
  const words = ["onefile", "explore", source, "--player", player, "--turn", turn, "--nodes", `${data.factor}x`];
  byId("command").replaceChildren(...words.flatMap((word) => [element("span", "", word), " "]));
}

/* The board before the chosen turn, on it what the action played changes, and the better one. */
function drawBoard() {
  const frames = (data.losses[chosen]?.frames ?? []).map((row) => row !== null && rows[row]);
  const [before, ...after] = frames;
  byId("frame").hidden = !before;
  if (!before) return;
  const [left, top, right, bottom] = before.bounds;
  byId("board").style.setProperty("--aspect", (right - left) / (bottom - top));
  byId("board").setAttribute("aria-label", `The board before ${byId("chosen").textContent}`);
  const { context, width, height } = prepared(byId("board"));
  placeBoard(context, before.bounds, width, height);
  const pixel = 1 / fittingIn(before.bounds, width, height);
  const scene = { context, colour: palette(), pixel, turn: 0, time: 1, tips: [] };
  paint(before.shapes ?? [], { ...scene, frames: [before] });
  const changes = after.map((frame) => (frame ? changesOf(before, frame) : []));
  changes.forEach((own, i) => {
    // Both actions leave the other players theirs, which are no difference.
    const common = new Set(changes[1 - i]?.map(({ text }) => text));
    const differing = own.filter(({ text }) => !common.has(text));
    // Where pieces come or go, others only make room, as falling cells do.
    const placed = differing.filter(({ from }) => !from);
    const marks = placed.length ? placed : differing;
    context.globalAlpha = GHOST;
    paint(marks.flatMap(({ shape }) => shape ?? []), { ...scene, frames: [after[i]] });
    context.globalAlpha = 1;
    paintMarks(marks, scene, i ? "better" : "alert", i);
  });
}

/* What differs between two frames: {from, to} of a shape that moves, {to, size} of one that comes
 * or goes, each with `shape` if it is to be painted and `text`, equal for equal changes. */
function changesOf(before, after) {
  const [old, now] = [keyed(before), keyed(after)];
  const at = (shape) => shape.at ?? ORIGIN;
  const changes = [];
  for (const [key, shape] of now) {
    if (shape.kind === "swarm") continue;
    if (!old.has(key)) changes.push({ to: at(shape), size: extent(shape), shape });
    else if (`${at(old.get(key))}` !== `${at(shape)}`) changes.push({ from: at(old.get(key)), to: at(shape) });
  }
  for (const [key, shape] of old) {
    if (!now.has(key) && shape.kind !== "swarm") changes.push({ to: at(shape), size: extent(shape) });
  }
  return changes.map((one) => ({ ...one, text: JSON.stringify([one.from, one.to, one.shape?.kind]) }));
}

/* Half of the size of a shape. */
function extent({ radius = 0, width = 0, height = 0, size = 0, points = [], shapes = [] }) {
  const corners = points.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y)));
  return Math.max(radius, width / 2, height / 2, size / 2, ...corners, ...shapes.map(extent));
}

/* Arrows, and rings around what comes or goes; those of the second action go outside the first. */
function paintMarks(marks, { context, colour, pixel }, role, order) {
  context.strokeStyle = colour(role);
  context.lineWidth = 3 * pixel;
  context.lineCap = "round";
  for (const { from, to, size } of marks) {
    const path = new Path2D();
    if (from) OUTLINES.line(path, { points: [from, to], head: 12 * pixel });
    else path.arc(...to, Math.max(1.2 * size, 9 * pixel) + 4 * order * pixel, 0, 2 * Math.PI);
    context.stroke(path);
  }
}

function redraw() {
  drawBoard();
  for (const draw of drawers) draw();
}

document.title = `Review of ${data.bot} · ${data.title}`;
byId("title").textContent = `Review of ${data.bot}`;
byId("facts").textContent = `${data.title} · every turn searched with ${data.factor} times the nodes`;
const lost = data.phases.map(([phase, loss]) => `${phase} ${shown(loss / data.games.length)}`);
byId("phases").textContent = `Mean loss of a game by worse actions: ${lost.join(" · ")}`;
byId("problems").append(...data.problems.map((text) => element("li", "", text)));
byId("stage").hidden = !data.losses.length;
addTable();
const drawers = data.games.map(addCurve);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !data.losses.length) return;
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter" && !event.target.matches("a, button")) location.href = addressOf(data.losses[chosen]);
  else return;
  event.preventDefault();
});
byId("theme").addEventListener("click", switchTheme);
systemIsDark.addEventListener("change", () => {
  applyTheme();
  redraw();
});
new ResizeObserver(redraw).observe(document.body);
if (data.losses.length) choose(0);
scrollTo(0, 0);
