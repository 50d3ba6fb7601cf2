/* The page of searches: see explore/page.py. The board shows the selected node of the active tree. */

const data = JSON.parse(byId("data").textContent);
const rows = unpackRows(data);
const shownLayers = new Set();
let view = -1; // as picture.js expects: the whole board
let active = 0; // the search that keys belong to

data.colours.forEach((colour, player) => {
  document.documentElement.style.setProperty(`--player-${player}`, `var(--colour-${colour})`);
});

/* A search in its pane: a button a tree, and the table of the chosen one. */
class Pane {
  constructor(search, number) {
    this.search = search;
    this.number = number;
    this.box = element("section", "search");
    this.table = element("table", "tree");
    this.table.setAttribute("role", "treegrid");
    const scroll = element("div", "scroll");
    scroll.tabIndex = 0;
    scroll.append(this.table);
    this.tables = [];
    const own = search.trees.findIndex((tree) => tree.own);
    this.shown = Math.max(own, 0);
    this.which = element("div", "which");
    if (search.trees.length > 1) {
      search.trees.forEach(({ name }, i) => {
        const button = element("button", "", name);
        button.type = "button";
        button.addEventListener("click", () => this.show(i));
        this.which.append(button);
      });
    }
    this.box.append(
      element("h2", "", search.title),
      element("p", "counts", describeCounts(search)),
      this.which,
      scroll,
    );
    this.box.addEventListener("pointerdown", () => activate(number), true);
    byId("searches").append(this.box);
  }

  /* The table of the tree shown, made when it is first asked for. */
  get current() {
    const tree = this.search.trees[this.shown];
    this.tables[this.shown] ??= new TreeTable(tree, this.table, () => showNode());
    return this.tables[this.shown];
  }

  show(number) {
    this.shown = number;
    activate(this.number);
    this.draw();
    showNode();
  }

  draw() {
    [...this.which.children].forEach((button, i) => {
      button.setAttribute("aria-pressed", i === this.shown);
    });
    this.current.draw();
  }
}

function describeCounts({ search, unit, counts, value, trees }) {
  const whole = (number) => number.toLocaleString("en");
  const parts = [search];
  if (counts.iterations !== undefined) parts.push(`${whole(counts.iterations)} iterations`);
  if (counts.nodes !== undefined) parts.push(`${whole(counts.nodes)} nodes`);
  if (counts.depth !== undefined) parts.push(`depth ${counts.depth}`);
  if (value !== null) parts.push(`value ${brief(value)}${counts.proven ? ", proven" : ""} (${unit})`);
  const kept = trees.map(({ nodes }) => nodes.length).reduce((all, one) => all + one, 0);
  if (counts.room === undefined) parts.push(`${whole(kept)} positions are on this page`);
  else if (counts.nodes > kept) parts.push(`the ${whole(kept)} nodes of most visits are on this page`);
  if (counts.room && counts.nodes > 0.98 * counts.room) parts.push("the tree is full");
  return parts.join(" · ");
}

function activate(number) {
  active = number;
  panes.forEach(({ box }, i) => box.classList.toggle("active", i === active));
  showNode();
}

/* Shows the selected node of the active tree: its board and the way to it. */
function showNode() {
  const { line, selected } = panes[active].current;
  const way = [];
  for (let node = selected; node.parent; node = node.parent) way.unshift(node.word);
  const { visits, value } = selected;
  const numbers = [
    visits === null ? "" : `${visits.toLocaleString("en")} visits`,
    value === null ? "" : `value ${selected.mark}${brief(value)}`,
  ];
  const said = numbers.filter((text) => text).join(", ");
  byId("way").textContent = `${way.length ? way.join(" → ") : "the turn's position"}${said ? ` · ${said}` : ""}`;
  const place = line.indexOf(selected);
  byId("along").max = line.length - 1;
  byId("along").value = Math.max(place, 0);
  byId("step").textContent = place < 0 ? "off the line" : `${place} of ${line.length - 1}`;
  byId("walk").hidden = line.length < 2;
  drawBoard();
}

/* The frame of the nearest node upwards that has one. */
function frameNode(node) {
  while (node && node.frame === undefined) node = node.parent;
  return node;
}

function drawBoard() {
  const { selected } = panes[active].current;
  const node = frameNode(selected);
  byId("frame").hidden = !node;
  byId("unknown").hidden = node === selected;
  byId("unknown").textContent = !data.bounds
    ? "The bot has no explain.py that draws its positions."
    : node && data.isLogged
      ? "The board is that of the log before the turn: the bot has no explain.py that draws others."
      : node
        ? "This node's position is not drawn: the board is that of the nearest one above."
        : "The positions of this tree are not known.";
  if (!node) return;
  const frame = rows[node.frame];
  const [left, top, right, bottom] = frame.bounds;
  byId("stage").style.setProperty("--aspect", (right - left) / (bottom - top));
  const { context, width, height } = prepared(byId("board"));
  placeBoard(context, frame.bounds, width, height);
  const pixel = 1 / fittingIn(frame.bounds, width, height);
  const scene = { context, colour: palette(), pixel, frames: [frame], turn: 0 };
  paint(frame.shapes ?? [], { ...scene, time: 1, tips: [] });
}

function redraw() {
  drawBoard();
  for (const drawChart of charts) drawChart();
}

const keys = {
  ArrowDown: () => panes[active].current.move(1),
  ArrowUp: () => panes[active].current.move(-1),
  ArrowRight: () => panes[active].current.right(),
  ArrowLeft: () => panes[active].current.left(),
  Enter: () => panes[active].current.toggle(panes[active].current.selected),
  Home: () => panes[active].current.select(panes[active].current.nodes[0]),
  n: () => panes[active].current.follow(1),
  p: () => panes[active].current.follow(-1),
  t: () => panes[active].show((panes[active].shown + 1) % panes[active].search.trees.length),
  s: () => activate((active + 1) % panes.length),
};

document.addEventListener("keydown", (event) => {
  if (event.target.matches("button, input") || event.ctrlKey || event.altKey || event.metaKey) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

document.title = `${data.bot} · ${data.title}`;
byId("title").textContent = data.title;
byId("facts").textContent = `search of ${data.bot}, player ${data.player}`;
byId("notes").append(...data.notes.map((text) => element("li", "", text)));
const panes = data.searches.map((search, number) => new Pane(search, number));
const charts = addCharts(data.searches);
for (const pane of panes) pane.draw();
byId("theme").addEventListener("click", switchTheme);
byId("along").addEventListener("input", ({ target }) => {
  const { current } = panes[active];
  current.select(current.line[Number(target.value)]);
});
systemIsDark.addEventListener("change", () => {
  applyTheme();
  redraw();
});
activate(0);
new ResizeObserver(redraw).observe(document.body);
