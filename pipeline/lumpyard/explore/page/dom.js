// Elements. Text only ever becomes text: nothing here, and nothing elsewhere in the page, makes markup of a string.

export function find(selector) {
  return document.querySelector(selector);
}

// An element with attributes, handlers (`onclick`) and children; a child is a node or text.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Roving focus in a row of tabs or buttons: arrows, Home and End move it, and `choose` hears of it.
export function rove(container, choose) {
  container.addEventListener("keydown", (event) => {
    const all = [...container.querySelectorAll("[role=tab]")];
    const at = all.indexOf(document.activeElement);
    const last = all.length - 1;
    const next = { ArrowLeft: at ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    all[next].focus();
    choose(all[next]);
  });
}
