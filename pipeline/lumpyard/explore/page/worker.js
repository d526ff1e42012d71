import { decodeColormap, decodeFlat, decodePalette, decodePatch, decodeScreen } from "./doom.js";
import { decodeMiptex, decodeQpic, decodeSquare } from "./quake.js";
import { decodePcx } from "./pcx.js";
import { decodeTga } from "./tga.js";
import { shapeOfWave, waveOfDmx } from "./waves.js";

// What takes long runs here, beside the page: { id, task, bytes, palette } in, { id, result } or { id, error } out.

const PICTURES = new Map([
  ["patch", decodePatch],
  ["flat", decodeFlat],
  ["screen", decodeScreen],
  ["palette", decodePalette],
  ["colormap", decodeColormap],
  ["miptex", decodeMiptex],
  ["qpic", decodeQpic],
  ["square", decodeSquare],
  ["pcx", decodePcx],
  ["tga", decodeTga],
]);

function work(task, bytes, palette) {
  if (task === "dmx") {
    const wave = waveOfDmx(bytes);
    return { wave, shape: shapeOfWave(wave) };
  }
  if (task === "wave") return { shape: shapeOfWave(bytes) };
  const { width, height, data, note, hasOwnPalette } = PICTURES.get(task)(bytes, palette);
  return { width, height, data, note, hasOwnPalette: Boolean(hasOwnPalette) };
}

self.onmessage = ({ data: { id, task, bytes, palette } }) => {
  try {
    const result = work(task, bytes, palette);
    const moved = [result.data?.buffer, result.wave?.buffer].filter(Boolean);
    self.postMessage({ id, result }, moved);
  } catch (error) {
    self.postMessage({ id, error: error instanceof RangeError ? "it ends in the middle" : error.message });
  }
};
