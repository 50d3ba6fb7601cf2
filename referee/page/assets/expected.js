/* What bots expect: a graph of their values with its swings, and their lines as ghosts on the board. */

const SWING = 0.25; // a fall by this part of the range of a bot's values is a swing
const GHOST = 0.55; // opacity

const swings = new Set(); // turns
let ahead = 0; // turns of the expected line that the board shows as ghosts
let expecting = 0; // the player whose line is shown, where several tell theirs

/* The values that a player expects over the turns, of the first player's view where there are two. */
function expectedOf(player) {
  const sign = log.bots.length === 2 && player === 1 ? -1 : 1;
  return log.turns.flatMap((answers, i) => {
    const value = answers[player]?.values.expected;
    return value === undefined ? [] : [{ turn: i + 1, own: value, number: sign * value }];
  });
}

/* Returns the greatest of the usual values: proven wins of alpha-beta are beyond any scale. */
function usualMost(points) {
  const sizes = points.map(({ own }) => Math.abs(own)).filter((size) => size < 1e15);
  return Math.max(1e-9, ...sizes);
}

/* The lane in which the values of all players make one graph. */
function addExpectedLane() {
  const series = log.bots.map((_, player) => expectedOf(player));
  if (!series.some((points) => points.length)) return;
  const scales = series.map(usualMost);
  const marks = series.flatMap((points, player) => swingsOf(points, scales[player], player));
  for (const { turn } of marks) swings.add(turn);
  // The scores of one player, or of more than two, may all be on one side of 0.
  const all = series.flat().map(({ number }) => number).filter((value) => Math.abs(value) < 1e15);
  const isOneSided = log.bots.length !== 2 && (Math.min(...all) > 0 || Math.max(...all) < 0);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const part = ({ number }, player) => {
    const value = isOneSided ? (2 * (number - low)) / (high - low || 1) - 1 : number / scales[player];
    return Math.min(Math.max(value, -1), 1);
  };
  const ground = isOneSided ? -1 : 0;
  const draw = (context, x, width, height, colour) => {
    const y = (value) => height / 2 - value * (height / 2 - 4);
    context.fillStyle = colour("line");
    context.fillRect(0, y(ground), width, 1);
    series.forEach((points, player) => {
      context.strokeStyle = context.fillStyle = colour(`player-${player}`);
      if (points.length) {
        context.globalAlpha = 0.18;
        context.beginPath();
        context.moveTo(x(points[0].turn), y(ground));
        for (const point of points) context.lineTo(x(point.turn), y(part(point, player)));
        context.lineTo(x(points.at(-1).turn), y(ground));
        context.fill();
        context.globalAlpha = 1;
      }
      context.lineWidth = 1.8;
      context.beginPath();
      for (const point of points) context.lineTo(x(point.turn), y(part(point, player)));
      context.stroke();
    });
    for (const { turn, player, point } of marks) {
      const [left, top] = [x(turn), y(part(point, player))];
      context.fillStyle = colour("alert");
      context.beginPath();
      context.arc(left, top, 3.5, 0, 2 * Math.PI);
      context.fill();
    }
  };
  const describe = (turn) => {
    const said = series.flatMap((points, player) => {
      const found = points.find((one) => one.turn === turn);
      const swing = marks.find((mark) => mark.turn === turn && mark.player === player);
      const fell = swing ? `, a swing of ${describeNumber(swing.by)}` : "";
      return found ? [`${log.bots[player]} expects ${describeNumber(found.own)}${fell}`] : [];
    });
    return said.length ? `Turn ${turnNumber(turn)}: ${said.join(" · ")}` : "";
  };
  const title = element("span", "lane-name", "expected");
  title.append(element("small", "", log.bots.length === 2 ? `above: good for ${log.bots[0]}` : ""));
  addLane(title, "lane chart expected", draw, describe);
}

/* The turns in which a player expects much less than before. */
function swingsOf(points, scale, player) {
  return points.slice(1).flatMap((point, i) => {
    const [before, now] = [points[i].own, point.own].map((own) => Math.max(-scale, Math.min(scale, own)));
    const by = now - before;
    return by < -SWING * scale ? [{ turn: point.turn, player, point, by }] : [];
  });
}

/* To the next swing (direction 1) or the one before (-1). */
function seekSwing(direction) {
  const start = Math.ceil(position);
  for (let turn = start + direction; turn >= 0 && turn <= lastTurn; turn += direction) {
    if (swings.has(turn)) {
      goTo(turn);
      return;
    }
  }
}

/* The players whose answer of a turn has an expected line. */
function allExpecting(turn) {
  const answers = log.turns[turn - 1] ?? [];
  return [...answers.keys()].filter((player) => answers[player]?.line.length);
}

/* The answer of a turn that has an expected line: [player, answer], or null. */
function expectingOf(turn) {
  const found = allExpecting(turn);
  const player = found.includes(expecting) ? expecting : found[0];
  return player === undefined ? null : [player, log.turns[turn - 1][player]];
}

/* Shows the line of the next player that has one. */
function expectByNext() {
  const found = allExpecting(Math.ceil(position));
  if (found.length < 2) return;
  const [player] = expectingOf(Math.ceil(position));
  expecting = found[(found.indexOf(player) + 1) % found.length];
  lookAhead(ahead);
}

/* The answers of each turn from `turn` on, the player's first where all move at once. */
function played(turn, player, count) {
  const n = log.bots.length;
  return log.turns.slice(turn - 1, turn - 1 + count).map((all) => {
    const answers = log.takeTurns
      ? [all.find((answer) => answer)]
      : [...all.keys()].map((seat) => all[(player + seat) % n]);
    return answers.flatMap((answer) => (log.takeTurns ? answer?.output[0] : answer?.output) ?? "–");
  });
}

function sameAction(expected, output) {
  return expected === output || output.startsWith(`${expected} `);
}

/* The turns of a line, each of one part or several; the parts that `differs` says are marked. */
function fillLine(target, turns, differs, current) {
  target.replaceChildren(
    ...turns.map((parts, i) => {
      const one = element("span");
      parts.forEach((part, j) => {
        if (j) one.append("; ");
        one.append(element("span", differs(i, j) ? "other" : "", part));
      });
      if (i === current) one.setAttribute("aria-current", "true");
      return one;
    }),
  );
}

/* The place in the line of the first turn that ghosts show: where players take turns its first
 * action is played already.
 */
function firstGhost() {
  return log.takeTurns ? 1 : 0;
}

/* Shows so many turns of the expected line. */
function lookAhead(count) {
  const turn = Math.ceil(position);
  const most = expectingOf(turn)?.[1].ghosts.length ?? 0;
  setPlaying(false);
  ahead = Math.min(Math.max(count, 0), most);
  fillExpected(turn);
  drawBoard();
}

function fillExpected(turn) {
  const found = expectingOf(turn);
  byId("expected").hidden = !found;
  if (!found) return;
  const [player, { line, ghosts }] = found;
  const happened = played(turn, player, line.length);
  const words = line.map((word) => (log.takeTurns ? [word] : word.split(";")));
  const [expected, really] = [words, happened].map((turns) => (i, j) => turns[i]?.[j]);
  const differs = (i, j) =>
    log.expects_answers &&
    expected(i, j) !== undefined &&
    really(i, j) !== undefined &&
    !sameAction(expected(i, j), really(i, j));
  byId("expecting").textContent = `${log.bots[player]} expects`;
  byId("expect-by").hidden = allExpecting(turn).length < 2;
  byId("ahead").max = ghosts.length;
  byId("ahead").value = ahead;
  byId("ahead").hidden = byId("happened").hidden = !ghosts.length;
  const current = ahead - 1 + firstGhost();
  fillLine(byId("line"), words, differs, current);
  fillLine(byId("played"), happened, differs, current);
  drawHappened(turn);
}

/* The turns from the one shown to that of the ghosts. */
function happenedAfter() {
  return Math.max(ahead - 1 + firstGhost(), 0);
}

/* The position that the game really had when the ghosts show theirs. */
function drawHappened(turn) {
  const frame = log.frames[Math.min(turn + happenedAfter(), lastTurn)];
  if (byId("happened").hidden || !frame.shapes) return;
  const { context, width, height } = prepared(byId("happened"));
  placeBoard(context, frame.bounds, width, height);
  const scene = { context, colour: palette(), pixel: 1 / fittingIn(frame.bounds, width, height) };
  paint(frame.shapes, { ...scene, frames: [frame], turn: 0, time: 1, tips: [] });
}

/* Paints what the expected line changes on the board, faint over the turn's own picture. */
function paintGhosts(turn, scene) {
  const ghost = ahead && expectingOf(turn)?.[1].ghosts[ahead - 1];
  if (!ghost) return;
  const known = new Set(log.frames[turn].shapes);
  scene.context.save();
  scene.context.globalAlpha *= GHOST;
  const changed = ghost.shapes.filter((shape) => !known.has(shape));
  paint(changed, { ...scene, frames: [ghost], turn: 0, time: 1 });
  scene.context.restore();
}
