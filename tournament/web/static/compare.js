// Compare: puts a position together, and asks everybody about it as it changes, two evaluators at a time.

import { Cancelled, DIGITS, ask, cancelAll, make, paint, tidy, walkable } from "./common.js";
import { Truth } from "./truth.js";

const element = document.getElementById("compare");
const board = element.querySelector(".board");
const form = document.getElementById("position");
const text = document.getElementById("text");
const by = (id) => document.getElementById(id);
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

let soon = null;
function changed(last = null, turn = null) {
  truth.at(null); // until it is asked about what is there now
  paint(board, { board: diagram(), line: [], last });
  if (turn) form.elements.side.value = turn;
  write();
  clearTimeout(soon);
  soon = setTimeout(askEverybody, 200); // of several clicks in a row the last one
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
board.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const column = DIGITS.indexOf(event.key);
  if (event.key.length === 1 && column >= 0 && column < columns) { event.preventDefault(); put(column); }
});
document.getElementById("clear").addEventListener("click", () => { discs = Array.from({ length: columns }, () => []); changed(null, "X"); });
form.addEventListener("change", (event) => { if (event.target.name === "side") changed(); });
form.addEventListener("submit", () => { for (const field of form.querySelectorAll("[data-local]")) field.disabled = true; });
tidy(form);


const { position: _, ...rules } = JSON.parse(element.dataset.search);
const truth = new Truth(board, rules);
let round = 0; // of questions: a later one makes an earlier one's answers idle

/** Fills a cell; says whether the evaluator has answered. */
async function fill(cell, address, values, draw) {
  const own = round;
  try {
    const answer = await ask(address, { ...values, within: PATIENCE });
    if (own === round) draw(answer);
    return own === round;
  } catch (error) {
    if (own === round) cell.replaceChildren(error instanceof Cancelled ? "cancelled" : make("small", { class: "wrong", text: error.message }));
    return false;
  }
}

/** All that one evaluator says; where it fails or takes too long it is asked no further. */
async function askEvaluator(row, search, over, chosen) {
  const evaluator = row.dataset.evaluator;
  const [first, second] = row.querySelectorAll("[data-score]");
  let goesOn = await fill(first, "/api/scores", { ...search, evaluator }, ({ shown }) => { first.textContent = shown.first; second.textContent = shown.second; });
  for (const cell of row.querySelectorAll("[data-depth]")) {
    if (over) { cell.textContent = "–"; continue; }
    const values = { ...search, evaluator, depth: cell.dataset.depth };
    goesOn &&= await fill(cell, "/api/search", values, (found) => {
      const link = make("a", { href: `/explain?${new URLSearchParams(values)}`, "aria-label": `${DIGITS[found.column]} ${found.shown}: explain column ${DIGITS[found.column]} of ${evaluator} at depth ${cell.dataset.depth}` }, DIGITS[found.column], make("small", { text: ` ${found.shown}` }));
      cell.replaceChildren(link);
      chosen.push({ evaluator, depth: cell.dataset.depth, column: found.column });
    });
  }
}

/** In a line, where they differ. */
function difference(chosen) {
  return [...new Set(chosen.map((one) => one.depth))].sort((a, b) => a - b).map((depth) => {
    const own = chosen.filter((one) => one.depth === depth), columns = new Map();
    for (const { evaluator, column } of own) columns.set(column, [...(columns.get(column) ?? []), evaluator]);
    const [most, ...others] = [...columns].sort(([, a], [, b]) => b.length - a.length);
    if (!others.length) return `At depth ${depth}, all choose ${DIGITS[most[0]]}.`;
    return `At depth ${depth}, ${most[1].length} of ${own.length} choose ${DIGITS[most[0]]}; ${others.map(([column, names]) => `${names.join(", ")}: ${DIGITS[column]}`).join("; ")}.`;
  }).join(" ");
}

/** Moves that lead to these discs, if there are any: each column from the bottom, X and O in turn. */
function order() {
  const heights = discs.map(() => 0), failed = new Set(), moves = [];
  const total = discs.flat().length;
  const go = () => {
    if (moves.length === total) return true;
    const key = heights.join(" "), disc = "XO"[moves.length % 2];
    if (failed.has(key)) return false;
    for (let column = 0; column < columns; column++) {
      if (discs[column][heights[column]] !== disc) continue;
      heights[column] += 1;
      moves.push(DIGITS[column]);
      if (go()) return true;
      heights[column] -= 1;
      moves.pop();
    }
    failed.add(key);
    return false;
  };
  return total <= 42 && inTurn() === form.elements.side.value && go() ? moves.join("") : null;
}

let before = Promise.resolve(); // the round before, which ends once its last answers are there

async function askEverybody() {
  const own = ++round;
  await Promise.race([before, new Promise((done) => setTimeout(done, 2000))]);
  if (own !== round) return;
  cancelAll(); // what still searches does so for long
  before = askAbout(own);
}

async function askAbout(own) {
  const position = text.value, chosen = [];
  const search = { ...rules, position };
  const address = new URL(location);
  if (position === "empty") address.searchParams.delete("position"); else address.searchParams.set("position", position);
  history.replaceState(null, "", address);
  const moves = order();
  by("play-on").hidden = moves === null;
  by("play-on").href = `/play?${new URLSearchParams({ ...rules, moves: moves ?? "" })}`;
  let over = false;
  try {
    const state = await ask("/api/state", { ...rules, position });
    if (own !== round) return;
    over = Boolean(state.result);
    truth.at(state);
    paint(board, { ...state, last: null });
    status.textContent = over ? "The game is over here: there is no move to choose." : `${state.to_move === "first" ? "X" : "O"} to move.`;
  } catch (error) {
    if (own === round && !(error instanceof Cancelled)) status.textContent = error.message;
    return;
  }
  by("differ").textContent = "";
  const left = [...element.querySelectorAll("tr[data-evaluator]")].values(); // shared: each takes the next
  const one = async () => { for (const row of left) {
    if (own !== round) return;
    await askEvaluator(row, search, over, chosen);
    if (own === round) by("differ").textContent = difference(chosen);
  } };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  if (own !== round) return;
  status.textContent += " Everybody has been asked.";
}
if (element.hasAttribute("data-ask")) askEverybody();
