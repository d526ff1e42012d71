import { make } from "./dom.js";
import { fileName, numberText, savedText, sizeText, textNodes } from "./words.js";

// What is known of a lump without looking into it, and of an archive.

export function pairs(items) {
  const list = make("dl", { class: "facts" });
  for (const [name, ...value] of items) {
    if (!value.length || value.every((one) => one === null || one === undefined || one === "")) continue;
    list.append(make("dt", {}, name), make("dd", {}, ...value));
  }
  return list;
}

export function lumpFacts(rows, row, found) {
  const archive = rows.facts.archives[rows.archive[row]];
  const part = rows.parts.get(row);
  const name = rows.more(row, "name");
  const flags = rows.more(row, "flags");
  const schema = rows.more(row, "schema");
  const kindbyte = rows.more(row, "kindbyte");
  const entry = row - archive.first;
  const warnings = archive.warnings.filter(([at]) => at === entry).map(([, message]) => message);
  return make(
    "div",
    { class: "sheet" },
    pairs([
      ["Content", found],
      ["Map", part ? make("span", {}, ...textNodes(rows.maps[part.map].name), `: ${part.text}`) : null],
      ["Name", ...(name === null ? [] : textNodes(name))],
      ["Type", rows.facts.types[rows.type[row]]],
      ["Raw size", bytesText(rows.raw[row])],
      ["Stored size", bytesText(rows.stored[row])],
      ["Saved", savedText(rows.stored[row], rows.raw[row])],
      ["Stored as", rows.facts.codecs[rows.codec[row]]],
      ["Offset", `${numberText(rows.offset[row])} (0x${rows.offset[row].toString(16)})`],
      ["Schema", schema === null ? null : String(schema)],
      ["Key", rows.more(row, "key")],
      ["Content hash", rows.more(row, "hash")],
      ["Flags", flags === null ? null : `0x${flags.toString(16)}`],
      ["Kind byte", kindbyte === null ? null : `0x${kindbyte.toString(16).padStart(2, "0")}`],
      ["Entry", `${numberText(entry)} of ${numberText(archive.lumps)}`],
      ["Archive", ...textNodes(archive.path)],
    ]),
    ...warnings.map((message) => make("p", { class: "warning" }, ...textNodes(message))),
  );
}

export function bytesText(size) {
  return size < 1000 ? sizeText(size) : `${sizeText(size)} (${numberText(size)} bytes)`;
}

export function archiveFacts(archive) {
  const warnings = archive.warnings.map(([, message]) => make("p", { class: "warning" }, ...textNodes(message)));
  if (archive.moreWarnings) warnings.push(make("p", { class: "quiet" }, `and ${numberText(archive.moreWarnings)} more`));
  return make(
    "section",
    { class: "sheet" },
    make("h2", {}, ...textNodes(fileName(archive.path))),
    pairs([
      ["Path", ...(fileName(archive.path) === archive.path ? [] : textNodes(archive.path))],
      ["Format", archive.format],
      ["Lumps", numberText(archive.lumps)],
      ["Size", bytesText(archive.size)],
      ["Names", archive.names],
      ["Alignment", archive.alignment === null ? null : String(archive.alignment)],
      ["Seed", archive.seed],
      ["Archive hash", archive.hash],
    ]),
    warnings.length ? make("details", { class: "warnings" }, make("summary", {}, `${numberText(archive.warnings.length + archive.moreWarnings)} warnings`), ...warnings) : null,
  );
}
