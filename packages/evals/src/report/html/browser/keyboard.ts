/** Keys; none of them takes one away from a field, from the browser or from a screen reader. */
export const KEYBOARD = String.raw`
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
