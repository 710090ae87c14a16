// Truth: what perfect play makes of each column, under the board, once somebody asks for it. Nothing waits for it.

import { DIGITS, make, post } from "./common.js";

const SIGNS = { win: "+", draw: "=", loss: "−", unknown: "?" };
const PATIENCE = 2000; // milliseconds that a hint waits for the best of several good columns
const REST = 60; // milliseconds between two questions about one position

export class Truth {
  /** On pages whose rules the solver does not know there is no button, and this does nothing. */
  constructor(board, rules) {
    this.rules = rules;
    this.row = board.parentElement.querySelector(".truths");
    this.button = document.getElementById("truth");
    this.position = null; // as a diagram; none where the game is over
    this.known = new Map(); // by position, what was told of it last
    this.controller = null;
    if (!this.button) return;
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.toggle());
    const isColumn = DIGITS.indexOf("t") < Number(board.dataset.columns);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "t" || isColumn || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=radio]), select, textarea")) return;
      event.preventDefault();
      this.toggle();
    });
  }

  get isShown() { return this.button?.getAttribute("aria-pressed") === "true"; }

  toggle() {
    this.button.setAttribute("aria-pressed", String(!this.isShown));
    this.row.hidden = !this.isShown;
    this.update();
  }

  /** The position that the board shows now; it is asked about where truth is shown. */
  at(state) {
    const position = state && !state.result ? `${state.board} ${state.to_move === "first" ? "X" : "O"}` : null;
    if (position === this.position) return;
    this.position = position;
    this.update();
  }

  update() {
    this.controller?.abort();
    this.controller = null;
    if (!this.button || !this.isShown) return;
    this.draw(this.position ? this.known.get(this.position) : { moves: [], done: true });
    if (this.position && !this.known.get(this.position)?.done) this.find(this.position).catch(() => {});
  }

  /** Asks about a position until all is known, or it is no longer the one that is shown. */
  async find(position, until = () => false) {
    this.controller?.abort();
    const own = this.controller = new AbortController();
    for (;;) {
      let told;
      try {
        told = await post("/api/truth", { ...this.rules, position }, own.signal);
      } catch (error) {
        if (own.signal.aborted) return null;
        this.draw({ moves: [], done: true, problem: error.message });
        throw error;
      }
      this.known.set(position, told);
      if (own.signal.aborted) return null;
      if (position === this.position && this.isShown) this.draw(told);
      if (told.done || until(told)) return told;
      await new Promise((done) => setTimeout(done, REST));
    }
  }

  /** A column that keeps the value, and what it is worth; the soonest win or the latest loss where that is found soon. */
  async hint() {
    const position = this.position, began = performance.now();
    let told = this.known.get(position);
    const isEnough = (one) => one.value !== "unknown";
    if (!told?.done) told = await this.find(position, (one) => isEnough(one) && performance.now() - began > PATIENCE);
    if (told && !told.done && this.isShown) this.update(); // what was stopped for the hint goes on
    if (!told || !isEnough(told)) return null;
    const best = told.moves.filter((one) => one.value === told.value);
    const last = best.filter((one) => one.plies !== null && one.plies === told.plies);
    return { column: (last[0] ?? best[0]).move - 1, told: worth((last[0] ?? best[0])) };
  }

  draw(told) {
    for (const place of this.row.querySelectorAll("[data-truth-of]")) {
      const column = Number(place.dataset.truthOf);
      const move = told?.moves.find((one) => one.move === column + 1);
      place.className = `place truth ${move?.value ?? ""}`;
      place.replaceChildren();
      place.removeAttribute("aria-label");
      if (!told && this.position) place.textContent = "…";
      if (!move) continue;
      if (move.value === "unknown" && !told.done) { place.textContent = "…"; continue; }
      const [value, when] = worth(move).split(/ (?=in )/);
      const more = when ?? (told.done || move.value === "draw" ? null : "…"); // when is still looked for
      place.append(make("b", { "aria-hidden": "true", text: SIGNS[move.value] }), make("span", { text: value }));
      if (more) place.append(make("span", { text: more }));
      place.setAttribute("aria-label", `column ${DIGITS[column]}: ${worth(move)}`);
      place.title = `column ${DIGITS[column]}: ${worth(move)}`;
    }
    this.row.title = told?.problem ?? "";
  }
}

/** `win in 7`, `draw`, `loss`, or `not proven`. */
export function worth({ value, plies }) {
  if (value === "unknown") return "not proven";
  return value === "draw" || plies === null ? value : `${value} in ${plies}`;
}
