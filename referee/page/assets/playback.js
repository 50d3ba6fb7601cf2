/* Which turn is shown: stepping, playing, and the address #turn=57. */

function show() {
  const turn = Math.ceil(position);
  drawScene();
  document.body.style.setProperty("--progress", lastTurn ? position / lastTurn : 0);
  byId("scrubber").value = position;
  if (turn === shownTurn) return;
  shownTurn = turn;
  hideTip();
  const label = turn ? `Turn ${turnNumber(turn)} / ${turnNumber(lastTurn)}` : "Start";
  byId("turn").textContent = label;
  byId("scrubber").setAttribute("aria-valuetext", label);
  byId("board").setAttribute("aria-label", describeTurn(turn));
  byId("first").disabled = byId("back").disabled = turn === 0;
  byId("last").disabled = byId("forward").disabled = turn === lastTurn;
  for (const fill of fillers) fill(turn);
  proposeSpan(turn);
  clearTimeout(settledTimer);
  settledTimer = setTimeout(() => history.replaceState(null, "", address(turn)), SETTLED_MS);
}

/* Draws the moment in whichever pictures are shown. */
function drawScene() {
  if (showsPictures) drawPictures();
  else drawBoard();
}

/* Stands still at a whole turn. */
function goTo(turn) {
  setPlaying(false);
  position = Math.min(Math.max(turn, 0), lastTurn);
  show();
}

function step(turns) {
  goTo(turns > 0 ? Math.floor(position) + turns : Math.ceil(position) + turns);
}

/* To the next marked turn (direction 1) or the one before (-1). */
function seek(direction) {
  const start = Math.ceil(position);
  for (let turn = start + direction; turn >= 0 && turn <= lastTurn; turn += direction) {
    if (marked.has(turn)) {
      goTo(turn);
      return;
    }
  }
}

function setPlaying(value) {
  if (value === playing) return;
  playing = value;
  document.body.classList.toggle("playing", playing);
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  cancelAnimationFrame(frameRequest);
  if (!playing) return;
  if (position >= lastTurn) position = 0;
  let before = performance.now();
  const frame = (now) => {
    position = Math.min(position + ((now - before) / 1000) * byId("speed").value, lastTurn);
    before = now;
    frameRequest = requestAnimationFrame(frame);
    if (position === lastTurn) setPlaying(false);
    show();
  };
  frameRequest = requestAnimationFrame(frame);
}

/* Stops where it is, at the end of the turn under way. */
function toggle() {
  if (playing) goTo(Math.ceil(position));
  else setPlaying(true);
}

function toggleDrawings() {
  showDrawings = !showDrawings;
  byId("drawings").checked = showDrawings;
  drawBoard();
}

/* Adds the box that shows a layer of the board. */
function addLayerBox(layer) {
  const [label, box] = [element("label", "", layer), element("input", "")];
  box.type = "checkbox";
  box.addEventListener("change", () => {
    if (box.checked) shownLayers.add(layer);
    else shownLayers.delete(layer);
    drawBoard();
  });
  label.prepend(box);
  byId("layers").append(label);
}

function address(turn) {
  return turn ? `#turn=${turnNumber(turn)}` : "#";
}

function followAddress() {
  const wanted = /^#turn=(\d+)$/.exec(location.hash);
  goTo(wanted ? Number(wanted[1]) + 1 : 0);
}
