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
  String.raw`eyJ[\w-]{8,8000}\.[\w-]{4,6000}(?:\.[\w-]{0,1000}){0,3}`,
];

const NAMES = [
  String.raw`pass(?:word|wd|phrase)`,
  // PWD and OLDPWD are working directories where a path follows.
  String.raw`pwd(?!(?<=(?<![\w-])(?:old)?pwd)=["']?/)`,
  String.raw`(?:client|shared|app)?[_-]?secret`,
  String.raw`(?:auth|access|refresh|id|session|bearer|api|bot)?[_-]?token`,
  String.raw`(?:api|access|private|secret|signing|encryption|master|account|storage)[_-]?key`,
  String.raw`credentials?`,
  String.raw`session[_-]?id`,
  String.raw`x-amz-signature`,
];

/** Quotes may be escaped, as in JSON within JSON. */
const QUOTE = String.raw`\\{0,3}["']`;
const NAMED = String.raw`(?:${NAMES.join("|")})(?:${QUOTE})?[ \t]{0,4}(?:=|:(?!/))[ \t]{0,4}`;

/** Values of secret names in a text, by how they are quoted. */
const NAMED_VALUES = [
  String.raw`(${NAMED}")(?:[^"\\\r\n]|\\.){1,4000}`,
  String.raw`(${NAMED}')[^'\r\n]{1,4000}`,
  String.raw`(${NAMED}\\{1,3}["'])[^"'\\\r\n]{1,4000}`,
  String.raw`(${NAMED})[^\s"'&,;)}\\][^\s"'&,;)}]{0,4000}`,
];

const ASSIGNED = [":", "="];

export const secretShapes: readonly TextRule[] = [
  {
    expression:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[^]){0,64000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
    needs: ["PRIVATE KEY"],
    replacement: REDACTED,
  },
  { expression: new RegExp(`(?<![A-Za-z0-9])(?:${TOKENS.join("|")})`, "g"), replacement: REDACTED },
  {
    // The scheme is worth knowing, what follows it is not.
    expression: new RegExp(
      String.raw`((?:^|[^\w])(?:proxy-)?authorization(?:${QUOTE})?[ \t]{0,4}[:=][ \t]{0,4}(?:${QUOTE})?(?:[a-z][\w-]{0,20}[ \t]{1,4})?)[^\s"'\\]{1,8000}`,
      "gi",
    ),
    needs: ASSIGNED,
    replacement: `$1${REDACTED}`,
  },
  {
    expression: /((?<!\w)bearer[ \t]{1,4})[\w~+/.=-]{6,8000}/gi,
    replacement: `$1${REDACTED}`,
  },
  {
    expression: new RegExp(
      String.raw`((?<!\w)(?:set-)?cookie(?:${QUOTE})?[ \t]{0,4}[:=][ \t]{0,4}(?:${QUOTE})?)[^\r\n"'\\]{1,8000}`,
      "gi",
    ),
    needs: ASSIGNED,
    replacement: `$1${REDACTED}`,
  },
  ...NAMED_VALUES.map((source) => ({
    expression: new RegExp(source, "gi"),
    needs: ASSIGNED,
    replacement: `$1${REDACTED}`,
  })),
  {
    expression:
      /(--(?:[a-z]{1,20}-)?(?:password|passphrase|token|secret|api-key|access-key)[ \t]{1,4})[^\s-][^\s]{0,4000}/gi,
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
