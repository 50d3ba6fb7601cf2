/* Trees of searches as lists of nodes, and as tables of rows that one opens and closes. */

const WON = 1e99; // the value of a proven win without bounds, see searches.py
const MOST_CHILDREN = 30; // rows that a node shows at first
const COLUMNS = [
  ["visits", "visits", "Iterations that went through the node"],
  ["value", "value", "Mean or evaluation, from the view of the bot explored"],
  ["prior", "prior", "Probability that the game's priors give the action"],
  ["bound", "bound", "Value with the bonus of exploration, by which the search selects"],
  ["depth", "depth", "Plies that the value was searched"],
];

/* A number in a few characters. */
function brief(number) {
  if (number === null || number === undefined) return "";
  if (Math.abs(number) >= WON) return number > 0 ? "win" : "loss";
  if (Number.isInteger(number)) return (number || 0).toLocaleString("en");
  const size = Math.abs(number);
  if (size >= 100) return Math.round(number).toLocaleString("en");
  const text = number.toFixed(size >= 10 ? 1 : 3);
  return Number(text) === 0 ? "0" : text;
}

/* The nodes of a tree, with names for columns; children come by weight. */
function nodesOf({ nodes, words, frames }) {
  const drawn = new Map(frames);
  const found = [];
  nodes.forEach(([parent, word, ...columns], index) => {
    const [visits, value, prior, bound, proven, mark, depth, nChildren, unseen] = columns;
    const node = { index, word: words[word] ?? "", visits, value, prior, bound, proven, mark };
    Object.assign(node, { depth, nChildren, unseen, children: [], frame: drawn.get(index) });
    node.parent = found[parent] ?? null;
    node.level = node.parent ? node.parent.level + 1 : 0;
    node.parent?.children.push(node);
    found.push(node);
  });
  return found;
}

/* The nodes of a principal line, from the root on, as far as the page has them. */
function lineOf(nodes, words) {
  const line = [nodes[0]];
  for (const word of words) {
    const next = line.at(-1).children.find((node) => node.word === word);
    if (!next) break;
    line.push(next);
  }
  return line;
}

/* A table of a tree, which calls `onSelect` with the node that is selected. */
class TreeTable {
  constructor(tree, table, onSelect) {
    this.tree = tree;
    this.table = table;
    this.onSelect = onSelect;
    this.nodes = nodesOf(tree);
    this.line = lineOf(this.nodes, tree.line);
    this.main = new Set(this.line);
    this.columns = COLUMNS.filter(([name]) => this.nodes.some((node) => node[name] !== null));
    this.open = new Set(this.line.slice(0, -1));
    this.open.add(this.nodes[0]);
    this.long = new Set(); // nodes that show all children
    this.selected = this.nodes[0];
  }

  /* The rows shown: nodes, or {of, rest} for the children left out. */
  rows() {
    const rows = [];
    const add = (node) => {
      rows.push(node);
      if (!this.open.has(node)) return;
      const most = this.long.has(node) ? Infinity : MOST_CHILDREN;
      node.children.slice(0, most).forEach(add);
      const rest = node.nChildren - Math.min(node.children.length, most);
      if (rest > 0) rows.push({ of: node, rest, hidden: node.children.length > most });
    };
    add(this.nodes[0]);
    return rows;
  }

  draw() {
    const head = element("tr", "");
    head.append(element("th", "", "action"));
    for (const [, name, title] of this.columns) {
      const cell = element("th", "", name);
      cell.title = title;
      head.append(cell);
    }
    const [top, body] = [element("thead", ""), element("tbody", "")];
    top.append(head);
    this.shown = this.rows();
    body.append(...this.shown.map((row) => (row.of ? this.restRow(row) : this.nodeRow(row))));
    this.table.replaceChildren(top, body);
    this.scrollTo(body.querySelector("[aria-selected=true]"), top.offsetHeight);
  }

  /* Scrolls the table alone, not the page, so that a row shows below the head. */
  scrollTo(row, headHeight) {
    const box = this.table.parentElement;
    if (!row) return;
    const above = row.offsetTop - headHeight - box.scrollTop;
    const below = row.offsetTop + row.offsetHeight - box.clientHeight - box.scrollTop;
    if (above < 0) box.scrollTop += above;
    else if (below > 0) box.scrollTop += below;
  }

  nodeRow(node) {
    const row = element("tr", this.main.has(node) ? "main" : "");
    row.setAttribute("aria-level", node.level + 1);
    row.setAttribute("aria-selected", node === this.selected);
    if (node.nChildren) row.setAttribute("aria-expanded", this.open.has(node));
    row.style.setProperty("--level", node.level);
    const name = element("td", "");
    const sign = !node.nChildren ? "" : this.open.has(node) ? "▾" : "▸";
    const fold = element("span", "fold", sign);
    fold.addEventListener("click", (event) => {
      event.stopPropagation();
      this.toggle(node);
    });
    name.append(fold, node.parent ? node.word : "root");
    name.title = node.word;
    row.append(name, ...this.columns.map(([column]) => this.cell(node, column)));
    row.addEventListener("click", () => this.select(node));
    row.addEventListener("dblclick", () => this.toggle(node));
    return row;
  }

  cell(node, column) {
    const cell = element("td", "");
    const text = brief(node[column]);
    if (column === "visits" && node.parent && node.visits !== null) {
      const all = node.parent.visits ?? sum(node.parent.children.map(({ visits }) => visits ?? 0));
      const bar = element("span", "share");
      bar.style.setProperty("--part", `${(100 * node.visits) / Math.max(all, 1)}%`);
      cell.append(bar);
    }
    if (column === "value" && node.value !== null) {
      cell.append(node.mark, text);
      if (node.proven) cell.append(element("span", "proof", " proven"));
    } else {
      cell.append(text);
    }
    return cell;
  }

  restRow({ of, rest, hidden }) {
    const row = element("tr", "rest");
    row.style.setProperty("--level", of.level + 1);
    const unseen = of.unseen ? `, ${Math.min(of.unseen, rest)} of them never tried` : "";
    const text = hidden ? `… ${rest} more: show` : `… ${rest} more of few visits, not on this page${unseen}`;
    const cell = element("td", "", text);
    cell.colSpan = this.columns.length + 1;
    row.append(cell);
    if (hidden) {
      row.addEventListener("click", () => {
        this.long.add(of);
        this.draw();
      });
    }
    return row;
  }

  select(node) {
    this.selected = node;
    for (let one = node.parent; one; one = one.parent) this.open.add(one);
    this.draw();
    this.onSelect(node);
  }

  toggle(node) {
    if (this.open.has(node)) this.open.delete(node);
    else if (node.children.length) this.open.add(node);
    this.select(node);
  }

  /* Selects the row so many rows below. */
  move(by) {
    const nodes = this.shown.filter((row) => !row.of);
    const place = nodes.indexOf(this.selected) + by;
    this.select(nodes[Math.min(Math.max(place, 0), nodes.length - 1)]);
  }

  right() {
    const { selected } = this;
    if (!this.open.has(selected) && selected.children.length) this.toggle(selected);
    else if (selected.children.length) this.select(selected.children[0]);
  }

  left() {
    const { selected } = this;
    if (this.open.has(selected) && selected.parent) this.toggle(selected);
    else if (selected.parent) this.select(selected.parent);
  }

  /* Selects the next or previous node of the principal line. */
  follow(by) {
    const place = this.line.indexOf(this.selected);
    const next = place < 0 ? this.line[0] : this.line[place + by];
    if (next) this.select(next);
  }
}

function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}
