import { REDACTED, type TextRule } from "./redactor.ts";

/** Words before `pass` that make it something other than a password. */
export const NO_PASSWORD =
  "all|band|by|each|every|first|final|high|last|low|max|min|multi|next|num|one|per|render|second|shadow|single|test|tests|third|two";

const NAMES = [
  String.raw`pass(?:word|phrase)`,
  // `DB_PASS`, `SSHPASS`; what comes after another word is a pass over something, or a filter.
  String.raw`(?:(?<=[a-z0-9]_)(?<!(?<![a-z0-9])(?:${NO_PASSWORD})_)|(?<![\w-])ssh|(?<=(?:^|[\s;&"'?]))(?=pass=(?!\d{1,4}(?!\w))))pass(?!\w)`,
  // A file of this name has something said about it.
  String.raw`passwd(?!(?<=[/\\]passwd):[ \t])`,
  // PWD and OLDPWD are working directories where a path follows.
  String.raw`pwd(?!(?<=(?<![\w-])(?:old)?pwd)=["']?/)`,
  // `⟦secret:NAME⟧` stands for a known secret and holds none.
  String.raw`(?:client|shared|app)?[_-]?secret(?!(?<=⟦secret):[\w.-]{1,200}⟧)`,
  String.raw`(?:auth|access|refresh|id|session|bearer|api|bot)?[_-]?token`,
  String.raw`(?:api|access|private|secret|signing|encryption|master|account|storage)[_-]?key`,
  String.raw`credentials?`,
  String.raw`session[_-]?id`,
  String.raw`x-amz-signature`,
];

/** Behind what was escaped a word begins, also where the escape ends in a letter: `\n`, `%0A`. */
export const ESCAPED = [
  String.raw`\\[bfnrtv0]`,
  String.raw`\\u[0-9a-fA-F]{4}`,
  String.raw`\\x[0-9a-fA-F]{2}`,
  String.raw`%[0-9a-fA-F]{2}`,
  // A color of a terminal, itself or escaped.
  String.raw`(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,20}m`,
].join("|");

/** Quotes may be escaped, as in JSON within JSON. */
export const QUOTE = String.raw`\\{0,15}["']`;
const NAME = String.raw`(?:${NAMES.join("|")})(?:${QUOTE})?[ \t]{0,4}`;
/** What stands between a name and a literal: also a comparison, or the type of a variable. */
const BEFORE_QUOTE = String.raw`(?::[ \t]{0,4}[\w.|[\]<>]{1,40}[ \t]{0,4}=|[:=]?=|===|=>|:(?!/))[ \t]{0,4}[bfru]{0,2}`;
const BEFORE_VALUE = String.raw`(?:=(?![=>])|:(?![/:=]))[ \t]{0,4}`;
const QUOTED = `${NAME}${BEFORE_QUOTE}`;
const PLACEHOLDER = String.raw`⟦secret:[\w.-]{1,200}⟧`;
const QUOTED_PLACEHOLDER = String.raw`${PLACEHOLDER}["'\\]`;
const BARE_PLACEHOLDER = String.raw`${PLACEHOLDER}(?![^\s"'&,;)}\\])`;

/** The end of a word; an escape ends one too. */
const END = String.raw`(?![\w$-])`;
const IDENTIFIER = String.raw`[a-z_$][\w$]{0,100}`;

/** What plainly is code, and no value: calls, statements, types, what is looked up elsewhere. */
const CODE = [
  String.raw`${IDENTIFIER}(?:(?:\??\.|::|->)${IDENTIFIER}){0,8}(?:\(|\[["'\w:.-]{1,60}\])`,
  String.raw`(?:await|new|return|raise|throw|pass|continue|break|yield|not|lambda|function|async|typeof|void)${END}`,
  String.raw`(?:none|null|nil|undefined|true|false)${END}`,
  String.raw`(?:string|str|number|bool|boolean|int|integer|float|bytes|any|unknown|never|object|varchar|text|optional|union|promise|array|list|dict|record|map|set)${END}`,
  String.raw`(?:self|this|process|os|req|request|res|response|config|settings|options|args|props|params|ctx|context)\.[a-z_$]`,
  String.raw`\$\{[\w.:-]{1,100}\}|\$\(|\{\{`,
  String.raw`[bfru]{0,2}\\{0,15}["']`,
  // The beginning of a list or object, whose own values are looked at one by one.
  String.raw`[[{](?:[\s"'\\[\]{}]|$)`,
].join("|");

/** What stands behind a number of something, which is no value either: `passwd: 5 rows`. */
const COUNTED = String.raw`(?:rows?|lines?|columns?|cells?|bytes?|[kmg]i?b|characters?|words?|tokens?|files?|folders?|entries|entry|records?|fields?|values?|items?|keys?|matches|match|times?|occurrences?|differences?|changes?|errors?|warnings?|problems?|of|seconds?|minutes?|hours?|days?)`;
const COUNT = String.raw`(?<=:[ \t]{1,4})\d{1,3}(?:[.,_]?\d{1,3}){0,6}[ \t]{1,2}${COUNTED}${END}`;

/** Up to what cannot be a part of a value; an escaped line break or quote is none. */
export const ESCAPE_ENDS = String.raw`\\{1,15}(?![\\nrt"']|u00[01])`;
const VALUE = String.raw`[^\s"'&,;)}\\](?:[^\s"'&,;)}\\]|${ESCAPE_ENDS}){0,4000}`;

/** Values of secret names in a text, by how they are quoted. Short literals are no secrets. */
const SOURCES = [
  String.raw`(${QUOTED}")(?!${QUOTED_PLACEHOLDER})(?:[^"\\\r\n]|\\.){4,4000}`,
  String.raw`(${QUOTED}')(?!${QUOTED_PLACEHOLDER})[^'\r\n]{4,4000}`,
  String.raw`(${QUOTED}\\{1,15}["'])(?!${QUOTED_PLACEHOLDER})[^"'\\\r\n]{4,4000}`,
  String.raw`(${NAME}${BEFORE_VALUE})(?!${CODE}|${COUNT}|${BARE_PLACEHOLDER})${VALUE}`,
];

export const namedValues: readonly TextRule[] = SOURCES.map((source) => ({
  expression: new RegExp(source, "gi"),
  needs: [":", "="],
  replacement: `$1${REDACTED}`,
}));
