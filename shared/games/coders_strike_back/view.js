/* Draws Coders Strike Back on the match page; referee/page.js describes the interface. */

const CHECKPOINT_RADIUS = 600;
const POD_RADIUS = 400;
const FRICTION = 0.85;
const SHIELD_TURNS = 3; // without thrust after the turn of the shield itself
const BOOST_THRUST = 650;
const TRAIL_TURNS = 15;
const MIN_SPEED = 80; // slower pods get no arrow
const [WIDTH, HEIGHT] = [16000, 9000];
const MARGIN = 700; // pods may leave the map; this much around it is shown
const BOUNDS = [-MARGIN, -MARGIN, WIDTH + MARGIN, HEIGHT + MARGIN];

const TURN = 2 * Math.PI;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

// ---- the state: {pods: [[x, y, vx, vy, angle, next, shield, boosted, won]], timeouts, collisions}

function readPod([x, y, vx, vy, angle, next, shield, boosted, won]) {
  return { x, y, vx, vy, angle, next, shield, boosted, won };
}

function owner(pod) {
  return pod >> 1;
}

/* How many checkpoints a pod has passed in all laps: `next` counts from 1 and ends at the last. */
function passed({ next, won }) {
  return next - 1 + won;
}

function nextCheckpoint({ next }, { checkpoints }) {
  return next % checkpoints.length;
}

/* Whether the turn that led to this state is the one of the shield, in which the pod is heavy. */
function isHeavy({ shield }) {
  return shield === SHIELD_TURNS;
}

function boostStarts(before, after) {
  return after.boosted > before.boosted;
}

/* Where a pod was at a time of a turn, 0..1. After its last collision it flew straight with the
 * velocity that friction then shortened, so that point is known; of several collisions in one turn
 * only the last is followed. */
function place(before, after, pod, time) {
  const [start, end] = [readPod(before.pods[pod]), readPod(after.pods[pod])];
  const bend = lastCollisionTime(after, pod);
  const rest = (1 - bend) / FRICTION;
  const turning = bend > 0 ? { x: end.x - end.vx * rest, y: end.y - end.vy * rest } : start;
  if (time < bend) return between(start, turning, time / bend);
  return between(turning, end, bend < 1 ? (time - bend) / (1 - bend) : 1);
}

function lastCollisionTime({ collisions }, pod) {
  const times = collisions.filter(([, a, b]) => a === pod || b === pod).map(([time]) => time);
  return Math.max(0, ...times);
}

function between(from, to, part) {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/* The heading turns the short way round; in the first turn a pod may face anywhere at once. */
function heading({ states, turn, fraction }, pod) {
  if (turn === 0) return null;
  const to = readPod(states[turn].pods[pod]).angle;
  if (turn === 1) return to;
  const from = readPod(states[turn - 1].pods[pod]).angle;
  const difference = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  return from + difference * fraction;
}

/* The thrust and the message of a pod's command, `X Y thrust message`. */
function readCommand(line = "") {
  const [, thrust = "", message = ""] = /^\s*\S+\s+\S+\s+(\S+)\s*(.*)$/.exec(line) ?? [];
  return { thrust, message };
}

// ---- what happened and how it stands

function events(before, after, setup) {
  const found = [];
  after.pods.forEach((columns, pod) => {
    const [from, to] = [readPod(before.pods[pod]), readPod(columns)];
    const add = (kind, text) =>
      found.push({ kind, player: owner(pod), text: `player ${owner(pod)} pod ${pod % 2} ${text}` });
    if (passed(to) > passed(from)) {
      add("checkpoint", to.won ? "finishes" : `passes checkpoint ${nextCheckpoint(from, setup)}`);
    }
    if (boostStarts(from, to)) add("boost", "boosts");
    if (isHeavy(to)) add("shield", "raises its shield");
  });
  for (const [, a, b] of after.collisions) {
    const player = owner(a) === owner(b) ? owner(a) : null;
    const name = (pod) => `player ${owner(pod)} pod ${pod % 2}`;
    found.push({ kind: "collision", player, text: `${name(a)} and ${name(b)} collide` });
  }
  return found;
}

function facts({ pods, timeouts }, setup) {
  const total = setup.laps * setup.checkpoints.length;
  return timeouts.map((turnsLeft, player) => [
    ...[0, 1].map((i) => podFact(readPod(pods[2 * player + i]), i, total, setup)),
    { label: "Timeout", text: `${turnsLeft} turns left to pass a checkpoint` },
  ]);
}

function podFact(pod, i, total, setup) {
  const lap = Math.min(Math.floor(passed(pod) / setup.checkpoints.length) + 1, setup.laps);
  const parts = [`lap ${lap}/${setup.laps}`];
  parts.push(pod.won ? "finished" : `next ${nextCheckpoint(pod, setup)}`);
  if (!pod.boosted) parts.push("boost left");
  if (pod.shield) parts.push(`shield ${pod.shield}`);
  return { label: `Pod ${i}`, text: parts.join(" · "), progress: [passed(pod), total] };
}

// ---- drawing

function draw(context, scene) {
  context.lineCap = context.lineJoin = "round";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const after = scene.states[scene.turn];
  const before = scene.states[Math.max(scene.turn - 1, 0)];
  const pods = after.pods.map((_, pod) => ({
    index: pod,
    from: readPod(before.pods[pod]),
    to: readPod(after.pods[pod]),
    now: readPod((scene.fraction < 1 ? before : after).pods[pod]),
    colour: scene.colours.players[owner(pod)],
    heading: heading(scene, pod),
    ...onBoard(place(before, after, pod, scene.fraction)),
    ...readCommand(scene.output[owner(pod)]?.[pod % 2]),
  }));
  drawMap(context, scene);
  scene.setup.checkpoints.forEach((_, id) => drawCheckpoint(context, scene, id, pods));
  for (const pod of pods) drawTrail(context, scene, pod);
  for (const pod of pods) drawMessage(context, scene, pod);
  for (const pod of pods) drawFlame(context, scene, pod);
  for (const pod of pods) drawPod(context, scene, pod);
  for (const pod of pods) drawVelocity(context, scene, pod);
  for (const collision of after.collisions) drawCollision(context, scene, collision);
}

/* A pod further out than the board shows is drawn at its edge, and faint. */
function onBoard({ x, y }) {
  const [left, top, right, bottom] = BOUNDS;
  const shownX = Math.min(Math.max(x, left + POD_RADIUS), right - POD_RADIUS);
  const shownY = Math.min(Math.max(y, top + POD_RADIUS), bottom - POD_RADIUS);
  return { x: shownX, y: shownY, opacity: shownX === x && shownY === y ? 1 : 0.5 };
}

function drawMap(context, { setup, colours, pixel }) {
  context.fillStyle = colours.map;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.strokeStyle = colours.line;
  context.lineWidth = pixel;
  context.strokeRect(0, 0, WIDTH, HEIGHT);
  context.globalAlpha = 0.5;
  context.beginPath();
  for (let x = 1000; x < WIDTH; x += 1000) line(context, { x, y: 0 }, { x, y: HEIGHT });
  for (let y = 1000; y < HEIGHT; y += 1000) line(context, { x: 0, y }, { x: WIDTH, y });
  context.stroke();
  context.globalAlpha = 1;
  drawCourse(context, setup, colours);
}

/* The way from each checkpoint to the next, with an arrow in its middle. */
function drawCourse(context, { checkpoints }, colours) {
  context.strokeStyle = colours.line;
  context.lineWidth = 40;
  checkpoints.forEach(([x, y], id) => {
    const [toX, toY] = checkpoints[(id + 1) % checkpoints.length];
    const length = Math.hypot(toX - x, toY - y);
    context.save();
    context.translate(x, y);
    context.rotate(Math.atan2(toY - y, toX - x));
    context.beginPath();
    line(context, { x: CHECKPOINT_RADIUS, y: 0 }, { x: length - CHECKPOINT_RADIUS, y: 0 });
    line(context, { x: length / 2 - 90, y: -170 }, { x: length / 2 + 90, y: 0 });
    line(context, { x: length / 2 - 90, y: 170 }, { x: length / 2 + 90, y: 0 });
    context.stroke();
    context.restore();
  });
}

/* A ring, its number, and an arc around it for each pod that heads for it. */
function drawCheckpoint(context, { setup, colours, pixel }, id, pods) {
  const [x, y] = setup.checkpoints[id];
  circle(context, x, y, CHECKPOINT_RADIUS);
  context.fillStyle = colours.map;
  context.fill();
  context.strokeStyle = colours.muted;
  context.lineWidth = Math.max(30, pixel);
  context.stroke();
  if (id === 0) {
    circle(context, x, y, CHECKPOINT_RADIUS - 90);
    context.stroke();
  }
  context.fillStyle = colours.muted;
  text(context, String(id), x, y, 620, 600);

  const coming = pods.filter(({ now }) => !now.won && nextCheckpoint(now, setup) === id);
  context.lineCap = "butt";
  context.lineWidth = Math.max(110, 3 * pixel);
  coming.forEach(({ colour }, i) => {
    const arc = TURN / coming.length;
    const gap = coming.length > 1 ? 0.08 : 0;
    context.beginPath();
    const start = i * arc - TURN / 4;
    context.arc(x, y, CHECKPOINT_RADIUS + 110, start + gap, start + arc - gap);
    context.strokeStyle = colour;
    context.stroke();
  });
  context.lineCap = "round";
}

/* The way of the last turns, fainter with age. */
function drawTrail(context, { states, turn, fraction, pixel }, { index, colour }) {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(70, 1.5 * pixel);
  context.lineCap = "butt";
  for (let i = Math.max(turn - TRAIL_TURNS, 0) + 1; i <= turn; i++) {
    const [before, after] = [states[i - 1], states[i]];
    const end = i === turn ? fraction : 1;
    const bend = Math.min(lastCollisionTime(after, index), end);
    context.globalAlpha = 0.65 * (1 - (turn - i) / TRAIL_TURNS);
    context.beginPath();
    line(context, place(before, after, index, 0), place(before, after, index, bend));
    line(context, place(before, after, index, bend), place(before, after, index, end));
    context.stroke();
  }
  context.globalAlpha = 1;
  context.lineCap = "round";
}

/* The engine's flame; a boost has a bright core. */
function drawFlame(context, { colours }, pod) {
  const thrust = boostStarts(pod.from, pod.to) ? BOOST_THRUST : Number(pod.thrust) || 0;
  if (pod.heading === null || pod.from.shield > 0 || thrust <= 0) return;
  const length = POD_RADIUS + 150 + 1.6 * thrust;
  context.save();
  context.translate(pod.x, pod.y);
  context.rotate(pod.heading + Math.PI);
  context.fillStyle = colours.flame;
  flame(context, length, 270);
  if (thrust === BOOST_THRUST) {
    context.fillStyle = colours.map;
    flame(context, length * 0.72, 130);
  }
  context.restore();
}

function flame(context, length, halfWidth) {
  context.beginPath();
  context.moveTo(POD_RADIUS * 0.7, -halfWidth);
  context.quadraticCurveTo(length * 0.75, -halfWidth * 0.6, length, 0);
  context.quadraticCurveTo(length * 0.75, halfWidth * 0.6, POD_RADIUS * 0.7, halfWidth);
  context.fill();
}

/* The disc that collides, a nose where it is heading, its number, and its shield. */
function drawPod(context, { colours, pixel }, pod) {
  const { index, x, y, now, to, colour } = pod;
  context.save();
  context.translate(x, y);
  context.globalAlpha = pod.opacity;
  context.fillStyle = colour;
  context.strokeStyle = colours.map;
  context.lineWidth = Math.max(30, pixel);
  if (pod.heading !== null) {
    context.save();
    context.rotate(pod.heading);
    context.beginPath();
    context.moveTo(POD_RADIUS * 0.45, -POD_RADIUS * 0.89);
    context.lineTo(POD_RADIUS * 1.75, 0);
    context.lineTo(POD_RADIUS * 0.45, POD_RADIUS * 0.89);
    context.fill();
    context.stroke();
    context.restore();
  }
  circle(context, 0, 0, POD_RADIUS);
  context.fill();
  context.stroke();
  context.fillStyle = colours.onPlayer;
  text(context, String(index % 2), 0, 0, Math.max(480, 10 * pixel), 700);
  const shield = isHeavy(to) ? to.shield : now.shield;
  if (shield > 0) drawShield(context, colours, shield, isHeavy(to));
  context.restore();
}

/* An arc for each turn without thrust to come; inside, a whole ring while the pod is heavy. */
function drawShield(context, colours, turns, heavy) {
  context.strokeStyle = colours.ink;
  context.lineCap = "butt";
  context.lineWidth = 80;
  for (let i = 0; i < turns; i++) {
    const start = (i * TURN) / SHIELD_TURNS - TURN / 4;
    context.beginPath();
    context.arc(0, 0, POD_RADIUS + 130, start + 0.12, start + TURN / SHIELD_TURNS - 0.12);
    context.stroke();
  }
  if (heavy) {
    circle(context, 0, 0, POD_RADIUS + 20);
    context.stroke();
  }
  context.lineCap = "round";
}

/* The velocity as an arrow from the pod's rim, as long as the way of one turn. */
function drawVelocity(context, { colours, pixel }, { x, y, now }) {
  const speed = Math.hypot(now.vx, now.vy);
  if (speed < MIN_SPEED) return;
  const tip = POD_RADIUS + speed;
  context.save();
  context.translate(x, y);
  context.rotate(Math.atan2(now.vy, now.vx));
  context.beginPath();
  line(context, { x: POD_RADIUS, y: 0 }, { x: tip, y: 0 });
  line(context, { x: tip - 100, y: -90 }, { x: tip, y: 0 });
  line(context, { x: tip - 100, y: 90 }, { x: tip, y: 0 });
  context.strokeStyle = colours.ink;
  context.lineWidth = Math.max(35, pixel);
  context.stroke();
  context.restore();
}

/* A flash where two pods met, from that moment to the end of the turn. */
function drawCollision(context, { colours, fraction, pixel }, [time, , , x, y]) {
  if (fraction < time) return;
  const age = fraction - time;
  const reach = 330 + 150 * age;
  context.save();
  context.translate(x, y);
  context.globalAlpha = 1 - 0.6 * age;
  for (const [colour, width] of [
    [colours.map, Math.max(110, 4 * pixel)],
    [colours.alert, Math.max(55, 2 * pixel)],
  ]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (let ray = 0; ray < 8; ray++) {
      context.rotate(TURN / 8);
      line(context, { x: reach * 0.35, y: 0 }, { x: ray % 2 ? reach : reach * 0.75, y: 0 });
    }
    context.stroke();
  }
  context.restore();
}

/* What a pod says, above it or, near the upper edge, below it. */
function drawMessage(context, { colours, pixel }, { x, y, message }) {
  if (!message) return;
  const shown = message.length > 24 ? `${message.slice(0, 23)}…` : message;
  const labelY = y > 1300 ? y - 900 : y + 900;
  context.lineWidth = Math.max(120, 3 * pixel);
  context.strokeStyle = colours.map;
  context.fillStyle = colours.ink;
  text(context, shown, x, labelY, Math.max(360, 10 * pixel), 500, true);
}

// ---- shapes

function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, TURN);
}

function line(context, from, to) {
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
}

/* Text around a point; with `outlined`, on a border of the stroke style. */
function text(context, shown, x, y, size, weight, outlined = false) {
  context.font = `${weight} ${size}px ${FONT}`;
  if (outlined) context.strokeText(shown, x, y);
  context.fillText(shown, x, y + size * 0.04);
}

onefile.contest = {
  bounds: BOUNDS,
  kinds: ["checkpoint", "boost", "shield", "collision"],
  events,
  facts,
  draw,
};
