/* Tracks: canvases over all turns below the board, aligned with the scrubber. */

let tracks = [];

/* A lane below the scrubber: a name, and a track that `draw(context, x, width, height, colour)`
 * draws, where x(turn) is in pixels; `describe(turn)` is said of what one points at. */
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
    if (event.buttons) goTo(turnAt(event));
    showText(describe(turnAt(event)), event.clientX, event.clientY);
  });
  track.addEventListener("pointerleave", hideTip);
  tracks.push(() => {
    const { context, width, height } = prepared(canvas);
    draw(context, (turn) => (lastTurn ? (turn / lastTurn) * width : 0), width, height, palette());
  });
  return track;
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
    if (bankMs !== null) bankMs -= answer.cpuMs;
    turns.push({ turn: i + 1, answer, limit: answer.limitMs, bankMs });
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
  if (queueMs) parts.push(`its threads waited ${queueMs.toFixed(1)} ms in all for a CPU`);
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

/* A number that players have in their turns, `numberOf(answer)` or undefined, by player. */
function seriesOfAnswers(numberOf) {
  return log.bots.map((_, player) =>
    log.turns
      .map((answers, i) => ({ turn: i + 1, number: answers[player] && numberOf(answers[player]) }))
      .filter(({ number }) => number !== undefined && number !== null),
  );
}

/* A lane in which numbers are charted, for each player a list of {turn, number}: a line for each,
 * and zero where it is within. */
function addChartLane(name, series) {
  const numbers = series.flat().map(({ number }) => number);
  const [low, high] = numbers.reduce(([l, h], n) => [Math.min(l, n), Math.max(h, n)], [0, 0]);
  const draw = (context, x, width, height, colour) => {
    const y = (number) => height - 3 - ((number - low) / (high - low || 1)) * (height - 6);
    context.fillStyle = colour("line");
    context.fillRect(0, y(0), width, 1);
    context.lineWidth = 1.5;
    series.forEach((points, player) => {
      context.strokeStyle = context.fillStyle = colour(`player-${player}`);
      context.beginPath();
      for (const { turn, number } of points) context.lineTo(x(turn), y(number));
      context.stroke();
      for (const { turn, number } of points.length < width / 8 ? points : []) {
        context.fillRect(x(turn) - 1.5, y(number) - 1.5, 3, 3);
      }
    });
  };
  const describe = (turn) => {
    const said = series.flatMap((points, player) => {
      const found = points.find((one) => one.turn === turn);
      return found ? [`${log.bots[player]} ${describeNumber(found.number)}`] : [];
    });
    return said.length ? `Turn ${turnNumber(turn)}, ${name}: ${said.join(" · ")}` : "";
  };
  const title = element("span", "lane-name", name);
  title.append(element("small", "", `${describeNumber(low)} to ${describeNumber(high)}`));
  addLane(title, "lane chart", draw, describe);
}

function describeNumber(number) {
  // Sums of rounded numbers that are 0 by rights.
  if (Math.abs(number) < 1e-12) return "0";
  return number.toLocaleString("en", { maximumSignificantDigits: 6 });
}

/* What the contest charts, the nodes of the searches, and each value that a bot gave a name on
 * stderr. */
function addChartLanes() {
  (log.frames[0].charts ?? []).forEach(({ label }, i) => {
    const numbersOf = (_, player) =>
      log.frames.map(({ charts }, turn) => ({ turn, number: charts[i].numbers[player] }));
    addChartLane(label, log.bots.map(numbersOf));
  });
  const answers = log.turns.flat().filter((answer) => answer);
  if (answers.some(({ nodes }) => nodes !== null)) addChartLane("nodes", seriesOfAnswers(({ nodes }) => nodes));
  const names = new Set(answers.flatMap(({ values }) => Object.keys(values)));
  names.delete("expected"); // it has a lane of its own
  for (const name of names) addChartLane(name, seriesOfAnswers(({ values }) => values[name]));
}
