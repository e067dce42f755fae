/** How such a clause begins, in English and Chinese; in the last form it is all that stands before. */
const START = new RegExp(
  [
    /\b(?:do not|don['’]t|never|(?:must|should|can|may) ?not be|can['’]t be|not to be)\s+(?:use[ds]?|trigger(?:ed)?|invoke[ds]?|activate[ds]?|apply|applied)\b/,
    /\bnot\s+(?:for|intended for|meant for|suitable for|applicable)\b/,
    /\bskip\s+(?:for|when|if)\b|\bavoid(?:\s+using(?:\s+(?:it|this)(?:\s+skill)?)?)?\s+for\b/,
    /\bbut\s+not\s+(?!limited|only|necessarily|just|exclusively|restricted)\b/,
    /(?<=[(（])\s*not\s+(?!limited|only|necessarily|just|exclusively|restricted)\b/,
    /\bexcludes\b/,
    /不要(?:用|使用|在|触发|觸發)|不(?:可|能|应|應)?用[于於]|不[适適](?:用|合)|不支[持援]|禁止(?:用|使用|在|触发|觸發)/,
    /(?<=^|[。！？；;，,\n])[^。！？；;，,\n]{1,60}勿使用(?=\s*(?:$|[。！？；;，,\n]))/,
    /勿(?:用|使用)|不(?:应|應|会|會|该|該)?(?:触发|觸發)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);
const OPENING = "(（";
const CLOSING = ")）";
const FULL_STOPS = ".!?";
const ENDS = "。！？；;\n";
/** So many clauses of one text are looked at. */
const MOST = 64;

/** A description without the clauses that say what the skill is not for, which would match just that. */
export function positiveText(text: string): string {
  let kept = "";
  let from = 0;
  START.lastIndex = 0;
  for (let i = 0; i < MOST; i++) {
    const match = START.exec(text);
    if (match === null) break;
    kept += `${text.slice(from, match.index)}\n`;
    from = clauseEnd(text, START.lastIndex);
    START.lastIndex = from;
  }
  return kept + text.slice(from);
}

function clauseEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (ENDS.includes(character)) return i;
    // The stop in "Node.js" ends nothing.
    if (FULL_STOPS.includes(character) && /^\s?$/.test(text.charAt(i + 1))) return i;
    if (OPENING.includes(character)) depth++;
    // A clause in parentheses ends with them.
    if (CLOSING.includes(character) && --depth < 0) return i;
  }
  return text.length;
}
