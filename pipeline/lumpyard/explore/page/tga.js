import { Picture, range, viewOf } from "./pixels.js";

// TGA: with a colour map, true colour or grey, plain or in runs, from below or from above.

export function decodeTga(bytes) {
  const view = viewOf(range(bytes, 0, 18, "the header of a TGA"));
  const [idSize, hasMap, kind] = bytes;
  const width = view.getUint16(12, true);
  const height = view.getUint16(14, true);
  const bits = bytes[16];
  const flags = bytes[17];
  const colour = kind & 7;
  if (![1, 2, 3, 9, 10, 11].includes(kind)) throw new Error(`a TGA of type ${kind} is not read here`);
  const size = (bits + 7) >> 3;
  if (size < 1 || size > 4 || (colour !== 2 && size !== 1 && !(colour === 3 && size === 2))) {
    throw new Error(`a TGA of type ${kind} with ${bits} bits a pixel is not read here`);
  }
  const picture = new Picture(width, height);
  const first = view.getUint16(3, true);
  const length = hasMap ? view.getUint16(5, true) : 0;
  const mapSize = (bytes[7] + 7) >> 3;
  const map = range(bytes, 18 + idSize, length * mapSize, "its colour map");
  const coded = bytes.subarray(18 + idSize + length * mapSize);
  const pixels = kind & 8 ? unpack(coded, width * height, size) : range(coded, 0, width * height * size, "its pixels");
  const alpha = (flags & 15) > 0;
  for (let at = 0; at < width * height; at += 1) {
    const x = at % width;
    const y = Math.floor(at / width);
    const place = (flags & 0x20 ? y : height - 1 - y) * width + (flags & 0x10 ? width - 1 - x : x);
    if (colour === 1) put(picture, place, map, (pixels[at] - first) * mapSize, mapSize, mapSize === 4);
    else if (colour === 3) {
      const grey = pixels[at * size];
      picture.set(place, grey, grey, grey, size === 2 ? pixels[at * size + 1] : 255);
    } else put(picture, place, pixels, at * size, size, alpha);
  }
  return picture;
}

// A colour of two bytes (five bits each), three, or four.
function put(picture, place, bytes, at, size, alpha) {
  if (at < 0 || at + size > bytes.length) {
    picture.set(place, 255, 0, 255);
  } else if (size === 2) {
    const value = bytes[at] | (bytes[at + 1] << 8);
    const scaled = (shift) => Math.round((((value >> shift) & 31) * 255) / 31);
    picture.set(place, scaled(10), scaled(5), scaled(0));
  } else {
    picture.set(place, bytes[at + 2], bytes[at + 1], bytes[at], size === 4 && alpha ? bytes[at + 3] : 255);
  }
}

function unpack(coded, number, size) {
  const pixels = new Uint8Array(number * size);
  let at = 0;
  let place = 0;
  while (place < pixels.length && at < coded.length) {
    const head = coded[at++];
    const length = ((head & 127) + 1) * size;
    if (head & 128) {
      for (let done = 0; done < length && place < pixels.length; done += 1) pixels[place++] = coded[at + (done % size)];
      at += size;
    } else {
      for (let done = 0; done < length && place < pixels.length; done += 1) pixels[place++] = coded[at++];
    }
  }
  return pixels;
}
