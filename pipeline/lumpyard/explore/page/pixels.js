// What all picture decoders share: limits, palettes, and pixels of four bytes.

const MOST_PIXELS = 1 << 24; // 4,096 by 4,096; a header may claim what it likes

export class Picture {
  constructor(width, height) {
    if (!(width > 0 && height > 0)) throw new Error(`it claims a size of ${width} by ${height}`);
    if (width * height > MOST_PIXELS) throw new Error(`${width} by ${height} pixels are more than are shown here`);
    this.width = width;
    this.height = height;
    this.data = new Uint8ClampedArray(width * height * 4);
    this.note = "";
  }

  set(at, red, green, blue, alpha = 255) {
    const place = at * 4;
    this.data[place] = red;
    this.data[place + 1] = green;
    this.data[place + 2] = blue;
    this.data[place + 3] = alpha;
  }

  // A pixel by its colour in a palette of three bytes each.
  paint(at, palette, colour) {
    this.set(at, palette[colour * 3], palette[colour * 3 + 1], palette[colour * 3 + 2]);
  }
}

export function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

// The bytes in a range; an Error where the lump ends before.
export function range(bytes, start, size, what) {
  if (start < 0 || start + size > bytes.length) {
    throw new Error(`${what} would end at byte ${start + size}, and the lump has ${bytes.length}`);
  }
  return bytes.subarray(start, start + size);
}

// The first 256 colours of a palette lump; greys where there is none.
export function paletteOf(bytes) {
  if (bytes && bytes.length >= 768) return bytes.subarray(0, 768);
  const greys = new Uint8Array(768);
  for (let at = 0; at < 768; at += 1) greys[at] = Math.floor(at / 3);
  return greys;
}

// Rows of one byte a pixel.
export function indexed(width, height, pixels, palette, clear = -1) {
  const picture = new Picture(width, height);
  for (let at = 0; at < width * height; at += 1) {
    if (pixels[at] === clear) picture.set(at, 0, 0, 0, 0);
    else picture.paint(at, palette, pixels[at]);
  }
  return picture;
}
