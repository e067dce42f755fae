import { difference } from "./difference.mjs";
import { visible } from "./visible.mjs";

const MAX_CHARACTERS = 200_000;
const SEGMENTERS = {
  word: new Intl.Segmenter("zh", { granularity: "word" }),
  grapheme: new Intl.Segmenter("zh", { granularity: "grapheme" }),
};

/**
 * Two texts as one, with `[-removed-]` and `{+added+}`. Chinese is cut into its words too; blanks and
 * punctuation marks are pieces of their own. Undefined when the texts are too long.
 */
export function markWords(a, b, granularity, keyOf) {
  if (a.length + b.length > MAX_CHARACTERS) return undefined;
  const [left, right] = [a, b].map((text) => pieces(text, granularity));
  const numbers = new Map();
  const numberOf = (piece) => {
    const key = /^\s+$/u.test(piece) ? piece : keyOf(piece);
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  };
  const { runs } = difference(left.map(numberOf), right.map(numberOf));
  let [marked, removed, added] = ["", "", ""];
  const flush = () => {
    marked += (removed && `[-${visible(removed)}-]`) + (added && `{+${visible(added)}+}`);
    [removed, added] = ["", ""];
  };
  for (const { kind, a: x, b: y, length } of runs) {
    const text = (kind === "added" ? right.slice(y, y + length) : left.slice(x, x + length)).join(
      "",
    );
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else {
      flush();
      marked += visible(text);
    }
  }
  flush();
  return marked;
}

function pieces(text, granularity) {
  return Array.from(SEGMENTERS[granularity].segment(text), ({ segment }) => segment);
}
