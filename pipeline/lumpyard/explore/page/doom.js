import { Picture, indexed, paletteOf, range, viewOf } from "./pixels.js";

// Pictures of Doom. A patch is columns of posts: a row to start at, a length, a byte, the pixels, a byte; 255 ends it.
// A post that starts above the one before counts from there (tall patches).

const MOST_POSTS = 1024; // of one column; a lump whose columns all lead into one long chain must end too

export function decodePatch(bytes, palette) {
  const view = viewOf(bytes);
  const width = view.getUint16(0, true);
  const height = view.getUint16(2, true);
  const picture = new Picture(width, height);
  const colours = paletteOf(palette);
  for (let x = 0; x < width; x += 1) {
    let at = view.getUint32(8 + 4 * x, true);
    let top = -1;
    for (let posts = 0; posts < MOST_POSTS && at + 3 < bytes.length && bytes[at] !== 255; posts += 1) {
      top = bytes[at] <= top ? top + bytes[at] : bytes[at];
      const size = bytes[at + 1];
      for (let y = 0; y < size && at + 3 + y < bytes.length; y += 1) {
        if (top + y < height) picture.paint((top + y) * width + x, colours, bytes[at + 3 + y]);
      }
      at += size + 4;
    }
  }
  picture.note = `offsets ${view.getInt16(4, true)}, ${view.getInt16(6, true)}`;
  return picture;
}

// 64 pixels wide and as high as its bytes go, but for the larger squares.
export function decodeFlat(bytes, palette) {
  const side = Math.sqrt(bytes.length);
  const width = Number.isInteger(side) ? side : 64;
  const height = Math.floor(bytes.length / width);
  return indexed(width, height, bytes, paletteOf(palette));
}

export function decodeScreen(bytes, palette) {
  return indexed(320, 200, range(bytes, 0, 64000, "a screen"), paletteOf(palette));
}

// A palette lump as squares of 16 by 16 colours; PLAYPAL has 14 of them.
export function decodePalette(bytes) {
  const number = Math.min(64, Math.floor(bytes.length / 768));
  const across = Math.min(number, 7);
  const down = Math.ceil(number / across);
  const picture = new Picture(across * 17 - 1, down * 17 - 1);
  for (let at = 0; at < number * 256; at += 1) {
    const which = Math.floor(at / 256);
    const x = (which % across) * 17 + (at & 15);
    const y = Math.floor(which / across) * 17 + ((at >> 4) & 15);
    picture.set(y * picture.width + x, bytes[at * 3], bytes[at * 3 + 1], bytes[at * 3 + 2]);
  }
  picture.note = number === 1 ? "256 colours" : `${number} palettes of 256 colours`;
  return picture;
}

// A row of 256 colours for each step of light.
export function decodeColormap(bytes, palette) {
  return indexed(256, Math.floor(bytes.length / 256), bytes, paletteOf(palette));
}
