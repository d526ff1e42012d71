// What a lump is, by its bytes first; only what has no signature goes by its place and name.

const starts = (bytes, ...wanted) => wanted.every((value, at) => value === null || bytes[at] === value);
const code = (text) => [...text].map((letter) => letter.charCodeAt(0));

const DIRECT = [
  ["image/png", "picture", [0x89, ...code("PNG\r\n\x1a\n")]],
  ["image/jpeg", "picture", [0xff, 0xd8, 0xff]],
  ["image/gif", "picture", code("GIF8")],
  ["image/bmp", "picture", [...code("BM"), null, null, null, null, 0, 0, 0, 0]],
  ["image/webp", "picture", [...code("RIFF"), null, null, null, null, ...code("WEBP")]],
  ["audio/ogg", "sound", code("OggS")],
  ["audio/flac", "sound", code("fLaC")],
  ["audio/mpeg", "sound", code("ID3")],
  ["audio/mpeg", "sound", [0xff, 0xfb]],
];
const NAMED = [
  ["MUS music, which browsers do not play", code("MUS\x1a")],
  ["MIDI music, which browsers do not play", code("MThd")],
  ["a Quake map (BSP)", code("IBSP")],
  ["a model of Quake", code("IDPO")],
  ["a model of Quake II", code("IDP2")],
  ["a model of Quake III", code("IDP3")],
  ["a sprite of Quake", code("IDSP")],
  ["a ZIP file", code("PK\x03\x04")],
  ["a DDS texture, which browsers do not show", code("DDS ")],
  ["a BLP texture, which is not read here", code("BLP1")],
  ["an archive (PWAD)", code("PWAD")],
  ["an archive (IWAD)", code("IWAD")],
  ["an archive (WAD2)", code("WAD2")],
  ["an archive (WAD3)", code("WAD3")],
  ["an archive (PACK)", code("PACK")],
  ["an archive (EWAD)", code("EWAD")],
  ["an archive (MPQ)", code("MPQ\x1a")],
];

// { view: "picture", "sound", "text" or "", mime, decoder, what }; a decoder is one of worker.js.
export function sniff(bytes, { format, path, kindbyte, inMap, kind }) {
  for (const [mime, view, signature] of DIRECT) {
    if (starts(bytes, ...signature)) return { view, mime, what: mime.split("/")[1].toUpperCase() };
  }
  if (starts(bytes, ...code("RIFF"), null, null, null, null, ...code("WAVE"))) {
    return { view: "sound", mime: "audio/wav", what: "WAV" };
  }
  for (const [what, signature] of NAMED) if (starts(bytes, ...signature)) return { view: "", what };
  const decoder = pictureDecoder(bytes, format, path, kindbyte, inMap);
  if (decoder) return { view: "picture", ...decoder };
  if (!inMap && isDmx(bytes)) return { view: "sound", decoder: "dmx", what: "Doom sound (DMX)" };
  if (kind !== "marker" && isText(bytes)) return { view: "text", what: "text" };
  return { view: "", what: "" };
}

function pictureDecoder(bytes, format, path, kindbyte, inMap) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const suffix = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  const is32 = (at) => (at + 4 <= bytes.length ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true) : 0);
  if (name === "PLAYPAL" || suffix === "pal" || name === "palette.lmp" || (format === "WAD2" && kindbyte === 0x40)) {
    if (bytes.length >= 768) return { decoder: "palette", what: "palette" };
  }
  if (format === "WAD2" || format === "WAD3") {
    if (kindbyte === 0x43 || kindbyte === 0x44) {
      if (name.toUpperCase() === "CONCHARS") return { decoder: "square", what: "characters of the console" };
      return { decoder: "miptex", what: "texture (miptex)" };
    }
    if (kindbyte === 0x42) return { decoder: "qpic", what: "picture (qpic)" };
    return null;
  }
  if (bytes[0] === 10 && bytes[1] <= 5 && bytes[2] === 1 && bytes.length > 128 && [1, 2, 4, 8].includes(bytes[3])) {
    return { decoder: "pcx", what: "PCX" };
  }
  if (suffix === "tga" || isTga(bytes)) return { decoder: "tga", what: "TGA" };
  if (suffix === "lmp" && bytes.length >= 8 && is32(0) * is32(4) + 8 === bytes.length) {
    return { decoder: "qpic", what: "picture (qpic)" };
  }
  if (!["IWAD", "PWAD", "PACK"].includes(format) || inMap) return null;
  if (isPatch(bytes)) return { decoder: "patch", what: "Doom picture" };
  if (path.startsWith("flats/") && bytes.length >= 4096) return { decoder: "flat", what: "Doom flat" };
  if (bytes.length === 64000) return { decoder: "screen", what: "picture of a whole screen" };
  if (name === "COLORMAP") return { decoder: "colormap", what: "colour map" };
  return null;
}

function isTga(bytes) {
  const end = code("TRUEVISION-XFILE.\0");
  return bytes.length >= 44 && starts(bytes.subarray(bytes.length - 18), ...end);
}

function isPatch(bytes) {
  if (bytes.length < 13) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const width = view.getUint16(0, true);
  const height = view.getUint16(2, true);
  const start = 8 + 4 * width;
  if (!width || !height || width > 4096 || height > 4096 || start >= bytes.length) return false;
  for (let column = 0; column < width; column += 1) {
    const at = view.getUint32(8 + 4 * column, true);
    if (at < start || at >= bytes.length) return false;
  }
  return true;
}

function isDmx(bytes) {
  if (bytes.length < 8) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const rate = view.getUint16(2, true);
  return view.getUint16(0, true) === 3 && rate >= 4000 && rate <= 48000 && view.getUint32(4, true) + 8 <= bytes.length;
}

// Whether the first bytes are letters, with few exceptions: UTF-8, or some old code page.
function isText(bytes) {
  if (!bytes.length) return false;
  const head = bytes.subarray(0, 4096);
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return false;
    if ((byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) || byte === 0x7f) odd += 1;
    else if (byte >= 0x80) odd += 0.3;
  }
  if (odd <= head.length * 0.05) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head.subarray(0, head.length < 4096 ? head.length : 4096 - 3), { stream: true });
  } catch {
    return false;
  }
  return odd <= head.length * 0.3;
}
