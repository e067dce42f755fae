/** A case that is open. */
export const CASE_VIEW = String.raw`
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
