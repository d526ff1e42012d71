// The blocks of the page: base64 of zlib's format, in elements that nothing runs.

export function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

// The bytes of a block; null where the page has none of that name.
export async function readBlock(name) {
  const element = document.getElementById(`block-${name}`);
  if (!element) return null;
  const packed = new Blob([decodeBase64(element.textContent)]).stream();
  const whole = new Response(packed.pipeThrough(new DecompressionStream("deflate")));
  return new Uint8Array(await whole.arrayBuffer());
}

export async function readJson(name) {
  const bytes = await readBlock(name);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
