/** The rows: opened when asked, hidden by filter and search. */
const CASE_LIST = String.raw`
/** @type {HTMLDetailsElement[]} */
const rows = Array.from(document.querySelectorAll(".case"));
const kinds = rows.map((row) => row.dataset.kinds.split(" "));
/** @type {HTMLFormElement} */
const toolbar = document.querySelector(".toolbar");
/** @type {HTMLInputElement} */
const search = document.querySelector("#search");
const shown = toolbar.querySelector("output");
let data;
let texts;

/** Read when it is needed first: who only looks at the top does not wait for it. */
function readData() {
  data ??= JSON.parse(document.getElementById("data").textContent);
  return data;
}

function searchTexts() {
  texts ??= readData().cases.map((one) => {
    const parts = [one.id, one.title, one.input, one.file, ...one.tags];
    for (const trial of one.sides.flatMap((side) => (side ? side.trials : []))) {
      parts.push(trial.answer, trial.status, ...trial.skills);
      if (trial.error) parts.push(trial.error.code, trial.error.message);
      for (const grade of trial.grades) parts.push(grade.text, grade.evidence);
      for (const step of trial.steps) parts.push(step[0], step[1], step[5]);
    }
    return parts.join("\n").toLowerCase();
  });
  return texts;
}

function applyFilter() {
  const kind = String(new FormData(toolbar).get("filter"));
  const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = words.length > 0 ? searchTexts() : [];
  let visible = 0;
  rows.forEach((row, at) => {
    const isKept = (kind === "all" || kinds[at].includes(kind)) && words.every((word) => found[at].includes(word));
    row.hidden = !isKept;
    if (isKept) visible++;
  });
  shown.textContent = visible === rows.length ? count(visible, "case") : numbers.format(visible) + " of " + count(rows.length, "case");
  document.querySelector(".empty").toggleAttribute("hidden", visible > 0);
}

function chooseFilter(value) {
  for (const input of toolbar.querySelectorAll("input")) {
    if (input.type === "radio") input.checked = input.value === value;
  }
  applyFilter();
}

function fillCase(row) {
  if (row.dataset.filled) return;
  row.dataset.filled = "yes";
  const { sides, cases } = readData();
  row.querySelector(".inside").replaceWith(caseView(sides, cases[rows.indexOf(row)]));
}

/** A link to a case opens it, whatever is filtered. */
function openLinked() {
  const row = rows.find((one) => "#" + one.id === location.hash);
  if (!row) return;
  if (row.hidden) {
    search.value = "";
    chooseFilter("all");
  }
  row.open = true;
  fillCase(row);
  row.scrollIntoView();
  row.querySelector("summary").focus({ preventScroll: true });
}

for (const row of rows) row.addEventListener("toggle", () => row.open && fillCase(row));
toolbar.addEventListener("change", applyFilter);
search.addEventListener("input", applyFilter);
toolbar.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", openLinked);
toolbar.hidden = false;
applyFilter();
openLinked();
`;

/** A case that is open. */
const CASE_VIEW = String.raw`
function expectedText(expected) {
  if (!expected) return "";
  const parts = [];
  if (expected.used.length > 0) parts.push("expects " + expected.used.join(", ") + (expected.only ? " and no other skill" : ""));
  else if (expected.only) parts.push("expects no skill");
  if (expected.unused.length > 0) parts.push("not " + expected.unused.join(", "));
  return parts.join("; ");
}

function sideChoice(labels, present, chosen, onChange) {
  const select = make("select", "", ...present.map((at) => new Option(labels[at], String(at), false, at === chosen)));
  select.setAttribute("aria-label", "Side");
  select.addEventListener("change", () => onChange(Number(select.value)));
  return select;
}

function caseView(labels, one) {
  const about = [one.file, expectedText(one.expected), one.mock ? "fixed actions: tests the harness" : "", ...one.tags.map((tag) => "#" + tag)];
  const view = make("div", "inside", make("p", "numbers", about.filter((part) => part !== "").join(" · ")));
  view.append(make("p", "request", one.input));
  const present = labels.map((_, at) => at).filter((at) => one.sides[at]);
  const chosen = new Map();
  let pair = present.slice(0, 2);
  const holder = make("div", "");
  const showDiff = () => {
    const [left, right] = pair.map((at) => chosen.get(at));
    if (left && right) holder.replaceChildren(diffTable(labels[pair[0]], left.steps, labels[pair[1]], right.steps));
  };
  const sides = make("div", "sides");
  for (const at of present) {
    sides.append(sideView(labels[at], one.input, one.sides[at], (trial) => {
      chosen.set(at, trial);
      showDiff();
    }));
  }
  view.append(sides);
  if (present.length < 2) return view;
  view.append(make("h3", "", "Steps side by side"));
  if (present.length > 2) {
    const change = (place) => (at) => {
      pair = pair.with(place, at);
      showDiff();
    };
    view.append(make("p", "", sideChoice(labels, present, pair[0], change(0)), " ", sideChoice(labels, present, pair[1], change(1))));
  }
  view.append(holder);
  return view;
}
`;

/** Makes elements; whatever is put into one is text. */
const ELEMENTS = String.raw`
const SIGNS = { pass: "✓", fail: "✗", flaky: "~", error: "!", unjudged: "?" };
const WORDS = { pass: "passed", fail: "failed", flaky: "sometimes", error: "error", unjudged: "not judged" };
const SVG = "http://www.w3.org/2000/svg";
const numbers = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

function mark(outcome, hasWord) {
  const sign = make("b", "", SIGNS[outcome] || "?");
  sign.setAttribute("aria-hidden", "true");
  const word = make("span", hasWord ? "" : "skip-visually", WORDS[outcome] || outcome);
  return make("span", "mark " + outcome, sign, " ", word);
}

function block(text) {
  const pre = make("pre", "", text);
  pre.tabIndex = 0;
  return pre;
}

function count(number, noun) {
  return numbers.format(number) + " " + noun + (number === 1 ? "" : "s");
}

function time(milliseconds) {
  return milliseconds < 1000 ? Math.round(milliseconds) + " ms" : numbers.format(milliseconds / 1000) + " s";
}
`;

/** Keys; none of them takes one away from a field, from the browser or from a screen reader. */
const KEYBOARD = String.raw`
/** @type {HTMLDialogElement} */
const help = document.querySelector("#help");
let last = -1;

function focusRow(at) {
  const row = rows[at];
  if (!row) return;
  last = at;
  const summary = row.querySelector("summary");
  summary.focus({ preventScroll: true });
  summary.scrollIntoView({ block: "nearest" });
}

function focusedRow() {
  return rows.findIndex((row) => row.contains(document.activeElement));
}

function currentRow() {
  return focusedRow() < 0 ? last : focusedRow();
}

function moveRow(from, step) {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    if (!rows[at].hidden) return focusRow(at);
  }
}

function closeRow() {
  const row = rows[focusedRow()];
  if (!row || !row.open) return;
  row.open = false;
  row.querySelector("summary").focus();
}

const KEYS = {
  j: () => moveRow(currentRow(), 1),
  k: () => moveRow(currentRow() < 0 ? 0 : currentRow(), -1),
  g: () => moveRow(-1, 1),
  G: () => moveRow(rows.length, -1),
  "/": () => search.focus(),
  "?": () => help.showModal(),
  a: () => chooseFilter("all"),
  f: () => chooseFilter("failed"),
  d: () => chooseFilter("different"),
  e: () => chooseFilter("errors"),
  Escape: closeRow,
};
const ROW_KEYS = { ArrowDown: KEYS.j, ArrowUp: KEYS.k, Home: KEYS.g, End: KEYS.G };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help.open) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const { key } = event;
  if (target === search) {
    if (key === "Escape" && search.value === "") search.blur();
    else if (key === "Enter" || key === "ArrowDown") moveRow(-1, 1);
    else return;
    return event.preventDefault();
  }
  if (target.matches("input, select, textarea")) return;
  const isOnRow = target.matches(".case > summary");
  const action = (Object.hasOwn(KEYS, key) && KEYS[key]) || (isOnRow && Object.hasOwn(ROW_KEYS, key) && ROW_KEYS[key]);
  if (!action) return;
  event.preventDefault();
  action();
});
document.getElementById("help-button").addEventListener("click", () => help.showModal());
`;

/** What one side did beside what another did, aligned where they did the same. */
export const SEQUENCE_DIFF = String.raw`
/** The longest common subsequence of steps, as rows of two places; -1 where a side has none. */
function alignSteps(left, right) {
  const width = right.length + 1;
  const best = new Uint16Array((left.length + 1) * width);
  const isSame = (i, j) => stepText(left[i]) === stepText(right[j]);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      best[i * width + j] = isSame(i, j)
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && isSame(i, j)) rows.push([i++, j++]);
    else if (j >= right.length || (i < left.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) rows.push([i++, -1]);
    else rows.push([-1, j++]);
  }
  return rows;
}

function placedStep(step, place) {
  return step ? place + 1 + ". " + stepText(step) + (step[2] ? "" : " (failed)") : "";
}

function diffTable(leftLabel, left, rightLabel, right) {
  const head = make("tr", "", make("th", "", ""), make("th", "", leftLabel), make("th", "", rightLabel));
  const body = make("tbody", "");
  for (const [i, j] of alignSteps(left, right)) {
    const [one, other] = [left[i], right[j]];
    const isBoth = one !== undefined && other !== undefined;
    const isEqual = isBoth && one[4] === other[4] && one[2] === other[2];
    const sign = isBoth ? (isEqual ? "=" : "≈") : one === undefined ? "+" : "−";
    const meaning = isBoth ? (isEqual ? "the same" : "the same step in another way") : one === undefined ? "only right" : "only left";
    const cell = make("td", "", sign);
    cell.title = meaning;
    cell.append(make("span", "skip-visually", meaning));
    const name = isBoth ? "" : one === undefined ? "new" : "gone";
    body.append(make("tr", name, cell, make("td", "", placedStep(one, i)), make("td", "", placedStep(other, j))));
  }
  return make("table", "diff", make("thead", "", head), body);
}
`;

/** One side of a case that is open: its trials, and of one of them the grades, timeline and answer. */
const SIDE_VIEW = String.raw`
function gradeItem(grade, isCounted) {
  const isPartial = grade.score > 0 && grade.score < 1;
  const item = make("li", isCounted ? "" : "quiet", mark(isCounted ? grade.outcome : "unjudged"), grade.text, " ", make("span", "tag", grade.metric));
  if (!isCounted) {
    item.append(" not counted without the skill");
    return item;
  }
  if (isPartial) item.append(" ", make("span", "numbers", "score " + numbers.format(grade.score)));
  // An alignment is a table in plain text: its columns have to stand below one another.
  const isTable = grade.evidence.includes("\n");
  const evidence = isTable ? block(grade.evidence) : make("span", "", grade.evidence);
  evidence.classList.add("evidence");
  if (grade.evidence !== "") item.append(evidence);
  return item;
}

function trialView(input, trial, counted) {
  const isCounted = ({ metric }) => !counted || counted.includes(metric);
  const [tokens, calls, turns, milliseconds, cost] = trial.usage;
  const used = [count(tokens, "token"), count(calls, "tool call"), count(turns, "turn"), time(milliseconds)];
  if (cost > 0) used.push("cost " + numbers.format(cost));
  const view = make("div", "");
  view.append(make("p", "numbers", used.join(" · ")));
  const selected = trial.skills.length > 0 ? trial.skills.join(", ") : "none";
  view.append(make("p", "numbers", "Skills: " + selected + " · ended: " + trial.status + " · run " + trial.runId));
  if (trial.error) view.append(make("p", "", mark("error"), " " + trial.error.code + ": " + trial.error.message));
  if (trial.grades.length > 0) view.append(make("h4", "", "Checks"), make("ul", "grades", ...trial.grades.map((grade) => gradeItem(grade, isCounted(grade)))));
  if (trial.moreGrades > 0) view.append(make("p", "quiet", "and " + count(trial.moreGrades, "more check")));
  view.append(make("h4", "", "Timeline"), trial.steps.length > 0 ? timeline(trial) : make("p", "quiet", "no step"));
  view.append(make("h4", "", "Answer"), trial.answer === "" ? make("p", "quiet", "none") : block(trial.answer));
  view.append(transcript(input, trial));
  return view;
}

/** Calls back with the trial that is chosen, at first the first that did not pass. */
function sideView(label, input, side, onTrial) {
  const section = make("section", "side", make("h3", "", label, mark(side.outcome, true)));
  section.setAttribute("aria-label", label);
  const bad = side.trials.findIndex((trial) => trial.outcome !== "pass");
  const buttons = side.trials.map((trial, at) => {
    const button = make("button", "", "Trial " + trial.trial + " ", mark(trial.outcome));
    button.type = "button";
    button.addEventListener("click", () => choose(at));
    return button;
  });
  const group = make("div", "trials", ...buttons);
  let view = make("div", "");
  const choose = (at) => {
    buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === at)));
    const next = trialView(input, side.trials[at], side.counted);
    view.replaceWith(next);
    view = next;
    onTrial(side.trials[at]);
  };
  if (buttons.length > 1) section.append(group);
  section.append(view);
  choose(Math.max(bad, 0));
  return section;
}
`;

/** The steps of a trial on its time; a step opens to what it was called with and what came back. */
export const TIMELINE = String.raw`
function stepText([action, subject]) {
  return subject === "" ? action : action + " " + subject;
}

function timeBar(from, to, end) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 8");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const bar = document.createElementNS(SVG, "rect");
  const scale = end > 0 ? 100 / end : 0;
  bar.setAttribute("x", String(from * scale));
  bar.setAttribute("width", String(Math.max((to - from) * scale, 1.5)));
  bar.setAttribute("height", "8");
  svg.append(bar);
  return svg;
}

function timeline(trial) {
  const list = make("ol", "timeline");
  const end = Math.max(trial.usage[3], ...trial.steps.map((step) => step[3]));
  let before = 0;
  for (const step of trial.steps) {
    const [action, subject, ok, at, given, observation] = step;
    const label = make("span", "", make("b", "", action), " " + subject, ok ? "" : mark("fail", true));
    const summary = make("summary", ok ? "" : "failed", make("span", "", time(at)));
    summary.append(timeBar(Math.min(before, at), at, end), label);
    const details = make("details", "", summary, block(given), observation === "" ? "" : block(observation));
    list.append(make("li", "", details));
    before = at;
  }
  if (trial.moreSteps > 0) list.append(make("li", "quiet", "and " + count(trial.moreSteps, "more step")));
  return list;
}

function transcript(input, trial) {
  const turn = (who, text) => make("div", "turn", make("b", "", who), block(text));
  const details = make("details", "transcript", make("summary", "", "Transcript"));
  // Long ones are only made for who reads them.
  details.addEventListener("toggle", () => {
    details.append(turn("request", input));
    for (const step of trial.steps) {
      details.append(turn(stepText(step), step[4]));
      if (step[5] !== "") details.append(turn(step[2] ? "result" : "failed", step[5]));
    }
    if (trial.moreSteps > 0) details.append(make("p", "quiet", "and " + count(trial.moreSteps, "more step")));
    details.append(turn("answer", trial.answer));
  }, { once: true });
  return details;
}
`;

/**
 * The script of the report, as text. Libraries are built by `tsc` alone and the command line is bundled into
 * few files, so that a script file would not be found beside the module that inlines it; functions turned
 * into text by `toString()` depend on what a compiler made of them. So it is plain JavaScript in strings
 * without placeholders: the test lints it and checks its types, and drives it in a browser. It stays small: whatever can be
 * rendered beforehand is, with types.
 */
export const REPORT_SCRIPT = [
  '"use strict";\n(() => {',
  ELEMENTS,
  TIMELINE,
  SEQUENCE_DIFF,
  SIDE_VIEW,
  CASE_VIEW,
  CASE_LIST,
  KEYBOARD,
  "})();\n",
].join("");
