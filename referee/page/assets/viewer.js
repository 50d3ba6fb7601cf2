/* A contest's own viewer: loads the engine's drawer, and draws the moment that the page asks for.
 *
 * The page sends {game, frame, progress, speed}, where frame counts the engine's frames from 0 and
 * speed is 0 while it stands still; {ready}, {error} and {key, shiftKey} go back. The drawer is that
 * of the engine's `core/Drawer.js`, used as the site's own player does.
 */

const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("canvas");
const errors = document.getElementById("errors");
const MOST_ERRORS = 5;
const AVATAR = 100; // pixels
const NO_PICTURE = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const lacked = new Set();

window.officialAssets = data.assets;
let drawer = null;
let Drawer = null;
let game = -1;
let wanted = { game: 0, frame: 0, progress: 1, speed: 0 };
let nErrors = 0;

function fail(error) {
  const cause = error?.cause ?? error;
  const text = [error?.message, cause?.message, cause].find((one) => one) ?? "unknown error";
  if (nErrors++ < MOST_ERRORS) errors.textContent += `${text}\n`;
  errors.hidden = false;
  parent.postMessage({ error: String(text) }, "*");
}

// ---- the files that the drawer and the contest load by their names

const TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  svg: "image/svg+xml",
  webp: "image/webp",
  json: "application/json",
  fnt: "text/xml",
  xml: "text/xml",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
};
const places = new Map();

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

for (const [name, base64] of Object.entries(data.files)) {
  const type = TYPES[name.split(".").at(-1).toLowerCase()] ?? "application/octet-stream";
  places.set(name, URL.createObjectURL(new Blob([bytesOf(base64)], { type })));
}
delete data.files;

/* The place of a file's data; other addresses unchanged. */
function placed(address) {
  const text = String(address);
  if (/^(data|blob):/.test(text)) return address;
  const at = text.indexOf("assets/");
  if (at < 0) return address;
  const name = decodeURI(text.slice(at)).replace(/[?#].*/, "");
  return places.get(name) ?? (isPicture(name) ? lacking(name) : address);
}

function isPicture(name) {
  return TYPES[name.split(".").at(-1).toLowerCase()]?.startsWith("image/");
}

/* The place of an empty picture; the one that the build lacks is named beside the options. */
function lacking(name) {
  if (!lacked.has(name)) {
    const label = document.createElement("label");
    label.append(`not in the build: ${name}`);
    document.getElementById("options").append(label);
    document.getElementById("options").hidden = false;
  }
  lacked.add(name);
  return NO_PICTURE;
}

function redirect(owner, name) {
  const { get, set, ...rest } = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, {
    ...rest,
    get,
    set(address) {
      set.call(this, placed(address));
    },
  });
}

redirect(HTMLImageElement.prototype, "src");
redirect(HTMLMediaElement.prototype, "src");
const { open } = XMLHttpRequest.prototype;
XMLHttpRequest.prototype.open = function (method, address, ...rest) {
  return open.call(this, method, placed(address), ...rest);
};
const { fetch } = window;
window.fetch = (address, ...rest) => fetch(typeof address === "string" ? placed(address) : address, ...rest);

// ---- what the site's player lends the drawer

/* The few functions of jQuery that drawers use. */
window.$ = window.jQuery ??= (element) => {
  const wrapped = {
    0: element,
    length: 1,
    off: () => wrapped,
    bind: (name, listener) => {
      element.addEventListener(name, listener, { passive: true });
      return wrapped;
    },
    on: (name, listener) => wrapped.bind(name, listener),
    mousemove: (listener) => wrapped.bind("mousemove", listener),
    width: () => element.clientWidth,
    height: () => element.clientHeight,
    css: () => wrapped,
  };
  return wrapped;
};

/* A picture in a player's colour with the first letter of its name. */
function avatar(name, colour) {
  const picture = document.createElement("canvas");
  picture.width = picture.height = AVATAR;
  const context = picture.getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, AVATAR, AVATAR);
  context.fillStyle = "#fff";
  context.font = `bold ${AVATAR * 0.6}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(name.slice(0, 1).toUpperCase(), AVATAR / 2, AVATAR / 2);
  return picture.toDataURL();
}

// ---- the drawer

async function start() {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(bytesOf(data.library));
  document.head.append(script);
  ({ Drawer } = await import(data.drawer));
  drawer = new Drawer();
  drawer.demo = undefined;
  drawer.addErrorListener?.(fail);
  setSize();
  showOptions();
  new ResizeObserver(setSize).observe(document.body);
  parent.postMessage({ ready: true }, "*");
  draw();
}

function setSize() {
  const [width, height] = [document.body.clientWidth, document.body.clientHeight];
  const ratio = Drawer.WIDTH / Drawer.HEIGHT;
  const cssWidth = Math.min(width, height * ratio);
  if (cssWidth < 1) return;
  const size = [cssWidth, cssWidth / ratio].map((one) => Math.round(one * devicePixelRatio));
  canvas.style.width = `${cssWidth}px`;
  canvas.style.height = `${cssWidth / ratio}px`;
  if (canvas.width === size[0] && canvas.height === size[1] && drawer.alreadyLoaded) return;
  [canvas.width, canvas.height] = size;
  drawer.init(canvas, ...size, Drawer.playerColors, devicePixelRatio, null, "replay");
}

function begin(number) {
  game = number;
  const names = data.names[game];
  const colours = Drawer.playerColors;
  const agents = names.map((name, index) => {
    const color = colours[index % colours.length];
    return { name, color, index, avatar: avatar(name, color) };
  });
  drawer.initFrames(
    data.games[game].map((view, i) => [`KEY_FRAME ${i}`, view]),
    agents,
  );
}

function draw() {
  if (!drawer) return;
  if (wanted.game !== game) begin(wanted.game);
  if (drawer.loading || drawer.loaded < 1 || drawer.intro) {
    setTimeout(draw, 30);
    return;
  }
  const frame = Math.min(Math.max(wanted.frame, 0), data.games[game].length - 1);
  drawer.update(frame, wanted.progress, wanted.speed);
}

/* The contest's own choices of what to show. */
function showOptions() {
  const box = document.getElementById("options");
  for (const option of drawer.getOptions?.() ?? []) {
    if (typeof option.get !== "function" || !option.values) continue;
    const [label, choice] = [document.createElement("label"), document.createElement("select")];
    const values = Object.entries(option.values);
    for (const [name] of values) choice.add(new Option(name));
    choice.selectedIndex = values.findIndex(([, value]) => value === option.get());
    choice.addEventListener("change", () => {
      option.set(values[choice.selectedIndex][1]);
      draw();
    });
    label.append(option.title ?? "", choice);
    box.append(label);
    box.hidden = false;
  }
}

addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data?.frame !== "number") return;
  wanted = event.data;
  draw();
});
addEventListener("keydown", (event) => {
  if (event.target.closest("select, summary")) return;
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey) return;
  event.preventDefault();
  parent.postMessage({ key, shiftKey }, "*");
});
addEventListener("unhandledrejection", ({ reason }) => fail(reason));
start().catch(fail);
