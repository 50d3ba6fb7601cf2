/* The match page: the board, playback, tracks over all turns and the players' panels.
 *
 * It knows no contest: a frame of shapes for the start and for each turn comes with the data (see
 * page_data in view.py), and picture.js, which stands before this in the page, paints them.
 *
 * All text of bots goes through textContent, a title or a canvas, so it is never read as markup.
 */

const NEAR_LIMIT = 0.9; // a turn that took this part of its limit or more is drawn in full colour
const SETTLED_MS = 200; // the address follows the turn once it has stood still this long
const LEAP = 10; // turns, with the shift key
const FEW_PLAYERS = 3; // whose panels are open from the start

const log = unpack(JSON.parse(document.getElementById("log").textContent));
const lastTurn = log.turns.length;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

let position = 0; // in turns: 2.25 is a quarter of the way from frame 2 to frame 3
let shownTurn = -1; // the turn that the panels show
let playing = false;
let showDrawings = true;
let frameRequest = 0;
let settledTimer = 0;

// ---- the log

/* The data of page_data() in view.py, with names for columns and what indices stand for. */
function unpack(data) {
  const rows = [];
  for (const [schema, ...values] of data.rows) {
    const [kind, ...names] = data.schemas[schema];
    const row = { kind };
    names.forEach((name, i) => (row[name] = values[i]));
    for (const name of ["shapes", "events", "facts"]) row[name] &&= resolve(row[name], rows);
    rows.push(row);
  }
  const text = (i) => data.texts[i];
  const answer = ([input, output, stderr, nodes, values, wallMs, cpuMs, queueMs, late, ...rest]) => {
    const [warnings, fault, drawings, strange] = rest;
    return {
      input: input.map(text),
      output: output.map(text),
      stderr: text(stderr),
      nodes,
      values,
      wallMs,
      cpuMs,
      queueMs,
      late,
      warnings: warnings.map(text),
      fault: fault === null ? null : text(fault),
      drawings: resolve(drawings, rows),
      strange: strange.map(text),
    };
  };
  const turns = data.turns.map((answers) => answers.map((columns) => columns && answer(columns)));
  const frames = [];
  for (const row of data.frames) {
    const still = row === null; // nothing moved since the frame before
    const frame = still ? frames.at(-1) : { facts: [], ...rows[row] };
    const events = (!still && frame.events) || [];
    frames.push({ ...frame, events, still, keyed: null });
  }
  return { ...data, turns, frames };
}

/* Numbers of rows, in lists of any depth, as the rows. */
function resolve(numbers, rows) {
  return Array.isArray(numbers) ? numbers.map((one) => resolve(one, rows)) : rows[numbers];
}

/* The answer of a player that led to frame `turn`, or null. */
function answerOf(player, turn) {
  return turn ? log.turns[turn - 1][player] : null;
}

/* The log counts turns from 0, so the turn that led to frame 1 is turn 0. */
function turnNumber(turn) {
  return turn - 1;
}

/* Whether each of a player's answers had a limit of its own. */
function hasTurnLimits(player) {
  return !["off", "bank"].includes(log.limits[player].profile);
}

/* What an answer took by the clock that the limits count. */
function usedMs(answer) {
  return log.clock === "cpu" ? answer.cpuMs : answer.wallMs;
}

/* The value of all players, null where they differ. */
function common(values) {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.every((text) => text === texts[0]) ? values[0] : null;
}

// ---- elements

function byId(id) {
  return document.getElementById(id);
}

function element(tag, className, text = "") {
  const created = document.createElement(tag);
  created.className = className;
  created.textContent = text;
  return created;
}

function nameElement(tag, player) {
  const name = element(tag, "name", log.bots[player]);
  name.style.setProperty("--player", `var(--player-${player})`);
  return name;
}

/* Gives each player its own colour, as the contest says. */
function colourPlayers() {
  const { style } = document.documentElement;
  log.colours.forEach((colour, player) => {
    style.setProperty(`--player-${player}`, `var(--colour-${colour})`);
  });
}

/* The page's colours by their roles. Any other colour stands for itself, and for ink if it is none. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const role = (name) => style.getPropertyValue(`--${name}`).trim();
  const known = new Map();
  return (name) => {
    if (!known.has(name)) {
      const colour = role(name) || name;
      known.set(name, CSS.supports("color", colour) ? colour : role("ink"));
    }
    return known.get(name);
  };
}

/* Clears a canvas, makes it as fine as the screen and gives its context and size in CSS pixels. */
function prepared(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const [columns, rows] = [width, height].map((size) => Math.round(size * devicePixelRatio));
  const context = canvas.getContext("2d");
  if (canvas.width === columns && canvas.height === rows) {
    context.resetTransform();
    context.clearRect(0, 0, columns, rows);
  } else {
    [canvas.width, canvas.height] = [columns, rows]; // which also clears it
  }
  context.scale(devicePixelRatio, devicePixelRatio);
  return { context, width, height };
}

// ---- the board

let tips = []; // of the board as painted: the last one is on top

function drawBoard() {
  const { context, width, height } = prepared(byId("board"));
  const turn = Math.ceil(position);
  const [left, top, right, bottom] = log.frames[turn].bounds;
  const scale = Math.min(width / (right - left), height / (bottom - top));
  context.translate(width / 2, height / 2);
  context.scale(scale, scale);
  context.translate(-(left + right) / 2, -(top + bottom) / 2);
  context.lineJoin = "round";
  const moves = turn > 0 && !log.frames[turn].still && !reducedMotion.matches;
  const time = moves ? position - turn + 1 : 1;
  const view = { context, colour: palette(), pixel: 1 / scale, frames: log.frames, turn };
  tips = [];
  paint(present({ ...view, time }), { ...view, time, tips });
  if (showDrawings) {
    for (const player of log.bots.keys()) {
      paint(answerOf(player, turn)?.drawings ?? [], { ...view, time: 1, tips });
    }
  }
}

/* Shows what is under the pointer, beside it. */
function showTip(event) {
  const [board, box] = [byId("board"), byId("tip")];
  const frame = board.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  const context = board.getContext("2d");
  const found = tips.findLast(({ outline, place }) => {
    context.setTransform(place);
    return context.isPointInPath(outline, x * devicePixelRatio, y * devicePixelRatio);
  });
  box.hidden = !found;
  if (!found) return;
  box.textContent = found.tip;
  const onLeft = x > frame.width / 2;
  box.style.left = onLeft ? "auto" : `${board.offsetLeft + x + 14}px`;
  box.style.right = onLeft
    ? `${board.offsetParent.clientWidth - board.offsetLeft - x + 14}px`
    : "auto";
  box.style.top = `${board.offsetTop + y + 10}px`;
}

function hideTip() {
  byId("tip").hidden = true;
}

// ---- header

function showHeader() {
  const facts = [`Seed ${log.seed}`, `${lastTurn} turns`];
  const limits = common(log.limits);
  facts.push(limits ? describeLimits(limits) : "limits by player");
  facts.push(...describeBudget(common(log.nodes), common(log.think_ms)));
  if (log.hiccup_ms) facts.push(`stopped for ${log.hiccup_ms} ms in every turn`);
  document.title = `${log.bots.join(" – ")} · ${log.title}`;
  byId("title").textContent = log.title;
  byId("facts").textContent = facts.join(" · ");
  byId("bots").append(...log.bots.map((_, player) => nameElement("span", player)));
  byId("outcome").append(...outcome());
}

function describeLimits({ profile, first_ms, turn_ms, grace_ms, late_turns, bank_ms }) {
  if (profile === "off") return "no time limits";
  if (profile === "bank") return `${inSeconds(bank_ms)} of CPU time for the game`;
  const grace = grace_ms ? `, up to ${grace_ms} ms later ${late_turns - 1} times` : "";
  const counted = log.clock === "cpu" ? " of CPU time" : "";
  return `limits ${first_ms} ms, then ${turn_ms} ms${counted}${grace}`;
}

function describeBudget(nodes, thinkMs) {
  const parts = [];
  if (nodes) parts.push(`${nodes} nodes a turn`);
  if (thinkMs) parts.push(`${thinkMs} ms to think`);
  return parts;
}

/* What a player had that others had not. */
function describeOwn(player) {
  const parts = [];
  if (!common(log.limits)) parts.push(describeLimits(log.limits[player]));
  const own = (values) => (common(values) ? null : values[player]);
  return [...parts, ...describeBudget(own(log.nodes), own(log.think_ms))];
}

function inSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function outcome() {
  if (!log.outcome) {
    const where = lastTurn ? `after turn ${turnNumber(lastTurn)}` : "before the first turn";
    return [element("strong", "", "Unfinished"), `: the log ends ${where}, without an outcome.`];
  }
  if (log.outcome.spoiled) {
    return [element("strong", "", "No result, the machine was too busy"), `: ${log.outcome.reason}`];
  }
  const winners = log.bots.filter((_, player) => log.outcome.ranks[player] === 0);
  const shared = winners.length < log.bots.length ? `${winners.join(" and ")} are first` : "Draw";
  const verdict = winners.length === 1 ? `${winners[0]} wins` : shared;
  return [element("strong", "", verdict), `: ${log.outcome.reason}`];
}

// ---- tracks: canvases over all turns, aligned with the scrubber

const tracks = [];

/* A lane below the scrubber: a name, and a track that `draw(context, x, width, height, colour)`
 * draws, where x(turn) is in pixels. */
function addLane(name, className, draw, describe) {
  const track = element("div", `track ${className}`);
  const canvas = document.createElement("canvas");
  track.append(canvas, element("div", "cursor"));
  byId("timeline").append(name, track);
  const turnAt = (event) => {
    const box = canvas.getBoundingClientRect();
    const turn = Math.round(((event.clientX - box.left) / box.width) * lastTurn);
    return Math.min(Math.max(turn, 0), lastTurn);
  };
  track.addEventListener("pointerdown", (event) => {
    track.setPointerCapture(event.pointerId);
    goTo(turnAt(event));
  });
  track.addEventListener("pointermove", (event) => {
    track.title = describe(turnAt(event));
    if (event.buttons) goTo(turnAt(event));
  });
  tracks.push(() => {
    const { context, width, height } = prepared(canvas);
    draw(context, (turn) => (lastTurn ? (turn / lastTurn) * width : 0), width, height, palette());
  });
}

/* A lane for each kind of event: a player's marks have their share of its height, others all. */
function addEventLanes() {
  const kinds = new Set(log.frames.flatMap(({ events }) => events.map(({ kind }) => kind)));
  for (const kind of [...kinds].sort()) {
    const draw = (context, x, width, height, colour) => {
      const share = (height - 4) / log.bots.length;
      log.frames.forEach(({ events }, turn) => {
        for (const { player } of events.filter((event) => event.kind === kind)) {
          const own = player !== undefined;
          context.fillStyle = colour(own ? `player-${player}` : "muted");
          const [top, high] = own ? [2 + player * share, share] : [2, height - 4];
          context.fillRect(x(turn) - 1, top, 2, high);
        }
      });
    };
    addLane(element("span", "lane-name", kind), "lane", draw, describeTurn);
  }
}

function describeTurn(turn) {
  if (turn === 0) return "Start";
  const texts = log.frames[turn].events.map(({ text }) => text);
  return `Turn ${turnNumber(turn)}${texts.length ? `: ${texts.join("; ")}` : ""}`;
}

/* A player's answers, each with its turn, its limit in ms or null, what is left of the bank of CPU
 * time, and its time as a part of the limit or, without limits, of the longest later answer. */
function timings(player) {
  const turns = [];
  const limits = log.limits[player];
  let bankMs = limits.bank_ms;
  log.turns.forEach((answers, i) => {
    const answer = answers[player];
    if (!answer) return;
    const limit = turns.length ? limits.turn_ms : limits.first_ms;
    if (bankMs !== null) bankMs -= answer.cpuMs;
    turns.push({ turn: i + 1, answer, limit: hasTurnLimits(player) ? limit : null, bankMs });
  });
  const longest = Math.max(1, ...turns.slice(1).map(({ answer }) => usedMs(answer)));
  for (const one of turns) {
    const { answer, limit } = one;
    one.part = usedMs(answer) / (limit ?? longest);
    one.failed = answer.late !== null || answer.fault !== null;
    one.near = !one.failed && limit !== null && one.part >= NEAR_LIMIT;
  }
  return turns;
}

/* A player's lane of time: a bar a turn, the line its limit. */
function addTimeLane(player, turns) {
  const draw = (context, x, width, height, colour) => {
    const limitY = 4;
    const bar = Math.max(1, width / (lastTurn || 1) - 0.5);
    for (const { turn, answer, part, failed, near } of turns) {
      const warned = answer.warnings.length > 0;
      const top = failed ? 0 : height - Math.min(part, 1) * (height - limitY);
      context.globalAlpha = failed || warned || near ? 1 : 0.5;
      context.fillStyle = colour(failed ? "alert" : warned ? "warn" : `player-${player}`);
      const wide = failed ? Math.max(bar, 3) : bar;
      context.fillRect(x(turn) - wide / 2, top, wide, height - top);
    }
    context.globalAlpha = 1;
    context.fillStyle = colour("muted");
    if (hasTurnLimits(player)) context.fillRect(0, limitY - 0.5, width, 1);
  };
  const describe = (turn) => {
    const found = turns.find((one) => one.turn === turn);
    return found ? `Turn ${turnNumber(turn)}: ${describeTime(found)}` : "";
  };
  addLane(nameElement("span", player), "lane time", draw, describe);
}

function describeTime({ answer, limit, bankMs }) {
  const { nodes, wallMs, cpuMs, queueMs, late } = answer;
  const parts = late ? [late === "machine" ? "late by the machine" : "late"] : [];
  const ofLimit = limit === null ? "" : ` of ${limit}`;
  const [ofWall, ofCpu] = log.clock === "cpu" ? ["", ofLimit] : [ofLimit, ""];
  parts.push(`${wallMs.toFixed(1)}${ofWall} ms`);
  parts.push(`CPU ${cpuMs.toFixed(1)}${ofCpu} ms`);
  if (queueMs) parts.push(`waited ${queueMs.toFixed(1)} ms for a CPU`);
  if (bankMs !== null) parts.push(`${inSeconds(bankMs)} left`);
  if (nodes !== null) parts.push(`${nodes.toLocaleString("en")} nodes`);
  return parts.join(" · ");
}

function timingSummary(turns) {
  if (!turns.length) return "It was never asked.";
  const sorted = turns.map(({ answer }) => usedMs(answer)).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const times = `Median ${median.toFixed(1)}, longest ${sorted.at(-1).toFixed(1)} ms`;
  const near = turns.filter((turn) => turn.near).length;
  const failed = turns.filter((turn) => turn.failed).length;
  return `${times} · ${near} near the limit, ${failed} failed`;
}

// ---- players

const panels = [];

/* Builds a player's panel, and adds to `panels` the function that fills it for a turn. */
function addPanel(player, turns) {
  const panel = element("article", "");
  panel.style.setProperty("--player", `var(--player-${player})`);
  const head = element("header", "");
  const told = [`player ${player}`, ...describeOwn(player)].join(" · ");
  head.append(nameElement("h2", player), element("small", "", told));
  const facts = element("div", "facts");
  const time = element("p", "time");
  const fault = element("p", "fault");
  const warnings = element("p", "warnings");
  const said = disclosure("What it wrote", log.bots.length <= FEW_PLAYERS);
  const output = element("pre", "output");
  const stderr = element("pre", "stderr");
  const drawn = element("small", "drawn");
  const stderrHead = element("h3", "", "Standard error ");
  stderrHead.append(drawn);
  said.append(element("h3", "", "Output"), output, stderrHead, stderr);
  const sent = disclosure("What it was sent", false);
  const input = element("pre", "input");
  sent.append(input);
  const summary = element("small", "timing-summary", timingSummary(turns));
  panel.append(head, facts, time, fault, warnings, said, sent, summary);
  byId("players").append(panel);

  panels.push((turn) => {
    const answer = answerOf(player, turn);
    const timing = turns.find((one) => one.turn === turn);
    facts.replaceChildren(...(log.frames[turn].facts[player] ?? []).map(factElement));
    time.textContent = timing ? describeTime(timing) : turn ? "not asked" : "";
    time.classList.toggle("late", Boolean(answer?.late));
    fault.textContent = answer?.fault ?? "";
    fault.hidden = !answer?.fault;
    warnings.textContent = answer ? answer.warnings.join("\n") : "";
    warnings.hidden = !warnings.textContent;
    output.textContent = answer ? answer.output.join("\n") : "";
    stderr.textContent = answer ? answer.stderr : "";
    drawn.textContent = answer ? describeDrawings(answer) : "";
    input.textContent = answer ? answer.input.join("\n") : "";
  });
}

function disclosure(title, open) {
  const details = document.createElement("details");
  details.open = open;
  details.append(element("summary", "", title));
  return details;
}

function factElement({ label, text, progress }) {
  const fact = element("div", "fact");
  fact.append(element("span", "label", label), element("span", "", text));
  if (progress !== undefined) {
    const bar = document.createElement("progress");
    [bar.value, bar.max] = progress;
    bar.setAttribute("aria-label", label);
    fact.append(element("span", "label", progress.join("/")), bar);
  }
  return fact;
}

function describeDrawings({ drawings, strange }) {
  const parts = [];
  if (drawings.length) parts.push(`${drawings.length} drawn`);
  if (strange.length) parts.push(`not understood: ${strange[0]}`);
  return parts.join(", ");
}

// ---- playback

function show() {
  const turn = Math.ceil(position);
  drawBoard();
  document.body.style.setProperty("--progress", lastTurn ? position / lastTurn : 0);
  byId("scrubber").value = position;
  if (turn === shownTurn) return;
  shownTurn = turn;
  hideTip();
  const label = turn ? `Turn ${turnNumber(turn)} / ${turnNumber(lastTurn)}` : "Start";
  byId("turn").textContent = label;
  byId("scrubber").setAttribute("aria-valuetext", label);
  byId("board").setAttribute("aria-label", describeTurn(turn));
  byId("first").disabled = byId("back").disabled = turn === 0;
  byId("last").disabled = byId("forward").disabled = turn === lastTurn;
  for (const fill of panels) fill(turn);
  clearTimeout(settledTimer);
  settledTimer = setTimeout(() => history.replaceState(null, "", address(turn)), SETTLED_MS);
}

/* Stands still at a whole turn. */
function goTo(turn) {
  setPlaying(false);
  position = Math.min(Math.max(turn, 0), lastTurn);
  show();
}

function step(turns) {
  goTo(turns > 0 ? Math.floor(position) + turns : Math.ceil(position) + turns);
}

/* To the next marked turn (direction 1) or the one before (-1). */
function seek(direction) {
  const start = Math.ceil(position);
  for (let turn = start + direction; turn >= 0 && turn <= lastTurn; turn += direction) {
    if (marked.has(turn)) {
      goTo(turn);
      return;
    }
  }
}

function setPlaying(value) {
  if (value === playing) return;
  playing = value;
  document.body.classList.toggle("playing", playing);
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  cancelAnimationFrame(frameRequest);
  if (!playing) return;
  if (position >= lastTurn) position = 0;
  let before = performance.now();
  const frame = (now) => {
    position = Math.min(position + ((now - before) / 1000) * byId("speed").value, lastTurn);
    before = now;
    frameRequest = requestAnimationFrame(frame);
    if (position === lastTurn) setPlaying(false);
    show();
  };
  frameRequest = requestAnimationFrame(frame);
}

/* Stops where it is, at the end of the turn under way. */
function toggle() {
  if (playing) goTo(Math.ceil(position));
  else setPlaying(true);
}

function toggleDrawings() {
  showDrawings = !showDrawings;
  byId("drawings").checked = showDrawings;
  drawBoard();
}

// ---- the address: #turn=57

function address(turn) {
  return turn ? `#turn=${turnNumber(turn)}` : "#";
}

function followAddress() {
  const wanted = /^#turn=(\d+)$/.exec(location.hash);
  goTo(wanted ? Number(wanted[1]) + 1 : 0);
}

// ---- wiring

const keys = {
  " ": toggle,
  ArrowRight: ({ shiftKey }) => step(shiftKey ? LEAP : 1),
  ArrowLeft: ({ shiftKey }) => step(shiftKey ? -LEAP : -1),
  ".": () => step(1),
  ",": () => step(-1),
  Home: () => goTo(0),
  End: () => goTo(lastTurn),
  n: () => seek(1),
  p: () => seek(-1),
  d: toggleDrawings,
};

function onKey(event) {
  const action = keys[event.key];
  const focused = event.target.closest("select, button, summary, input[type=checkbox]");
  const ownKey = focused && (event.key === " " || focused.tagName === "SELECT");
  if (!action || ownKey || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  action(event);
}

function redraw() {
  drawBoard();
  for (const drawTrack of tracks) drawTrack();
}

/* The board is as high as the window allows beside what stands around it. */
function shapeBoard() {
  const [left, top, right, bottom] = log.frames[0].bounds;
  byId("stage").style.setProperty("--timeline", `${byId("timeline").offsetHeight}px`);
  byId("board").style.setProperty("--aspect", (right - left) / (bottom - top));
}

const timing = log.bots.map((_, player) => timings(player));
// Turns with an event, a late or failed answer or a warning.
const marked = new Set([
  ...[...log.frames.keys()].filter((turn) => log.frames[turn].events.length),
  ...timing
    .flat()
    .filter(({ answer, failed }) => failed || answer.warnings.length)
    .map(({ turn }) => turn),
]);
const hasDrawings = log.turns.flat().some((answer) => answer?.drawings.length);

colourPlayers();
showHeader();
log.bots.forEach((_, player) => addTimeLane(player, timing[player]));
addEventLanes();
log.bots.forEach((_, player) => addPanel(player, timing[player]));
shapeBoard();
for (const one of document.querySelectorAll(".for-drawings")) one.hidden = !hasDrawings;
byId("scrubber").max = lastTurn;
byId("scrubber").addEventListener("input", (event) => goTo(Math.round(event.target.value)));
byId("first").addEventListener("click", () => goTo(0));
byId("back").addEventListener("click", () => step(-1));
byId("play").addEventListener("click", toggle);
byId("forward").addEventListener("click", () => step(1));
byId("last").addEventListener("click", () => goTo(lastTurn));
byId("drawings").addEventListener("change", toggleDrawings);
byId("board").addEventListener("pointermove", showTip);
byId("board").addEventListener("pointerdown", showTip);
byId("board").addEventListener("pointerleave", hideTip);
document.addEventListener("keydown", onKey);
addEventListener("hashchange", followAddress);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new ResizeObserver(redraw).observe(document.body);
followAddress();
redraw();
