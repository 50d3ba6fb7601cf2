/* Puts the page together and wires it up. */

const keys = {
  " ": toggle,
  ArrowRight: ({ shiftKey }) => step(shiftKey ? LEAP : 1),
  ArrowLeft: ({ shiftKey }) => step(shiftKey ? -LEAP : -1),
  ".": () => step(1),
  ",": () => step(-1),
  Home: () => goTo(0),
  End: () => goTo(lastTurn),
  n: () => seek(1),
  p: () => seek(-1),
  d: toggleDrawings,
  o: () => log.pictures && log.board && showPictures(!showsPictures),
  e: () => seekSwing(1),
  E: () => seekSwing(-1),
  g: () => lookAhead(ahead + 1),
  G: () => lookAhead(ahead - 1),
  x: expectByNext,
  f: toggleFullScreen,
  "+": () => zoomInMiddle(ZOOM_STEP),
  "-": () => zoomInMiddle(1 / ZOOM_STEP),
  0: typeTurn,
  "/": () => byId("search").focus(),
};
for (let digit = 1; digit <= 9; digit++) keys[digit] = typeTurn;

/* A digit begins the number of a turn to go to. */
function typeTurn({ key }) {
  byId("go").value = key;
  byId("go").focus();
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.fullscreenEnabled) byId("stage").requestFullscreen();
}

function goToTyped() {
  const typed = byId("go").value;
  if (typed !== "") goTo(Number(typed) + 1);
  byId("go").value = "";
  byId("go").blur();
}

/* Keys in a field that one types into. */
function onFieldKey(event) {
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "Enter") return;
  if (event.target.id === "search") seekHit(event.shiftKey ? -1 : 1);
  else if (event.target.id === "go") goToTyped();
  else saveGif();
}

function onKey(event) {
  if (event.target.matches("#search, #share input, #go")) {
    onFieldKey(event);
    return;
  }
  const action = keys[event.key];
  const focused = event.target.closest("select, button, summary, input[type=checkbox]");
  const ownKey = focused && (event.key === " " || focused.tagName === "SELECT");
  if (!action || ownKey || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  action(event);
}

function redraw() {
  drawScene();
  for (const drawTrack of tracks) drawTrack();
  fillExpected(Math.ceil(position));
}

/* The board is as large as its frame allows. */
function shapeBoard() {
  const [left, top, right, bottom] = showsPictures ? [0, 0, 16, 9] : log.frames[0].bounds;
  byId("stage").style.setProperty("--aspect", (right - left) / (bottom - top));
}

// Turns with an event, a late or failed answer or a warning.
let marked = new Set();
const boxes = new Set(); // the layers that have a box

/* Builds all that depends on the turns that there are, again when there are more. */
function build() {
  const timing = log.bots.map((_, player) => timings(player));
  marked = new Set([
    ...[...log.frames.keys()].filter((turn) => log.frames[turn].events.length),
    ...timing
      .flat()
      .filter(({ answer, failed }) => failed || answer.warnings.length)
      .map(({ turn }) => turn),
  ]);
  const open = [...document.querySelectorAll("#players details")].map((one) => one.open);
  [tracks, fillers] = [[], []];
  swings.clear();
  byId("timeline").replaceChildren(byId("scrubber"));
  byId("players").replaceChildren();
  byId("legend").replaceChildren();
  showHeader();
  log.bots.forEach((_, player) => addTimeLane(player, timing[player]));
  addExpectedLane();
  addChartLanes();
  addEventLanes();
  addHitLane();
  if (log.board) addLegend();
  log.bots.forEach((_, player) => addPanel(player, timing[player]));
  fillers.push((turn) => {
    ahead = 0;
    fillExpected(turn);
  });
  document.querySelectorAll("#players details").forEach((one, i) => (one.open = open[i] ?? one.open));
  addViews();
  const hasDrawings = log.turns.flat().some((answer) => answer?.drawings.length);
  for (const one of document.querySelectorAll(".for-drawings")) one.hidden = !hasDrawings;
  for (const name of ["board", "zoom", "png", "span"]) byId(name).hidden = showsPictures || !log.board;
  byId("scrubber").max = lastTurn;
  shapeBoard();
}

/* The players with a view of the board of their own, and the layers that show on request alone. */
function addViews() {
  const views = new Set((log.frames[0].shapes ?? []).map((shape) => shape.view));
  const players = log.bots.map((_, player) => player).filter((player) => views.has(player));
  const known = [...byId("view").options].map(({ value }) => value);
  for (const player of players) {
    if (!known.includes(String(player))) byId("view").add(new Option(log.bots[player], player));
  }
  byId("view").hidden = !players.length;
  for (const layer of log.frames.flatMap(({ shapes = [] }) => shapes.map(({ layer }) => layer))) {
    if (layer !== undefined && !boxes.has(layer)) addLayerBox(layer);
    if (layer !== undefined) boxes.add(layer);
  }
}

colourPlayers();
build();
byId("scrubber").addEventListener("input", (event) => goTo(Math.round(event.target.value)));
byId("first").addEventListener("click", () => goTo(0));
byId("back").addEventListener("click", () => step(-1));
byId("play").addEventListener("click", toggle);
byId("forward").addEventListener("click", () => step(1));
byId("last").addEventListener("click", () => goTo(lastTurn));
byId("ahead").addEventListener("input", ({ target }) => lookAhead(Number(target.value)));
byId("expect-by").addEventListener("click", expectByNext);
byId("drawings").addEventListener("change", toggleDrawings);
byId("view").addEventListener("change", (event) => {
  view = Number(event.target.value);
  drawBoard();
});
byId("smaller").addEventListener("click", () => zoomInMiddle(1 / ZOOM_STEP));
byId("larger").addEventListener("click", () => zoomInMiddle(ZOOM_STEP));
byId("full").addEventListener("click", toggleFullScreen);
byId("full").hidden = !document.fullscreenEnabled;
byId("happened").addEventListener("click", () => goTo(Math.ceil(position) + happenedAfter()));
byId("search").addEventListener("input", search);
byId("go").addEventListener("change", goToTyped);
byId("theme").addEventListener("click", switchTheme);
byId("link").addEventListener("click", copyLink);
byId("png").addEventListener("click", savePng);
byId("gif").addEventListener("click", saveGif);
byId("span").addEventListener("input", () => (byId("span").dataset.typed = "1"));
addPictures();
for (const one of document.querySelectorAll(".for-pictures")) one.hidden = byId("source").hidden;
byId("board").addEventListener("pointermove", onBoardMove);
byId("board").addEventListener("pointerdown", onBoardDown);
for (const end of ["pointerup", "pointercancel"]) byId("board").addEventListener(end, onBoardUp);
byId("board").addEventListener("pointerleave", hideTip);
byId("board").addEventListener("dblclick", () => zoomInMiddle(1 / MOST_ZOOM));
byId("board").addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    zoomAt(ZOOM_STEP ** -Math.sign(event.deltaY), event.clientX, event.clientY);
  },
  { passive: false },
);
document.addEventListener("keydown", onKey);
addEventListener("hashchange", followAddress);
systemIsDark.addEventListener("change", () => {
  applyTheme();
  redraw();
});
new ResizeObserver(redraw).observe(document.body);
followAddress();
redraw();
if (isRunning()) {
  if (!location.hash) goTo(lastTurn);
  follow();
}
