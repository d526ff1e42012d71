import { releaseAll, saveAs } from "./blobs.js";
import { fill, make, rove } from "./dom.js";
import { drawingView } from "./drawings.js";
import { lumpFacts } from "./facts.js";
import { hexView } from "./hex.js";
import { pictureView } from "./pictures.js";
import { Turns } from "./slices.js";
import { sniff } from "./sniff.js";
import { soundView } from "./sounds.js";
import { textView } from "./texts.js";
import { escapeText, sizeText, textNodes, undrawn, withOptions } from "./words.js";

// One lump: its facts, and each way in which it can be looked at, as tabs.

const WHOLE = 32 * 1024 * 1024; // bytes; more than that is shown as hex alone
const TITLES = { map: "Map", picture: "Picture", sound: "Sound", text: "Text", facts: "Facts", hex: "Hex" };
const PALETTES = ["PLAYPAL", "PALETTE", "gfx/palette.lmp"];

export class Details {
  #turns = new Turns();
  #asked = ""; // the tab that the person chose last
  #palettes = new Map();

  constructor(element, rows, source, theme, close) {
    Object.assign(this, { element, rows, source, theme, close });
    this.row = -1;
    theme.onChange(() => this.row >= 0 && this.tab === "map" && this.show(this.row));
  }

  async show(row) {
    const isStale = this.#turns.begin();
    releaseAll();
    this.row = row;
    const { rows } = this;
    this.lump = { label: escapeText(rows.paths[row]), palette: () => this.#palette(rows.archive[row]) };
    this.#frame(row);
    const missing = this.source.missing(row);
    const part = rows.parts.get(row);
    const map = part && this.source.drawing ? part.map : -1;
    let found = { view: "", what: "" };
    let bytes = null;
    let trouble = missing;
    if (!missing && rows.raw[row] && rows.raw[row] <= WHOLE) {
      try {
        bytes = await this.source.bytes(row, 0, rows.raw[row]);
      } catch (error) {
        trouble = error.message;
      }
      if (isStale()) return;
      if (bytes) found = sniff(bytes, this.#hints(row));
    }
    const views = [];
    const hasDrawing = map >= 0 && (rows.facts.served || rows.maps[map].drawing !== null);
    if (hasDrawing) views.push(["map", async () => drawingView(await this.source.drawing(map), this.theme.isDark, { label: escapeText(rows.maps[map].name) })]);
    if (found.view === "picture") views.push(["picture", () => pictureView(bytes, found, this.lump)]);
    if (found.view === "sound") views.push(["sound", () => soundView(bytes, found, this.lump, (name) => this.theme.color(name))]);
    if (found.view === "text") views.push(["text", () => textView(bytes, found.what, isStale)]);
    views.push(["facts", async () => lumpFacts(rows, row, found.what)]);
    if (!trouble && rows.raw[row]) views.push(["hex", async () => this.#hex(row)]);
    if (map >= 0 && !hasDrawing) views.push(["map", async () => make("p", { class: "quiet note" }, ...undrawn(rows))]);
    this.saver.hidden = Boolean(trouble);
    fill(this.trouble, ...withOptions(trouble));
    this.trouble.hidden = !trouble;
    this.#tabs(views, isStale, part && part.text !== "its marker" && found.view === "text" ? "text" : "");
  }

  #hints(row) {
    const { rows } = this;
    return {
      format: rows.facts.archives[rows.archive[row]].format,
      path: rows.paths[row],
      kindbyte: rows.more(row, "kindbyte"),
      inMap: rows.parts.has(row),
      kind: rows.kindName(row),
    };
  }

  #hex(row) {
    return hexView(this.rows.raw[row], (from, size) => this.source.bytes(row, from, size), (message) => {
      this.trouble.textContent = message;
      this.trouble.hidden = false;
    });
  }

  #frame(row) {
    const { rows } = this;
    const path = rows.paths[row];
    const kind = rows.kindName(row);
    this.tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "Ways to look at the lump" });
    this.panel = make("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: -1 }, make("p", { class: "quiet note", role: "status" }, "Loading…"));
    this.trouble = make("p", { class: "trouble", role: "status", hidden: true });
    this.saver = make("button", { type: "button", hidden: true, onclick: () => this.#save(row) }, "Save");
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    fill(
      this.element,
      make(
        "header",
        { class: "lump-head" },
        make("button", { type: "button", class: "back", "aria-label": "Back to the table", onclick: this.close }, "←"),
        make(
          "div",
          { class: "lump-title" },
          make("h2", {}, make("span", { class: "folder" }, ...textNodes(folder)), ...textNodes(path.slice(folder.length))),
          make("p", { class: "quiet" }, make("span", { class: `dot kind-${kind}`, "aria-hidden": "true" }), ` ${kind} · ${sizeText(rows.raw[row])}`),
        ),
        this.saver,
      ),
      this.tabs,
      this.trouble,
      this.panel,
    );
  }

  #tabs(views, isStale, preferred) {
    rove(this.tabs, (tab) => tab.click());
    const buttons = new Map();
    const choose = async (name, make_, asked) => {
      if (asked) this.#asked = name;
      this.tab = name;
      for (const [other, button] of buttons) {
        button.setAttribute("aria-selected", String(other === name));
        button.tabIndex = other === name ? 0 : -1;
      }
      this.panel.setAttribute("aria-labelledby", `tab-${name}`);
      try {
        const view = await make_();
        if (!isStale() && this.tab === name && view) fill(this.panel, view);
      } catch (error) {
        if (!isStale() && this.tab === name) fill(this.panel, make("p", { class: "trouble note" }, ...textNodes(error.message)));
      }
    };
    for (const [name, view] of views) {
      const button = make(
        "button",
        { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", onclick: () => choose(name, view, true) },
        TITLES[name],
      );
      buttons.set(name, button);
    }
    fill(this.tabs, ...buttons.values());
    const [name, view] = views.find(([one]) => one === this.#asked) ?? views.find(([one]) => one === preferred) ?? views[0];
    choose(name, view, false);
  }

  async #save(row) {
    try {
      saveAs(await this.source.bytes(row, 0, this.rows.raw[row]), this.rows.paths[row]);
    } catch (error) {
      this.trouble.textContent = error.message;
      this.trouble.hidden = false;
    }
  }

  // The palette of an archive, else that of the first archive that has one; null where there is none.
  async #palette(archive) {
    if (!this.#palettes.has(archive)) {
      const others = this.rows.facts.archives.map((_, at) => at).filter((at) => at !== archive);
      this.#palettes.set(archive, this.#findPalette([archive, ...others]));
    }
    return this.#palettes.get(archive);
  }

  async #findPalette(archives) {
    for (const archive of archives) {
      for (const path of PALETTES) {
        const row = this.rows.find(path, archive);
        if (row >= 0 && this.rows.raw[row] >= 768 && !this.source.missing(row)) {
          return this.source.bytes(row, 0, 768).catch(() => null);
        }
      }
    }
    return null;
  }
}
