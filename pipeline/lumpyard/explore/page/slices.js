// Long work in short pieces, so that the page answers all the while.

const SLICE = 8; // milliseconds
const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();

// Lets the browser draw and take input; unlike a timer it waits no longer than that.
export function breathe() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

export class Slice {
  #until = performance.now() + SLICE;

  get isOver() {
    return performance.now() > this.#until;
  }

  async rest() {
    await breathe();
    this.#until = performance.now() + SLICE;
  }
}

// A number for each piece of work; `isStale` says whether another has begun since.
export class Turns {
  #turn = 0;

  begin() {
    this.#turn += 1;
    const mine = this.#turn;
    return () => mine !== this.#turn;
  }
}
