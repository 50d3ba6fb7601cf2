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

const source = JSON.parse(document.getElementById("log").textContent);
let log = unpack(source);
let lastTurn = log.turns.length;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

let position = 0; // in turns: 2.25 is a quarter of the way from frame 2 to frame 3
let shownTurn = -1; // the turn that the panels show
let playing = false;
let showDrawings = true;
const shownLayers = new Set(); // the layers of the board whose boxes are ticked
let view = -1; // the player whose view of the board is shown, -1 for all of it
let frameRequest = 0;
let settledTimer = 0;

// Called with the turn that is shown, whenever it changes.
let fillers = [];

// ---- the log

/* The data of page_data() in view.py, with names for columns and what indices stand for. */
function unpack(data) {
  const rows = unpackRows(data);
  const text = (i) => data.texts[i];
  const answer = ([input, output, stderr, nodes, values, wallMs, cpuMs, queueMs, ...rest]) => {
    const [limitMs = null, late = null, warnings = [], fault = null, ...shown] = rest;
    const [drawings = [], strange = [], line = [], ghosts = []] = shown;
    return {
      input: input.map(text),
      output: output.map(text),
      stderr: text(stderr),
      nodes,
      values,
      wallMs,
      cpuMs,
      queueMs,
      limitMs,
      late,
      warnings: warnings.map(text),
      fault: fault === null ? null : text(fault),
      drawings: resolve(drawings, rows),
      strange: strange.map(text),
      line: line.map(text),
      ghosts: resolve(ghosts, rows),
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
  // Whether players move one after the other
  const takeTurns = turns.every((answers) => answers.filter((one) => one).length === 1);
  return { ...data, turns, frames, takeTurns };
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
  return log.turns.some((answers) => answers[player] && answers[player].limitMs !== null);
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
