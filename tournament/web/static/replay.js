// Replay: steps through the positions of a game that has been played.

import { DIGITS, make, paint } from "./common.js";
import { Truth } from "./truth.js";

const element = document.getElementById("replay");
const board = element.querySelector(".board");
const states = JSON.parse(element.dataset.states);
const opening = Number(element.dataset.opening);
const by = (id) => document.getElementById(id);
const last = states.length - 1;
let ply = Number(element.dataset.ply);
let timer = null;
const truth = new Truth(board, Object.fromEntries([...new URL(by("play-on").dataset.address, location).searchParams].filter(([name]) => name !== "moves")));

function show(fell = false) {
  const state = states[ply];
  truth.at(state);
  paint(board, state, { fell: fell && state.last ? { cell: state.last } : null });
  by("status").textContent = ply === 0 ? "The beginning." : `Ply ${ply} of ${last}: column ${DIGITS[state.last[1]]}${ply <= opening ? ", opening" : ""}.${state.result ? (state.result === "draw" ? " A draw." : ` ${state.result === "first" ? "X" : "O"} wins.`) : ""}`;
  by("begin").disabled = by("back").disabled = ply === 0;
  by("next").disabled = by("end").disabled = ply === last;
  by("run").disabled = false; // as it was until this script was there
  by("run").textContent = timer ? "Pause" : "Play";
  for (const row of element.querySelectorAll("tr[data-ply]")) {
    const isHere = Number(row.dataset.ply) === ply;
    if (isHere) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    if (isHere) {
      const frame = row.closest(".scroll");
      if (row.offsetTop < frame.scrollTop || row.offsetTop + row.offsetHeight > frame.scrollTop + frame.clientHeight) frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
    }
  }
  const link = element.querySelector(`tr[data-ply="${ply}"] a`);
  by("explain").hidden = !link;
  if (link) by("explain").href = link.href;
  by("play-on").hidden = Boolean(state.result);
  by("play-on").href = by("play-on").dataset.address + state.moves;
  for (const seat of ["first", "second"]) {
    by(`seat-${seat}`).classList.toggle("turn", !state.result && state.to_move === seat);
    const count = by(`seat-${seat}`).querySelector(".count");
    count.hidden = !state.lines;
    if (state.lines) count.replaceChildren(String(state.lines[seat]), make("small", { text: state.lines[seat] === 1 ? " line" : " lines" }));
  }
  const address = new URL(location);
  address.searchParams.set("ply", ply);
  history.replaceState(null, "", address);
}

function go(to) {
  const before = ply;
  ply = Math.min(last, Math.max(0, to));
  show(ply === before + 1);
}

function run() {
  if (timer) { clearInterval(timer); timer = null; show(); return; }
  if (ply === last) ply = 0;
  timer = setInterval(() => { if (ply < last) go(ply + 1); if (ply === last) run(); }, 600);
  show();
}

by("begin").addEventListener("click", () => go(0));
by("back").addEventListener("click", () => go(ply - 1));
by("next").addEventListener("click", () => go(ply + 1));
by("end").addEventListener("click", () => go(last));
by("run").addEventListener("click", run);
element.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-ply]");
  if (row && !event.target.closest("a")) go(Number(row.dataset.ply));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .scroll:focus")) return;
  const steps = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last };
  if (event.key in steps) { event.preventDefault(); go(steps[event.key]); }
});
show();
