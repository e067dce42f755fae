/** The rows: opened when asked, hidden by filter and search. */
export const CASE_LIST = String.raw`
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
