/* Takes a turn elsewhere: as a link, as a picture, and a span of turns as an animated picture. */

const GIF_WIDTH = 560; // pixels, at most
const GIF_FRAME_MS = 70; // the shortest that browsers show
const GIF_MOST_FRAMES = 900;
const SHARED_MS = 4000; // so long a result is told

let sharedTimer = 0;

function tellShared(text, lasts = true) {
  byId("shared").textContent = text;
  clearTimeout(sharedTimer);
  if (!lasts) sharedTimer = setTimeout(() => (byId("shared").textContent = ""), SHARED_MS);
}

async function copyLink() {
  const url = new URL(address(shownTurn), location.href).href;
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    copyBySelection(url);
  }
  tellShared("copied", false);
}

/* Where the browser lends no clipboard: a page that came over plain http. */
function copyBySelection(text) {
  const field = element("textarea", "", text);
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/* Paints the board at a moment of the game on a canvas of `density` pixels to a pixel of CSS, on the
 * colour that surrounds it; its context. */
function pictureOf(canvas, moment, density = 1) {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.resetTransform();
  context.fillStyle = palette()("outside");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(density, density);
  paintBoard({ context, width: canvas.width / density, height: canvas.height / density }, moment);
  return context;
}

function newCanvas(width) {
  const canvas = document.createElement("canvas");
  const [left, top, right, bottom] = log.frames[0].bounds;
  const aspect = (right - left) / (bottom - top);
  canvas.width = Math.round(Math.min(width, width * aspect));
  canvas.height = Math.round(canvas.width / aspect);
  return canvas;
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SHARED_MS);
  tellShared(`${name}, ${Math.ceil(blob.size / 1000)} kB`, false);
}

function fileName(turns, ending) {
  const seed = log.seed === null ? "" : `-seed${log.seed}`;
  return `${log.contest}${seed}-turn${turns}.${ending}`;
}

function savePng() {
  const { width, height } = byId("board");
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  pictureOf(canvas, position, devicePixelRatio);
  const name = fileName(shownTurn ? turnNumber(shownTurn) : "start", "png");
  canvas.toBlob((blob) => save(blob, name), "image/png");
}

/* The moments of a GIF in turns, and the ms that each is shown. */
function momentsOf(from, to) {
  const turnMs = 1000 / byId("speed").value;
  const perTurn = reducedMotion.matches ? 1 : Math.max(1, Math.floor(turnMs / GIF_FRAME_MS));
  const every = Math.max(1, Math.ceil(GIF_FRAME_MS / turnMs)); // turns a frame, at high speeds
  const moments = [from];
  for (let turn = from; turn < to; turn += every) {
    const end = Math.min(turn + every, to);
    for (let i = 1; i <= perTurn; i++) moments.push(turn + ((end - turn) * i) / perTurn);
  }
  return [moments, Math.max(turnMs / perTurn, GIF_FRAME_MS)];
}

async function gifOf(from, to) {
  const [moments, ms] = momentsOf(from, to);
  if (moments.length > GIF_MOST_FRAMES) throw new Error("too many turns: choose fewer, or a higher speed");
  const canvas = newCanvas(GIF_WIDTH);
  const { width, height } = canvas;
  const image = (moment) => pictureOf(canvas, moment).getImageData(0, 0, width, height);
  const samples = [0, 0.25, 0.5, 0.75, 1].map((part) => from + Math.round((to - from) * part));
  const gif = newGif(width, height, commonColours(samples.map(image)));
  for (const [i, moment] of moments.entries()) {
    gif.add(image(moment), i === moments.length - 1 ? 1500 : ms);
    if (i % 5 === 0) {
      tellShared(`${Math.round((100 * i) / moments.length)} %`);
      await new Promise((done) => setTimeout(done)); // the page stays alive
    }
  }
  return gif.blob();
}

async function saveGif() {
  const [first, last] = ["from", "to"].map((id) => Number(byId(id).value));
  const within = (turn) => Math.min(Math.max(turn + 1, 0), lastTurn);
  const [from, to] = [within(Math.min(first, last)), within(Math.max(first, last))];
  byId("gif").disabled = true;
  try {
    save(await gifOf(from, to), fileName(`${turnNumber(from)}-${turnNumber(to)}`, "gif"));
  } catch (error) {
    tellShared(error.message);
  }
  byId("gif").disabled = false;
}

/* The span of the GIF is the next ten turns, or the last ten, until the reader types another. */
function proposeSpan(turn) {
  if (byId("span").dataset.typed) return;
  const from = Math.max(Math.min(turn, lastTurn - LEAP), 1);
  byId("from").value = turnNumber(from);
  byId("to").value = turnNumber(Math.min(from + LEAP, lastTurn));
}
