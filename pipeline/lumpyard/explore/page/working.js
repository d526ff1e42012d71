// The page's end of worker.js.

let worker = null;
let last = 0;
const promised = new Map();

// What the worker makes of bytes; rejects with a message that says what is wrong with them.
export function workOn(task, bytes, palette = null) {
  if (!worker) {
    const text = document.getElementById("worker").textContent;
    worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = promised.get(id);
      promised.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    };
  }
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    promised.set(id, { resolve, reject });
    worker.postMessage({ id, task, bytes, palette });
  });
}
