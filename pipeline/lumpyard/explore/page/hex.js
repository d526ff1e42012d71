import { make } from "./dom.js";
import { VirtualList } from "./list.js";

// Bytes as hex and as letters, loaded in pieces as they come into view.

const WINDOW = 64 * 1024;

// `read(from, size)` gives bytes.
export function hexView(size, read, onTrouble) {
  const scroller = make("div", { class: "scroller hex", tabindex: 0, role: "region", "aria-label": "Bytes in hex" });
  const pieces = new Map();
  const across = () => (scroller.clientWidth && scroller.clientWidth < 560 ? 8 : 16);
  let width = 0;
  const list = new VirtualList(scroller, {
    rowHeight: 20,
    create: () => make("div", {}, make("span", { class: "at" }), make("span", { class: "bytes" }), make("span", { class: "letters" })),
    draw,
  });

  function byteRange(start, end) {
    const number = Math.floor(start / WINDOW);
    const piece = pieces.get(number);
    if (piece instanceof Uint8Array) return piece.subarray(start - number * WINDOW, end - number * WINDOW);
    if (!piece) {
      const from = number * WINDOW;
      const loading = read(from, Math.min(WINDOW, size - from)).then(
        (bytes) => {
          pieces.set(number, bytes);
          list.refresh();
        },
        (error) => onTrouble(error.message),
      );
      pieces.set(number, loading);
    }
    return null;
  }

  function draw(row, element) {
    const start = row * width;
    const bytes = byteRange(start, Math.min(size, start + width));
    const [at, hex, letters] = element.children;
    at.textContent = start.toString(16).padStart(8, "0");
    if (!bytes) {
      hex.textContent = "…";
      letters.textContent = "";
      return;
    }
    const words = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
    if (width > 8) words.splice(8, 0, "");
    hex.textContent = words.join(" ").padEnd(width * 3 + 1);
    letters.textContent = Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
  }

  const measure = () => {
    if (across() === width) return;
    width = across();
    list.setLength(Math.ceil(size / width));
  };
  new ResizeObserver(measure).observe(scroller);
  keys(scroller, list);
  return make("div", { class: "column" }, scroller);
}

// The keys that scroll a list.
export function keys(scroller, list) {
  scroller.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Home") list.show(0);
    else if (event.key === "End") list.show(list.length - 1);
    else return;
    event.preventDefault();
  });
}
