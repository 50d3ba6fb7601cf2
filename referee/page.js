/* The match page: playback, scrubber, tracks and the players' panels. It knows no contest.
 *
 * A contest's view script stands before this one in the page and registers how its game is drawn:
 *
 *   onefile.contest = {
 *     bounds: [left, top, right, bottom], // the part of the plane to show, in the contest's units
 *     kinds: ["checkpoint", ...],         // of events; each has a lane of marks under the board
 *     events(before, after, setup),       // of a turn: [{kind, player, text}], player may be null
 *     facts(state, setup),                // a list a player: [{label, text, progress}]; progress
 *                                         // is [done, total] or absent
 *     draw(context, scene),               // the whole board, in the contest's units
 *   };
 *
 * scene.setup    what the match said of the map
 * scene.states   all snapshots; states[0] is the start
 * scene.turn     the board goes from states[turn - 1] to states[turn]; at the start it is 0
 * scene.fraction how much of that turn has passed, 0..1
 * scene.output   the lines each player wrote for that turn
 * scene.colours  {players: [...], onPlayer, map, ink, muted, line, flame, alert}
 * scene.pixel    the size of one CSS pixel in the contest's units
 *
 * All text of bots goes through textContent, a title or a canvas, so it is never read as markup.
 */

const NEAR_LIMIT = 0.9; // a turn that took this part of its limit or more is marked
const SETTLED_MS = 200; // the address follows the turn once it has stood still this long

const contest = onefile.contest;
const log = unpack(JSON.parse(document.getElementById("log").textContent));
const lastTurn = log.turns.length;
const played = log.states.map((_, turn) => isPlayed(turn));
const events = log.states.map((after, turn) =>
  played[turn] ? contest.events(log.states[turn - 1], after, log.setup) : [],
);
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

let position = 0; // in turns: 2.25 is a quarter of the way from states[2] to states[3]
let shownTurn = -1; // the turn that the panels show
let playing = false;
let frameRequest = 0;
let settledTimer = 0;

// ---- the log

/* The data of page_data() in view.py, with texts for their indices and names for columns. */
function unpack(data) {
  const text = (i) => data.texts[i];
  const answer = ([input, output, stderr, nodes, wallMs, cpuMs, fault]) => ({
    input: input.map(text),
    output: output.map(text),
    stderr: text(stderr),
    nodes,
    wallMs,
    cpuMs,
    fault: fault === null ? null : text(fault),
  });
  const turns = data.turns.map((answers) => answers.map((columns) => columns && answer(columns)));
  return { ...data, turns };
}

/* The answer of a player that led to states[turn], or null. */
function answerOf(player, turn) {
  return turn ? log.turns[turn - 1][player] : null;
}

/* Whether the board moved; it does not in a turn that ends the game by a player's fault. */
function isPlayed(turn) {
  return turn > 0 && JSON.stringify(log.states[turn]) !== JSON.stringify(log.states[turn - 1]);
}

/* The log counts turns from 0, so the turn that led to states[1] is turn 0. */
function turnNumber(turn) {
  return turn - 1;
}

/* The time limit of a player's answer, in ms, or null when the match had none. */
function limitMs(player, turn) {
  if (!log.limits) return null;
  const first = log.turns.findIndex((answers) => answers[player]) + 1;
  return turn === first ? log.limits.first_ms : log.limits.turn_ms;
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

function colours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    players: log.bots.map((_, player) => colour(`player-${player}`)),
    onPlayer: colour("on-player"),
    map: colour("map"),
    ink: colour("ink"),
    muted: colour("muted"),
    line: colour("line"),
    flame: colour("flame"),
    warn: colour("warn"),
    alert: colour("alert"),
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

// ---- header

function showHeader() {
  const limits = log.limits
    ? `limits ${log.limits.first_ms} ms, then ${log.limits.turn_ms} ms`
    : "no time limits";
  const nodes = log.nodes ? [`${log.nodes} nodes a turn`] : [];
  const facts = [`Seed ${log.seed}`, `${lastTurn} turns`, limits, ...nodes];
  document.title = `${log.bots.join(" – ")} · ${log.title}`;
  byId("title").textContent = log.title;
  byId("facts").textContent = facts.join(" · ");
  byId("bots").append(...log.bots.map((_, player) => nameElement("span", player)));
  byId("outcome").append(...outcome());
}

function outcome() {
  if (!log.outcome) {
    const where = lastTurn ? `after turn ${turnNumber(lastTurn)}` : "before the first turn";
    return [element("strong", "", "Unfinished"), `: the log ends ${where}, without an outcome.`];
  }
  const winners = log.bots.filter((_, player) => log.outcome.ranks[player] === 0);
  const verdict = winners.length === 1 ? `${winners[0]} wins` : "Draw";
  return [element("strong", "", verdict), `: ${log.outcome.reason}`];
}

// ---- tracks: canvases over all turns, aligned with the scrubber

const tracks = [];

/* A track in `parent` drawn by `draw(context, x, width, height, palette)`; x(turn) is in pixels. */
function addTrack(parent, className, draw, describe) {
  const track = element("div", `track ${className}`);
  const canvas = document.createElement("canvas");
  track.append(canvas, element("div", "cursor"));
  parent.append(track);
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
    draw(context, (turn) => (lastTurn ? (turn / lastTurn) * width : 0), width, height, colours());
  });
}

/* A lane for each kind of event: a player's marks have their share of its height, others all. */
function addLanes() {
  for (const kind of contest.kinds) {
    const draw = (context, x, width, height, palette) => {
      const share = (height - 4) / log.bots.length;
      events.forEach((ofTurn, turn) => {
        for (const { player } of ofTurn.filter((event) => event.kind === kind)) {
          const [top, high] = player === null ? [2, height - 4] : [2 + player * share, share];
          context.fillStyle = player === null ? palette.muted : palette.players[player];
          context.fillRect(x(turn) - 1, top, 2, high);
        }
      });
    };
    byId("timeline").append(element("span", "lane-name", kind));
    addTrack(byId("timeline"), "lane", draw, describeTurn);
  }
}

function describeTurn(turn) {
  if (turn === 0) return "Start";
  const texts = events[turn].map((event) => event.text);
  return `Turn ${turnNumber(turn)}${texts.length ? `: ${texts.join("; ")}` : ""}`;
}

// ---- players

const panels = [];

/* Builds a player's panel, and adds to `panels` the function that fills it for a turn. */
function addPanel(player) {
  const panel = element("article", "");
  panel.style.setProperty("--player", `var(--player-${player})`);
  const head = element("header", "");
  head.append(nameElement("h2", player), element("small", "", `player ${player}`));
  const facts = element("div", "facts");
  const fault = element("p", "fault");
  const output = element("pre", "output");
  const stderr = element("pre", "stderr");
  const details = document.createElement("details");
  const input = element("pre", "input");
  details.append(element("summary", "", "Input it was sent"), input);
  panel.append(head, facts, fault);
  panel.append(element("h3", "", "Output"), output, element("h3", "", "Standard error"), stderr);
  const timing = element("small", "");
  const timeHead = element("h3", "", "Time ");
  timeHead.append(timing);
  panel.append(timeHead);
  byId("players").append(panel);
  addTiming(panel, player);
  panel.append(details);

  panels.push((turn) => {
    const answer = answerOf(player, turn);
    facts.replaceChildren(...contest.facts(log.states[turn], log.setup)[player].map(factElement));
    timing.textContent = answer ? describeTime(player, turn, answer) : "";
    fault.textContent = answer?.fault ?? "";
    fault.hidden = !answer?.fault;
    output.textContent = answer ? answer.output.join("\n") : "";
    stderr.textContent = answer ? answer.stderr : "";
    input.textContent = answer ? answer.input.join("\n") : "";
  });
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

function describeTime(player, turn, { nodes, wallMs, cpuMs }) {
  const limit = limitMs(player, turn);
  const wall = `${wallMs.toFixed(1)}${limit === null ? "" : ` of ${limit}`} ms`;
  const count = nodes === null ? [] : [`${nodes.toLocaleString("en")} nodes`];
  return [wall, `CPU ${cpuMs.toFixed(1)} ms`, ...count].join(" · ");
}

/* Each answer's wall time as a part of its limit or, without limits, of the longest later one. */
function addTiming(panel, player) {
  const turns = log.states.flatMap((_, turn) => {
    const answer = answerOf(player, turn);
    return answer ? [{ turn, answer, limit: limitMs(player, turn) }] : [];
  });
  const longest = Math.max(1, ...turns.slice(1).map(({ answer }) => answer.wallMs));
  for (const turn of turns) {
    turn.part = turn.answer.wallMs / (turn.limit ?? longest);
    turn.failed = turn.answer.fault !== null || (turn.limit !== null && turn.part > 1);
    turn.near = !turn.failed && turn.limit !== null && turn.part >= NEAR_LIMIT;
  }

  const draw = (context, x, width, height, palette) => {
    const limitY = 5;
    const bar = Math.max(1, width / (lastTurn || 1) - 0.5);
    for (const { turn, part, failed, near } of turns) {
      const top = failed ? 0 : height - Math.min(part, 1) * (height - limitY);
      context.globalAlpha = failed || near ? 1 : 0.55;
      const colour = near ? palette.warn : palette.players[player];
      context.fillStyle = failed ? palette.alert : colour;
      context.fillRect(x(turn) - bar / 2, top, failed ? Math.max(bar, 3) : bar, height - top);
    }
    context.globalAlpha = 1;
    context.fillStyle = palette.muted;
    if (log.limits) context.fillRect(0, limitY - 0.5, width, 1);
  };
  const describe = (turn) => {
    const found = turns.find((one) => one.turn === turn);
    return found ? `Turn ${turnNumber(turn)}: ${describeTime(player, turn, found.answer)}` : "";
  };
  addTrack(panel, "timing", draw, describe);
  panel.append(element("small", "timing-summary", timingSummary(turns)));
}

function timingSummary(turns) {
  if (!turns.length) return "It was never asked.";
  const sorted = turns.map(({ answer }) => answer.wallMs).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const times = `median ${median.toFixed(1)}, longest ${sorted.at(-1).toFixed(1)} ms`;
  const near = turns.filter((turn) => turn.near).length;
  const failed = turns.filter((turn) => turn.failed).length;
  return `${times} · ${near} near the limit, ${failed} failed`;
}

// ---- playback

function drawBoard() {
  const { context, width } = prepared(byId("board"));
  const [left, top, right] = contest.bounds;
  const scale = width / (right - left);
  const turn = Math.ceil(position);
  context.scale(scale, scale);
  context.translate(-left, -top);
  contest.draw(context, {
    setup: log.setup,
    states: log.states,
    turn,
    fraction: played[turn] && !reducedMotion.matches ? position - turn + 1 : 1,
    output: log.bots.map((_, player) => answerOf(player, turn)?.output ?? []),
    colours: colours(),
    pixel: 1 / scale,
  });
}

function show() {
  const turn = Math.ceil(position);
  drawBoard();
  document.body.style.setProperty("--progress", lastTurn ? position / lastTurn : 0);
  byId("scrubber").value = turn;
  if (turn === shownTurn) return;
  shownTurn = turn;
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
  ArrowRight: () => step(1),
  ".": () => step(1),
  ArrowLeft: () => step(-1),
  ",": () => step(-1),
  Home: () => goTo(0),
  End: () => goTo(lastTurn),
};

function onKey(event) {
  const action = keys[event.key];
  const focused = event.target.closest("select, button, summary");
  const ownKey = focused && (event.key === " " || focused.tagName === "SELECT");
  if (!action || ownKey || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  action();
}

function redraw() {
  drawBoard();
  for (const drawTrack of tracks) drawTrack();
}

function shapeBoard() {
  const [left, top, right, bottom] = contest.bounds;
  byId("board").style.setProperty("--aspect", (right - left) / (bottom - top));
}

shapeBoard();
showHeader();
addLanes();
log.bots.forEach((_, player) => addPanel(player));
byId("scrubber").max = lastTurn;
byId("scrubber").addEventListener("input", (event) => goTo(Number(event.target.value)));
byId("first").addEventListener("click", () => goTo(0));
byId("back").addEventListener("click", () => step(-1));
byId("play").addEventListener("click", toggle);
byId("forward").addEventListener("click", () => step(1));
byId("last").addEventListener("click", () => goTo(lastTurn));
document.addEventListener("keydown", onKey);
addEventListener("hashchange", followAddress);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new ResizeObserver(redraw).observe(document.body);
followAddress();
redraw();
