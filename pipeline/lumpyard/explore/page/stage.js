import { fill, make } from "./dom.js";

// A picture that can be made larger and smaller, and moved about.

const STEPS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32];

// `content` is an element of `width` by `height` pixels; what has few pixels is shown with sharp ones.
export function stage(content, width, height, { label, sharp = true, note = "" }) {
  const box = make("div", { class: "stage", tabindex: 0, role: "group", "aria-label": label });
  const said = make("span", { class: "quiet" });
  const view = { scale: 0 };
  content.classList.add("staged");
  const fitting = () => {
    const room = Math.min((box.clientWidth - 32) / width, (box.clientHeight - 32) / height);
    if (!sharp) return Math.max(0.02, room);
    if (room < 1) return Math.max(0.02, room);
    return room < 3 ? Math.floor(room * 2) / 2 : Math.min(16, Math.floor(room));
  };
  const draw = () => {
    const scale = view.scale || fitting();
    content.classList.toggle("sharp", sharp && scale >= 1);
    content.style.width = `${Math.max(1, width * scale)}px`;
    content.style.height = `${Math.max(1, height * scale)}px`;
    said.textContent = `${sharp ? `${width} × ${height} · ` : ""}${Math.round(scale * 100)}%${note ? ` · ${note}` : ""}`;
  };
  const step = (by) => {
    const now = view.scale || fitting();
    const next = by > 0 ? STEPS.find((one) => one > now * 1.01) : STEPS.findLast((one) => one < now * 0.99);
    view.scale = next ?? now;
    draw();
  };
  const fit = () => {
    view.scale = 0;
    draw();
  };
  box.addEventListener("keydown", (event) => {
    const act = { "+": () => step(1), "=": () => step(1), "-": () => step(-1), 0: fit }[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  box.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      step(-event.deltaY);
    },
    { passive: false },
  );
  drag(box);
  new ResizeObserver(() => view.scale || draw()).observe(box);
  fill(box, content);
  const bar = make(
    "div",
    { class: "bar" },
    make("button", { type: "button", "aria-label": "Smaller", title: "Smaller (-)", onclick: () => step(-1) }, "−"),
    make("button", { type: "button", "aria-label": "Larger", title: "Larger (+)", onclick: () => step(1) }, "+"),
    make("button", { type: "button", title: "As large as there is room (0)", onclick: fit }, "Fit"),
    said,
  );
  return make("div", { class: "column" }, bar, box);
}

function drag(box) {
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button) return;
    from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    if (!from) return;
    box.scrollLeft = from.x - event.clientX;
    box.scrollTop = from.y - event.clientY;
  });
  box.addEventListener("pointerup", () => (from = null));
  box.addEventListener("dragstart", (event) => event.preventDefault());
}
