/* The legend: each sign of the board beside its meaning. */

function addLegend() {
  for (const { text, shapes, size } of log.frames[0].legend ?? []) {
    const [item, canvas] = [element("li", ""), document.createElement("canvas")];
    item.append(canvas, text);
    byId("legend").append(item);
    tracks.push(() => {
      const { context, width, height } = prepared(canvas);
      const scale = Math.min(width, height) / size;
      context.translate(width / 2, height / 2);
      context.scale(scale, scale);
      context.lineJoin = "round";
      const scene = { context, colour: palette(), pixel: 1 / scale, frames: log.frames, turn: 0 };
      paint(shapes, { ...scene, time: 1, tips: [] });
    });
  }
}
