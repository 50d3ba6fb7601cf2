/* A panel for each player: its input, its output, its times. */

const MOST_LINES = 5; // of a box for a text
const COLUMNS = 42; // of its lines, about

/* The height of a box for texts of so many lines. */
function mostLines(counts) {
  return Math.min(Math.max(1, ...counts), MOST_LINES);
}

/* The rows of a text in a box, where long lines are wrapped. */
function rowsOf(text) {
  return text.split("\n").reduce((n, line) => n + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}

/* Builds a player's panel, and adds to `fillers` the function that fills it for a turn. */
function addPanel(player, turns) {
  const panel = element("article", "");
  panel.style.setProperty("--player", `var(--player-${player})`);
  const head = element("header", "");
  const out = outSince(player);
  const told = [`player ${player}`, ...describeOwn(player)];
  const state = element("small", "");
  head.append(nameElement("h2", player), state);
  const facts = element("div", "facts");
  const time = element("p", "time");
  const fault = element("p", "fault");
  const warnings = element("p", "warnings");
  const values = element("p", "values");
  const said = disclosure("What it wrote", log.bots.length <= FEW_PLAYERS);
  const answers = log.turns.flatMap((all) => all[player] ?? []);
  const output = element("pre", "output");
  output.style.setProperty("--lines", mostLines(answers.map((one) => one.output.length)));
  const stderr = element("pre", "stderr");
  const stderrLines = answers.map((one) => one.stderr.trimEnd()).map((text) => text && rowsOf(text));
  stderr.style.setProperty("--lines", mostLines(stderrLines));
  // Who writes now and then gets a box in those turns only, who writes often keeps its place.
  const writesOften = stderrLines.filter((count) => count).length > answers.length / 4;
  const drawn = element("small", "drawn");
  const stderrHead = element("h3", "", "Standard error ");
  stderrHead.append(drawn);
  said.append(element("h3", "", "Output"), output, stderrHead, stderr);
  const sent = disclosure("What it was sent", false);
  const input = element("pre", "input");
  sent.append(input);
  // They scroll by keys, too.
  for (const box of [output, stderr, input]) box.tabIndex = 0;
  const summary = element("small", "timing-summary", timingSummary(turns));
  panel.append(head, facts, time, values, fault, warnings, said, sent, summary);
  byId("players").append(panel);

  fillers.push((turn) => {
    state.textContent = [...told, describeOut(out, turn)].filter((part) => part).join(" · ");
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
    drawn.textContent = answer ? describeDrawings(answer) : "";
    stderr.replaceChildren(...withMarks(answer ? answer.stderr : ""));
    stderr.hidden = stderrHead.hidden = !writesOften && !answer?.stderr.trim() && !drawn.textContent;
    const named = Object.entries(answer?.values ?? {});
    values.textContent = named.map((one) => `${one[0]} ${describeNumber(one[1])}`).join(" · ");
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

/* The turn in which a player was put out, or was asked for the last time long before the end; null
 * for one that was there to the end. */
function outSince(player) {
  const asked = log.turns.flatMap((answers, i) => (answers[player] ? [i + 1] : []));
  const last = asked.at(-1);
  if (!last) return null;
  if (answerOf(player, last).fault) return last;
  const askedAtOnce = log.turns[0].every((answer) => answer);
  return lastTurn - last >= (askedAtOnce ? 1 : 2 * log.bots.length) ? last : null;
}
