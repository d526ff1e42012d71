import { Slice } from "./slices.js";

// Sorting by numbers, in short pieces. Rows that are alike stay in the order of the directory.

const RUN = 2048;

export async function sortedBy(keys, isStale) {
  let from = new Uint32Array(keys.length).map((_, at) => at);
  let to = new Uint32Array(keys.length);
  const slice = new Slice();
  for (let start = 0; start < keys.length; start += RUN) {
    from.subarray(start, start + RUN).sort((a, b) => keys[a] - keys[b] || a - b);
    if (slice.isOver) await slice.rest();
    if (isStale()) return null;
  }
  for (let width = RUN; width < keys.length; width *= 2) {
    for (let start = 0; start < keys.length; start += 2 * width) {
      const middle = Math.min(start + width, keys.length);
      const end = Math.min(start + 2 * width, keys.length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at += 1) {
        const takeLeft = right >= end || (left < middle && keys[from[left]] <= keys[from[right]]);
        to[at] = takeLeft ? from[left++] : from[right++];
        if ((at & 8191) === 0 && slice.isOver) await slice.rest();
      }
      if (isStale()) return null;
    }
    [from, to] = [to, from];
  }
  return from;
}
