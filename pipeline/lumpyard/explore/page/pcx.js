import { Picture, range, viewOf } from "./pixels.js";

// PCX: runs of bytes, each row plane after plane; a palette of 256 colours stands at the end.

export function decodePcx(bytes) {
  const view = viewOf(range(bytes, 0, 128, "the header of a PCX"));
  const bits = bytes[3];
  const planes = bytes[65];
  const width = view.getUint16(8, true) - view.getUint16(4, true) + 1;
  const height = view.getUint16(10, true) - view.getUint16(6, true) + 1;
  const line = view.getUint16(66, true);
  const picture = new Picture(width, height);
  if (!((bits === 8 && (planes === 1 || planes === 3)) || (planes >= 1 && planes <= 4 && bits === 1))) {
    throw new Error(`a PCX of ${planes} planes of ${bits} bits is not read here`);
  }
  if (line * 8 < width * bits) throw new Error(`a row of ${width} pixels does not fit in ${line} bytes`);
  const colours = bits === 8 && planes === 1 ? lastPalette(bytes) : bytes.subarray(16, 64);
  const row = new Uint8Array(line * planes);
  let at = 128;
  for (let y = 0; y < height && at < bytes.length; y += 1) {
    for (let x = 0; x < row.length && at < bytes.length; ) {
      const byte = bytes[at++];
      const times = byte >= 0xc0 ? byte & 0x3f : 1;
      const value = byte >= 0xc0 ? bytes[at++] : byte;
      row.fill(value, x, Math.min(row.length, x + times));
      x += times;
    }
    for (let x = 0; x < width; x += 1) {
      const place = y * width + x;
      if (bits === 1) {
        let colour = 0;
        for (let plane = 0; plane < planes; plane += 1) {
          colour |= ((row[plane * line + (x >> 3)] >> (7 - (x & 7))) & 1) << plane;
        }
        if (planes === 1) picture.set(place, colour * 255, colour * 255, colour * 255);
        else picture.paint(place, colours, colour);
      } else if (planes === 3) picture.set(place, row[x], row[line + x], row[2 * line + x]);
      else picture.paint(place, colours, row[x]);
    }
  }
  return picture;
}

function lastPalette(bytes) {
  const start = bytes.length - 769;
  if (start < 128 || bytes[start] !== 12) throw new Error("it has no palette at its end");
  return bytes.subarray(start + 1);
}
