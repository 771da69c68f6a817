"use strict";
// Draws the report. Names and values come from the program: all of them are set as text, never as markup.
const report = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");

function make(name, kind, ...children) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  for (const child of children) {
    if (child !== null && child !== undefined && child !== "") element.append(child);
  }
  return element;
}

const ranksOf = (text) => make("span", "ranks", `[${text}]`);
const base = (path) => path.split("/").pop();
const place = (at) => (at.file ? ` at ${base(at.file)}:${at.line}` : at.module ? ` from ${base(at.module)}` : "");
// Ranks sort by their first number, and by how many there are if that is the same.
const firstRank = (text) => Number.parseInt(text, 10) || 0;

function section(title, note, ...content) {
  const heading = make("h2", "", title, note ? make("small", "", ` ${note}`) : "");
  const part = make("section", "", heading, ...content);
  part.id = title.split(" ").join("-");
  main.append(part);
}

// A table whose columns sort by a click. A cell is a text, a number, or {show, sort}.
function table(columns, rows) {
  const body = make("tbody");
  const heads = columns.map((column, index) => {
    const button = make("button", "", column);
    button.type = "button";
    const head = make("th", "", button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => (typeof row[index] === "object" && row[index] !== null ? row[index].sort : row[index]);
      const order = (a, b) => {
        const [x, y] = [key(a.cells), key(b.cells)];
        const difference = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return down ? -difference : difference;
      };
      body.replaceChildren(...drawn.slice().sort(order).map((row) => row.element));
    });
    return head;
  });
  const drawn = rows.map((cells) => {
    const shown = cells.map((cell) => {
      const value = typeof cell === "object" && cell !== null ? cell.show : cell;
      return make("td", "code", value instanceof Node ? value : String(value ?? ""));
    });
    return { cells, element: make("tr", "found", ...shown) };
  });
  body.append(...drawn.map((row) => row.element));
  return make("table", "", make("thead", "", make("tr", "", ...heads)), body);
}

const rankCell = (text) => ({ show: ranksOf(text), sort: firstRank(text) });

function causeOf(group) {
  const cause = group.cause ? (group.cause.kind === "assert" ? `assertion "${group.cause.text}" failed` : group.cause.text) : "";
  const reason = group.signal ?? group.reason ?? group.message ?? (group.code === undefined ? "" : `code ${group.code}`);
  return cause ? `${reason} (${cause})` : String(reason);
}

const isBad = (group) =>
  group.reason === "signal" || group.reason === "error" || group.state === "killed" || group.state === "lost" ||
  (group.state === "exited" && group.code !== 0);

function groups() {
  const rows = report.groups.groups.map((group) => {
    const user = group.user ?? group;
    const where = user.function || user.file ? `${user.function ?? "??"}${place(user)}` : "";
    const call = group.user?.call ? `in ${group.user.call}, ` : "";
    const cause = causeOf(group);
    return [rankCell(group.ranks), group.state, { show: make("span", isBad(group) ? "bad" : "", cause), sort: cause }, call + where];
  });
  section("ranks", report.ranks ? `${report.ranks}` : "", table(["ranks", "state", "reason", "place"], rows));
}

function callOf(node, kind) {
  const lines = (node.lines ?? []).map((line) => `${line.line} [${line.ranks}]`).join(", ");
  const name = node.function ?? (node.offset ? `?? (${node.offset})` : "??");
  return make(kind, kind === "div" ? "found" : "", `${name}${place(node)}${lines ? ` at lines ${lines}` : ""} `, ranksOf(node.ranks));
}

// Calls of libraries are folded at first, unless there is nothing else.
const isForeign = (node) => Boolean(node.library);
const most = (lists) => lists.reduce((most, one) => Math.max(most, one), 0);
const depthOf = (node) => 1 + most(node.children.map(depthOf));

// Calls without branches stay in their column: depth shows where ranks part.
function nodes(children, folds) {
  return make("ul", "", ...children.map((child) => {
    const calls = [];
    let last = child;
    while (last.children.length === 1 && isForeign(last.children[0]) === isForeign(child)) {
      last = last.children[0];
      calls.push(callOf(last, "div"));
    }
    const below = last.children.length ? nodes(last.children, folds) : null;
    if (!calls.length && !below) return make("li", "", callOf(child, "div"));
    const summary = callOf(child, "summary");
    if (folds && isForeign(child)) summary.append(` \u2026 ${depthOf(child)} frames`);
    const part = make("details", "", summary, ...calls, below);
    part.open = !isForeign(child) || !folds;
    return make("li", "", part);
  }));
}

function stacks() {
  for (const of of report.stacks) {
    const numbers = of.threads.join(", ");
    const title = of.threads.length > 1 ? `stacks of threads ${numbers}` : numbers === "1" ? "stacks" : `stacks of thread ${numbers}`;
    section(title, "callers first, with the ranks on each branch", make("div", "tree", nodes(of.trees.map((tree) => tree.root), !of.trees.every((tree) => isForeign(tree.root)))));
  }
}

function variableRows(frame) {
  const rows = [];
  for (const [kind, list] of [["argument", frame.args], ["local", frame.locals]]) {
    for (const one of list ?? []) rows.push([kind, one.name, one.value, one.value_type]);
  }
  return rows;
}

function frames() {
  const parts = report.frames.map((stack) => {
    const list = stack.frames.map((frame) => {
      const rows = variableRows(frame);
      const title = `#${frame.level} ${frame.function ?? "??"}${place(frame)}`;
      if (!rows.length) return make("div", "frame found code", title);
      const part = make("details", "frame", make("summary", "", make("code", "", title)), table(["kind", "name", "value", "type"], rows));
      part.open = frame.level === (stack.user?.level ?? 0);
      return part;
    });
    return make("details", "", make("summary", "", ranksOf(stack.ranks), ` ${stack.frames[0]?.function ?? ""}`), ...list);
  });
  parts.forEach((part, index) => { part.open = index === 0; });
  if (parts.length) section("frames", "one rank of each group, with its variables", ...parts);
}

const rowsOf = (list) =>
  list.variables.map((one) => [rankCell(list.ranks), list.scope === "args" ? "argument" : "local", one.name, one.value, one.value_type]);

function variables() {
  const rows = report.variables.flatMap(rowsOf);
  const omitted = report.lists_omitted ? `; ${report.lists_omitted} lists that differ are omitted` : "";
  if (rows.length) {
    section("variables", `of the innermost frames of your code, in all ranks${omitted}`, table(["ranks", "kind", "name", "value", "type"], rows));
  }
  const called = report.callers.flatMap((caller) => {
    const frame = { show: `#${caller.level} ${caller.function ?? "??"}${place(caller)}`, sort: caller.level };
    return caller.variables.flatMap((list) => rowsOf(list).map(([ranks, ...rest]) => [ranks, frame, ...rest]));
  });
  if (called.length) section("variables of callers", "in your code, in all ranks", table(["ranks", "frame", "kind", "name", "value", "type"], called));
}

function output() {
  const rows = report.output.map((line) => [{ show: line.seconds.toFixed(3), sort: line.seconds }, rankCell(line.ranks), line.stream, line.text]);
  const note = report.output_omitted ? `the last lines; ${report.output_omitted} before them are omitted` : "";
  if (rows.length) section("output", note, table(["seconds", "ranks", "stream", "text"], rows));
}

function rest() {
  const cores = report.cores.flatMap((list) => list.files.map((file) => [file.rank, file.path, file.size]));
  if (cores.length) section("core files", "", table(["rank", "path", "bytes"], cores));
  const unknown = report.problems.map((one) => [rankCell(one.ranks), one.message])
    .concat(report.messages.map((one) => [rankCell(one.ranks ?? ""), one.message]));
  if (unknown.length) section("not known", "and messages of the session", table(["ranks", "message"], unknown));
  const facts = report.facts.map((fact) => [fact.name, fact.value])
    .concat(report.hosts.map((host) => ["ranks on " + host.host, host.ranks]));
  if (facts.length) section("run", "", table(["name", "value"], facts));
  const limit = (number) => (number === undefined ? { show: "unlimited", sort: Infinity } : number);
  const limits = report.limits.flatMap((list) => list.limits.map((one) =>
    [rankCell(list.ranks), one.name, limit(one.soft), limit(one.hard), one.unit ?? ""]));
  if (limits.length) section("limits", "of the ranks", table(["ranks", "resource", "limit", "at most", "unit"], limits));
  const libraries = report.libraries.flatMap((list) => (list.libraries ?? []).map((one) =>
    [rankCell(list.ranks), one.path ?? one.name ?? "", one.address ?? "", one.debug_information ? "yes" : "no"]));
  if (libraries.length) section("libraries", "", table(["ranks", "file", "address", "debug information"], libraries));
}

// Hides rows and calls that do not contain the text, and opens what hides others; an empty text shows everything.
function search(text) {
  const wanted = text.trim().toLowerCase();
  let count = 0;
  for (const element of main.querySelectorAll(".found")) {
    const has = !wanted || element.textContent.toLowerCase().includes(wanted);
    element.classList.toggle("gone", !has);
    count += wanted && has;
  }
  for (const part of main.querySelectorAll("details")) {
    const summary = part.querySelector("summary");
    const own = wanted && summary.textContent.toLowerCase().includes(wanted);
    count += own ? 1 : 0;
    summary.classList.toggle("dim", Boolean(wanted && !own));
    if (wanted && part.querySelector(".found:not(.gone)")) part.open = true;
  }
  document.getElementById("found").textContent = wanted ? `${count} found` : "";
}

function draw() {
  document.title = `rankscope report: ${report.reason}`;
  const fact = (name) => report.facts.find((one) => one.name === name)?.value ?? "";
  const when = [fact("time"), fact("host"), report.session && `session ${report.session}`].filter(Boolean).join(" · ");
  document.getElementById("head").append(make("h1", "", report.reason), make("p", "", make("code", "", report.command)), make("p", "", when));
  groups();
  for (const why of report.why) section("why", why.samples > 1 ? "seen twice" : "seen once", make("pre", "", why.text.join("\n")));
  stacks();
  frames();
  variables();
  output();
  rest();
  const field = document.getElementById("search");
  field.addEventListener("input", () => search(field.value));
  addEventListener("beforeprint", () => main.querySelectorAll("details").forEach((part) => { part.open = true; }));
}

draw();
