/* A match that is being played: the server sends its further turns, and the page grows. */

const live = document.getElementById("log").dataset.live;
let hasEnded = !live;

function isRunning() {
  return !hasEnded && !log.outcome;
}

/* Takes further turns; a reader at the last one goes along, any other stays. */
function grow(more) {
  const atEnd = !playing && shownTurn === lastTurn;
  const { turns, rows, texts, ...rest } = more;
  source.turns.push(...turns);
  source.rows.push(...rows);
  source.texts.push(...texts);
  Object.assign(source, rest);
  log = unpack(source);
  lastTurn = log.turns.length;
  rebuild(atEnd ? lastTurn : Math.min(Math.max(shownTurn, 0), lastTurn));
}

function rebuild(turn) {
  build();
  if (wanted) search();
  shownTurn = -1;
  if (!playing) position = turn;
  show();
  redraw();
}

function follow() {
  const events = new EventSource(live);
  events.addEventListener("whole", ({ data }) => {
    for (const name of ["turns", "rows", "texts"]) source[name].length = 0;
    grow(JSON.parse(data));
  });
  events.addEventListener("turns", ({ data }) => grow(JSON.parse(data)));
  events.addEventListener("end", () => {
    events.close();
    hasEnded = true;
    rebuild(shownTurn);
  });
}
