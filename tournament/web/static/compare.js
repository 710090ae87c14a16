// Compare: puts a position together, and fills the table row by row, two evaluators at a time.

import { Cancelled, DIGITS, ask, make, paint, tidy, walkable } from "./common.js";

const element = document.getElementById("compare");
const board = element.querySelector(".board");
const form = document.getElementById("position");
const text = document.getElementById("text");
const status = document.getElementById("status");
const rows = Number(board.dataset.rows), columns = Number(board.dataset.columns);
const AT_ONCE = 2;
const PATIENCE = 15; // seconds for one answer

// Each column from the bottom, as a list of discs.
let discs = stacks(element.dataset.board);

function stacks(diagram) {
  const lines = diagram.split("/").reverse();
  return Array.from({ length: columns }, (_, column) => lines.map((line) => line[column]).filter((disc) => disc !== "."));
}

function diagram() {
  const lines = [];
  for (let row = rows - 1; row >= 0; row--) lines.push(discs.map((column) => column[row] ?? ".").join(""));
  return lines.join("/");
}

const count = (disc) => discs.flat().filter((other) => other === disc).length;
const inTurn = () => (count("X") > count("O") ? "O" : "X");
const clicked = () => form.elements.click.value;

function changed(last = null, turn = null) {
  paint(board, { board: diagram(), line: [], last });
  if (turn) form.elements.side.value = turn;
  write();
}

function write() {
  text.value = discs.flat().length || form.elements.side.value === "O" ? `${diagram()} ${form.elements.side.value}` : "empty";
}

board.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-column]");
  if (cell) put(Number(cell.dataset.column));
});

function put(column) {
  const how = clicked();
  if (how === "take") discs[column].pop();
  else if (discs[column].length < rows) discs[column].push(how === "turn" ? inTurn() : how);
  else { status.textContent = `Column ${DIGITS[column]} is full.`; return; }
  const height = discs[column].length;
  changed(how !== "take" ? [height - 1, column] : null, inTurn());
}

walkable(board, (column) => {
  if (clicked() === "take" || discs[column].length >= rows) return null;
  return (clicked() === "turn" ? inTurn() : clicked()) === "X" ? "first" : "second";
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const column = DIGITS.indexOf(event.key);
  if (event.key.length === 1 && column >= 0 && column < columns) { event.preventDefault(); put(column); }
});
document.getElementById("clear").addEventListener("click", () => { discs = Array.from({ length: columns }, () => []); changed(null, "X"); });
form.addEventListener("change", (event) => { if (event.target.name === "side") write(); });
form.addEventListener("submit", () => { for (const field of form.querySelectorAll("[data-local]")) field.disabled = true; });
tidy(form);

const search = JSON.parse(element.dataset.search);

/** Fills a cell; says whether the evaluator has answered. */
async function fill(cell, address, values, draw) {
  cell.textContent = "…";
  try {
    draw(await ask(address, { ...values, within: PATIENCE }));
    return true;
  } catch (error) {
    cell.replaceChildren(error instanceof Cancelled ? "cancelled" : make("small", { class: "wrong", text: error.message }));
    return false;
  }
}

/** All that one evaluator says; where it fails or takes too long it is asked no further. */
async function askEvaluator(row) {
  const evaluator = row.dataset.evaluator;
  const [first, second] = row.querySelectorAll("[data-score]");
  let goesOn = await fill(first, "/api/scores", { ...search, evaluator }, ({ shown }) => { first.textContent = shown.first; second.textContent = shown.second; });
  if (element.hasAttribute("data-over")) return;
  for (const cell of row.querySelectorAll("[data-depth]")) {
    const values = { ...search, evaluator, depth: cell.dataset.depth };
    goesOn &&= await fill(cell, "/api/search", values, (found) => {
      const link = make("a", { href: `/explain?${new URLSearchParams(values)}`, "aria-label": `column ${DIGITS[found.column]}, ${found.shown}: explain`, text: DIGITS[found.column] });
      cell.replaceChildren(link, make("small", { text: ` ${found.shown}` }));
    });
  }
}

async function askEverybody() {
  const left = [...element.querySelectorAll("tr[data-evaluator]")].values(); // shared: each takes the next
  await Promise.all(Array.from({ length: AT_ONCE }, async () => { for (const row of left) await askEvaluator(row); }));
}
if (element.hasAttribute("data-ask")) askEverybody().then(() => { status.textContent += " Everybody has been asked."; });
