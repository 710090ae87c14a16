// One search of one position, and its tree.

import { Tree } from "./tree.js";

const element = document.getElementById("search");
const search = JSON.parse(element.dataset.search);
new Tree(document.getElementById("tree"), JSON.parse(element.dataset.algorithms)).offer(search, `The search by ${search.evaluator}, from the root.`);
