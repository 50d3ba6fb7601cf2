/* Charts of values while a search runs: would more time have changed its choice? */

const EARLY = 0.1; // the part of a search whose values may leave the scale

const MOST_CHOICES = 4; // that are named

/* Returns series {name, points: [[nodes, value], ...]} of a search's root actions, its choice first. */
function seriesOfActions({ looks }) {
  const names = new Set([looks.at(-1)[1], ...looks.flatMap(([, , values]) => Object.keys(values))]);
  names.delete(null);
  return [...names].map((name) => ({
    name,
    points: looks.flatMap(([nodes, , values]) => (values[name] ? [[nodes, values[name][0]]] : [])),
  }));
}

/* Returns the series of a whole search: the value of the action that it would play. */
function seriesOfSearch({ title, looks }) {
  const points = looks.flatMap(([nodes, first, values]) =>
    values[first] ? [[nodes, values[first][0]]] : [],
  );
  return { name: title, points };
}

/* The times at which a search changed its choice: [[nodes, action], ...]. */
function changes({ looks }) {
  return looks
    .map(([nodes, first]) => [nodes, first])
    .filter(([, first], i) => first !== null && (i === 0 || first !== looks[i - 1][1]));
}

/* The last choices of a search, as text. */
function describeChoices(found) {
  if (found.length < 2) return `${found[0]?.[1] ?? "no action"} all the time`;
  const last = found.slice(-MOST_CHOICES).map(([nodes, first]) => {
    return `${first} from ${nodes.toLocaleString("en")} ${nodes === 1 ? "node" : "nodes"} on`;
  });
  const earlier = found.length - last.length;
  return `${earlier ? `${earlier} earlier choices, then` : "choices:"} ${last.join(", ")}`;
}

function addChart(heading, series, remark) {
  const shown = series.filter(({ points }) => points.some(([, value]) => Math.abs(value) < WON));
  if (!shown.length) return () => {};
  const box = element("div", "chart-of");
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", heading);
  const list = element("ul", "");
  shown.forEach(({ name, points }, i) => {
    const item = element("li", "", `${name}: ${brief(points.at(-1)[1])}`);
    item.style.setProperty("--own", `var(--colour-${i % 10})`);
    list.append(item);
  });
  box.append(element("h3", "", heading), canvas, list);
  if (remark) box.append(element("p", "remark", remark));
  byId("charts").append(box);
  const finite = shown.map(({ points }) => points.filter(([, value]) => Math.abs(value) < WON));
  const most = Math.max(...finite.flat().map(([nodes]) => nodes));
  // The scale is that of the later values: the first ones are of few nodes, and far off.
  const late = finite.flat().filter(([nodes]) => nodes >= EARLY * most);
  const values = late.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return () => {
    const { context, width, height } = prepared(canvas);
    const colour = palette();
    const [left, bottom] = [46, height - 16];
    const x = (nodes) => left + (nodes / most) * (width - left - 6);
    const y = (value) => bottom - 6 - ((value - low) / (high - low || 1)) * (bottom - 14);
    context.font = `11px ${FONT}`;
    context.textBaseline = "middle";
    for (const value of new Set([low, (low + high) / 2, high])) {
      context.fillStyle = colour("line");
      context.fillRect(left, y(value), width - left, 1);
      context.fillStyle = colour("muted");
      context.textAlign = "right";
      context.fillText(brief(value), left - 5, y(value));
    }
    context.textAlign = "left";
    context.fillText("0", left, height - 6);
    context.textAlign = "right";
    context.fillText(`${most.toLocaleString("en")} nodes`, width - 2, height - 6);
    context.beginPath();
    context.rect(left, 0, width - left, bottom);
    context.clip();
    finite.forEach((points, i) => {
      context.strokeStyle = colour(`colour-${i % 10}`);
      context.lineWidth = i === 0 ? 2.5 : 1.5;
      context.beginPath();
      for (const [nodes, value] of points) context.lineTo(x(nodes), y(value));
      context.stroke();
    });
  };
}

/* The charts of a page: of each search its actions, and of several ones each search's value. */
function addCharts(searches) {
  const drawers = [];
  const whole = searches.filter(({ looks }) => looks.length).map(seriesOfSearch);
  const isOneUnit = searches.every(({ unit }) => unit === searches[0].unit);
  if (whole.length > 1 && isOneUnit) drawers.push(addChart("value of each search as it grows", whole, ""));
  for (const search of searches) {
    if (!search.looks.length) continue;
    const remark = describeChoices(changes(search));
    const heading = `${search.title}: values of the actions as the search grows`;
    drawers.push(addChart(heading, seriesOfActions(search), remark));
  }
  return drawers;
}
