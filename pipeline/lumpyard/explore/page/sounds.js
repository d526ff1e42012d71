import { addressOf } from "./blobs.js";
import { make } from "./dom.js";
import { workOn } from "./working.js";
import { numberText } from "./words.js";

// Sounds, with their shape where it is plain.

export async function soundView(bytes, found, lump, color) {
  let { mime } = found;
  let data = bytes;
  let shape = null;
  if (found.decoder === "dmx") {
    const result = await workOn("dmx", bytes);
    data = result.wave;
    shape = result.shape;
    mime = "audio/wav";
  } else if (mime === "audio/wav") {
    shape = (await workOn("wave", bytes)).shape;
  }
  const player = make("audio", { controls: true, preload: "metadata", "aria-label": lump.label, src: addressOf(data, mime) });
  const trouble = make("p", { class: "trouble", role: "status" });
  player.onerror = () => (trouble.textContent = `The browser cannot play this ${found.what}.`);
  const facts = [found.what];
  if (shape) {
    facts.push(`${numberText(shape.rate)} Hz`, `${shape.bits} bits`, shape.channels === 1 ? "mono" : `${shape.channels} channels`);
    facts.push(`${shape.seconds.toFixed(2)} s`);
  }
  const wave = shape?.peaks?.length ? waveform(shape.peaks, player, color) : null;
  return make("div", { class: "sound" }, wave, player, make("p", { class: "quiet" }, facts.join(" · ")), trouble);
}

function waveform(peaks, player, color) {
  const canvas = make("canvas", { class: "wave", width: 1200, height: 240, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  const draw = () => {
    const { width, height } = canvas;
    const played = player.duration ? player.currentTime / player.duration : 0;
    context.clearRect(0, 0, width, height);
    const step = width / peaks.length;
    peaks.forEach((peak, at) => {
      const tall = Math.max(2, peak * height * 0.92);
      context.globalAlpha = at / peaks.length < played ? 1 : 0.55;
      context.fillStyle = color("--wave");
      context.fillRect(at * step, (height - tall) / 2, Math.max(1, step - 0.6), tall);
    });
  };
  canvas.onclick = (event) => {
    if (!player.duration) return;
    player.currentTime = (event.offsetX / canvas.clientWidth) * player.duration;
    draw();
  };
  player.ontimeupdate = draw;
  draw();
  return canvas;
}
