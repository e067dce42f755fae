/** Makes elements; whatever is put into one is text. */
const ELEMENTS = String.raw`
const SIGNS = { pass: "✓", fail: "✗", flaky: "~", error: "!", unjudged: "?" };
const WORDS = { pass: "passed", fail: "failed", flaky: "sometimes", error: "error", unjudged: "not judged" };
const numbers = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

function mark(outcome) {
  return make("span", "mark " + outcome, SIGNS[outcome] + " " + WORDS[outcome]);
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

/** A case that is open: of each side its trials, and of one of them the grades, the steps and the answer. */
const CASE_VIEW = String.raw`
function gradeItem(grade, isCounted) {
  const item = make("li", isCounted ? "" : "quiet", mark(isCounted ? grade.outcome : "unjudged"), " " + grade.text + " ", make("span", "tag", grade.metric));
  if (!isCounted) {
    item.append(" not counted without the skill");
    return item;
  }
  if (grade.score > 0 && grade.score < 1) item.append(" ", make("span", "numbers", "score " + numbers.format(grade.score)));
  if (grade.evidence !== "") item.append(make("span", "evidence", grade.evidence));
  return item;
}

function stepItem([action, subject, ok, at, given, observation]) {
  const label = (subject === "" ? action : action + " " + subject) + " ";
  const summary = make("summary", "", make("span", "numbers", time(at)), " ", make("b", "", label), ok ? "" : mark("fail"));
  return make("li", "", make("details", "", summary, block(given), observation === "" ? "" : block(observation)));
}

function more(number, noun) {
  return number > 0 ? make("p", "quiet", "and " + count(number, "more " + noun)) : "";
}

function trialView(trial, counted) {
  const isCounted = ({ metric }) => !counted || counted.includes(metric);
  const [tokens, calls, turns, milliseconds, cost] = trial.usage;
  const used = [count(tokens, "token"), count(calls, "tool call"), count(turns, "turn"), time(milliseconds)];
  if (cost > 0) used.push("cost " + numbers.format(cost));
  const ended = ["skills: " + (trial.skills.join(", ") || "none"), "ended: " + trial.status, "run " + trial.runId];
  return make(
    "div",
    "",
    make("p", "numbers", [...used, ...ended].join(" · ")),
    trial.error ? make("p", "", mark("error"), " " + trial.error.code + ": " + trial.error.message) : "",
    make("ul", "grades", ...trial.grades.map((grade) => gradeItem(grade, isCounted(grade)))),
    more(trial.moreGrades, "check"),
    make("h4", "", "Steps"),
    make("ol", "timeline", ...trial.steps.map(stepItem)),
    more(trial.moreSteps, "step"),
    make("h4", "", "Answer"),
    trial.answer === "" ? make("p", "quiet", "none") : block(trial.answer),
  );
}

/** At first it shows the first trial that did not pass. */
function sideView(label, side) {
  const section = make("section", "side", make("h3", "", label + " ", mark(side.outcome)));
  section.setAttribute("aria-label", label);
  const buttons = side.trials.map((trial, at) => {
    const button = make("button", "", "Trial " + trial.trial + " ", mark(trial.outcome));
    button.type = "button";
    button.addEventListener("click", () => choose(at));
    return button;
  });
  let view = make("div", "");
  const choose = (at) => {
    buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === at)));
    const next = trialView(side.trials[at], side.counted);
    view.replaceWith(next);
    view = next;
  };
  section.append(buttons.length > 1 ? make("div", "trials", ...buttons) : "", more(side.moreTrials, "trial"), view);
  choose(Math.max(0, side.trials.findIndex((trial) => trial.outcome !== "pass")));
  return section;
}

function expectedText(expected) {
  if (!expected) return "";
  const parts = [];
  if (expected.used.length > 0) parts.push("expects " + expected.used.join(", ") + (expected.only ? " and no other skill" : ""));
  else if (expected.only) parts.push("expects no skill");
  if (expected.unused.length > 0) parts.push("not " + expected.unused.join(", "));
  return parts.join("; ");
}

function caseView(labels, one) {
  const about = [one.file, expectedText(one.expected), one.mock ? "fixed actions: tests the harness" : "", ...one.tags.map((tag) => "#" + tag)];
  const sides = one.sides.map((side, at) => (side ? sideView(labels[at], side) : ""));
  const head = make("p", "numbers", about.filter((part) => part !== "").join(" · "));
  return make("div", "inside", head, make("p", "request", one.input), make("div", "sides", ...sides.filter((side) => side !== "")));
}
`;

/** The rows of a page: opened when asked, and made anew for another page, filter or search. */
const CASE_LIST = String.raw`
/** @type {HTMLElement} */
const list = document.querySelector(".cases");
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
  const name = make("small", "", label);
  return side ? make("span", "mark " + side[0], name, " " + SIGNS[side[0]] + " " + WORDS[side[0]] + (side[1] && " " + side[1])) : make("span", "quiet", name, " –");
}

function rowOf(at) {
  const { sides, rows: all } = readData();
  const [id, title, kinds, ...outcomes] = all[at];
  const name = make("span", "name", title + " ", make("small", "", id));
  const summary = make("summary", "", name, ...outcomes.map((side, place) => sideCell(sides[place], side)));
  const empty = make("p", "quiet", "This report has no details of the case; the saved results have them.");
  const row = make("details", "case", summary, make("div", "inside", empty));
  row.id = "case-" + at;
  row.dataset.kinds = kinds;
  return row;
}

function listen(row) {
  row.addEventListener("toggle", () => row.open && fillCase(row));
}

function fillCase(row) {
  const one = readData().cases[Number(row.id.slice(5))];
  if (row.dataset.filled || !one) return;
  row.dataset.filled = "yes";
  row.querySelector(".inside").replaceWith(caseView(data.sides, one));
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
  list.replaceChildren(...rows);
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

/** A link to a case opens it, whatever is filtered and on whatever page. */
function openLinked() {
  const [, digits] = /^#case-(\d+)$/.exec(location.hash) || [];
  const at = Number(digits);
  if (digits === undefined || at >= total) return;
  if (kept) {
    toolbar.reset();
    applyFilter();
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
openLinked();
`;

/**
 * The script of the report, as text. Libraries are built by `tsc` alone and the command line is bundled into
 * few files, so that a script file would not be found beside the module that inlines it; functions turned
 * into text by `toString()` depend on what a compiler made of them. So it is plain JavaScript in strings
 * without placeholders: the test lints it and checks its types, and drives it in a browser.
 */
export const REPORT_SCRIPT = `"use strict";\n(() => {${ELEMENTS}${CASE_VIEW}${CASE_LIST}})();\n`;
