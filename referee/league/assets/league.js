/* The page of a league: what the server sends becomes text of elements, never markup. */

const N_COLOURS = 8;
const MAX_ELO = 1000; // as in measures.py
const SVG = "http://www.w3.org/2000/svg";
// Columns of words stand at the left.
const WORDS = new Set(["map", "case", "seats (place)", "how it ended", "against its predecessor"]);
const byId = (id) => document.getElementById(id);

let state = { bots: [], matrix: [], running: [] };
let shown = ""; // the bot whose panel is open
let games = []; // as listed
const colours = new Map(); // of names
let refreshTimer = 0;
let seenGames = -1;

// ---- elements

function element(tag, className = "", text = "") {
  const created = document.createElement(tag);
  if (className) created.className = className;
  created.textContent = text;
  return created;
}

function drawn(tag, attributes, text = "") {
  const created = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.textContent = text;
  return created;
}

/* Gives names that have none the colours that fewest others have: they keep them, whatever their
rank. */
function giveColours(names) {
  for (const name of [...new Set(names)].sort()) {
    if (colours.has(name)) continue;
    const uses = new Array(N_COLOURS).fill(0);
    for (const colour of colours.values()) uses[colour] += 1;
    colours.set(name, uses.indexOf(Math.min(...uses)));
  }
}

function colourOf(name) {
  giveColours([name]);
  return `bot-${colours.get(name)}`;
}

function nameOf(label) {
  const bot = state.bots.find((one) => one.label === label);
  return element("span", `name ${colourOf(bot ? bot.name : label)}`, label);
}

function nameButton(label) {
  const button = element("button", "bot-name");
  button.type = "button";
  button.append(nameOf(label));
  button.addEventListener("click", () => open(label));
  return button;
}

/* A row of cells: a text, an element, or [what, label of its column, class]. */
function row(cells, className = "") {
  const line = element("tr", className);
  for (const cell of cells) {
    const [content, label, kind] = Array.isArray(cell) ? cell : [cell];
    const field = element("td", kind ?? "");
    if (label) field.dataset.label = label;
    field.append(content instanceof Node ? content : String(content ?? ""));
    line.append(field);
  }
  return line;
}

function heads(table, names) {
  const line = element("tr");
  line.append(...names.map((name) => element("th", WORDS.has(name) ? "text" : "", name)));
  table.tHead.replaceChildren(line);
}

function number(value, digits = 0) {
  return value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: 0 });
}

function signed(value) {
  const whole = Math.round(value) || 0; // no -0
  return `${whole > 0 ? "+" : ""}${number(whole)}`;
}

/* A difference in Elo, not told beyond what an arena tells. */
function eloText(value) {
  return Math.abs(value) > MAX_ELO ? `${value > 0 ? "> +" : "< -"}${MAX_ELO}` : signed(value);
}

// ---- standings

function valueText(bot) {
  if (bot.value === null) return "";
  if (state.solo) return number(bot.value, Math.abs(bot.value) < 1000 ? 2 : 0);
  return eloText(bot.value);
}

function rangeText(bot) {
  if (bot.low === null || bot.high === null) return bot.value === null ? "" : `too few ${state.solo ? "cases" : "games"}`;
  const form = state.solo ? (one) => number(one, Math.abs(one) < 1000 ? 1 : 0) : eloText;
  return `${form(bot.low)} to ${form(bot.high)}`;
}

/* The intervals on one axis, by bots. */
function bars() {
  const known = state.bots.filter(({ low, high }) => low !== null && high !== null);
  const clip = (one) => (state.solo ? one : Math.min(Math.max(one, -MAX_ELO), MAX_ELO));
  const least = Math.min(...known.map(({ low }) => clip(low)));
  const most = Math.max(...known.map(({ high }) => clip(high)));
  const at = (one) => 6 + (168 * (clip(one) - least)) / (most - least || 1);
  return (bot) => {
    const chart = drawn("svg", { class: "bar", viewBox: "0 0 180 18", "aria-hidden": "true" });
    if (bot.low === null || bot.high === null) return chart;
    const group = drawn("g", { class: colourOf(bot.name) });
    group.append(
      drawn("path", { class: "reach", d: `M${at(bot.low)} 9H${at(bot.high)}` }),
      drawn("circle", { cx: at(bot.value), cy: 9, r: 5 }),
    );
    chart.append(group);
    return chart;
  };
}

function testText(test) {
  if (!test) return "";
  if (test.lead !== undefined) {
    const lead = test.lead;
    if (!lead) return `no case in common with ${test.against} yet`;
    const range = lead.low === null || lead.high === null ? "" : ` (${number(lead.low, 2)} to ${number(lead.high, 2)})`;
    const sprt = test.llr === undefined ? "" : `, LLR ${test.llr} in ${test.low} to ${test.high}`;
    return `${number(lead.value, 2)}${range} ahead of ${test.against}, ${test.samples} cases${sprt}`;
  }
  if (!test.games) return `no game against ${test.against} yet`;
  const elo = test.elo === null ? "" : `${eloText(test.elo)} Elo over ${test.against}, `;
  const verdicts = { H1: "better", H0: "not better" };
  const verdict = verdicts[test.verdict] ?? "not sure yet";
  const llr = `LLR ${test.llr} in ${test.low} to ${test.high}`;
  return `${elo}${(100 * test.score).toFixed(1)}% of ${test.games} games, ${llr}: ${verdict}`;
}

function showStandings() {
  const [table, bar] = [byId("standings"), bars()];
  const large = state.bots.some(({ place }) => place !== null && place !== undefined);
  const value = state.solo ? ["mean", "95%", "of best"] : ["Elo", "95%"];
  heads(table, ["bot", "", ...value, ...(large ? ["place"] : []), "games", "won", "drawn", "lost", "errors", "against its predecessor"]);
  table.tBodies[0].replaceChildren(
    ...state.bots.map((bot) => {
      const name = element("span");
      name.append(nameButton(bot.label));
      if (bot.state !== "plays") name.append(element("span", "state", bot.state));
      if (bot.candidate) name.append(element("span", "state", "candidate"));
      if (bot.note) name.append(element("span", "state", bot.note));
      if (bot.problem) name.append(element("span", "state errors", bot.problem));
      const best = bot.relative ?? null;
      return row(
        [
          name,
          [bar(bot), "", "chart"],
          [valueText(bot), value[0]],
          [rangeText(bot), "95%"],
          ...(state.solo ? [[best === null ? "" : `${(100 * best).toFixed(1)}%`, "of best"]] : []),
          ...(large ? [[bot.place ?? "", "place"]] : []),
          [number(bot.games), "games"],
          [number(bot.won), "won"],
          [number(bot.drawn), "drawn"],
          [number(bot.lost), "lost"],
          [number(bot.errors), "errors", bot.errors ? "errors" : ""],
          [testText(bot.pool ?? bot.test), bot.test || bot.pool ? "test" : "", "test text"],
        ],
        ["plays", "former"].includes(bot.state) ? "" : "gone",
      );
    }),
  );
  byId("standings-note").textContent = state.solo
    ? "Mean score of the cases with Student's 95% interval. Of best: the mean share of the best known score."
    : "Elo above the mean of all, with 95% intervals. A former version plays its successor alone, and then rests.";
}

function showMatrix() {
  byId("matrix-panel").hidden = state.solo || state.bots.length < 2;
  byId("matrix-panel").classList.toggle("wide", state.bots.length > 5);
  const table = byId("matrix");
  heads(table, ["points of", ...state.bots.map((_, i) => i + 1)]);
  table.tBodies[0].replaceChildren(
    ...state.matrix.map((cells, i) => {
      const first = element("span", "", `${i + 1} `);
      first.append(nameOf(state.bots[i].label));
      const line = row([first]);
      cells.forEach((cell, j) => {
        const field = element("td", cell ? "" : "none", cell ? "" : "·");
        if (cell) {
          const share = cell[0] / cell[1];
          const colour = share > 0.5 ? "win" : "loss";
          field.style.background = `rgb(var(--${colour}) / ${Math.abs(share - 0.5) * 0.8})`;
          const button = element("button", "", number(cell[0], 1));
          button.type = "button";
          button.append(element("small", "", ` of ${number(cell[1])}`));
          button.title = `${state.bots[i].label} against ${state.bots[j].label}`;
          button.addEventListener("click", () => filterPair(state.bots[i].label, state.bots[j].label));
          field.append(button);
        }
        line.append(field);
      });
      return line;
    }),
  );
}

function showRunning() {
  const now = Date.now() / 1000;
  const lines = state.running.map((game) => {
    const names = element("span");
    game.bots.forEach((label) => names.append(nameOf(label), " "));
    const link = element("a", "", "watch");
    link.href = `live/${encodeURIComponent(game.name)}`;
    const since = Math.max(0, Math.round(now - game.began));
    return row([names, [link, ""], [`seed ${game.seed}`, ""], [`${since} s`, "since"], [game.why, "", "text"]]);
  });
  byId("running").tBodies[0].replaceChildren(...lines);
  if (!lines.length) byId("running").tBodies[0].append(row(["no game at this moment"]));
}

function showHead() {
  document.title = `${state.title}: league`;
  byId("title").textContent = `${state.title}: league`;
  byId("conditions").textContent = state.conditions;
  const parts = [`${number(state.games)} games`, `${number(state.rate, 1)} a minute`];
  if (state.bundling) parts.push(`preparing ${state.bundling}`);
  if (state.paused) parts.push("paused");
  byId("facts").textContent = parts.join(" · ");
  byId("hold").textContent = state.paused ? "go on" : "pause the league";
  byId("hold").setAttribute("aria-pressed", String(state.paused));
  const problems = Object.entries(state.problems).map(([name, text]) => element("li", "", `${name}: ${text}`));
  byId("problems").replaceChildren(...problems);
  byId("problems").hidden = !problems.length;
}

// ---- games

function filters() {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(byId("filters"))) if (value !== "") given.set(name, value);
  return given;
}

function filterPair(bot, other) {
  const form = byId("filters");
  form.reset();
  form.bot.value = bot;
  form.other.value = other;
  loadGames();
  byId("games-head").scrollIntoView({ behavior: "smooth" });
}

async function loadGames(before = null) {
  const query = filters();
  if (before !== null) query.set("before", before);
  const answer = await fetch(`api/games?${query}`);
  if (!answer.ok) return;
  const found = await answer.json();
  const known = new Set(games.map(({ id }) => id));
  games = before === null ? found : [...games, ...found];
  byId("older").hidden = found.length < 50;
  showGames(before === null ? known : null);
}

/* The bots at the seat and on the map that are asked for, by their mean points. */
async function loadLeaders() {
  const { seat, on } = byId("filters");
  const asked = [seat.value && `seat ${seat.value}`, on.value && `on ${on.value}`].filter((part) => part);
  const table = byId("leaders");
  const query = new URLSearchParams({ seat: seat.value, on: on.value });
  const answer = asked.length && !state.solo ? await fetch(`api/leaders?${query}`) : null;
  const found = answer?.ok ? await answer.json() : [];
  table.hidden = !found.length;
  table.caption.textContent = `Points of all bots: ${asked.join(", ")}`;
  heads(table, ["bot", "rivals met", "points"]);
  table.tBodies[0].replaceChildren(
    ...found.map(([label, n, points]) => row([nameButton(label), number(n), `${(100 * points).toFixed(1)}%`])),
  );
}

/* A player's part of a game: its place, and its score or fault. */
function seatText(seat) {
  const part = element("span");
  const said = state.solo ? ` ${number(seat.score, 2)}` : ` (${seat.rank + 1})`;
  part.append(nameOf(seat.bot), said, " ");
  return part;
}

/* The map or test case of a game, and its group: a click lists the games of the same one. */
function onText(names) {
  const part = element("span");
  for (const name of new Set(names)) {
    if (!name) continue;
    const button = element("button", "bot-name", name);
    button.type = "button";
    button.addEventListener("click", () => {
      byId("filters").on.value = name;
      loadGames();
      loadLeaders();
    });
    part.append(button, " ");
  }
  return part;
}

function showGames(known) {
  const table = byId("games");
  const seen = new Set([...byId("seen-on").options].map(({ value }) => value));
  games.forEach(({ on }) => (on || []).forEach((name) => name && seen.add(name)));
  byId("seen-on").replaceChildren(...[...seen].sort().map((name) => new Option(name, name)));
  byId("on-filter").hidden = !seen.size;
  const place = seen.size ? [state.solo ? "case" : "map"] : [];
  heads(table, ["game", "seats (place)", ...place, "turns", "how it ended", "when"]);
  table.tBodies[0].replaceChildren(
    ...games.map((game) => {
      const link = element(game.page ? "a" : "span", "", `seed ${game.seed}`);
      if (game.page) link.href = `game/${game.id}`;
      const players = element("span");
      players.append(...game.seats.map(seatText));
      const faults = game.seats.flatMap(({ bot, fault }) => (fault ? [`${bot}: ${fault}`] : []));
      const ended = faults.join("; ") || game.reason;
      const when = new Date(game.ended).toLocaleTimeString();
      return row(
        [link, [players, "", "text"], ...place.map(() => [onText(game.on || []), "", "text"]), [game.turns, "turns"], [ended, "", faults.length ? "text errors" : "text"], [when, ""]],
        known && known.size && !known.has(game.id) ? "new" : "",
      );
    }),
  );
}

function fillFilters() {
  const form = byId("filters");
  const labels = state.bots.map(({ label }) => label);
  for (const name of ["bot", "other"]) {
    const select = form[name];
    const options = [...select.options].map(({ value }) => value);
    if (JSON.stringify(options) === JSON.stringify(["", ...labels])) continue;
    const value = select.value;
    select.replaceChildren(new Option("any", ""), ...labels.map((label) => new Option(label, label)));
    select.value = labels.includes(value) ? value : "";
  }
  if (!form.seat.options.length) {
    form.seat.add(new Option("any", ""));
    for (let seat = 0; seat < state.seats; seat++) form.seat.add(new Option(seat, seat));
  }
  byId("seat-filter").hidden = byId("other-filter").hidden = state.solo;
  byId("on-filter").firstElementChild.textContent = state.solo ? "case" : "map";
}

// ---- a bot

async function open(label) {
  shown = label;
  byId("bot").hidden = false;
  byId("bot-head").replaceChildren(nameOf(label));
  byId("charts").replaceChildren();
  showActions();
  await loadBot();
  byId("bot").scrollIntoView({ behavior: "smooth", block: "nearest" });
}

function showActions() {
  const bot = state.bots.find((one) => one.label === shown);
  if (!bot) {
    byId("bot").hidden = true;
    return;
  }
  byId("bot-given").textContent = bot.given;
  byId("bot-tests").textContent = [bot.test, bot.pool].filter((one) => one).map(testText).join(" — ");
  const playing = ["plays", "former"].includes(bot.state);
  document.querySelector("[data-do=pause]").hidden = !playing;
  document.querySelector("[data-do=go]").hidden = playing;
  document.querySelector("[data-do=candidate]").textContent = bot.candidate ? "test no longer" : "test against the pool";
  if (document.activeElement !== byId("priority")) byId("priority").value = bot.priority;
  if (document.activeElement !== byId("note")) byId("note").value = bot.note;
}

async function loadBot() {
  const answer = await fetch(`api/bot?${new URLSearchParams({ bot: shown })}`);
  if (!answer.ok) return;
  const data = await answer.json();
  if (data.label !== shown) return;
  const table = byId("versions");
  heads(table, ["version", "since", "state"]);
  table.tBodies[0].replaceChildren(
    ...data.versions.map((one) =>
      row([nameButton(one.label), [new Date(one.since).toLocaleString(), "since"], [one.state, "state"]]),
    ),
  );
  const charts = [];
  // A version has the same colour in all charts.
  const places = new Map(data.versions.map(({ label }, i) => [label, i % N_COLOURS]));
  const lines = Object.entries(data.elo).filter(([, points]) => points.length > 1);
  if (lines.length) charts.push(lineChart("Elo over the games of the league", lines, places));
  for (const [name, points] of Object.entries(data.values)) {
    if (points.length > 1) charts.push(lineChart(`${name}, mean of a game`, [[shown, points]], places));
  }
  for (const [name, byLabel] of Object.entries(data.courses)) {
    const courses = Object.entries(byLabel).filter(([, points]) => points.length > 1);
    if (courses.length) charts.push(lineChart(`${name} by turn: mean and standard deviation`, courses, places, true));
  }
  if (Object.keys(data.times).length) charts.push(timeChart(data.times));
  byId("charts").replaceChildren(...charts);
}

/* Lines of [x, y, half of the interval], by versions, whose colours have the numbers of `places`;
showsBands: the axis has room for the intervals. */
function lineChart(title, lines, places, showsBands = false) {
  const [width, height, left] = [480, 150, 52];
  const points = lines.flatMap(([, own]) => own);
  const span = (numbers) => [Math.min(...numbers), Math.max(...numbers)];
  const [first, last] = span(points.map(([x]) => x));
  const ends = ([, y, half]) => (showsBands ? [y - half, y + half] : [y]);
  const [low, high] = span(points.flatMap(ends));
  const x = (one) => left + ((width - left - 8) * (one - first)) / (last - first || 1);
  const y = (one) => height - 24 - ((height - 36) * (one - low)) / (high - low || 1);
  const chart = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  for (const mark of [low, high]) {
    chart.append(
      drawn("path", { class: "grid", d: `M${left} ${y(mark)}H${width - 8}` }),
      drawn("text", { class: "label tick", x: left - 6, y: y(mark) + 4 }, shortNumber(mark)),
    );
  }
  chart.append(
    drawn("text", { class: "left", x: left, y: height - 6 }, shortNumber(first)),
    drawn("text", { class: "right", x: width - 8, y: height - 6 }, shortNumber(last)),
  );
  const colour = (label) => (lines.length > 1 ? `name bot-${places.get(label)}` : nameOf(label).className);
  lines.forEach(([label, own]) => {
    const group = drawn("g", { class: colour(label) });
    if (own[0].length > 2) {
      const edge = (sign) => own.map(([a, b, half]) => `${x(a)} ${y(b + sign * half)}`);
      const band = [...edge(1), ...edge(-1).toReversed()].join("L");
      group.append(drawn("path", { class: "band", d: `M${band}Z` }));
    }
    const path = own.map(([a, b]) => `${x(a)} ${y(b)}`).join("L");
    const line = drawn("path", { class: "line", d: `M${path}` });
    line.append(drawn("title", {}, label));
    group.append(line);
    chart.append(group);
  });
  const box = element("div");
  box.append(element("h3", "", title));
  if (lines.length > 1) {
    const names = element("p", "note");
    lines.forEach(([label]) => names.append(element("span", colour(label), label), " "));
    box.append(names);
  }
  box.append(chart);
  return box;
}

/* Turns by the class of their time: two classes to an octave. */
function timeChart(times) {
  const [width, height] = [480, 120];
  const classes = Object.keys(times).map(Number);
  const [first, last] = [Math.min(...classes), Math.max(...classes)];
  const most = Math.max(...Object.values(times));
  const step = (width - 16) / (last - first + 1);
  const chart = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Time of a turn" });
  for (const one of classes) {
    const high = Math.max(1, (times[one] / most) * (height - 30));
    const bar = drawn("rect", { x: 8 + (one - first) * step, y: height - 22 - high, width: Math.max(1, step - 1), height: high });
    bar.append(drawn("title", {}, `from ${shortNumber(2 ** (one / 2))} ms: ${times[one]} turns`));
    chart.append(bar);
  }
  chart.append(
    drawn("text", { class: "left", x: 8, y: height - 5 }, `${shortNumber(2 ** (first / 2))} ms`),
    drawn("text", { class: "right", x: width - 8, y: height - 5 }, `${shortNumber(2 ** ((last + 1) / 2))} ms`),
  );
  const box = element("div", nameOf(shown).className.replace("name ", ""));
  box.append(element("h3", "", "Time of a turn in its last games"), chart);
  return box;
}

function shortNumber(value) {
  return value.toLocaleString("en", { maximumSignificantDigits: 3, notation: Math.abs(value) >= 1e5 ? "compact" : "standard" });
}

// ---- requests

async function order(what, value = null, bot = shown) {
  const answer = await fetch("api/do", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Onefile": "league" },
    body: JSON.stringify({ what, bot, value }),
  });
  if (!answer.ok) byId("facts").textContent = `refused: ${(await answer.text()).slice(0, 200)}`;
}

byId("hold").addEventListener("click", () => order("hold", !state.paused, ""));
byId("close").addEventListener("click", () => {
  shown = "";
  byId("bot").hidden = true;
});
byId("actions").addEventListener("click", ({ target }) => {
  const what = target.dataset?.do;
  if (!what) return;
  if (what === "remove" && !confirm(`Remove ${shown}? Its games stay in the file.`)) return;
  const bot = state.bots.find((one) => one.label === shown);
  if (what === "candidate" && bot?.candidate) order("candidate", null, "");
  else order(what);
});
for (let one = 1; one <= 9; one++) byId("priority").add(new Option(one, one));
byId("priority").addEventListener("change", ({ target }) => order("priority", Number(target.value)));
byId("note").addEventListener("change", ({ target }) => order("note", target.value));
byId("filters").addEventListener("change", () => {
  loadGames();
  loadLeaders();
});
byId("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  loadGames();
});
byId("filters").addEventListener("reset", () => setTimeout(() => (loadGames(), loadLeaders())));
byId("older").addEventListener("click", () => loadGames(games.at(-1)?.id ?? null));

function show(text) {
  state = JSON.parse(text);
  if (!state.bots) return;
  giveColours(state.bots.map((bot) => bot.name));
  showHead();
  showStandings();
  showMatrix();
  showRunning();
  fillFilters();
  if (shown) showActions();
  if (state.games !== seenGames) {
    const isFirst = seenGames < 0;
    seenGames = state.games;
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(refresh, isFirst ? 0 : 300);
  }
}

/* The newest games again, unless the reader has turned to older ones. */
function refresh() {
  if (games.length <= 50) loadGames();
  if (shown) loadBot();
}

const events = new EventSource("events");
events.addEventListener("state", ({ data }) => show(data));
events.addEventListener("error", () => (byId("facts").textContent = "the league does not answer: it has been stopped"));
