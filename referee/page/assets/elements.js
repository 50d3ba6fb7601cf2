/* Elements, colours and drawn objects: of every page that draws boards. */

function byId(id) {
  return document.getElementById(id);
}

function element(tag, className, text = "") {
  const created = document.createElement(tag);
  created.className = className;
  created.textContent = text;
  return created;
}

/* The page's colours by their roles. Any other colour stands for itself, and for ink if it is none. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const role = (name) => style.getPropertyValue(`--${name}`).trim();
  const known = new Map();
  return (name) => {
    if (!known.has(name)) {
      const colour = role(name) || name;
      known.set(name, CSS.supports("color", colour) ? colour : role("ink"));
    }
    return known.get(name);
  };
}

/* Clears a canvas, makes it as fine as the screen and gives its context and size in CSS pixels. */
function prepared(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const [columns, rows] = [width, height].map((size) => Math.round(size * devicePixelRatio));
  const context = canvas.getContext("2d");
  if (canvas.width === columns && canvas.height === rows) {
    context.resetTransform();
    context.clearRect(0, 0, columns, rows);
  } else {
    [canvas.width, canvas.height] = [columns, rows]; // which also clears it
  }
  context.scale(devicePixelRatio, devicePixelRatio);
  return { context, width, height };
}

/* Drawn objects as FrameTable (frames.py) stores them: with names for columns, and the parts that
 * their indices stand for. */
function unpackRows(data) {
  const rows = [];
  for (const [schema, ...values] of data.rows) {
    const [kind, ...names] = data.schemas[schema];
    const row = { kind };
    names.forEach((name, i) => (row[name] = values[i]));
    for (const name of ["shapes", "events", "facts", "charts", "legend"]) row[name] &&= resolve(row[name], rows);
    rows.push(row);
  }
  return rows;
}

/* Numbers of rows, in lists of any depth, as the rows. */
function resolve(numbers, rows) {
  return Array.isArray(numbers) ? numbers.map((one) => resolve(one, rows)) : rows[numbers];
}
