import { addressOf } from "./blobs.js";
import { make } from "./dom.js";
import { stage } from "./stage.js";

// Maps, drawn by Lumpyard as SVG. It is shown as a picture, in which no script and no link does anything.

const DARK = "@media (prefers-color-scheme: dark)";

export async function drawingView(svg, dark, lump) {
  const themed = svg.replace(DARK, dark ? "@media all" : "@media not all");
  const [, width, height] = /<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [null, 1400, 1000];
  const image = make("img", { alt: `The map ${lump.label}`, src: addressOf(themed, "image/svg+xml") });
  await image.decode();
  return stage(image, Number(width), Number(height), { label: `The map ${lump.label}`, sharp: false });
}
