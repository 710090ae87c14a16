// Play: the game is the address. Every move is asked of the server, which knows the rules and draws the luck.

import { Cancelled, DIGITS, DISC_OF, ask, cancelAll, follow, make, paint, paintScores, shape, tidy, walkable } from "./common.js";
import { Tree } from "./tree.js";
import { Truth } from "./truth.js";

const element = document.getElementById("game");
const game = JSON.parse(element.dataset.game);
const board = element.querySelector(".board");
const by = (id) => document.getElementById(id);
const seats = ["first", "second"];
const isHuman = (seat) => game.seats[seat] === "human";
const searches = (seat) => !isHuman(seat) && game.seats[seat] !== "oracle"; // which has no tree to show
const people = seats.filter(isHuman).length;
const truth = new Truth(board, game.rules);
const tree = new Tree(by("tree"), game.algorithms, { toGame: () => { look(null); board.querySelector('[tabindex="0"]').focus(); }, look });

let state = game.state;
let busy = null; // what is being asked
let watching = false;
let hint = null;
let fell = null; // the disc that came last, and the column it was meant for
let drift = ""; // what became of one's own disc
let looked = null; // a position that the large board shows in place of the game's
let looks = 0; // how often that has changed: what comes late for an earlier one is not shown
const scores = new Map(); // by the moves before it: what the side to move thought of a position

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

function show() {
  truth.at(looked ?? state);
  paint(board, looked ?? state, looked ? {} : { hint, fell });
  board.classList.toggle("looking", Boolean(looked));
  by("back").hidden = !looked || looked.passing;
  by("elsewhere").textContent = looked ? `Not the game: the board after ${looked.moves || "no move"}` : "";
  board.classList.toggle("drawn", state.result === "draw" || Boolean(state.lines));
  for (const seat of seats) {
    by(`seat-${seat}`).classList.toggle("turn", !state.result && state.to_move === seat);
    const count = by(`seat-${seat}`).querySelector(".count");
    count.hidden = !state.lines;
    if (state.lines) count.replaceChildren(String(state.lines[seat]), make("small", { text: state.lines[seat] === 1 ? " line" : " lines" }));
  }
  const machine = !state.result && !isHuman(state.to_move);
  board.classList.toggle("busy", Boolean(busy));
  board.classList.toggle("over", Boolean(state.result) && !looked);
  element.querySelector(".table").classList.toggle("ended", Boolean(state.result));
  by("rematch").hidden = by("swap").hidden = !state.result;
  by("again").hidden = by("explain").hidden = Boolean(state.result);
  drawStory();
  by("undo").disabled = !canUndo();
  if (by("oracle-hint")) by("oracle-hint").disabled = Boolean(busy) || machine || Boolean(state.result) || Boolean(looked);
  by("explain").disabled = Boolean(busy) || Boolean(state.result);
  if (people) {
    by("hint").disabled = Boolean(busy) || machine || Boolean(state.result);
    by("step").hidden = !machine || Boolean(busy) || Boolean(looked);
  } else {
    by("watch").textContent = watching ? "Pause" : "Start";
    by("watch").disabled = Boolean(state.result);
    by("step").disabled = watching || Boolean(state.result);
  }
  const address = new URL(location);
  if (state.moves) address.searchParams.set("moves", state.moves); else address.searchParams.delete("moves");
  history.replaceState(null, "", address);
}

/** Shows another position on the large board, or the game's again; `stays` where somebody has gone there. */
function look(position, moves = "", passing = false) {
  looks += 1;
  if (position) fell = null; // it does not fall again when the game is shown again
  looked = position ? { board: position.board, line: position.line ?? [], last: position.last ?? null, lines: position.lines ?? null, to_move: position.to_move, result: position.kind === "END" ? "over" : position.result, moves, passing } : null;
  show();
}

/** X’s share of the bar for a score, beside the largest of the game: one half for 0, all or nothing for what is decided. */
function share({ seat, score, shown }, largest) {
  const ofX = seat === "first" ? score : -score;
  if (isDecided(shown)) return ofX > 0 ? 1 : 0;
  return 0.5 + 0.5 * (ofX / (Math.abs(score) + largest));
}

const isDecided = (shown) => /^(win|loss)/.test(shown);

/** The bar, the curve of what both sides thought, and the moves: each leads to its position. */
function drawStory() {
  const moves = [...(state.moves ?? "")];
  by("story").hidden = !moves.length;
  const known = moves.map((_, ply) => ({ ply, ...scores.get(state.moves.slice(0, ply)) })).filter((one) => one.shown);
  const largest = Math.max(...known.filter((one) => !isDecided(one.shown)).map((one) => Math.abs(one.score)), 1);
  const points = known.map((one) => ({ ...one, up: share(one, largest) }));
  const last = points.at(-1);
  by("balance").firstElementChild.style.width = `${100 * (state.result ? { first: 1, second: 0, draw: 0.5 }[state.result] : last?.up ?? 0.5)}%`;
  by("balance").setAttribute("aria-label", state.result ? verdict() : last ? `${nameOf(last.seat)} thought ${last.shown} before move ${last.ply + 1}` : "Nobody has told a score yet");
  by("balance").title = by("balance").getAttribute("aria-label");
  const x = (ply) => 12 + (ply * 616) / Math.max(moves.length - 1, 1), y = (up) => 96 - 84 * up;
  const svg = shape("svg", { viewBox: "0 0 640 108", role: "img", "aria-label": `What each side thought of the game, up is good for X: ${points.map((one) => `move ${one.ply + 1} ${one.shown}`).join(", ") || "no score is known yet"}` });
  svg.append(shape("path", { class: "axis", d: `M8 ${y(0.5)}H632` }));
  for (const seat of seats) {
    const own = points.filter((one) => one.seat === seat);
    svg.append(shape("polyline", { class: `curve ${seat}`, points: own.map((one) => `${x(one.ply).toFixed(1)},${y(one.up).toFixed(1)}`).join(" ") }));
    for (const one of own) {
      const dot = shape("circle", { class: `point ${seat}`, cx: x(one.ply).toFixed(1), cy: y(one.up).toFixed(1), r: 5 });
      const told = shape("title", {});
      told.textContent = `move ${one.ply + 1}: ${one.shown} for ${DISC_OF[seat]}`;
      dot.append(told);
      dot.addEventListener("click", () => lookAt(one.ply + 1));
      svg.append(dot);
    }
  }
  by("curve").replaceChildren(svg, make("p", { class: "quiet", text: "What each side thought, as seen from X: up is good for X. A point or a move shows its position." }));
  by("moves").replaceChildren(...moves.map((digit, ply) => make("li", {}, make("button", { type: "button", "aria-label": `Move ${ply + 1}: ${DISC_OF[seats[ply % 2]]} in column ${digit}, show it`, onclick: () => lookAt(ply + 1) }, make("span", { class: `disc ${seats[ply % 2]} small`, "aria-hidden": "true" }), ` ${digit}`))));
  by("score-all").hidden = points.length === moves.length;
}

async function lookAt(ply) {
  if (ply === state.moves.length) { look(null); return; }
  const moves = state.moves.slice(0, ply), own = ++looks;
  try {
    const position = await ask("/api/state", { ...game.rules, moves });
    if (own === looks) look(position, [...moves].join(" "));
  } catch (error) { complain(error); }
}

/** Asks for what is not known yet: each side’s machine, for a person the one that gives hints. */
async function scoreAll() {
  by("score-all").disabled = true;
  const moves = state.moves;
  try {
    for (let ply = 0; ply < moves.length && state.moves.startsWith(moves); ply++) {
      if (scores.has(moves.slice(0, ply))) continue;
      const seat = seats[ply % 2], judge = !searches(seat) ? game.advisor : { evaluator: game.seats[seat], settings: game.settings[seat] };
      const found = await ask("/api/search", { ...game.rules, position: moves.slice(0, ply) || "empty", evaluator: judge.evaluator, ...judge.settings });
      keep(moves.slice(0, ply), seat, found);
      drawStory();
    }
  } catch (error) { if (!(error instanceof Cancelled)) complain(error); }
  by("score-all").disabled = false;
}

function keep(moves, seat, found) {
  scores.set(moves, { seat, score: found.score, shown: found.shown });
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
  looked = null;
  looks += 1;
  const drifted = answer.landed !== answer.chosen ? ` The disc for column ${DIGITS[answer.chosen]} drifted to column ${DIGITS[answer.landed]}.` : "";
  state = answer.state;
  hint = null;
  fell = { cell: state.last, from: answer.chosen };
  show();
  return { drifted, told: `${nameOf(mover)} played column ${DIGITS[answer.chosen]}.${drifted}` };
}

async function drop(column) {
  if (looked) { look(null); return; }
  if (busy || state.result) return;
  if (!isHuman(state.to_move)) { say(whoseTurn()); return; }
  if (!state.open.includes(column)) { say(`Column ${DIGITS[column]} is full. ${whoseTurn()}`); return; }
  const mover = state.to_move;
  drift = "";
  let landed = false;
  await during(async (controller) => {
    const answer = await ask("/api/drop", { ...game.rules, moves: state.moves, column: column + 1, seed: game.seed }, controller);
    drift = place(answer, mover).drifted.trim();
    landed = true;
    paintScores(board, null);
    say(`${drift} ${whoseTurn()}`.trim());
  });
  if (landed && people === 2) rest();
  if (landed) await machineTurn();
}

async function machineTurn() {
  if (busy || state.result || isHuman(state.to_move)) return;
  const mover = state.to_move, moves = state.moves;
  const search = { ...game.rules, evaluator: game.seats[mover], ...game.settings[mover] };
  await during(async (controller) => {
    say(`${drift} ${nameOf(mover)} is thinking`.trim(), true);
    show();
    const asking = ask("/api/move", { ...search, moves, seed: game.seed, tree: !watching || Number(by("pause").value) > 100 }, controller);
    follow(controller, (told) => { by("progress").textContent = told; });
    const answer = await asking;
    const { found } = answer;
    keep(moves, mover, found);
    const { told } = place(answer, mover);
    paintScores(board, found);
    tellLine(`${nameOf(mover)} expected`, found.line);
    say(`${drift} ${told.replace(/\.$/, "")}, ${searches(mover) ? "score " : ""}${found.shown}. ${state.result ? verdict() : people ? "Your turn." : ""}`.trim());
    if (!searches(mover)) return rest();
    const repeated = search.seconds ? { nodes: found.settings.nodes, seconds: undefined } : {};
    tree.offer({ ...search, ...repeated, position: moves || "empty" }, titleOf(mover, game.seats[mover], found), { load: false, found });
  });
}

function tellLine(who, line) {
  by("line").textContent = line ? `${who}: ${[...line].join(" ")}` : "";
}

function titleOf(mover, evaluator, found) {
  return `${evaluator} for ${DISC_OF[mover]} chose column ${DIGITS[found.column]}, score ${found.shown}, at depth ${found.depth}: ${found.described}.`;
}

async function watch() {
  while (watching && !state.result) {
    await machineTurn();
    if (!watching || state.result) break;
    await new Promise((done) => setTimeout(done, Number(by("pause").value)));
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
    hint = fell = null;
    drift = "";
    paintScores(board, null);
    tellLine("", "");
    looked = null;
    looks += 1;
    rest();
  });
}

/** What can be walked where nothing was searched yet: a few plies of the position as it stands. */
function rest() {
  if (state.result) { tree.tell("The game is over: there is nothing left to search."); return; }
  tree.offer({ ...game.rules, position: state.moves || "empty", evaluator: game.usual, depth: 3 }, `${game.usual} looks three plies ahead from here: walk its tree. After a move, the machine’s own search stands here; Explain searches this position as deep as it would.`);
}

async function giveHint() {
  const { evaluator, settings } = game.advisor;
  const search = { ...game.rules, position: state.moves || "empty", evaluator, ...settings };
  await during(async (controller) => {
    say(`${evaluator} looks for a move`, true);
    const asking = ask("/api/search", { ...search, tree: 1 }, controller);
    follow(controller, (told) => { by("progress").textContent = told; });
    const found = await asking;
    hint = found.column;
    paintScores(board, found);
    keep(state.moves, state.to_move, found);
    tellLine(`${evaluator} expects`, found.line);
    say(`Hint: column ${DIGITS[found.column]}, score ${found.shown} by ${evaluator}.`);
    tree.offer(search, titleOf(state.to_move, evaluator, found), { load: false, found });
  });
}

/** What perfect play would do here; the game goes on meanwhile, and a move that is made first makes it idle. */
async function givePerfectHint() {
  const asked = state;
  say("The oracle looks for a move", true);
  try {
    const found = await truth.hint();
    if (asked !== state) return;
    if (found) hint = found.column;
    show();
    say(found ? `Hint: column ${DIGITS[found.column]}, ${found.told} by perfect play.` : `What is best here is not proven. ${whoseTurn()}`);
  } catch (error) { if (asked === state) { complain(error); say(whoseTurn()); } }
}

function explainHere() {
  const mover = state.to_move;
  const by = !searches(mover) ? game.advisor : { evaluator: game.seats[mover], settings: game.settings[mover] };
  tree.offer({ ...game.rules, position: state.moves || "empty", evaluator: by.evaluator, ...by.settings }, `${by.evaluator} searches this position for ${DISC_OF[mover]}.`);
  document.getElementById("tree").scrollIntoView({ block: "nearest" });
}

board.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-column]");
  if (cell) drop(Number(cell.dataset.column));
});
walkable(board, (column) => (!busy && !state.result && isHuman(state.to_move) && state.open.includes(column) ? state.to_move : null));
board.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const column = DIGITS.indexOf(event.key);
  if (event.key.length === 1 && column >= 0 && column < Number(board.dataset.columns)) { event.preventDefault(); drop(column); }
});
by("undo").addEventListener("click", undo);
by("hint")?.addEventListener("click", giveHint);
by("oracle-hint")?.addEventListener("click", givePerfectHint);
by("explain").addEventListener("click", explainHere);
by("watch")?.addEventListener("click", () => {
  watching = !watching;
  if (watching) watch(); else show();
});
by("step").addEventListener("click", machineTurn);
function begin(address) {
  cancelAll();
  address.searchParams.delete("moves");
  address.searchParams.delete("seed"); // new luck
  location.assign(address);
}
for (const id of ["again", "rematch"]) by(id).addEventListener("click", () => begin(new URL(location)));
by("swap").addEventListener("click", () => {
  const address = new URL(location), given = [...address.searchParams];
  const other = (name) => name.replace(/^(first|second)(?=_|$)/, (seat) => (seat === "first" ? "second" : "first"));
  for (const [name] of given) address.searchParams.delete(name);
  for (const seat of seats) address.searchParams.set(other(seat), game.seats[seat]);
  for (const [name, value] of given) if (!seats.includes(name)) address.searchParams.set(other(name), value);
  begin(address);
});
by("back").addEventListener("click", () => look(null));
by("score-all").addEventListener("click", scoreAll);
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
const isSearcher = (fieldset) => !["human", "oracle"].includes(fieldset.querySelector(".player").value);
function suit() {
  const drifts = Number(form.elements.drift.value) < 1;
  for (const option of form.querySelectorAll(".algorithm option[data-chance]")) {
    option.hidden = option.disabled = (option.dataset.chance === "1") !== drifts;
    if (option.disabled && option.selected) option.parentElement.value = "";
  }
  for (const fieldset of form.querySelectorAll("[data-seat]")) {
    for (const part of fieldset.querySelectorAll(".search-fields, .search-preset")) part.hidden = !isSearcher(fieldset);
    for (const field of fieldset.querySelectorAll(".search-fields [name]")) field.disabled = !isSearcher(fieldset);
  }
}
form.addEventListener("change", suit);
suit();

show();
say(whoseTurn());
let searched = state.moves.length - 1; // the ply of the last move that a machine chose
while (searched >= 0 && isHuman(seats[searched % 2])) searched -= 1;
if (searched >= 0 && searches(seats[searched % 2])) {
  const seat = seats[searched % 2], settings = game.settings[seat];
  const opened = state.moves, quick = Number(settings.depth ?? 99) <= 8 || Number(settings.nodes ?? Infinity) <= 1e6;
  tree.offer({ ...game.rules, position: state.moves.slice(0, searched) || "empty", evaluator: game.seats[seat], ...settings }, `The search by ${game.seats[seat]} before its last move.`, { load: quick, heard: (found) => {
    keep(state.moves.slice(0, searched), seat, found);
    if (state.moves === opened && !busy) {
      paintScores(board, found);
      tellLine(`${nameOf(seat)} expected`, found.line);
    }
    drawStory();
  } });
} else rest();
if (people) machineTurn();
