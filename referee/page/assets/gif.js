/* Writes animated GIFs, by CompuServe's specification of GIF89a (1990).
 *
 * All frames have one palette, of the colours that occur most often, and hold the changed pixels
 * alone: what is as in the frame before is transparent.
 */

const TRANSPARENT = 255;
const COLOUR_BITS = 5; // of each of red, green and blue that tell colours apart

/* A pixel's colour as a number of 15 bits. */
function colourKey(data, i) {
  return ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);
}

/* The commonest colours of some frames, each [red, green, blue]: up to 255 that differ in their keys. */
function commonColours(frames) {
  const counts = new Map();
  for (const { data } of frames) {
    for (let i = 0; i < data.length; i += 4) {
      const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  }
  const chosen = new Map();
  for (const [colour] of [...counts].sort(([, one], [, other]) => other - one)) {
    const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
    const key = colourKey(parts, 0);
    if (!chosen.has(key) && chosen.size < TRANSPARENT) chosen.set(key, parts);
  }
  return [...chosen.values()];
}

/* nearest(data, i): the index of the palette's colour that is nearest to a pixel. */
function nearestIn(colours) {
  const known = new Int16Array(1 << (3 * COLOUR_BITS)).fill(-1);
  colours.forEach((colour, index) => (known[colourKey(colour, 0)] = index));
  return (data, i) => {
    const key = colourKey(data, i);
    if (known[key] < 0) {
      const distance = ([red, green, blue]) =>
        (data[i] - red) ** 2 + (data[i + 1] - green) ** 2 + (data[i + 2] - blue) ** 2;
      let least = Infinity;
      colours.forEach((colour, index) => {
        if (distance(colour) < least) [least, known[key]] = [distance(colour), index];
      });
    }
    return known[key];
  };
}

/* Compresses indices of 8 bits by GIF's LZW, into blocks of up to 255 bytes. */
function compressed(indices) {
  const [clear, end] = [256, 257];
  const bytes = [];
  let [bits, n_bits, size, next] = [0, 0, 9, 258];
  let codes = new Map();
  const write = (code) => {
    bits |= code << n_bits;
    for (n_bits += size; n_bits >= 8; n_bits -= 8) {
      bytes.push(bits & 255);
      bits >>= 8;
    }
  };
  write(clear);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = (prefix << 8) | indices[i];
    const found = codes.get(key);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    write(prefix);
    if (next === 4096) {
      write(clear);
      [codes, size, next] = [new Map(), 9, 258];
    } else {
      if (next === 1 << size) size++;
      codes.set(key, next++);
    }
    prefix = indices[i];
  }
  write(prefix);
  write(end);
  if (n_bits) bytes.push(bits & 255);
  const blocks = [];
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    blocks.push(Uint8Array.of(block.length, ...block));
  }
  return [Uint8Array.of(8), ...blocks, Uint8Array.of(0)];
}

const low = (number) => [number & 255, number >> 8];

/* A writer of a GIF: add(imageData, ms) adds a frame, blob() gives the file. */
function newGif(width, height, colours) {
  const nearest = nearestIn(colours);
  const palette = new Uint8Array(3 * 256);
  colours.forEach((colour, i) => palette.set(colour, 3 * i));
  const forever = [0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0];
  const head = [...new TextEncoder().encode("GIF89a"), ...low(width), ...low(height), 0xf7, 0, 0];
  const parts = [Uint8Array.from(head), palette, Uint8Array.from(forever)];
  let before = null;
  return {
    add({ data }, ms) {
      const indices = new Uint8Array(width * height);
      for (let i = 0; i < indices.length; i++) indices[i] = nearest(data, 4 * i);
      const drawn = before ? indices.map((index, i) => (index === before[i] ? TRANSPARENT : index)) : indices;
      before = indices;
      const control = [0x21, 0xf9, 4, 0b101, ...low(Math.round(ms / 10)), TRANSPARENT, 0];
      const place = [0x2c, 0, 0, 0, 0, ...low(width), ...low(height), 0];
      parts.push(Uint8Array.from([...control, ...place]), ...compressed(drawn));
    },
    blob: () => new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" }),
  };
}
