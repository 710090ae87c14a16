// The decision tree: one node at a time with its children, asked for as one goes. The whole tree is never sent.

import { Cancelled, DIGITS, ask, counted, inMilliseconds, make, miniBoard, shape } from "./common.js";

const NAMES = { MAX: "MAX", MIN: "MIN", CHANCE: "CHANCE", LEAF: "leaf", END: "end of the game", PRUNED: "pruned" };

export class Tree {
  /** `algorithms` are those of the page that suit the rules: their names, and whether each prunes. */
  constructor(panel, algorithms, { toGame = null, look = () => {} } = {}) {
    this.look = look; // shows a position of the tree on the large board, or none
    this.panel = panel;
    this.algorithms = algorithms;
    this.toGame = toGame;
    this.controller = null;
    this.wanted = 0; // the number of the node that was asked for last: what comes late for another is kept, not shown
    this.clear();
  }

  part(name) { return this.panel.querySelector(`.${name}`); }

  clear() {
    const left = this.controller; // what is nearly there may finish unseen: ending it would cost its process
    setTimeout(() => left?.abort(), 8000);
    this.controller = null;
    this.search = null;
    this.known = new Map();
    this.panel.querySelector("#tree-of").textContent = "";
    for (const name of ["drawn-tree", "crumbs", "node", "children-title", "cost", "tree-error"]) this.part(name).hidden = true;
    this.part("children").replaceChildren();
  }

  /** Shows no tree, and says why. */
  tell(text) {
    this.clear();
    this.panel.querySelector("#tree-of").textContent = text;
  }

  /** Gets ready to show the tree of a search: at once, or when somebody asks for it. `heard` is told what it found. */
  offer(search, title, { load = true, found = null, heard = () => {} } = {}) {
    this.clear();
    this.search = search;
    this.heard = heard;
    this.panel.querySelector("#tree-of").textContent = title;
    if (found?.branch) { // it came with the move
      this.known.set("", { ...found.branch, reason: found.reason });
      return this.open([]);
    }
    if (load) return this.open([]);
    this.part("children").replaceChildren(make("li", {}, make("button", { type: "button", class: "primary", onclick: () => this.open([]) , text: "Show the tree" })));
  }

  /** Goes to the node at a path of children’s places. */
  async open(path, { focus = false } = {}) {
    const key = path.join("-"), search = this.search, wanted = ++this.wanted;
    this.controller?.abort();
    this.part("tree-error").hidden = true;
    if (!this.known.has(key)) {
      this.panel.setAttribute("aria-busy", "true");
      this.controller = new AbortController();
      try {
        const answer = key ? await ask("/api/tree", { ...this.search, path: key }, this.controller) : await this.root(this.controller);
        if (this.search !== search) return;
        this.known.set(key, answer);
        if (search.seconds) { // no clock ends two searches alike: from now on by the positions that it took
          const { seconds, ...rest } = search;
          this.search = { ...rest, nodes: answer.found.settings.nodes };
        }
      } catch (error) {
        if (this.search !== search) return;
        if (error instanceof Cancelled) {
          if (!this.known.size) this.part("children").replaceChildren(make("li", {}, make("button", { type: "button", class: "primary", onclick: () => this.open(path), text: "Search it again" })));
          return;
        }
        this.part("tree-error").textContent = error.message;
        this.part("tree-error").hidden = false;
        return;
      } finally {
        this.panel.removeAttribute("aria-busy");
      }
    }
    if (wanted !== this.wanted) return;
    this.draw(path, this.known.get(key));
    this.look(path.length ? this.known.get(key).nodes.at(-1) : null, path.length ? this.known.get(key).nodes.slice(1).map((node) => node.move).join(" ") : "");
    if (focus) this.part("node").focus({ preventScroll: false });
  }

  /** The root, with the tree near it. */
  async root(controller) {
    const { search, heard } = this;
    const found = await ask("/api/search", { ...search, tree: 1 }, controller);
    if (this.search === search) heard(found);
    return { ...found.branch, reason: found.reason };
  }

  draw(path, answer) {
    if (answer.drawn) this.drawTree(answer);
    const node = answer.nodes.at(-1);
    this.drawCrumbs(path, answer.nodes);
    this.drawNode(path, node, answer);
    const title = this.part("children-title");
    title.hidden = !answer.children.length;
    title.textContent = node.kind === "CHANCE" ? "Where the disc may land, as searched" : "Moves, in the order of the search";
    this.part("children").replaceChildren(...answer.children.map((child, place) => make("li", {}, this.child(child, place, path, answer))));
    if (!path.length) this.drawCost(answer);
    this.part("cost").hidden = false;
  }

  /** The plies next to the root as a tree: lines as wide as what lies below, stubs where nothing was looked at. */
  drawTree(answer) {
    const [width, height, plies] = [640, 190, 3];
    const leaves = (node, depth) => (depth === plies || !node.children.length ? 1 : node.children.reduce((sum, child) => sum + leaves(child, depth + 1), 0));
    const unit = width / leaves(answer.drawn, 0);
    const y = (depth) => 16 + depth * ((height - 42) / plies);
    const marks = [], lines = [];
    const layOut = (node, depth, left, path, onLine) => {
      const span = unit * leaves(node, depth);
      const [x, below] = [left + span / 2, depth < plies ? node.children : []];
      let at = left;
      below.forEach((child, place) => {
        const [middle, best] = [layOut(child, depth + 1, at, [...path, place], onLine && node.best === place), onLine && node.best === place];
        at += unit * leaves(child, depth + 1);
        const pruned = child.kind === "PRUNED";
        const end = pruned ? y(depth) + 0.45 * (y(depth + 1) - y(depth)) : y(depth + 1);
        const toX = pruned ? x + 0.45 * (middle - x) : middle;
        lines[best ? "push" : "unshift"](shape("path", { class: best ? "best" : pruned ? "pruned" : "", d: `M${x.toFixed(1)} ${y(depth)}L${toX.toFixed(1)} ${end.toFixed(1)}` }));
        if (pruned) lines.push(shape("path", { class: "stub", d: `M${(toX - 3).toFixed(1)} ${end.toFixed(1)}h6` }));
      });
      if (node.kind !== "PRUNED") {
        const mark = shape("circle", { class: `${node.kind} go`, cx: x.toFixed(1), cy: y(depth), r: depth === 0 ? 6 : depth === 1 ? 5 : Math.min(3.5, Math.max(1.5, 0.45 * unit)) });
        const told = shape("title", {});
        told.textContent = depth ? `${node.move}: ${shownValue(node) || "not finished"}` : `root: ${shownValue(node)}`;
        mark.append(told);
        mark.addEventListener("click", () => this.open(path, { focus: true }));
        marks.push(mark);
        if (depth === 1) {
          const text = shape("text", { x: x.toFixed(1), y: y(1) - 8 });
          text.textContent = node.move;
          marks.push(text);
        }
      }
      return x;
    };
    layOut(answer.drawn, 0, 0, [], true);
    const { generated, untried } = answer.found;
    const total = `${counted(generated)} positions explored${untried === null || untried === undefined ? "" : `, ${counted(untried)} moves left untried`}`;
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height - 18}`, role: "img", "aria-label": `The first ${plies} plies of the tree: ${total}. The tiles below say the same in words.` });
    svg.append(...lines, ...marks);
    const figure = this.part("drawn-tree");
    figure.hidden = false;
    figure.replaceChildren(svg, make("figcaption", { class: "quiet", text: `${total}. The first ${plies} plies: blue is ${answer.nodes[0].to_move === "first" ? "X" : "O"} to move, the thick line is the chosen one, a stub was pruned.` }));
  }

  drawCrumbs(path, nodes) {
    const crumbs = this.part("crumbs");
    crumbs.hidden = false;
    crumbs.replaceChildren();
    if (this.toGame) crumbs.append(make("button", { type: "button", class: "to-game", onclick: () => { this.wanted += 1; this.toGame(); }, text: "Game" }), make("span", { class: "sep", "aria-hidden": "true", text: "›" }));
    nodes.forEach((node, depth) => {
      if (depth) crumbs.append(make("span", { class: "sep", "aria-hidden": "true", text: "›" }));
      const label = depth ? node.move : "root";
      crumbs.append(make("button", {
        type: "button", class: depth === path.length ? "here" : null, "aria-current": depth === path.length ? "step" : null,
        "aria-label": depth ? `column ${node.move}, ${NAMES[node.kind]}` : "root of the tree", text: label, onclick: () => this.open(path.slice(0, depth), { focus: true }),
      }));
    });
    if (path.length) crumbs.append(make("button", { type: "button", class: "up", onclick: () => this.open(path.slice(0, -1), { focus: true }), text: "↑ Parent" }));
  }

  drawNode(path, node, answer) {
    const facts = make("dl");
    const fact = (name, value) => facts.append(make("dt", { text: name }), make("dd", { text: value }));
    if (node.move) fact(node.probability === null ? "after column" : "lands in column", node.move);
    if (node.probability !== null) fact("probability", node.probability.toPrecision(3));
    if (node.kind !== "PRUNED") {
      fact("α, β on entry", `${node.alpha}, ${node.beta}`);
      if (!["LEAF", "END"].includes(node.kind)) fact("positions below", counted(node.generated));
    }
    if (node.marks.length) fact("marks", node.marks.join(", "));
    const best = answer.children.findIndex((child) => child.best);
    const told = make("div", {},
      make("span", { class: `kind ${node.kind}`, text: NAMES[node.kind] }),
      make("span", { class: "value", text: shownValue(node) }),
      facts,
      make("p", { text: this.sentence(node, answer) }),
      best >= 0 ? make("p", {}, make("button", { type: "button", class: "follow", onclick: () => this.open([...path, best], { focus: true }), text: answer.on_line ? `Follow the chosen line: ${answer.children[best].move}` : `Follow the best reply: ${answer.children[best].move}` })) : null,
    );
    const place = this.part("node");
    place.hidden = false;
    place.setAttribute("aria-label", `${NAMES[node.kind]} ${shownValue(node)}`);
    const column = node.move ? DIGITS.indexOf(node.move) : null;
    const chosen = node.kind === "CHANCE";
    place.replaceChildren(miniBoard(node.board, chosen ? null : column, chosen ? column : null), told);
  }

  sentence(node, answer) {
    const mover = node.to_move === "first" ? "X" : "O";
    switch (node.kind) {
      case "PRUNED": return "Never looked at: the moves before it had already decided that play does not come here.";
      case "LEAF": return "As deep as the search went: the value is the evaluator’s.";
      case "END": return "The game is over here.";
      case "CHANCE": return "The column is chosen and the disc may drift: the value is the mean over where it lands.";
    }
    if (node.marks.includes("from the table")) return "The value was known from the table, so nothing below was searched.";
    if (node.value === null) return "The budget ran out below: no value was found.";
    const pruned = answer.children.filter((child) => child.kind === "PRUNED").length;
    const cut = pruned ? ` ${pruned} ${pruned === 1 ? "move was" : "moves were"} pruned: what had been found was enough for ${node.kind === "MAX" ? "α ≥ β" : "β ≤ α"}.` : "";
    return `${mover} to move; ${node.kind === "MAX" ? "the searching player takes the highest value" : "the opponent takes the lowest value"}.${cut}`;
  }

  child(child, place, path, answer) {
    const pruned = child.kind === "PRUNED";
    const chosen = child.best ? (answer.on_line ? ", on the chosen line" : ", best here") : "";
    const landing = child.kind === "CHANCE" || (pruned && child.board === answer.nodes.at(-1).board) ? null : DIGITS.indexOf(child.move);
    return make("button", {
      type: "button", class: ["child", pruned && "pruned", child.best && "best"].filter(Boolean).join(" "),
      title: chosen ? chosen.slice(2) : null,
      onpointerenter: () => this.look(child, [...answer.nodes.slice(1), child].map((node) => node.move).join(" "), true),
      onpointerleave: () => this.look(path.length ? answer.nodes.at(-1) : null, answer.nodes.slice(1).map((node) => node.move).join(" ")),
      onclick: () => this.open([...path, place], { focus: true }),
    },
      make("span", { class: "head" }, make("span", { class: "move" }, make("span", { class: "unseen", text: "column " }), child.move), make("span", { class: `kind ${child.kind}`, text: NAMES[child.kind] })),
      miniBoard(child.board, landing, landing === null ? DIGITS.indexOf(child.move) : null),
      pruned ? make("span", { class: "worth", text: child.probability === null ? "not searched" : `not searched, p ${child.probability.toPrecision(2)}` })
        : make("span", { class: "worth", text: shownValue(child) + (child.probability === null ? "" : ` · p ${child.probability.toPrecision(2)}`) }),
      pruned ? null : make("span", { class: "window", text: `α ${child.alpha}  β ${child.beta}` }),
      pruned || ["LEAF", "END"].includes(child.kind) ? null : make("span", { class: "window", text: `${counted(child.generated)} below` }),
      child.marks.length ? make("span", { class: "window", text: child.marks.join(", ") }) : null,
    );
  }

  drawCost(answer) {
    const body = make("tbody", {}, costRow(answer.found, true));
    const head = ["search", "move", "value", ...answer.found.counted, "time"];
    this.counted = answer.found.counted.length;
    const others = this.algorithms.filter(({ name }) => name !== answer.found.algorithm);
    const button = make("button", { type: "button", class: "compare-algorithms", text: `Compare with ${others.map(({ name }) => name).join(" and ")}` });
    button.addEventListener("click", () => this.compare(others, body, button));
    const notes = [];
    if (answer.earlier) notes.push(`The tree is that of depth ${answer.found.depth}; ${answer.earlier} ${answer.earlier === 1 ? "search" : "searches"} from the root came before it.`);
    if (answer.whole !== null) {
      const { whole, not_in_the_tree: missing } = answer;
      notes.push(missing === null
        ? `Without pruning the tree has ${counted(whole)} positions; how many were never made can’t be told of a search that comes back to a position.`
        : `Without pruning the tree has ${counted(whole)} positions: ${counted(missing)} of them (${(100 * missing / whole).toFixed(1)} %) were never made.`);
    }
    if (answer.unfinished) notes.push("A deeper search was begun and not finished within the budget.");
    if (answer.reason) notes.push(`The evaluator is interpreted (${answer.reason}).`);
    notes.push("Each step down makes the same search again and follows it: what is shown is the search itself, however large its tree.");
    this.part("cost").replaceChildren(
      make("h3", { text: "What the search took" }),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What the search took" }, make("table", {}, make("thead", {}, make("tr", {}, ...head.map((name, place) => make("th", { scope: "col", class: place > 2 ? "number" : null, text: name })))), body)),
      button,
      make("p", { class: "quiet", text: notes.join(" ") }),
    );
  }

  async compare(others, body, button) {
    button.disabled = true;
    for (const { name: algorithm, prunes } of others) {
      const row = make("tr", {}, make("th", { scope: "row", text: algorithm }), make("td", { colspan: 3 + this.counted, text: "searching …" }));
      body.append(row);
      const { aspiration, ...rest } = this.search; // a window has no use where nothing is pruned
      const search = prunes ? this.search : rest;
      try {
        row.replaceWith(costRow(await ask("/api/search", { ...search, algorithm }), false));
      } catch (error) {
        row.lastChild.textContent = error instanceof Cancelled ? "cancelled" : error.message;
      }
    }
    button.remove();
  }
}

function shownValue(node) {
  if (node.value === null) return node.kind === "PRUNED" ? "" : "not finished";
  return node.bound === "exact" ? node.value : `${node.bound} ${node.value}`;
}

function costRow(found, own) {
  const cells = [DIGITS[found.column], found.shown, ...found.counted.map((name) => counted(found[name])), inMilliseconds(found.seconds)];
  return make("tr", { "aria-current": own ? "true" : null }, make("th", { scope: "row", text: found.described }), ...cells.map((text, place) => make("td", { class: place > 1 ? "number" : null, text })));
}
