import {
  blockList,
  date,
  flowList,
  type KeyShape,
  oneOf,
  quoted,
  semver,
  url,
  word,
} from "./optional-keys.ts";
import {
  doubleQuoted,
  folded,
  literal,
  plain,
  singleQuoted,
  wrappedPlain,
  type WriteText,
} from "./scalars.ts";
import { words } from "./words.ts";

/** Skills that were written by the same people or tools and look alike for that reason. */
export interface Family {
  readonly share: number;
  /** Nothing but `key: value` lines. */
  readonly plainOnly?: boolean;
  readonly keys: readonly KeyShape[];
  readonly description: readonly (readonly [weight: number, write: WriteText])[];
}

const { nouns, authors } = words;
const risk = word(["safe", "low", "unknown", "critical"]);
const source = oneOf(word(["community", "self"]), quoted(word(authors)), url);

export const FAMILIES: readonly Family[] = [
  { share: 17, plainOnly: true, keys: [], description: [[1, plain]] },
  {
    share: 33,
    keys: [
      { key: "risk", share: 0.93, plain: risk },
      { key: "source", share: 1, plain: source },
      { key: "date_added", share: 0.78, rich: quoted(date) },
    ],
    description: [
      [78, doubleQuoted],
      [20, plain],
      [2, folded],
    ],
  },
  {
    share: 5,
    keys: [
      { key: "domain", share: 1, plain: word(["security"]) },
      { key: "subdomain", share: 0.95, plain: word(nouns) },
      { key: "tags", share: 1, rich: blockList(nouns, "") },
      { key: "version", share: 1, rich: () => " '1.0'" },
      { key: "author", share: 1, plain: word(authors) },
      { key: "license", share: 1, plain: word(["Apache-2.0"]) },
      { key: "nist_csf", share: 0.95, rich: blockList(["PR.DS-01", "DE.CM-01", "RS.AN-03"], "") },
    ],
    description: [
      [75, wrappedPlain],
      [20, singleQuoted],
      [5, plain],
    ],
  },
  {
    share: 6,
    keys: [{ key: "requires", share: 1, rich: (random) => `\n  mcp:${flowList(nouns)(random)}` }],
    description: [
      [8, doubleQuoted],
      [2, plain],
    ],
  },
  {
    share: 2,
    keys: [
      { key: "source_url", share: 1, rich: quoted(url) },
      { key: "created_at", share: 1, rich: quoted(date) },
      { key: "updated_at", share: 1, rich: quoted(date) },
      { key: "quality", share: 1, plain: (random) => ` ${random.integer(1, 100)}` },
      { key: "complexity", share: 1, plain: word(["low", "medium", "high"]) },
    ],
    description: [
      [1, doubleQuoted],
      [1, plain],
    ],
  },
  {
    share: 36,
    keys: [{ key: "version", share: 0.1, plain: semver }],
    description: [
      [28, plain],
      [40, doubleQuoted],
      [5, singleQuoted],
      [12, folded],
      [9, literal],
      [6, wrappedPlain],
    ],
  },
];
