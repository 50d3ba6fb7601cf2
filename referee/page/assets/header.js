/* What stands above the board: who played, how, and how it ended. */

function showHeader() {
  const where = log.seed === null ? "played elsewhere" : `Seed ${log.seed}`;
  const facts = [where, `${lastTurn} turns`];
  const limits = common(log.limits);
  facts.push(limits ? describeLimits(limits) : "limits by player");
  facts.push(...describeBudget(common(log.nodes), common(log.think_ms)));
  if (log.hiccup_ms) facts.push(`stopped for ${log.hiccup_ms} ms in every turn`);
  document.title = `${log.bots.join(" – ")} · ${log.title}`;
  byId("title").textContent = log.title;
  byId("facts").textContent = facts.join(" · ");
  byId("bots").append(...log.bots.map(describeBot));
  byId("outcome").append(...outcome());
}

function describeBot(_, player) {
  const [name, out] = [nameElement("span", player), outSince(player)];
  if (out) name.append(element("small", "out", `out since turn ${turnNumber(out)}`));
  return name;
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
