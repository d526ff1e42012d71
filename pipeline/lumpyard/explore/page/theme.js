// Light and dark: what the system prefers, until the person says otherwise.

const ORDER = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

export class Theme {
  #listeners = [];
  #colors = new Map();

  constructor(button) {
    this.choice = "auto";
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.system.addEventListener("change", () => this.#changed());
    button.addEventListener("click", () => {
      this.choice = ORDER[(ORDER.indexOf(this.choice) + 1) % ORDER.length];
      document.documentElement.dataset.theme = this.choice;
      this.#label(button);
      this.#changed();
    });
    this.#label(button);
  }

  #label(button) {
    button.textContent = SIGNS[this.choice];
    button.title = `Colours: ${this.choice}`;
    button.setAttribute("aria-label", `Colours: ${this.choice}`);
  }

  get isDark() {
    return this.choice === "auto" ? this.system.matches : this.choice === "dark";
  }

  onChange(listener) {
    this.#listeners.push(listener);
  }

  #changed() {
    this.#colors.clear();
    for (const listener of this.#listeners) listener();
  }

  // What a custom property of the style is now, as a canvas takes it.
  color(name) {
    if (!this.#colors.has(name)) {
      const probe = document.createElement("span");
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      this.#colors.set(name, getComputedStyle(probe).color);
      probe.remove();
    }
    return this.#colors.get(name);
  }
}
