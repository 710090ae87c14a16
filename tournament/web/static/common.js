// What every page shares: asking the server, cancelling what was asked, drawing boards, making elements.

const page = crypto.randomUUID();
const pending = new Set();
export const DIGITS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγ";
export const SEAT_OF = { X: "first", O: "second" };
export const DISC_OF = { first: "X", second: "O" };

export class Cancelled extends Error {}

/** The server's answer, or an Error with its message. */
export async function post(address, values, signal) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Page": page },
      body: JSON.stringify(values),
      signal,
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error ?? "the server gave no answer.");
    return answer;
  } catch (error) {
    if (signal.aborted) throw new Cancelled();
    if (error instanceof TypeError) throw new Error("the server does not answer: is `tourney serve` still running?");
    throw error;
  }
}

/** The same, of what takes time: it can be cancelled, one by one or all at once. */
export async function ask(address, values, controller = new AbortController()) {
  pending.add(controller);
  tell();
  try {
    return await post(address, values, controller.signal);
  } finally {
    pending.delete(controller);
    tell();
  }
}

/** How far the search under way has come, again and again until it is there; `say` is told in words. */
export async function follow(controller, say) {
  const began = performance.now();
  const rest = () => new Promise((done) => setTimeout(done, 300));
  for (await rest(); pending.has(controller); await rest()) {
    const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    try {
      const response = await fetch("/api/progress", { method: "POST", headers: { "Content-Type": "application/json", "X-Page": page }, body: "{}" });
      const { waiting, depth, generated } = await response.json();
      if (!pending.has(controller)) break;
      say(waiting ? `${seconds}, waiting for its turn` : depth ? `${seconds}, depth ${depth}, ${counted(generated)} positions` : seconds);
    } catch { say(seconds); }
  }
  say("");
}

/** Ends every search that this page has asked for. */
export function cancelAll() {
  for (const controller of [...pending]) controller.abort();
}

let timer = null;
function tell() {
  const button = document.getElementById("cancel");
  if (!button) return;
  if (!pending.size) {
    clearTimeout(timer);
    timer = null;
    if (button === document.activeElement) document.getElementById("main").focus({ preventScroll: true });
    button.hidden = true;
  } else {
    timer ??= setTimeout(() => { button.hidden = false; }, 200); // a quick answer needs no button
  }
}
document.getElementById("cancel")?.addEventListener("click", cancelAll);

/** An element with attributes and children; `class`, `text` and listeners (`onclick`) included. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
export function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A small board; the top disc of column `last` is marked, or the cell that is chosen in a column from which a disc may drift. */
export function miniBoard(text, last = null, chosen = null) {
  const rows = text.split("/");
  const [height, width] = [rows.length, rows[0].length];
  const svg = shape("svg", { viewBox: `0 0 ${10 * width + 2} ${10 * height + 2}`, class: "mini", role: "img", "aria-label": described(rows) });
  svg.append(shape("rect", { class: "frame", width: 10 * width + 2, height: 10 * height + 2, rx: 4 }));
  let marked = false;
  const lowest = chosen === null ? -1 : rows.findLastIndex((row) => row[chosen] === ".");
  rows.forEach((row, y) => [...row].forEach((disc, x) => {
    const [cx, cy] = [10 * x + 6, 10 * y + 6];
    svg.append(shape("circle", { class: SEAT_OF[disc] ?? "empty", cx, cy, r: disc === "." ? 3.9 : 3.7, "stroke-width": disc === "." ? 0 : 0.8 }));
    if (x === chosen && y === lowest) svg.append(shape("circle", { class: "ring", cx, cy, r: 3 }));
    if (!marked && x === last && disc !== ".") {
      marked = true;
      svg.append(shape("circle", { class: "dot", cx, cy, r: 1.3, "stroke-width": 0.5 }));
    }
  }));
  return svg;
}

function described(rows) {
  const discs = [...rows.join("")].filter((disc) => disc !== ".").length;
  return discs ? `board with ${discs} discs: ${rows.filter((row) => /[XO]/.test(row)).join(", ")}` : "empty board";
}

/** Shows a state of the game on the board of the page; `fell` says which cell has just been filled, and from which column. */
export function paint(board, state, { fell = null, hint = null } = {}) {
  const rows = state.board.split("/");
  board.parentElement.style.setProperty("--rows", rows.length);
  const won = new Set((state.line ?? []).map(([row, column]) => `${row},${column}`));
  for (const cell of board.querySelectorAll("[data-row]")) {
    const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    const disc = rows[rows.length - 1 - row][column];
    const seat = SEAT_OF[disc];
    const isLast = Boolean(state.last && state.last[0] === row && state.last[1] === column);
    const isHint = hint === column && !seat && (row === 0 || rows[rows.length - row][column] !== ".");
    const falls = Boolean(fell && fell.cell[0] === row && fell.cell[1] === column);
    cell.className = ["cell", seat, isLast && "last", won.has(`${row},${column}`) && "won", isHint && "hint", falls && "fell"].filter(Boolean).join(" ");
    if (falls) {
      cell.style.setProperty("--fall", rows.length - row);
      cell.style.setProperty("--aside", (fell.from ?? column) - column); // columns that it drifts on its way
    }
    const what = seat ? `${disc}, ${seat} player` : "empty";
    const more = [isLast && "last move", won.has(`${row},${column}`) && (state.lines ? "in a line that counts" : "in the winning line"), isHint && "hint"].filter(Boolean);
    cell.setAttribute("aria-label", [`column ${column + 1}, row ${row + 1}`, what, ...more].join(", "));
  }
}

/** Lets the arrow keys move the focus from cell to cell, and shows where a disc would come to rest. */
export function walkable(board, ghost = () => null) {
  const columns = Number(board.dataset.columns), rows = Number(board.dataset.rows);
  const at = (row, column) => board.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };
  board.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-row]");
    if (!cell) return;
    let [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    if (event.key in steps) {
      row = Math.min(rows - 1, Math.max(0, row + steps[event.key][0]));
      column = Math.min(columns - 1, Math.max(0, column + steps[event.key][1]));
    } else if (event.key === "Home") column = 0;
    else if (event.key === "End") column = columns - 1;
    else return;
    event.preventDefault();
    focusCell(at(row, column));
  });
  function focusCell(cell) {
    for (const other of board.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  }
  function show(column) {
    for (const cell of board.querySelectorAll(".ghost-first, .ghost-second")) cell.classList.remove("ghost-first", "ghost-second");
    const seat = column === null ? null : ghost(column);
    if (!seat) return;
    for (let row = 0; row < rows; row++) {
      const cell = at(row, column);
      if (!cell.classList.contains("first") && !cell.classList.contains("second")) { cell.classList.add(`ghost-${seat}`); break; }
    }
  }
  const column = (event) => { const cell = event.target.closest("[data-column]"); return cell ? Number(cell.dataset.column) : null; };
  board.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") show(column(event)); });
  board.addEventListener("pointerleave", () => show(null));
  board.addEventListener("focusin", (event) => show(column(event)));
  board.addEventListener("focusout", () => show(null));
}

export function counted(number) {
  return Number(number).toLocaleString("en");
}

export function inMilliseconds(seconds) {
  const ms = 1000 * seconds;
  return ms < 10 ? `${ms.toFixed(2)} ms` : ms < 10000 ? `${Math.round(ms)} ms` : `${seconds.toFixed(1)} s`;
}

/** A score in a few letters: `+#5` is a win in 5 plies, `240M` many. */
function brief(shown) {
  if (/^(win|loss)/.test(shown)) return shown.replace(/^(win|loss) in (\d+).*/, (_, what, plies) => `${what === "win" ? "+" : "−"}#${plies}`);
  const number = Number(shown.replaceAll(",", "").replace("−", "-"));
  if (shown.length <= 6 || Number.isNaN(number)) return shown;
  return number.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 }).replace("-", "−");
}

/** What a search found every column worth, above the columns; where that is known as a bound, with its sign. */
export function paintScores(board, found) {
  for (const place of board.parentElement.querySelectorAll("[data-score-of]")) {
    const column = Number(place.dataset.scoreOf);
    const move = found?.root_moves.find((one) => one.column === column);
    place.textContent = move ? `${move.exact ? "" : "≤ "}${brief(move.shown)}` : "";
    place.title = move ? `column ${DIGITS[column]}: ${move.exact ? "" : "at most "}${move.shown}` : "";
    place.classList.toggle("chosen", column === found?.column);
  }
}

/** Leaves out of a form's address what is empty or as usual, and gives the limit the name of its kind. */
export function tidy(form) {
  for (const preset of form.querySelectorAll(".preset")) {
    const fields = preset.closest("fieldset").querySelector(".search-fields");
    const [kind, amount] = [fields.querySelector(".limit-kind"), fields.querySelector(".limit")];
    preset.addEventListener("change", () => {
      if (!preset.value) return;
      const [how, much] = preset.value.split(" ");
      kind.value = how;
      kind.dispatchEvent(new Event("change", { bubbles: true }));
      amount.value = much;
    });
    fields.addEventListener("input", () => { preset.value = ""; });
  }
  for (const kind of form.querySelectorAll(".limit-kind")) {
    const amount = kind.closest(".fields").querySelector(".limit");
    const rename = () => { amount.name = amount.dataset.prefix + kind.value; };
    kind.addEventListener("change", () => { rename(); amount.value = { depth: 8, nodes: 20000, seconds: 0.5 }[kind.value]; });
    rename();
  }
  form.addEventListener("submit", () => {
    const left = [...form.elements].filter((field) => field.name && field.type !== "checkbox" && (field.value === "" || field.value === field.dataset.usual));
    for (const field of left) field.disabled = true;
    setTimeout(() => left.forEach((field) => { field.disabled = false; }));
  });
}
