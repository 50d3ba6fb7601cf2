/* Search in what the players wrote to stderr: which turns hold a text, and where it stands. */

let wanted = ""; // in small letters, "" for nothing
let hits = []; // turns in which it was written
let hitLane = []; // the elements of the lane that marks them

function search() {
  wanted = byId("search").value.trim().toLowerCase();
  hits = [];
  log.turns.forEach((answers, i) => {
    const holds = answers.some((answer) => answer?.stderr.toLowerCase().includes(wanted));
    if (wanted && holds) hits.push(i + 1);
  });
  redrawHits();
}

/* To the next turn that holds the text (direction 1) or the one before (-1), round and round. */
function seekHit(direction) {
  const ahead = (turn) => (turn - shownTurn) * direction > 0;
  const inOrder = direction > 0 ? hits : hits.toReversed();
  const turn = inOrder.find(ahead) ?? inOrder[0];
  if (turn !== undefined) goTo(turn);
  redrawHits();
}

function redrawHits() {
  const place = hits.indexOf(shownTurn) + 1;
  const of = place ? `${place} of ` : "";
  byId("hits").textContent = wanted ? `${of}${hits.length} ${hits.length === 1 ? "turn" : "turns"}` : "";
  for (const part of hitLane) part.hidden = !wanted;
  for (const fill of fillers) fill(shownTurn);
  for (const drawTrack of tracks) drawTrack();
}

/* A text as nodes, with marks around what is searched. */
function withMarks(text) {
  if (!wanted) return [text];
  const [nodes, small] = [[], text.toLowerCase()];
  let from = 0;
  // A letter may be longer when it is small: then no place in the text is sure.
  if (small.length !== text.length) return [text];
  for (let at = small.indexOf(wanted); at >= 0; at = small.indexOf(wanted, from)) {
    nodes.push(text.slice(from, at), element("mark", "", text.slice(at, at + wanted.length)));
    from = at + wanted.length;
  }
  return [...nodes, text.slice(from)];
}

/* A lane that marks the turns that hold the text. */
function addHitLane() {
  const draw = (context, x, width, height, colour) => {
    context.fillStyle = colour("accent");
    for (const turn of hits) context.fillRect(x(turn) - 1, 2, 2, height - 4);
  };
  const describe = (turn) => (hits.includes(turn) ? `Turn ${turnNumber(turn)}: found` : "");
  const name = element("span", "lane-name", "found");
  hitLane = [name, addLane(name, "lane", draw, describe)];
  for (const part of hitLane) part.hidden = true;
}
