/* What stands above the board: who played, how, and how it ended. */

function showHeader() {
  const where = log.seed === null ? "played elsewhere" : `Seed ${log.seed}`;
  const facts = [where, lastTurn === 1 ? "1 turn" : `${lastTurn} turns`, ...(isRunning() ? ["live"] : [])];
  const players = log.bots.map((_, player) => player);
  const limits = common(players.map(describeLimits));
  facts.push(limits ?? "limits by player");
  facts.push(...describeBudget(common(log.nodes), common(log.think_ms)));
  if (log.hiccup_ms) facts.push(`stopped for ${log.hiccup_ms} ms in every turn`);
  if (log.site) facts.push(`site ${log.site}`);
  document.title = `${log.bots.join(" – ")} · ${log.title}`;
  byId("title").textContent = log.title;
  byId("facts").textContent = facts.join(" · ");
  byId("bots").replaceChildren(...log.bots.map(describeBot));
  byId("outcome").replaceChildren(...outcome());
  fillers.push((turn) => (byId("verdict").hidden = isRunning() || turn !== lastTurn || !log.outcome));
  if (log.outcome) showVerdict();
}

function describeBot(_, player) {
  const [name, out] = [nameElement("span", player), outSince(player)];
  const small = element("small", "out");
  name.append(small);
  fillers.push((turn) => (small.textContent = describeOut(out, turn)));
  return name;
}

/* That a player is out, from the turn on in which it happens. */
function describeOut(out, turn) {
  return out && turn >= out ? `out since turn ${turnNumber(out)}` : "";
}

/* A player's limits: those of its answers as logged, which an official referee sets by turn. */
function describeLimits(player) {
  const { profile, first_ms, turn_ms, grace_ms, late_turns, bank_ms } = log.limits[player];
  if (profile === "off") return "no time limits";
  if (profile === "bank") return `${inSeconds(bank_ms)} of CPU time for the game`;
  const grace = grace_ms ? `, up to ${grace_ms} ms later ${late_turns - 1} times` : "";
  const counted = log.clock === "cpu" ? " of CPU time" : "";
  const answers = log.turns.flatMap((answers) => answers[player] ?? []);
  const [first = first_ms, ...others] = answers.map(({ limitMs }) => limitMs);
  const [least, most] = [Math.min(turn_ms, ...others), Math.max(...others)];
  const later = others.length && least !== most ? [Math.min(...others), most] : [others[0] ?? turn_ms];
  return `limits ${first} ms, then ${[...new Set(later)].join(" to ")} ms${counted}${grace}`;
}

function describeBudget(nodes, thinkMs) {
  const parts = [];
  if (nodes) parts.push(`told to search ${nodes.toLocaleString("en")} nodes a turn`);
  if (thinkMs) parts.push(`told to think ${thinkMs} ms`);
  return parts;
}

/* What a player had that others had not. */
function describeOwn(player) {
  const parts = [];
  if (!common(log.bots.map((_, other) => describeLimits(other)))) parts.push(describeLimits(player));
  const own = (values) => (common(values) ? null : values[player]);
  return [...parts, ...describeBudget(own(log.nodes), own(log.think_ms))];
}

function inSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function outcome() {
  if (isRunning()) return [element("strong", "", "Being played"), `: turn ${turnNumber(lastTurn)}`];
  if (!log.outcome) {
    const where = lastTurn ? `after turn ${turnNumber(lastTurn)}` : "before the first turn";
    return [element("strong", "", "Unfinished"), `: the log ends ${where}, without an outcome.`];
  }
  return [element("strong", "", verdict()), `: ${log.outcome.reason}`];
}

const MOST_SCORE = 1e5; // greater ones are made for comparing

/* Who has won, with the scores where they tell more than that. */
function verdict() {
  const { ranks, scores, spoiled } = log.outcome;
  if (spoiled) return "No result, the machine was too busy";
  const winners = log.bots.filter((_, player) => ranks[player] === 0);
  const shared = winners.length < log.bots.length ? `${winners.join(" and ")} are first` : "Draw";
  const alone = log.bots.length === 1 ? log.bots[0] : `${winners[0]} wins`;
  const isTelling =
    scores.length > 1 &&
    scores.some((score) => ![-1, 0, 0.5, 1].includes(score)) &&
    scores.every((score) => Math.abs(score) < MOST_SCORE);
  const told = isTelling ? `, ${scores.map(describeNumber).join(" : ")}` : "";
  return (winners.length === 1 ? alone : shared) + told;
}

/* Shows on the board of the last turn how the game ended. */
function showVerdict() {
  const winners = [...log.bots.keys()].filter((player) => log.outcome.ranks[player] === 0);
  byId("verdict").textContent = verdict();
  byId("verdict").style.setProperty("--player", winners.length === 1 ? `var(--player-${winners[0]})` : "var(--ink)");
}
