// One search of one position, and its tree.

import { paint } from "./common.js";
import { Tree } from "./tree.js";
import { Truth } from "./truth.js";

const element = document.getElementById("search");
const search = JSON.parse(element.dataset.search);
const [board, state] = [element.querySelector(".board"), JSON.parse(element.dataset.state)];
const { position, evaluator, ...rules } = search;
const truth = new Truth(board, rules);
truth.at(state);
const look = (node, moves = "") => {
  truth.at(node ? { ...node, result: node.kind === "END" } : state);
  paint(board, node ? { board: node.board, line: [], last: null } : state);
  board.classList.toggle("looking", Boolean(node));
  document.getElementById("status").textContent = node ? `The board after ${moves}` : "";
};
new Tree(document.getElementById("tree"), JSON.parse(element.dataset.algorithms), { look }).offer(search, `The search by ${search.evaluator}, from the root.`);
