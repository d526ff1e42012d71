// Addresses of bytes for pictures and sounds; those of one lump are given back when the next is shown.

const open = new Set();

export function addressOf(bytes, type) {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  open.add(address);
  return address;
}

export function releaseAll() {
  for (const address of open) URL.revokeObjectURL(address);
  open.clear();
}

// Hands bytes to the person as a file, under a name without folders and without anything that a system might obey.
export function saveAs(bytes, path) {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/[^\w.+=@()-]/g, "_") || "lump";
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/^\.+/, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
