/* The page of a review: see explore/review_page.py. */

const data = JSON.parse(byId("data").textContent);
const PROVEN = 1e98; // WON in review.py
let chosen = 0; // the row of the table

function shown(value) {
  if (Math.abs(value) >= PROVEN) return value > 0 ? "win" : "loss";
  if (Math.abs(value) < 0.0005) return "0.000"; // not −0.000
  if (Math.abs(value) < 100) return value.toFixed(3);
  return value.toLocaleString("en", { maximumFractionDigits: 0 });
}

/* The address of a turn on its match page. */
function addressOf({ game, turn }) {
  const { page } = data.games.find(({ name }) => name === game);
  return `${page}#turn=${turn}`;
}

/* A game's values over its turns: by the long search, and thin as the bot saw them. */
function addCurve({ name, curve, lost }) {
  const [figure, canvas] = [element("figure", ""), document.createElement("canvas")];
  const worst = data.losses.filter((one) => one.game === name).slice(0, 3);
  const caption = element("figcaption", "", `${name} · `);
  worst.forEach((one, i) => {
    const link = element("a", "", `turn ${one.turn} ${one.lost ? "lost it" : `−${shown(one.loss)}`}`);
    link.href = addressOf(one);
    caption.append(i ? ", " : "", link);
  });
  if (lost) caption.append(element("p", "", `It ${lost}.`));
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `values of ${name}`);
  figure.append(canvas, caption);
  byId("curves").append(figure);
  const values = curve.flatMap(([, value, seen]) => [value, seen ?? value]);
  const finite = values.filter((value) => Math.abs(value) < PROVEN);
  // Around 0, unless all values are on one side of it.
  const most = Math.max(0.001, ...finite.map(Math.abs));
  const isOneSided = finite.every((value) => value > 0) || finite.every((value) => value < 0);
  const [low, high] = isOneSided ? [Math.min(...finite), Math.max(...finite)] : [-most, most];
  const last = Math.max(1, ...curve.map(([turn]) => turn));
  return () => {
    const { context, width, height } = prepared(canvas);
    const colour = palette();
    const x = (turn) => 4 + (turn / last) * (width - 8);
    const part = (value) => (Math.max(low, Math.min(high, value)) - low) / (high - low || 1);
    const y = (value) => height - 4 - part(value) * (height - 8);
    context.fillStyle = colour("line");
    if (!isOneSided) context.fillRect(0, y(0), width, 1);
    for (const one of worst) {
      const { turn } = one;
      context.fillStyle = colour((lost ? one.lost : one.other) ? "alert" : "warn");
      context.globalAlpha = 0.35;
      context.fillRect(x(turn) - 3, 0, 6, height);
      context.globalAlpha = 1;
    }
    [2, 1].forEach((column) => {
      context.strokeStyle = colour(column === 1 ? "colour-0" : "muted");
      context.lineWidth = column === 1 ? 2 : 1;
      context.beginPath();
      for (const point of curve) {
        if (point[column] !== null) context.lineTo(x(point[0]), y(point[column]));
      }
      context.stroke();
    });
  };
}

function addTable() {
  const head = element("tr", "");
  const numbers = ["value", "loss"];
  const names = ["turn", "phase", "played", "value", "better", "value", "loss"];
  head.append(...names.map((name) => element("th", numbers.includes(name) ? "number" : "", name)));
  head.append(element("th", "command", "look into it"));
  const body = data.losses.map((one, i) => {
    const row = element("tr", one.lost ? "lost" : "");
    const link = element("a", "", data.games.length > 1 ? `${one.game}, ${one.turn}` : `${one.turn}`);
    link.href = addressOf(one);
    const place = element("td", "");
    place.append(link);
    const { source } = data.games.find(({ name }) => name === one.game);
    const command = `onefile explore ${source} --player ${one.player} --turn ${one.turn} --nodes ${data.factor}x`;
    const cell = element("td", "command");
    cell.append(element("code", "", command));
    row.append(
      place,
      element("td", "", one.phase),
      element("td", "", one.played),
      element("td", "number", shown(one.value_played)),
      element("td", "", one.other ? one.best : "the same"),
      element("td", "number", shown(one.value)),
      element("td", "number", shown(one.loss)),
      cell,
    );
    row.addEventListener("click", () => choose(i));
    return row;
  });
  byId("losses").replaceChildren(head, ...body);
}

function choose(number) {
  chosen = Math.min(Math.max(number, 0), data.losses.length - 1);
  [...byId("losses").rows].slice(1).forEach((row, i) => row.setAttribute("aria-selected", i === chosen));
  byId("losses").rows[chosen + 1]?.scrollIntoView({ block: "nearest" });
}

function redraw() {
  for (const draw of drawers) draw();
}

document.title = `Review of ${data.bot} · ${data.title}`;
byId("title").textContent = `Review of ${data.bot}`;
byId("facts").textContent = `${data.title} · every turn searched with ${data.factor} times the nodes · thick: by that search, thin: as the bot saw it`;
const lost = data.phases.map(([phase, loss]) => `${phase} ${shown(loss / data.games.length)}`);
byId("phases").textContent = `Lost by other actions, a game: ${lost.join(" · ")}`;
addTable();
const drawers = data.games.map(addCurve);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !data.losses.length) return;
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter" && !event.target.matches("a, button")) location.href = addressOf(data.losses[chosen]);
  else return;
  event.preventDefault();
});
byId("theme").addEventListener("click", switchTheme);
systemIsDark.addEventListener("change", () => {
  applyTheme();
  redraw();
});
new ResizeObserver(redraw).observe(document.body);
if (data.losses.length) choose(0);
scrollTo(0, 0);
