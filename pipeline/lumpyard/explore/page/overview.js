import { make } from "./dom.js";
import { archiveFacts } from "./facts.js";
import { countText, numberText, sizeText, undrawn, withOptions } from "./words.js";

// What is beside the table before a lump is chosen: the archives, and what they are made of.

export function overview(rows, chooseKind) {
  const { facts } = rows;
  const sums = facts.kinds.map((name, kind) => ({ name, kind, lumps: 0, stored: 0 }));
  for (let row = 0; row < rows.length; row += 1) {
    sums[rows.kind[row]].lumps += 1;
    sums[rows.kind[row]].stored += rows.stored[row];
  }
  const shown = sums.filter(({ lumps }) => lumps).sort((a, b) => b.stored - a.stored);
  const most = Math.max(1, ...shown.map(({ stored }) => stored));
  const bars = shown.map(({ name, kind, lumps, stored }) => {
    const bar = make("span", { class: `bar-fill kind-${name}` });
    bar.style.width = `${Math.max(stored ? 0.5 : 0, (100 * stored) / most)}%`;
    return make(
      "button",
      { type: "button", class: "kind-bar", title: `Show only ${name}`, onclick: () => chooseKind(kind) },
      make("span", { class: `dot kind-${name}`, "aria-hidden": "true" }),
      make("span", { class: "kind-name" }, name),
      make("span", { class: "bar-track", "aria-hidden": "true" }, bar),
      make("span", { class: "number" }, sizeText(stored)),
      make("span", { class: "number quiet" }, numberText(lumps)),
    );
  });
  const left = facts.served || !facts.leftOut ? null : make("p", { class: "quiet note" }, ...withOptions(`The bytes of ${countText(facts.leftOut, "lump")} are not in this page. A larger --embed has more of them, and lumpyard explore --serve has all.`));
  const maps = facts.served || facts.drawn === rows.maps.length ? null : make("p", { class: "quiet note" }, ...undrawn(rows));
  return make(
    "div",
    { class: "overview" },
    ...facts.archives.map(archiveFacts),
    make("section", { class: "sheet" }, make("h2", {}, "Stored size by kind"), make("div", { class: "kind-bars" }, ...bars), left, maps),
    make("p", { class: "quiet note" }, "Keys: ", ...hints()),
  );
}

function hints() {
  const all = [["/", "search"], ["↑ ↓", "move"], ["Enter", "open"], ["Esc", "back"], ["t", "table"], ["m", "treemap"]];
  return all.flatMap(([key, text]) => [make("kbd", {}, key), ` ${text}  `]);
}
