// A list of any length: only the rows that can be seen are there.

const TALLEST = 6_000_000; // pixels; browsers stop at some 16 to 33 million

export class VirtualList {
  #scroller;
  #layer;
  #spacer;
  #pool = [];
  #top = 0; // the row at the upper edge, with its fraction
  #own = -1; // the scroll position that was set here, which says less than #top
  #frame = 0;

  // `draw(index, element)` fills an element, which had another row before.
  constructor(scroller, { rowHeight, create, draw }) {
    this.#scroller = scroller;
    this.rowHeight = rowHeight;
    this.create = create;
    this.draw = draw;
    this.length = 0;
    this.#layer = document.createElement("div");
    this.#layer.className = "list-layer";
    this.#spacer = document.createElement("div");
    this.#spacer.className = "list-spacer";
    for (const element of [this.#layer, this.#spacer]) element.setAttribute("role", "presentation");
    scroller.append(this.#layer, this.#spacer);
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    scroller.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(() => this.#place()).observe(scroller);
  }

  get #view() {
    return this.#scroller.clientHeight;
  }

  get #whole() {
    return this.length * this.rowHeight;
  }

  get page() {
    return Math.max(1, Math.floor(this.#view / this.rowHeight) - 1);
  }

  setLength(length, { keep = false } = {}) {
    this.length = length;
    this.#spacer.style.height = `${Math.min(TALLEST, this.#whole)}px`;
    if (!keep) this.#top = 0;
    this.#place();
    this.refresh();
  }

  // Brings a row into view, by as little as that takes, or into the middle.
  show(index, { inMiddle = false } = {}) {
    const rows = this.#view / this.rowHeight;
    const isThere = index >= this.#top && index + 1 <= this.#top + rows;
    if (inMiddle && !isThere) this.#top = index - rows / 2;
    else if (index < this.#top) this.#top = index;
    else if (index + 1 > this.#top + rows) this.#top = index + 1 - rows;
    this.#place();
    this.refresh();
  }

  refresh() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#render());
  }

  // Has the scroll bar stand where #top is.
  #place() {
    this.#top = Math.max(0, Math.min(this.#top, this.length - this.#view / this.rowHeight));
    const room = Math.min(TALLEST, this.#whole) - this.#view;
    const rows = this.length - this.#view / this.rowHeight;
    const wanted = rows > 0 ? Math.round((this.#top / rows) * room) : 0;
    this.#own = wanted;
    this.#scroller.scrollTop = wanted;
    this.refresh();
  }

  #scrolled() {
    const at = this.#scroller.scrollTop;
    if (Math.abs(at - this.#own) >= 1) {
      this.#own = -1;
      const room = this.#scroller.scrollHeight - this.#view;
      const rows = this.length - this.#view / this.rowHeight;
      this.#top = room > 0 && rows > 0 ? (at / room) * rows : 0;
    }
    this.refresh();
  }

  // Where the scroll bar is too coarse, the wheel moves by rows.
  #wheel(event) {
    if (this.#whole <= TALLEST || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    this.#top += event.deltaY / this.rowHeight;
    this.#place();
  }

  #render() {
    this.#frame = 0;
    const first = Math.max(0, Math.floor(this.#top));
    const wanted = Math.min(this.length - first, Math.ceil(this.#view / this.rowHeight) + 1);
    while (this.#pool.length < wanted) {
      const element = this.create();
      element.classList.add("list-row");
      this.#layer.append(element);
      this.#pool.push(element);
    }
    this.#pool.forEach((element, at) => {
      element.hidden = at >= wanted;
      if (at >= wanted) return;
      element.style.transform = `translateY(${Math.round((first + at - this.#top) * this.rowHeight)}px)`;
      this.draw(first + at, element);
    });
  }
}
