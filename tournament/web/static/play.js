// Play: the game is the address. Every move is asked of the server, which knows the rules and draws the luck.

import { Cancelled, DIGITS, DISC_OF, ask, cancelAll, make, paint, tidy, walkable } from "./common.js";
import { Tree } from "./tree.js";

const element = document.getElementById("game");
const game = JSON.parse(element.dataset.game);
const board = element.querySelector(".board");
const by = (id) => document.getElementById(id);
const seats = ["first", "second"];
const isHuman = (seat) => game.seats[seat] === "human";
const people = seats.filter(isHuman).length;
const tree = new Tree(by("tree"), game.algorithms, { toGame: () => board.querySelector('[tabindex="0"]').focus() });
const PAUSE = 450; // ms between two moves of machines, so that one can follow

let state = game.state;
let busy = null; // what is being asked
let watching = false;
let hint = null;

function nameOf(seat) {
  if (!isHuman(seat)) return people ? game.seats[seat] : `${game.seats[seat]} (${DISC_OF[seat]})`;
  return people === 1 ? "You" : `${DISC_OF[seat]}`;
}

function say(text, thinking = false) {
  by("status").textContent = text;
  by("status").classList.toggle("thinking", thinking);
}

function complain(error) {
  by("problem").hidden = !error;
  by("problem").textContent = error?.message ?? "";
}

function verdict() {
  const lines = state.lines ? ` ${state.lines.first} to ${state.lines.second} lines.` : "";
  if (state.result === "draw") return `A draw.${lines}`;
  const winner = nameOf(state.result);
  return `${winner === "You" ? "You win!" : `${winner} wins.`}${lines}`;
}

function whoseTurn() {
  if (state.result) return verdict();
  const mover = state.to_move;
  if (isHuman(mover)) return people === 1 ? `Your turn: you are ${DISC_OF[mover]}.` : `${DISC_OF[mover]} to move.`;
  return people ? `It is ${nameOf(mover)}’s turn.` : `${nameOf(mover)} to move: press Start, or Step.`;
}

function show(options = {}) {
  paint(board, state, { hint, ...options });
  for (const seat of seats) {
    by(`seat-${seat}`).classList.toggle("turn", !state.result && state.to_move === seat);
    const count = by(`seat-${seat}`).querySelector(".count");
    count.hidden = !state.lines;
    if (state.lines) count.replaceChildren(String(state.lines[seat]), make("small", { text: state.lines[seat] === 1 ? " line" : " lines" }));
  }
  const machine = !state.result && !isHuman(state.to_move);
  board.classList.toggle("busy", Boolean(busy));
  board.classList.toggle("over", Boolean(state.result));
  by("undo").disabled = !canUndo();
  by("hint").disabled = Boolean(busy) || machine || Boolean(state.result);
  by("hint").hidden = !people;
  by("explain").disabled = Boolean(busy) || Boolean(state.result);
  by("watch").hidden = Boolean(people) || Boolean(state.result);
  by("watch").textContent = watching ? "Pause" : "Start";
  by("step").hidden = !machine || watching || Boolean(busy);
  by("step").textContent = people ? "Let it move" : "Step";
  const address = new URL(location);
  if (state.moves) address.searchParams.set("moves", state.moves); else address.searchParams.delete("moves");
  history.replaceState(null, "", address);
}

/** Does one thing at a time; what goes wrong is told. */
async function during(work) {
  busy = new AbortController();
  const own = busy;
  complain(null);
  try {
    return await work(own);
  } catch (error) {
    if (busy !== own) return;
    watching = false;
    if (error instanceof Cancelled) say("The search was cancelled.");
    else { complain(error); say(whoseTurn()); }
  } finally {
    if (busy === own) busy = null;
    show();
  }
}

function place(answer, mover) {
  const drifted = answer.landed !== answer.chosen ? ` The disc for column ${DIGITS[answer.chosen]} drifted to column ${DIGITS[answer.landed]}.` : "";
  state = answer.state;
  hint = null;
  show({ fell: state.last });
  return { drifted, told: `${nameOf(mover)} played column ${DIGITS[answer.chosen]}.${drifted}` };
}

async function drop(column) {
  if (busy || state.result) return;
  if (!isHuman(state.to_move)) { say(whoseTurn()); return; }
  if (!state.open.includes(column)) { say(`Column ${DIGITS[column]} is full. ${whoseTurn()}`); return; }
  const mover = state.to_move;
  let told = "";
  await during(async (controller) => {
    const answer = await ask("/api/drop", { ...game.rules, moves: state.moves, column: column + 1, seed: game.seed }, controller);
    told = place(answer, mover).drifted;
    say(`${told} ${whoseTurn()}`.trim());
  });
  if (told !== "" || state.moves) await machineTurn();
}

async function machineTurn() {
  if (busy || state.result || isHuman(state.to_move)) return;
  const mover = state.to_move, moves = state.moves;
  const search = { ...game.rules, evaluator: game.seats[mover], ...game.settings[mover] };
  await during(async (controller) => {
    say(`${nameOf(mover)} is thinking`, true);
    show();
    const answer = await ask("/api/move", { ...search, moves, seed: game.seed }, controller);
    const { found } = answer;
    const { told } = place(answer, mover);
    say(`${told.replace(/\.$/, "")}, score ${found.shown}. ${state.result ? verdict() : people ? "Your turn." : ""}`.trim());
    const repeated = search.seconds ? { nodes: found.settings.nodes, seconds: undefined } : {};
    tree.offer({ ...search, ...repeated, position: moves || "empty" }, titleOf(mover, game.seats[mover], found), { load: !watching && found.seconds < 2 });
  });
}

function titleOf(mover, evaluator, found) {
  return `${evaluator} for ${DISC_OF[mover]} chose column ${DIGITS[found.column]}, score ${found.shown}, at depth ${found.depth}: ${found.described}.`;
}

async function watch() {
  while (watching && !state.result) {
    await machineTurn();
    if (!watching || state.result) break;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  watching = false;
  show();
}

function kept() {
  // To the last position in which a person was to move; between machines or people one move back.
  let length = state.moves.length - 1;
  while (people === 1 && length >= 0 && !isHuman(seats[length % 2])) length -= 1;
  return length;
}

function canUndo() {
  return state.moves.length > 0 && kept() >= 0;
}

async function undo() {
  if (!canUndo()) return;
  watching = false;
  busy?.abort();
  busy = null;
  await goTo(state.moves.slice(0, kept()));
  say(`Undone. ${whoseTurn()}`);
}

async function goTo(moves) {
  await during(async (controller) => {
    state = await ask("/api/state", { ...game.rules, moves }, controller);
    hint = null;
    tree.clear();
  });
}

async function giveHint() {
  const { evaluator, settings } = game.advisor;
  const search = { ...game.rules, position: state.moves || "empty", evaluator, ...settings };
  await during(async (controller) => {
    say(`${evaluator} looks for a move`, true);
    const found = await ask("/api/search", search, controller);
    hint = found.column;
    say(`Hint: column ${DIGITS[found.column]}, score ${found.shown} by ${evaluator}.`);
    tree.offer(search, titleOf(state.to_move, evaluator, found), { load: found.seconds < 2 });
  });
}

function explainHere() {
  const mover = state.to_move;
  const by = isHuman(mover) ? game.advisor : { evaluator: game.seats[mover], settings: game.settings[mover] };
  tree.offer({ ...game.rules, position: state.moves || "empty", evaluator: by.evaluator, ...by.settings }, `${by.evaluator} searches this position for ${DISC_OF[mover]}.`);
  document.getElementById("tree").scrollIntoView({ block: "nearest" });
}

board.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-column]");
  if (cell) drop(Number(cell.dataset.column));
});
walkable(board, (column) => (!busy && !state.result && isHuman(state.to_move) && state.open.includes(column) ? state.to_move : null));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const column = DIGITS.indexOf(event.key);
  if (event.key.length === 1 && column >= 0 && column < Number(board.dataset.columns)) { event.preventDefault(); drop(column); }
});
by("undo").addEventListener("click", undo);
by("hint").addEventListener("click", giveHint);
by("explain").addEventListener("click", explainHere);
by("watch").addEventListener("click", () => {
  watching = !watching;
  if (watching) watch(); else show();
});
by("step").addEventListener("click", machineTurn);
by("again").addEventListener("click", () => {
  cancelAll();
  const address = new URL(location);
  address.searchParams.delete("moves");
  address.searchParams.delete("seed"); // new luck
  location.assign(address);
});
by("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied: it opens this game as it stands.");
  } catch {
    say(`The link of this game is the page’s address: ${location.href}`);
  }
});

const form = by("setup");
tidy(form);
function suit() {
  const drifts = Number(form.elements.drift.value) < 1;
  for (const option of form.querySelectorAll(".algorithm option[data-chance]")) {
    option.hidden = option.disabled = (option.dataset.chance === "1") !== drifts;
    if (option.disabled && option.selected) option.parentElement.value = "";
  }
  for (const fieldset of form.querySelectorAll("[data-seat]")) {
    fieldset.querySelector(".search-fields").hidden = fieldset.querySelector(".player").value === "human";
    for (const field of fieldset.querySelectorAll(".search-fields [name]")) field.disabled = fieldset.querySelector(".player").value === "human";
  }
}
form.addEventListener("change", suit);
suit();

show();
say(whoseTurn());
let searched = state.moves.length - 1; // the ply of the last move that a machine chose
while (searched >= 0 && isHuman(seats[searched % 2])) searched -= 1;
if (searched >= 0) {
  const seat = seats[searched % 2], settings = game.settings[seat];
  const quick = Number(settings.depth ?? 99) <= 8 || Number(settings.nodes ?? Infinity) <= 1e6;
  tree.offer({ ...game.rules, position: state.moves.slice(0, searched) || "empty", evaluator: game.seats[seat], ...settings }, `The search by ${game.seats[seat]} before its last move.`, { load: quick });
}
if (people) machineTurn();
