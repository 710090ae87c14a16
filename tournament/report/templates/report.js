"use strict";

// Tables: a heading sorts by its column, again the other way round. Numbers begin with the largest.

const NOTHING = "–";
const collator = new Intl.Collator(undefined, { numeric: true });

function sortKey(cell) {
  const shown = cell.textContent;
  if (shown === NOTHING) return null;
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  return cell.classList.contains("n") ? parseFloat(shown.replace(/,/g, "")) : shown;
}

function compared(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}

function sortBy(heading) {
  const table = heading.closest("table");
  const body = table.tBodies[0];
  const index = heading.cellIndex;
  const numbers = heading.classList.contains("n");
  const was = heading.getAttribute("aria-sort");
  const now = was === "none" ? (numbers ? "descending" : "ascending") : was === "ascending" ? "descending" : "ascending";
  for (const other of heading.parentNode.cells) other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", now);
  const sign = now === "ascending" ? 1 : -1;
  const held = Held.of(body);
  const keyed = Array.from(held?.items ?? body.rows, (row) => [sortKey(row.cells[index]), row]);
  keyed.sort(([a], [b]) => (a === null) - (b === null) || (a === null ? 0 : sign * compared(a, b)));
  const sorted = keyed.map(([, row]) => row);
  if (held) held.begin(sorted); else body.append(...sorted);
}

function makeSortable(heading) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  button.title = "Sort by this column";
  button.addEventListener("click", () => sortBy(heading));
  heading.append(button);
  heading.setAttribute("aria-sort", "none");
}

for (const table of document.querySelectorAll("table")) {
  if (table.tBodies[0].rows.length > 1) table.querySelectorAll("thead th").forEach(makeSortable);
}

// Games lie in <noscript>, which a browser with scripts keeps as text: they become elements as they are looked at.

const AT_ONCE = 40;

class Held {
  static all = [];
  static of(body) { return Held.all.find((held) => held.body === body); }

  constructor(noscript, selector) {
    const parsed = new DOMParser().parseFromString(noscript.textContent, "text/html");
    this.items = [...parsed.querySelectorAll(selector)];
    this.body = this.items[0].parentNode;
    this.body.replaceChildren();
    noscript.replaceWith(document.adoptNode(parsed.body.firstElementChild));
    this.watch = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) this.more(); }, { rootMargin: "600px" });
    Held.all.push(this);
    this.begin(this.items);
  }

  begin(items) {
    this.items = items;
    this.body.replaceChildren();
    this.more();
  }

  more(count = AT_ONCE) {
    this.watch.disconnect();
    for (const item of this.items.filter((one) => !one.isConnected).slice(0, count)) this.show(item);
    const next = this.items.findIndex((one) => !one.isConnected);
    if (next > 0) this.watch.observe(this.items[next - 1]);
  }

  /** Puts one of them in its place among those that are shown. */
  show(item) {
    const after = this.items.slice(this.items.indexOf(item) + 1).find((one) => one.isConnected);
    this.body.insertBefore(document.adoptNode(item), after ?? null);
  }
}

/** The games, as elements: none before somebody comes near them. */
function games() {
  const [table, list] = document.querySelectorAll("#games noscript");
  if (!list) return;
  new Held(table, "tbody tr");
  if (Held.all[0].items.length > 1) document.querySelectorAll("#games thead th").forEach(makeSortable);
  new Held(list, ".game");
}

function all() {
  games();
  for (const held of Held.all) held.more(Infinity);
  for (const folded of document.querySelectorAll(".folded")) folded.open = true;
}

// Games: the board of a game is drawn when the game is opened.

const SVG = "http://www.w3.org/2000/svg";
const rules = document.getElementById("games")?.dataset;

function drawn(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Each line of `connect` discs of one kind, among all that are as long as that. */
function linesOf(cells, rows, columns, connect, disc) {
  const lines = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (const [up, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const line = Array.from({ length: connect }, (_, step) => [row + up * step, column + right * step]);
        if (line.every(([r, c]) => cells[r]?.[c] === disc)) lines.push(line);
      }
    }
  }
  return lines;
}

/** The board after so many plies, and how many lines each side has. */
function boardAfter(game, plies) {
  const [rows, columns, connect] = [rules.rows, rules.columns, rules.connect].map(Number);
  const cells = Array.from({ length: rows }, () => Array(columns).fill(null));
  let last = null;
  Array.from(game.dataset.moves).slice(0, plies).forEach((digit, ply) => {
    const column = Array.from(rules.digits).indexOf(digit);
    const row = cells.findIndex((line) => line[column] === null);
    cells[row][column] = ply % 2;
    last = [row, column, ply % 2];
  });
  const board = drawn("svg", { viewBox: `0 0 ${columns} ${rows + 0.5}`, class: "board", role: "img" });
  board.append(drawn("rect", { class: "frame", width: columns, height: rows, rx: 0.2 }));
  const y = (row) => rows - 0.5 - row;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const disc = cells[row][column];
      const place = { cx: column + 0.5, cy: y(row) };
      const kind = disc === null ? "hole" : `disc ${["first", "second"][disc]}`;
      board.append(drawn("circle", { ...place, r: 0.4, class: kind }));
      if (disc === 1) board.append(drawn("circle", { ...place, r: 0.2, class: "ring" }));
    }
  }
  const lines = [0, 1].map((disc) => linesOf(cells, rows, columns, connect, disc));
  for (const [[r1, c1], [r2, c2]] of lines.flat().map((line) => [line[0], line.at(-1)])) {
    board.append(drawn("line", { x1: c1 + 0.5, y1: y(r1), x2: c2 + 0.5, y2: y(r2), class: "line" }));
  }
  if (last !== null) board.append(drawn("circle", { cx: last[1] + 0.5, cy: y(last[0]), r: 0.12, class: "last" }));
  for (let column = 0; column < columns; column++) {
    board.append(drawn("text", { x: column + 0.5, y: rows + 0.38 }, Array.from(rules.digits)[column]));
  }
  return [board, lines.map((own) => own.length)];
}

function replay(game) {
  const moves = Array.from(game.dataset.moves);
  const names = Array.from(game.querySelectorAll("summary .look"), (side) => side.textContent);
  const outcome = game.querySelector(".outcome").textContent;
  let ply = moves.length;
  const place = document.createElement("div");
  const told = document.createElement("p");
  told.className = "told";
  told.setAttribute("aria-live", "polite");
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: moves.length });
  slider.setAttribute("aria-label", "Moves played");

  function show() {
    const [board, [first, second]] = boardAfter(game, ply);
    const mover = `${names[(ply + 1) % 2]} (${"OX"[ply % 2]})`;
    const opening = ply && ply <= Number(game.dataset.opening) ? ", in the opening" : "";
    const move = ply ? `Move ${ply} of ${moves.length}: ${mover} in column ${moves[ply - 1]}${opening}` : "Before the first move";
    const lines = rules.objective === "most-lines" ? ` Lines: ${first} to ${second}.` : "";
    told.textContent = (ply && ply === moves.length ? `${move}. Result: ${outcome}.` : `${move}.`) + lines;
    board.setAttribute("aria-label", `Board. ${told.textContent}`);
    place.replaceChildren(board);
    slider.value = ply;
  }

  const steps = document.createElement("div");
  steps.className = "steps";
  const kinds = [["First", () => 0], ["Back", () => ply - 1], ["Next", () => ply + 1], ["Last", () => moves.length]];
  const buttons = kinds.map(([label, to]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    button.addEventListener("click", () => {
      ply = Math.max(0, Math.min(moves.length, to()));
      show();
    });
    return button;
  });
  slider.addEventListener("input", () => {
    ply = Number(slider.value);
    show();
  });
  steps.append(...buttons, slider);
  const seats = document.createElement("p");
  seats.className = "seats";
  seats.textContent = `X, a full disc: ${names[0]}. O, a disc with a ring: ${names[1]}.`;
  const around = game.querySelector(".replay");
  around.querySelector("pre").remove();
  around.prepend(seats, place, told, steps);
  show();
}

document.addEventListener("toggle", ({ target: game }) => { // toggle does not bubble, but it is captured
  if (!game.matches(".game") || !game.open) return;
  if (game.querySelector("pre")) replay(game);
  game.scrollIntoView({ block: "nearest" });
}, true);

document.addEventListener("keydown", (event) => {
  const game = event.target.closest(".game[open]");
  const step = { ArrowLeft: "Back", ArrowRight: "Next" }[event.key];
  if (!game || !step || event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  [...game.querySelectorAll(".steps button")].find((button) => button.textContent === step).click();
});

function openLinked() {
  const name = location.hash.slice(1);
  if (name === "games" || name.startsWith("game-")) games();
  const game = Held.all[1]?.items.find((one) => one.id === name);
  if (game) {
    if (!game.isConnected) Held.all[1].show(game);
    game.open = true;
    game.querySelector("summary").focus({ preventScroll: true });
    return;
  }
  const folded = document.getElementById(name)?.closest(".folded");
  if (folded && !folded.open) {
    folded.open = true;
    document.getElementById(name).scrollIntoView();
  }
}
addEventListener("hashchange", openLinked);
addEventListener("beforeprint", all);
openLinked();

const near = new IntersectionObserver((seen) => {
  if (!seen.some((one) => one.isIntersecting)) return;
  near.disconnect();
  games();
}, { rootMargin: "1000px" });
if (rules) near.observe(document.getElementById("games"));
