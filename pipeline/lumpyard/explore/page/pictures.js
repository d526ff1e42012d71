import { addressOf } from "./blobs.js";
import { make } from "./dom.js";
import { stage } from "./stage.js";
import { workOn } from "./working.js";

// Pictures: those that browsers know from their bytes, all others from what the worker makes of them.

const NEEDS_PALETTE = new Set(["patch", "flat", "screen", "colormap", "miptex", "qpic", "square"]);

export async function pictureView(bytes, found, lump) {
  return found.mime ? direct(bytes, found, lump) : decoded(bytes, found, lump);
}

function direct(bytes, found, lump) {
  const image = make("img", { alt: lump.label, src: addressOf(bytes, found.mime) });
  return new Promise((resolve, reject) => {
    image.onload = () => {
      const { naturalWidth, naturalHeight } = image;
      resolve(stage(image, naturalWidth || 1, naturalHeight || 1, { label: lump.label, note: found.what }));
    };
    image.onerror = () => reject(new Error(`The browser cannot read this ${found.what}.`));
  });
}

async function decoded(bytes, found, lump) {
  const palette = NEEDS_PALETTE.has(found.decoder) ? await lump.palette() : null;
  let picture;
  try {
    picture = await workOn(found.decoder, bytes, palette);
  } catch (error) {
    throw new Error(`No picture (${found.what}): ${error.message}.`);
  }
  const canvas = make("canvas", { width: picture.width, height: picture.height, role: "img", "aria-label": lump.label });
  canvas.getContext("2d").putImageData(new ImageData(picture.data, picture.width, picture.height), 0, 0);
  const greys = NEEDS_PALETTE.has(found.decoder) && !palette && !picture.hasOwnPalette;
  const notes = [found.what, picture.note, greys ? "in greys: no palette in this page" : ""];
  return stage(canvas, picture.width, picture.height, { label: lump.label, note: notes.filter(Boolean).join(" · ") });
}
