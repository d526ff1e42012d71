import { fill, make } from "./dom.js";
import { Slice, Turns } from "./slices.js";
import { squarify } from "./squarify.js";
import { countText, escapeText, sizeText, textNodes } from "./words.js";

// All rows that are shown as areas, by what they take in the archive, in the areas of their folders.

const LEAST = 10; // square pixels; what is smaller is one area with its neighbours
const HEAD = 17; // pixels of a folder's name

export class Treemap {
  #turns = new Turns();

  constructor(element, rows, theme, { open, zoom }) {
    Object.assign(this, { rows, theme, open, zoom });
    this.trail = make("nav", { class: "trail", "aria-label": "Folder" });
    this.canvas = make("canvas", { class: "areas", tabindex: 0, role: "img" });
    this.said = make("p", { class: "quiet said", "aria-live": "polite" });
    this.box = make("div", { class: "canvas-box" }, this.canvas);
    fill(element, this.trail, this.box, this.said);
    this.areas = [];
    this.chosen = -1;
    this.under = null;
    this.top = 0;
    new ResizeObserver(() => this.draw()).observe(this.box);
    theme.onChange(() => this.draw());
    this.canvas.addEventListener("pointermove", (event) => this.#point(this.#hit(event)));
    this.canvas.addEventListener("pointerleave", () => this.#point(null));
    this.canvas.addEventListener("click", (event) => this.#press(this.#hit(event)));
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  // `bySize` is all rows that are shown, the largest first; `top` the folder that fills the map.
  async setRows(bySize, top) {
    const isStale = this.#turns.begin();
    const { folders, folder, stored, kind } = this.rows;
    const kinds = this.rows.facts.kinds.length;
    const sums = new Float64Array(folders.length);
    const byKind = new Float64Array(folders.length * kinds);
    const leaves = new Map();
    const slice = new Slice();
    for (let at = 0; at < bySize.length; at += 1) {
      const row = bySize[at];
      const own = leaves.get(folder[row]);
      if (own) own.push(row);
      else leaves.set(folder[row], [row]);
      sums[folder[row]] += stored[row];
      byKind[folder[row] * kinds + kind[row]] += stored[row];
      if ((at & 1023) === 0 && slice.isOver) {
        await slice.rest();
        if (isStale()) return;
      }
    }
    const children = new Map();
    for (let at = folders.length - 1; at >= 0; at -= 1) {
      const { parent } = folders[at];
      if (parent < 0 || !sums[at]) continue;
      if ((at & 1023) === 0 && slice.isOver) await slice.rest();
      sums[parent] += sums[at];
      for (let one = 0; one < kinds; one += 1) byKind[parent * kinds + one] += byKind[at * kinds + one];
      if (children.has(parent)) children.get(parent).push(at);
      else children.set(parent, [at]);
    }
    for (const list of children.values()) {
      list.sort((a, b) => sums[b] - sums[a]);
      if (slice.isOver) await slice.rest();
    }
    await slice.rest();
    if (isStale()) return;
    Object.assign(this, { sums, byKind, leaves, children, top: top < 0 ? 0 : top, number: bySize.length });
    this.#trail();
    this.draw();
  }

  #trail() {
    const { folders } = this.rows;
    const parts = [];
    for (let at = this.top; at >= 0; at = folders[at].parent) {
      const target = at;
      const label = folders[at].parent < 0 && !folders[at].name ? "all" : folders[at].name;
      const button = make("button", { type: "button", onclick: () => this.zoom(target) }, ...textNodes(label));
      if (at === this.top) button.setAttribute("aria-current", "true");
      parts.unshift(button);
    }
    fill(this.trail, ...parts);
    this.canvas.setAttribute("aria-label", `Treemap of ${countText(this.number, "lump")}, ${sizeText(this.sums[this.top] ?? 0)} stored. Arrows go from the largest on, Enter opens.`);
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!this.sums || !width || !height) return;
    const dense = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * dense);
    this.canvas.height = Math.round(height * dense);
    this.context = this.canvas.getContext("2d");
    this.context.scale(dense, dense);
    this.colors = this.rows.facts.kinds.map((kind) => this.theme.color(`--kind-${kind}`));
    this.context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    this.grounds = [this.theme.color("--tree-b"), this.theme.color("--tree-a")];
    this.areas = [];
    this.#folder(this.top, { x: 0, y: 0, width, height }, 0);
    this.bySize = this.areas.filter(({ row }) => row >= 0).sort((a, b) => b.width * b.height - a.width * a.height);
    if (!this.areas.length) this.said.textContent = "Nothing that takes room is shown.";
    else this.#say(null);
    this.#mark();
  }

  #folder(folder, box, depth) {
    const { context } = this;
    let inner = box;
    if (depth > 0) {
      if (box.width >= 9 && box.height >= 9) {
        context.fillStyle = this.grounds[depth % 2];
        context.fillRect(box.x, box.y, box.width, box.height);
      }
      this.areas.push({ ...box, row: -1, folder });
      const named = box.width > 46 && box.height > 40;
      if (named) this.#label(this.rows.folders[folder].name, box.x + 5, box.y + 12, box.width - 10, this.theme.color("--text"));
      inner = { x: box.x + 2, y: box.y + (named ? HEAD : 2), width: box.width - 4, height: box.height - (named ? HEAD + 2 : 4) };
      if (inner.width < 5 || inner.height < 5) {
        context.fillStyle = this.#mainColor(folder);
        context.fillRect(box.x, box.y, Math.max(0.5, box.width - 1), Math.max(0.5, box.height - 1));
        return;
      }
    }
    const items = this.#items(folder);
    const sizes = Float64Array.from(items, ({ size }) => size);
    const rest = squarify(sizes, inner, LEAST, (at, x, y, width, height) => {
      const item = items[at];
      if (item.row >= 0) this.#leaf(item.row, { x, y, width, height });
      else this.#folder(item.folder, { x, y, width, height }, depth + 1);
    });
    if (rest) {
      context.globalAlpha = 0.5;
      context.fillStyle = this.#mainColor(folder);
      context.fillRect(rest.x, rest.y, Math.max(0, rest.width - 1), Math.max(0, rest.height - 1));
      context.globalAlpha = 1;
      this.areas.push({ ...rest, row: -1, folder, rest: items.length - rest.from });
    }
  }

  // The colour of the kind that takes the most of a folder.
  #mainColor(folder) {
    const kinds = this.colors.length;
    let main = 0;
    for (let one = 1; one < kinds; one += 1) {
      if (this.byKind[folder * kinds + one] > this.byKind[folder * kinds + main]) main = one;
    }
    return this.colors[main];
  }

  // Folders and lumps of a folder, the largest first; both are sorted already.
  #items(folder) {
    const folders = this.children.get(folder) ?? [];
    const leaves = this.leaves.get(folder) ?? [];
    const items = [];
    let at = 0;
    for (const row of leaves) {
      const size = this.rows.stored[row];
      if (!size) break;
      while (at < folders.length && this.sums[folders[at]] >= size) items.push({ row: -1, folder: folders[at], size: this.sums[folders[at++]] });
      items.push({ row, size });
    }
    while (at < folders.length) items.push({ row: -1, folder: folders[at], size: this.sums[folders[at++]] });
    return items;
  }

  #leaf(row, box) {
    const { context } = this;
    context.fillStyle = this.colors[this.rows.kind[row]];
    context.fillRect(box.x, box.y, Math.max(0.5, box.width - 1), Math.max(0.5, box.height - 1));
    this.areas.push({ ...box, row });
    if (box.width < 54 || box.height < 18) return;
    const path = this.rows.paths[row];
    const ink = this.theme.color("--on-kind");
    this.#label(path.slice(path.lastIndexOf("/") + 1), box.x + 5, box.y + 13, box.width - 9, ink);
    if (box.height > 36) this.#label(sizeText(this.rows.stored[row]), box.x + 5, box.y + 27, box.width - 9, ink, 0.75);
  }

  #label(text, x, y, width, color, alpha = 1) {
    const { context } = this;
    let shown = escapeText(text.slice(0, 80));
    const most = Math.floor(width / 5.6);
    if (most < 3) return;
    if (shown.length > most) shown = `${shown.slice(0, most - 1)}…`;
    context.globalAlpha = alpha;
    context.fillStyle = color;
    context.fillText(shown, x, y, width);
    context.globalAlpha = 1;
  }

  // The innermost area at a place.
  #hit({ offsetX: x, offsetY: y }) {
    return this.areas.findLast((area) => x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height) ?? null;
  }

  #point(area) {
    if (area === this.under) return;
    this.under = area;
    this.canvas.style.cursor = area ? "pointer" : "";
    this.#say(area);
  }

  #say(area) {
    const { rows } = this;
    if (!area) this.said.textContent = `${sizeText(this.sums[this.top])} in ${countText(this.number, "lump")}; click a folder's name to go in`;
    else if (area.row >= 0) fill(this.said, ...textNodes(rows.paths[area.row]), ` · ${sizeText(rows.stored[area.row])} · ${rows.kindName(area.row)}`);
    else if (area.rest) this.said.textContent = `${countText(area.rest, "smaller one")} together`;
    else fill(this.said, ...textNodes(rows.folders[area.folder].path || rows.folders[area.folder].name), ` · ${sizeText(this.sums[area.folder])}`);
  }

  #press(area) {
    if (!area) return;
    if (area.row >= 0) {
      this.setChosen(area.row);
      this.open(area.row);
    } else if (area.folder !== this.top) this.zoom(area.folder);
  }

  setChosen(row) {
    this.chosen = row;
    if (this.sums) this.#mark();
  }

  #mark() {
    this.marker ??= this.box.appendChild(make("div", { class: "marker", "aria-hidden": "true" }));
    const area = this.areas.find(({ row }) => row === this.chosen && row >= 0);
    this.marker.hidden = !area;
    if (!area) return;
    Object.assign(this.marker.style, { left: `${area.x}px`, top: `${area.y}px`, width: `${area.width - 1}px`, height: `${area.height - 1}px` });
  }

  #key(event) {
    const at = this.bySize?.findIndex(({ row }) => row === this.chosen) ?? -1;
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0 }[event.key];
    if (event.key === "Enter" && this.chosen >= 0) this.open(this.chosen);
    else if (event.key === "Backspace") this.zoom(Math.max(0, this.rows.folders[this.top].parent));
    else if (next !== undefined && this.bySize?.length) {
      const area = this.bySize[Math.max(0, Math.min(this.bySize.length - 1, next))];
      this.setChosen(area.row);
      this.#say(area);
    } else return;
    event.preventDefault();
  }
}
