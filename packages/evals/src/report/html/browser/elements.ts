/** Makes elements; whatever is put into one is text. */
export const ELEMENTS = String.raw`
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
