/** One side of a case that is open: its trials, and of one of them the grades, timeline and answer. */
export const SIDE_VIEW = String.raw`
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
