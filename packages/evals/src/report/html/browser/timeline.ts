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
