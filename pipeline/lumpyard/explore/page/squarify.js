// Areas for sizes, as near to squares as they go (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000).

// `sizes` fall; `place(index, x, y, width, height)` is called for each until areas get smaller than `least` square
// pixels. The result is what is left: { from, x, y, width, height }, or null.
export function squarify(sizes, { x, y, width, height }, least, place) {
  let left = 0;
  for (const size of sizes) left += size;
  let at = 0;
  while (at < sizes.length && left > 0 && width > 0 && height > 0) {
    const scale = (width * height) / left;
    if (sizes[at] * scale < least) return { from: at, x, y, width, height };
    const side = Math.min(width, height);
    let end = at;
    let sum = 0;
    let worst = Infinity;
    while (end < sizes.length) {
      const next = sum + sizes[end];
      const ratio = worstOf(sizes[at] * scale, sizes[end] * scale, next * scale, side);
      if (ratio > worst) break;
      worst = ratio;
      sum = next;
      end += 1;
    }
    const thick = Math.min((sum * scale) / side, Math.max(width, height));
    let along = 0;
    for (let one = at; one < end; one += 1) {
      const long = (sizes[one] / sum) * side;
      if (width >= height) place(one, x, y + along, thick, long);
      else place(one, x + along, y, long, thick);
      along += long;
    }
    if (width >= height) {
      x += thick;
      width -= thick;
    } else {
      y += thick;
      height -= thick;
    }
    left -= sum;
    at = end;
  }
  return null;
}

function worstOf(largest, smallest, sum, side) {
  const square = side * side;
  return Math.max((square * largest) / (sum * sum), (sum * sum) / (square * smallest));
}
