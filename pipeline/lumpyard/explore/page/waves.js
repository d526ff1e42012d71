import { range, viewOf } from "./pixels.js";

// Sounds: Doom's turned into WAV, and the shape of any WAV of plain samples.

const PEAKS = 600;

// Format 3, rate, count; then samples of 8 bits, of which the first and the last 16 only repeat their neighbours.
export function waveOfDmx(bytes) {
  const view = viewOf(range(bytes, 0, 8, "the header of a sound"));
  const rate = view.getUint16(2, true);
  const whole = range(bytes, 8, view.getUint32(4, true), "its samples");
  const samples = whole.length > 32 ? whole.subarray(16, -16) : whole;
  const wave = new Uint8Array(44 + samples.length);
  const out = new DataView(wave.buffer);
  const text = (at, letters) => [...letters].forEach((letter, by) => out.setUint8(at + by, letter.charCodeAt(0)));
  text(0, "RIFF");
  out.setUint32(4, 36 + samples.length, true);
  text(8, "WAVEfmt ");
  out.setUint32(16, 16, true);
  out.setUint16(20, 1, true); // plain samples
  out.setUint16(22, 1, true); // one channel
  out.setUint32(24, rate, true);
  out.setUint32(28, rate, true);
  out.setUint16(32, 1, true);
  out.setUint16(34, 8, true);
  text(36, "data");
  out.setUint32(40, samples.length, true);
  wave.set(samples, 44);
  return wave;
}

// { channels, rate, bits, seconds, peaks } of a WAV; peaks are null where its samples are coded.
export function shapeOfWave(bytes) {
  const view = viewOf(bytes);
  let form = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const size = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8);
    if (name === "fmt " && size >= 16) {
      form = {
        coding: view.getUint16(at + 8, true),
        channels: view.getUint16(at + 10, true),
        rate: view.getUint32(at + 12, true),
        perSecond: view.getUint32(at + 16, true),
        bits: view.getUint16(at + 22, true),
      };
    } else if (name === "data" && form) {
      const seconds = form.perSecond ? size / form.perSecond : 0;
      const plain = (form.coding === 1 || form.coding === 0xfffe) && (form.bits === 8 || form.bits === 16);
      return { ...form, seconds, peaks: plain ? peaksOf(view, at + 8, size, form.bits) : null };
    }
    at += 8 + size + (size & 1);
  }
  return null;
}

// The loudest sample of each of so many stretches, 0 to 1.
function peaksOf(view, start, size, bits) {
  const width = bits / 8;
  const number = Math.floor(size / width);
  const peaks = new Float32Array(Math.min(PEAKS, number));
  for (let at = 0; at < number; at += 1) {
    const value = bits === 8 ? (view.getUint8(start + at) - 128) / 128 : view.getInt16(start + at * 2, true) / 32768;
    const peak = Math.floor((at / number) * peaks.length);
    if (Math.abs(value) > peaks[peak]) peaks[peak] = Math.abs(value);
  }
  return peaks;
}
