/* The official pictures: the contest's own viewer in a frame, in step with the page.
 *
 * log.pictures has the viewer's file and, for each game, the number of the engine's frames up to the
 * start and up to each turn. by_step: the viewer is Kaggle's, which takes the number of a step.
 */

let showsPictures = Boolean(log.pictures);
let pictureGame = 0; // whose game is shown, where each bot plays its own

function addPictures() {
  if (!log.pictures) return;
  const frame = document.createElement("iframe");
  frame.id = "pictures";
  frame.title = "Official pictures";
  frame.sandbox = "allow-scripts";
  frame.src = log.pictures.file;
  byId("frame").append(frame);
  addEventListener("message", onPictureMessage);
  byId("source").hidden = !log.board;
  byId("source").addEventListener("change", ({ target }) => showPictures(target.value === "official"));
  for (const player of log.pictures.shown.length > 1 ? log.bots.keys() : []) {
    byId("game").add(new Option(log.bots[player], player));
  }
  byId("game").hidden = log.pictures.shown.length < 2;
  byId("game").addEventListener("change", ({ target }) => {
    pictureGame = Number(target.value);
    drawPictures();
  });
  showPictures(true);
}

function showPictures(value) {
  showsPictures = value;
  byId("source").value = value ? "official" : "board";
  byId("pictures").hidden = !value;
  byId("board").hidden = value || !log.board;
  byId("png").hidden = byId("span").hidden = byId("board").hidden;
  byId("legend").hidden = value || !byId("legend").children.length;
  shapeBoard();
  redraw();
}

/* Draws the moment that the page shows: a turn may have several of the engine's frames. */
function drawPictures() {
  if (!showsPictures) return;
  const shown = log.pictures.shown[pictureGame];
  const turn = Math.ceil(position);
  const [before, after] = [turn ? shown[turn - 1] : 0, shown[turn]];
  const moves = turn && after > before && !reducedMotion.matches;
  const moment = moves ? (position - turn + 1) * (after - before) : after - before;
  const passed = Math.max(Math.ceil(moment), 1);
  const message = {
    game: pictureGame,
    frame: (after > before ? before + passed : after) - 1,
    progress: moves ? moment - passed + 1 : 1,
    speed: playing ? Number(byId("speed").value) : 0,
  };
  const step = { step: turn, parentHandlesUi: true };
  byId("pictures").contentWindow.postMessage(log.pictures.by_step ? step : message, "*");
}

function onPictureMessage({ source, data }) {
  if (source !== byId("pictures").contentWindow) return;
  // Kaggle's viewer begins to play by itself.
  if (data.ready || data.playing) drawPictures();
  else if (typeof data.key === "string") onPictureKey(data);
}

/* A key that was pressed in the frame acts as on the page. */
function onPictureKey({ key, shiftKey }) {
  keys[key]?.({ key, shiftKey: Boolean(shiftKey) });
}
