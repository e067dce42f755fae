/** The rows of a page: opened when asked, and made anew for another page, filter or search. */
const CASE_LIST = String.raw`
/** @type {HTMLElement} */
const list = document.querySelector(".cases");
const heads = list.querySelector(".heads");
/** @type {HTMLDetailsElement[]} */
let rows = Array.from(document.querySelectorAll(".case"));
/** @type {HTMLFormElement} */
const toolbar = document.querySelector(".toolbar");
/** @type {HTMLInputElement} */
const search = document.querySelector("#search");
const shown = toolbar.querySelector("output");
/** @type {HTMLElement} */
const pager = document.querySelector(".pager");
const total = Number(list.dataset.total);
const pageSize = Number(list.dataset.page);
let page = 0;
/** The row that had the focus last. */
let last = -1;
let data;
let texts;
/** Places of the cases that filter and search keep; undefined for all. */
let kept;

/** Read when it is needed first: who only looks at the top does not wait for it. */
function readData() {
  data ??= JSON.parse(document.getElementById("data").textContent);
  return data;
}

function searchTexts() {
  texts ??= readData().rows.map(([id, title], at) => {
    const one = data.cases[at];
    if (!one) return (id + "\n" + title).toLowerCase();
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

function sideCell(label, side) {
  const cell = side ? make("span", "mark " + side[0], SIGNS[side[0]] + " " + WORDS[side[0]] + (side[1] && " " + side[1])) : make("span", "quiet", "–");
  cell.dataset.side = label;
  return cell;
}

/** Until it is opened; on paper it stays that. */
function plainView(one) {
  if (!one) return make("div", "inside", make("p", "quiet", "This report has no details of the case; the saved results have them."));
  const trials = one.sides[0] ? one.sides[0].trials : [];
  const errors = trials.filter(({ error }) => error).map(({ error }) => make("li", "", mark("error"), " " + error.code + ": " + error.message));
  const failed = trials.flatMap(({ grades }) => grades.filter(({ outcome }) => outcome === "fail" || outcome === "error"));
  const problems = failed.slice(0, 5).map((grade) => make("li", "", mark(grade.outcome), " " + grade.text + " ", make("span", "quiet", grade.evidence)));
  return make("div", "inside", make("p", "request", one.input), make("ul", "", ...errors, ...problems));
}

function rowOf(at) {
  const { sides, rows: all, cases } = readData();
  const [id, title, kinds, ...outcomes] = all[at];
  const name = make("span", "name", title + " ", make("small", "", id));
  const summary = make("summary", "", name, ...outcomes.map((side, place) => sideCell(sides[place], side)));
  const row = make("details", "case", summary, plainView(cases[at]));
  row.id = "case-" + at;
  row.dataset.kinds = kinds;
  return row;
}

function listen(row) {
  row.addEventListener("toggle", () => row.open && fillCase(row));
}

function keptCount() {
  return kept ? kept.length : total;
}

function showPager() {
  const pages = Math.ceil(keptCount() / pageSize);
  pager.hidden = pages < 2;
  const from = page * pageSize;
  pager.querySelector("output").textContent = numbers.format(from + 1) + " to " + numbers.format(Math.min(from + pageSize, keptCount())) + " of " + numbers.format(keptCount());
  const [previous, next] = pager.querySelectorAll("button");
  previous.disabled = page === 0;
  next.disabled = page >= pages - 1;
}

function showPage(next) {
  page = Math.max(0, Math.min(next, Math.ceil(keptCount() / pageSize) - 1));
  const places = Array.from({ length: Math.min(pageSize, keptCount() - page * pageSize) }, (_, index) => page * pageSize + index);
  rows = places.map((place) => rowOf(kept ? kept[place] : place));
  for (const row of rows) listen(row);
  list.replaceChildren(heads, ...rows);
  last = -1;
  showPager();
}

function applyFilter() {
  const kind = String(new FormData(toolbar).get("filter"));
  const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = words.length > 0 ? searchTexts() : [];
  const isKept = ([, , kinds], at) => (kind === "all" || kinds.split(" ").includes(kind)) && words.every((word) => found[at].includes(word));
  kept = kind === "all" && words.length === 0 ? undefined : readData().rows.flatMap((row, at) => (isKept(row, at) ? at : []));
  showPage(0);
  showCount();
}

function showCount() {
  shown.textContent = kept ? numbers.format(kept.length) + " of " + count(total, "case") : count(total, "case");
  document.querySelector(".empty").toggleAttribute("hidden", keptCount() > 0);
}

function chooseFilter(value) {
  for (const input of toolbar.querySelectorAll("input")) {
    if (input.type === "radio") input.checked = input.value === value;
  }
  applyFilter();
}

function fillCase(row) {
  const one = readData().cases[Number(row.id.slice(5))];
  if (row.dataset.filled || !one) return;
  row.dataset.filled = "yes";
  row.querySelector(".inside").replaceWith(caseView(data.sides, one));
}

/** A link to a case opens it, whatever is filtered and on whatever page. */
function openLinked() {
  const [, digits] = /^#case-(\d+)$/.exec(location.hash) || [];
  const at = Number(digits);
  if (digits === undefined || at >= total) return;
  if (kept) {
    search.value = "";
    chooseFilter("all");
  }
  if (Math.floor(at / pageSize) !== page) showPage(Math.floor(at / pageSize));
  const row = rows[at - page * pageSize];
  row.open = true;
  fillCase(row);
  row.scrollIntoView();
  row.querySelector("summary").focus({ preventScroll: true });
}

for (const row of rows) listen(row);
toolbar.addEventListener("change", applyFilter);
search.addEventListener("input", applyFilter);
toolbar.addEventListener("submit", (event) => event.preventDefault());
for (const button of pager.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    showPage(page + Number(button.value));
    document.getElementById("cases").scrollIntoView();
  });
}
addEventListener("hashchange", openLinked);
toolbar.hidden = false;
showPager();
showCount();
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

/** Beyond the page on to the next one. */
function moveRow(from, step) {
  const at = from + step;
  if (rows[at]) return focusRow(at);
  const next = page + step;
  if (next < 0 || next * pageSize >= keptCount()) return;
  showPage(next);
  focusRow(step > 0 ? 0 : rows.length - 1);
}

function goTo(next, at) {
  if (next !== page) showPage(next);
  focusRow(at < 0 ? rows.length - 1 : at);
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
  g: () => goTo(0, 0),
  G: () => goTo(Math.max(0, Math.ceil(keptCount() / pageSize) - 1), -1),
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
    else if (key === "Enter" || key === "ArrowDown") focusRow(0);
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
openLinked();
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
