/* The board: what picture.js paints, and what is said of what one points at. */

const MOST_ZOOM = 20;
const ZOOM_STEP = 1.25;

let zoom = 1; // how much larger than the whole board
let middle = null; // the place of the board in the middle of the canvas, null for the board's own
let tips = []; // of the board as painted: the last one is on top

function drawBoard() {
  tips = paintBoard(prepared(byId("board")), position);
}

/* Paints the board as it is at a moment, in turns, on {context, width, height}; the tips of it. */
function paintBoard({ context, width, height }, moment) {
  const turn = Math.ceil(moment);
  const [left, top, right, bottom] = log.frames[turn].bounds;
  const scale = fittingScale(width, height) * zoom;
  const [middleX, middleY] = middle ?? [(left + right) / 2, (top + bottom) / 2];
  context.translate(width / 2, height / 2);
  context.scale(scale, scale);
  context.translate(-middleX, -middleY);
  context.lineJoin = "round";
  const moves = turn > 0 && !log.frames[turn].still && !reducedMotion.matches;
  const time = moves ? moment - turn + 1 : 1;
  const view = { context, colour: palette(), pixel: 1 / scale, frames: log.frames, turn };
  const tips = [];
  paint(present({ ...view, time }), { ...view, time, tips });
  paintGhosts(turn, { ...view, tips });
  if (showDrawings) {
    for (const player of log.bots.keys()) {
      paint(answerOf(player, turn)?.drawings ?? [], { ...view, time: 1, tips });
    }
  }
  return tips;
}

/* Pixels to a unit of the board where all of it shows. */
function fittingScale(width, height) {
  const [left, top, right, bottom] = log.frames[0].bounds;
  return Math.min(width / (right - left), height / (bottom - top));
}

/* Makes the board `factor` times larger and keeps what is at a place of the window where it is. */
function zoomAt(factor, clientX, clientY) {
  const before = zoom;
  zoom = Math.min(Math.max(zoom * factor, 1), MOST_ZOOM);
  if (zoom === 1) {
    middle = null;
  } else {
    const box = byId("board").getBoundingClientRect();
    const part = zoom / before - 1;
    panBy(
      -(clientX - box.left - box.width / 2) * part,
      -(clientY - box.top - box.height / 2) * part,
    );
  }
  byId("board").classList.toggle("zoomed", zoom > 1);
  byId("board").dataset.zoom = zoom.toFixed(2);
  drawBoard();
}

function zoomInMiddle(factor) {
  const box = byId("board").getBoundingClientRect();
  zoomAt(factor, box.left + box.width / 2, box.top + box.height / 2);
}

/* Moves the board by pixels of the window, as far as there is something of it to see. */
function panBy(x, y) {
  const [left, top, right, bottom] = log.frames[0].bounds;
  const { width, height } = byId("board").getBoundingClientRect();
  const scale = fittingScale(width, height) * zoom;
  const [atX, atY] = middle ?? [(left + right) / 2, (top + bottom) / 2];
  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  middle = [within(atX - x / scale, left, right), within(atY - y / scale, top, bottom)];
}

const fingers = new Map(); // pointers that are down on the board, by their ids

function onBoardDown(event) {
  showTip(event);
  fingers.set(event.pointerId, event);
  if (zoom > 1 || fingers.size > 1) byId("board").setPointerCapture(event.pointerId);
}

function onBoardMove(event) {
  const before = fingers.get(event.pointerId);
  if (!before) {
    showTip(event);
    return;
  }
  fingers.set(event.pointerId, event);
  const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
  if (other) {
    const gap = ({ clientX, clientY }) =>
      Math.hypot(clientX - other.clientX, clientY - other.clientY);
    zoomAt(gap(event) / Math.max(gap(before), 1), other.clientX, other.clientY);
  } else if (zoom > 1) {
    hideTip();
    panBy(event.clientX - before.clientX, event.clientY - before.clientY);
    drawBoard();
  }
}

function onBoardUp(event) {
  fingers.delete(event.pointerId);
}

/* Shows a text beside a place of the window. */
function showText(text, clientX, clientY) {
  const [box, stage] = [byId("tip"), byId("stage").getBoundingClientRect()];
  const [x, y] = [clientX - stage.left, clientY - stage.top];
  const onLeft = x > stage.width / 2;
  box.textContent = text;
  box.hidden = !text;
  box.style.left = onLeft ? "auto" : `${x + 14}px`;
  box.style.right = onLeft ? `${stage.width - x + 14}px` : "auto";
  box.style.top = `${y + 10}px`;
}

/* Shows what is under the pointer, beside it. */
function showTip(event) {
  const board = byId("board");
  const frame = board.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  const context = board.getContext("2d");
  const pixels = [x * devicePixelRatio, y * devicePixelRatio];
  const found = tips.findLast(({ outline, place, width }) => {
    context.setTransform(place);
    if (!width) return context.isPointInPath(outline, ...pixels);
    context.lineWidth = width;
    return context.isPointInStroke(outline, ...pixels);
  });
  showText(found?.tip ?? "", event.clientX, event.clientY);
}

function hideTip() {
  byId("tip").hidden = true;
}
