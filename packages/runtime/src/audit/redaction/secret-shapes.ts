import { ESCAPE_ENDS, namedValues, QUOTE } from "./named-values.ts";
import { REDACTED, type TextRule } from "./redactor.ts";

/**
 * Shapes of keys. Every repetition is bounded, and a shape begins only where a word does, so that
 * hostile text costs no more than its length. None but the private key spans lines.
 */
const TOKENS = [
  String.raw`sk-[\w-]{16,1000}`,
  String.raw`[sr]k_(?:live|test)_\w{10,1000}`,
  String.raw`whsec_\w{16,1000}`,
  String.raw`gh[opsur]_\w{16,1000}`,
  String.raw`github_pat_\w{16,1000}`,
  String.raw`gl(?:pat|ptt|dt|rt)-[\w.-]{16,1000}`,
  String.raw`xox[a-z]-[\w-]{8,1000}`,
  String.raw`xapp-[\w-]{8,1000}`,
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?!\w)`,
  String.raw`AIza[\w-]{30,1000}`,
  String.raw`ya29\.[\w.-]{16,1000}`,
  String.raw`GOCSPX-[\w-]{16,1000}`,
  String.raw`npm_\w{30,1000}`,
  String.raw`pypi-[\w-]{30,1000}`,
  String.raw`hf_\w{20,1000}`,
  String.raw`do[opr]_v1_\w{32,1000}`,
  String.raw`SG\.[\w-]{16,1000}\.[\w-]{16,1000}`,
  String.raw`AGE-SECRET-KEY-1[A-Z0-9]{30,1000}`,
  String.raw`eyJ(?:(?![-_]eyJ)[\w-]){8,8000}\.[\w-]{4,6000}(?:\.[\w-]{0,1000}){0,3}`,
];

/** Behind what was escaped a word begins, also where the escape ends in a letter: `\n`, `%0A`. */
const ESCAPED = [
  String.raw`\\[bfnrtv0]`,
  String.raw`\\u[0-9a-fA-F]{4}`,
  String.raw`\\x[0-9a-fA-F]{2}`,
  String.raw`%[0-9a-fA-F]{2}`,
  // A color of a terminal, itself or escaped.
  String.raw`(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,20}m`,
].join("|");
/** To stand behind a word, which is found faster than what stands before it. */
const begins = (word: string) => String.raw`${word}(?<=(?:(?<!\w)|${ESCAPED})${word})`;

const ASSIGNED = [":", "="];
const FLAG = String.raw`--(?:[a-z]{1,20}-)?(?:password|passphrase|token|secret|api-key|access-key)[ \t]{1,4}`;

export const secretShapes: readonly TextRule[] = [
  {
    expression:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[^]){0,64000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
    needs: ["PRIVATE KEY"],
    replacement: REDACTED,
  },
  { expression: new RegExp(`(?<![A-Za-z0-9])(?:${TOKENS.join("|")})`, "g"), replacement: REDACTED },
  {
    expression: new RegExp(`(${ESCAPED})(?:${TOKENS.join("|")})`, "g"),
    needs: ["\\", "%", "\u001b"],
    replacement: `$1${REDACTED}`,
  },
  {
    // The scheme is worth knowing, what follows it is not.
    expression: new RegExp(
      String.raw`(${begins("authorization")}(?:${QUOTE})?[ \t]{0,4}[:=][ \t]{0,4}(?:${QUOTE})?(?:[a-z][\w-]{0,20}[ \t]{1,4})?)[^\s"'\\]{1,8000}`,
      "gi",
    ),
    needs: ASSIGNED,
    replacement: `$1${REDACTED}`,
  },
  {
    expression: new RegExp(String.raw`(${begins("bearer")}[ \t]{1,4})[\w~+/.=-]{6,8000}`, "gi"),
    replacement: `$1${REDACTED}`,
  },
  {
    expression: new RegExp(
      String.raw`(${begins("cookie")}(?:${QUOTE})?[ \t]{0,4}[:=][ \t]{0,4}(?:${QUOTE})?)[^\r\n"'\\]{1,8000}`,
      "gi",
    ),
    needs: ASSIGNED,
    replacement: `$1${REDACTED}`,
  },
  ...namedValues,
  {
    expression: new RegExp(String.raw`(${FLAG}\\{0,15}["'])[^"'\\\r\n]{1,4000}`, "gi"),
    needs: ["--"],
    replacement: `$1${REDACTED}`,
  },
  {
    expression: new RegExp(
      String.raw`(${FLAG})[^\s"'\\-](?:[^\s"'\\]|${ESCAPE_ENDS}){0,4000}`,
      "gi",
    ),
    needs: ["--"],
    replacement: `$1${REDACTED}`,
  },
  {
    expression: /([?&](?:key|sig|signature|code|auth)=)[^\s"'&#<>\\]{6,4000}/gi,
    needs: ["="],
    replacement: `$1${REDACTED}`,
  },
  {
    expression: /(:\/\/[^\s/@:?#"'<>\\]{0,300}:)[^\s/"'<>\\]{1,1000}@/g,
    needs: ["://"],
    replacement: `$1${REDACTED}@`,
  },
  {
    // A long name without a password is a token.
    expression: /(:\/\/)[^\s/@:?#"'<>\\]{20,1000}@/g,
    needs: ["://"],
    replacement: `$1${REDACTED}@`,
  },
];
