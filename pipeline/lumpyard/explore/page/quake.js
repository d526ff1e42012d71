import { indexed, paletteOf, range, viewOf } from "./pixels.js";

// Pictures of Quake and Half-Life.

// A texture of four sizes, the largest is shown; in WAD3 its own palette stands behind the smallest.
export function decodeMiptex(bytes, palette) {
  const view = viewOf(range(bytes, 0, 40, "the header of a texture"));
  const width = view.getUint32(16, true);
  const height = view.getUint32(20, true);
  const pixels = range(bytes, view.getUint32(24, true), width * height, "the largest of its pictures");
  const end = view.getUint32(36, true) + Math.floor(width / 8) * Math.floor(height / 8);
  const own = end + 2 + 768 <= bytes.length && viewOf(bytes).getUint16(end, true) === 256;
  const colours = own ? bytes.subarray(end + 2, end + 2 + 768) : paletteOf(palette);
  const name = String.fromCharCode(...bytes.subarray(0, 16)).split("\0")[0];
  const picture = indexed(width, height, pixels, colours, own && name.startsWith("{") ? 255 : -1);
  picture.note = own ? "its own palette" : "";
  picture.hasOwnPalette = own;
  return picture;
}

// Width, height, pixels; colour 255 is clear. In WAD3 a palette may follow.
export function decodeQpic(bytes, palette) {
  const view = viewOf(range(bytes, 0, 8, "the header of a picture"));
  const width = view.getUint32(0, true);
  const height = view.getUint32(4, true);
  const pixels = range(bytes, 8, width * height, "its pixels");
  const end = 8 + width * height;
  const own = end + 2 + 768 <= bytes.length && viewOf(bytes).getUint16(end, true) === 256;
  const picture = indexed(width, height, pixels, own ? bytes.subarray(end + 2, end + 770) : paletteOf(palette), 255);
  picture.hasOwnPalette = own;
  return picture;
}

// Pixels without any header, as many down as across.
export function decodeSquare(bytes, palette) {
  const side = Math.floor(Math.sqrt(bytes.length));
  return indexed(side, side, bytes, paletteOf(palette), 0);
}
