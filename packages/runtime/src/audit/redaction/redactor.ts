/** Takes secrets out of what is written down. Neither function throws. */
export interface Redactor {
  /** Any value as JSON can hold it, in the same shape, bounded, without secrets. */
  readonly redact: (value: unknown) => unknown;
  readonly redactText: (text: string) => string;
  /** What a redactor for streams needs to know. */
  readonly rules: RedactionRules;
}

/** Replaces what it finds in a text; the text around it that it needs to find it is part of a match. */
export interface TextRule {
  /** Global. Matches no more than `MAX_MATCH_LENGTH` characters, in linear time. */
  readonly expression: RegExp;
  /** A text without any of these has no match; looking for them first is faster. */
  readonly needs?: readonly string[] | undefined;
  /** With `$1` and the like. */
  readonly replacement: string;
}

interface RedactionRules {
  readonly texts: readonly TextRule[];
  /** Secrets that span lines: nothing may be passed on that could be their beginning. */
  readonly multiline: readonly string[];
  /** Of the longest secret that is looked for by its value. */
  readonly longestValue: number;
}

export const REDACTED = "[redacted]";

/** Leaves everything as it is, for a record that is redacted as a whole later. */
export const UNREDACTED: Redactor = {
  redact: (value) => value,
  redactText: (text) => text,
  rules: { texts: [], multiline: [], longestValue: 0 },
};

/** Longer than any secret that is looked for by its shape. */
export const MAX_MATCH_LENGTH = 65_536;

/** Whether the text may have a match. */
export function isPossible({ needs }: TextRule, text: string): boolean {
  return needs === undefined || needs.some((part) => text.includes(part));
}

export function applyRules(rules: readonly TextRule[], text: string): string {
  return rules.reduce(
    (result, rule) =>
      isPossible(rule, result) ? result.replace(rule.expression, rule.replacement) : result,
    text,
  );
}

/** Words before `pass` that make it something other than a password. */
export const NO_PASSWORD =
  "all|band|by|each|every|first|final|high|last|low|max|min|multi|next|num|one|per|render|second|shadow|single|test|tests|third|two";

const NAMES = [
  String.raw`pass(?:word|phrase)`,
  // `DB_PASS`, `SSHPASS`; what comes after another word is a pass over something, or a filter.
  String.raw`(?:(?<=[a-z0-9]_)(?<!(?<![a-z0-9])(?:${NO_PASSWORD})_)|(?<![\w-])ssh|(?<=(?:^|[\s;&"'?]))(?=pass=(?!\d{1,4}(?!\w))))pass(?!\w)`,
  // Names a file and describes it.
  String.raw`passwd(?!(?<=[/\\]passwd):[ \t])`,
  // PWD and OLDPWD are working directories where a path follows.
  String.raw`pwd(?!(?<=(?<![\w-])(?:old)?pwd)=["']?/)`,
  // `⟦secret:NAME⟧` is a placeholder and holds no secret.
  String.raw`(?:client|shared|app)?[_-]?secret(?!(?<=⟦secret):[\w.-]{1,200}⟧)`,
  String.raw`(?:auth|access|refresh|id|session|bearer|api|bot)?[_-]?token`,
  String.raw`(?:api|access|private|secret|signing|encryption|master|account|storage)[_-]?key`,
  String.raw`credentials?`,
  String.raw`session[_-]?id`,
  String.raw`x-amz-signature`,
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

/** Quotes may be escaped, as in JSON within JSON. */
const QUOTE = String.raw`\\{0,15}["']`;
const NAME = String.raw`(?:${NAMES.join("|")})(?:${QUOTE})?[ \t]{0,4}`;
/** Between a name and a literal: also a comparison, or the type of a variable. */
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

/** The word after a count, which is not a value either: `passwd: 5 rows`. */
const COUNTED = String.raw`(?:rows?|lines?|columns?|cells?|bytes?|[kmg]i?b|characters?|words?|tokens?|files?|folders?|entries|entry|records?|fields?|values?|items?|keys?|matches|match|times?|occurrences?|differences?|changes?|errors?|warnings?|problems?|of|seconds?|minutes?|hours?|days?)`;
const COUNT = String.raw`(?<=:[ \t]{1,4})\d{1,3}(?:[.,_]?\d{1,3}){0,6}[ \t]{1,2}${COUNTED}${END}`;

/** Up to what cannot be part of a value, such as an escaped line break or quote. */
const ESCAPE_ENDS = String.raw`\\{1,15}(?![\\nrt"']|u00[01])`;
const VALUE = String.raw`[^\s"'&,;)}\\](?:[^\s"'&,;)}\\]|${ESCAPE_ENDS}){0,4000}`;

/** Hides a secret and keeps what is before it. */
function hide(
  before: string,
  secret: string,
  { needs, flags = "gi", after = "" }: HideOptions = {},
) {
  const expression = new RegExp(`(${before})${secret}${after}`, flags);
  return { expression, needs, replacement: `$1${REDACTED}${after}` } satisfies TextRule;
}

interface HideOptions extends Pick<TextRule, "needs"> {
  readonly flags?: "g" | "gi";
  /** Has to follow, and stays too. */
  readonly after?: string;
}

const ASSIGNED = { needs: [":", "="] };

/** Values of secret names in a text, by how they are quoted. Short literals are no secrets. */
const namedValues: readonly TextRule[] = [
  hide(`${QUOTED}"`, String.raw`(?!${QUOTED_PLACEHOLDER})(?:[^"\\\r\n]|\\.){4,4000}`, ASSIGNED),
  hide(`${QUOTED}'`, String.raw`(?!${QUOTED_PLACEHOLDER})[^'\r\n]{4,4000}`, ASSIGNED),
  hide(
    String.raw`${QUOTED}\\{1,15}["']`,
    String.raw`(?!${QUOTED_PLACEHOLDER})[^"'\\\r\n]{4,4000}`,
    ASSIGNED,
  ),
  hide(`${NAME}${BEFORE_VALUE}`, `(?!${CODE}|${COUNT}|${BARE_PLACEHOLDER})${VALUE}`, ASSIGNED),
];

/** Programs with a short option for a password: `-p` means something else to most others. */
interface PasswordOption {
  readonly programs: string;
  readonly options: string;
  /** Only after this argument: `docker login -p`, not `docker run -p`. */
  readonly command?: string;
  /** `-pX` only, since `-p X` asks for the password and X is something else. */
  readonly isAttached?: boolean;
  /** Between a user name, which is kept, and the password. */
  readonly behind?: string;
}

const PASSWORD_OPTIONS: readonly PasswordOption[] = [
  {
    programs:
      "mysql mysqladmin mysqlcheck mysqldump mysqlimport mysqlshow mysqlslap mariadb mariadb-admin mariadb-dump 7z 7za 7zr 7zz rar unrar",
    options: "-p",
    isAttached: true,
  },
  {
    programs:
      "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop cqlsh",
    options: "-p",
  },
  {
    programs: "docker podman nerdctl buildah skopeo oras crane helm az oc cf",
    command: "login",
    options: "-p",
  },
  {
    programs: "zip unzip sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool ssh-keygen",
    options: "-P",
  },
  { programs: "ssh-keygen", options: "-N" },
  { programs: "redis-cli redis-benchmark valkey-cli", options: "-a" },
  {
    programs: "ldapadd ldapcompare ldapdelete ldapmodify ldappasswd ldapsearch ldapwhoami",
    options: "-w",
  },
  { programs: "curl", options: "-u --user", behind: ":" },
  { programs: "curl", options: "-U --proxy-user", behind: ":" },
  { programs: "http https xh", options: "-a --auth", behind: ":" },
  { programs: "smbclient rpcclient", options: "-U --user", behind: "%" },
  { programs: "lftp", options: "-u", behind: "," },
];

const SPACE = String.raw`[ \t]{1,8}`;
/** The name of a setting that holds a secret: `aws_secret_access_key`, `//host/:_authToken`. */
const SETTING = String.raw`[^\s"'\\]{0,200}(?:secret|password|passwd|token|_auth|api_?key|access_key)`;

/** How arguments are written. */
interface Arguments {
  /** One that ends no command, with the space before it. */
  readonly argument: string;
  /** A password that is a word of its own. */
  readonly word: string;
  /** A password behind an option, perhaps in the same word. */
  readonly password: string;
}

/** In a text. Shorter words behind an option are prose rather than a password. */
const TEXT: Arguments = {
  argument: String.raw`${SPACE}(?![|&;])(?!\S{0,300}[;|&][ \t])\S{1,300}`,
  word: String.raw`(?:"[^"\r\n]{1,300}"|'[^'\r\n]{1,300}'|[^\s|;&"']{1,300})`,
  password: String.raw`(?:(?<=["'])[^"'\\\r\n]{3,4000}|(?![-"'\\])(?:[^\s"'\\]|${ESCAPE_ENDS}){3,4000})`,
};

/** In a list of arguments, as `redactArguments` writes it. */
const LIST: Arguments = {
  argument: String.raw`${SPACE}[^\s;]{1,4096}`,
  word: String.raw`\S{1,4096}`,
  password: String.raw`\S{1,4096}`,
};

/** Passwords in arguments of commands. */
function argumentRules(written: Arguments): readonly TextRule[] {
  const { word } = written;
  return [
    ...PASSWORD_OPTIONS.map((option) => optionRule(option, written)),
    hide(String.raw`(?<![\w-])config(?:ure)?${SPACE}set${SPACE}${SETTING}${SPACE}`, word, {
      needs: ["set"],
    }),
    // `-n` writes no file, so none is named.
    htpasswdRule("=", 1, word),
    htpasswdRule("!", 2, word),
  ];
}

/** Finds the first such option of a command: `sshpass -p X ssh -p 22`. */
function optionRule(
  { programs, options, command, isAttached = false, behind }: PasswordOption,
  { argument, password }: Arguments,
): TextRule {
  const names = programs.replaceAll(" ", "|");
  const reach = command === undefined ? "" : String.raw`(?:${argument}){0,4}?${SPACE}${command}`;
  const gap = isAttached ? "" : String.raw`(?:${SPACE}|=)?`;
  const user =
    behind === undefined ? "" : String.raw`(?:${QUOTE})?[^\s"'\\${behind}]{0,200}${behind}`;
  // Only where the value has a mark of its own are other letters before the option's taken for options.
  const letters = behind === undefined ? "" : "[a-zA-Z#]{0,8}?";
  const written = options.replaceAll(" ", "|").replaceAll(/(?<![\w-])-(?=\w)/g, `-${letters}`);
  return hide(
    String.raw`(?:(?<![\w.-])|(?<=${ESCAPED}))(?:${names})(?:\.exe)?${reach}(?:${argument}){0,30}?${SPACE}(?:${written})${gap}${user}(?:${QUOTE})?`,
    password,
    { needs: ["-"], flags: "g" },
  );
}

/** An option of `htpasswd`, with the number that `-C` and `-r` take. */
const HTPASSWD_OPTION = String.raw`${SPACE}-[a-zA-Z0-9]{1,12}(?:${SPACE}\d{1,6})?`;

function htpasswdRule(isPrinted: "=" | "!", before: number, word: string): TextRule {
  const options = String.raw`(?:${HTPASSWD_OPTION}){0,5}?${SPACE}-[a-zA-Z0-9]{0,11}`;
  const start = String.raw`(?<![\w.-])htpasswd(?=${options}b)(?${isPrinted}${options}n)(?:${HTPASSWD_OPTION}){1,6}`;
  const needs = ["htpasswd"];
  return hide(`${start}(?:${SPACE}(?!-)${word}){${before}}${SPACE}`, word, { needs, flags: "g" });
}

const SUDO = String.raw`sudo(?:${SPACE}[^\s|;&]{1,100}){0,8}?${SPACE}(?:-[a-zA-Z]{0,8}S|--stdin)(?!\w)`;
const PIPED = String.raw`(?=[ \t]{0,8}\|[ \t]{0,8}(?:\S{1,100}${SPACE}){0,2}?${SUDO})`;

/** Passwords that a shell writes to a program's input. */
const writtenPasswords: readonly TextRule[] = [
  hide(
    String.raw`(?<![\w-])(?:echo|printf)${SPACE}(?:-[neE]{1,3}${SPACE})?`,
    String.raw`${TEXT.word}(?:${SPACE}${TEXT.word}){0,3}${PIPED}`,
    { needs: ["sudo"], flags: "g" },
  ),
  hide(String.raw`(?<![\w-])${SUDO}[^|;&<\r\n]{0,300}<<<[ \t]{0,8}`, TEXT.word, {
    needs: ["<<<"],
    flags: "g",
  }),
];

const listRules: readonly TextRule[] = [
  // `--pass 2` is the second pass of an encoder.
  hide(String.raw`(?<!\S)--pass${SPACE}(?!\d{0,2}(?!\S))`, LIST.password, { needs: ["--pass"] }),
  hide(String.raw`(?<!\S)-pass(?:in|out)?${SPACE}pass:`, LIST.password, { needs: ["pass:"] }),
  ...argumentRules(LIST),
];

/** Longer arguments are no passwords. */
export const MAX_ARGUMENT = 4096;
/** Replaces characters that separate words or end a command; no rule knows it. */
const NEUTRAL = "\ue000";

/** The items of a list, without passwords if they are the arguments of a command. */
export function redactArguments(list: readonly unknown[]): readonly unknown[] {
  const words = list.map((item) => {
    const isShort = typeof item === "string" && item !== "" && item.length <= MAX_ARGUMENT;
    if (!isShort) return typeof item === "number" ? String(item) : NEUTRAL;
    const word = item.replaceAll(/[\s"'\\|&;]/g, NEUTRAL);
    return /^[|&;]|;$/.test(item) ? `${word.slice(0, -1)};` : word;
  });
  const redacted = applyRules(listRules, words.join(" ")).split(" ");
  return list.map((item, index) => {
    const word = redacted[index] ?? "";
    if (word === words[index] || words[index] === NEUTRAL) return item;
    return String(item).slice(0, word.indexOf(REDACTED)) + REDACTED;
  });
}

/**
 * Shapes of keys. Every repetition is bounded, and a shape begins only where a word does, so that
 * hostile text costs no more than its length. None but the private key spans lines.
 */
const TOKENS = [
  String.raw`(?:sk-|GOCSPX-|nvapi-|dckr_[a-z]at_|hv[bsr]\.)[\w-]{16,1000}`,
  String.raw`(?:whsec_|gh[opsur]_|github_pat_|gsk_|xai-|gl(?:sa|c)_)\w{16,1000}`,
  String.raw`(?:gl(?:pat|ptt|dt|rt)-|ya29\.)[\w.-]{16,1000}`,
  String.raw`[sr]k_(?:live|test)_\w{10,1000}`,
  String.raw`x(?:ox[a-z]|app)-[\w-]{8,1000}`,
  String.raw`A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?!\w)`,
  String.raw`(?:AIza|pypi-)[\w-]{30,1000}`,
  String.raw`npm_\w{30,1000}`,
  String.raw`hf_\w{20,1000}`,
  String.raw`do[opr]_v1_\w{32,1000}`,
  String.raw`SG\.[\w-]{16,1000}\.[\w-]{16,1000}`,
  String.raw`AGE-SECRET-KEY-1[A-Z0-9]{30,1000}`,
  String.raw`dapi[0-9a-f]{32}(?:-\d{1,2})?(?!\w)`,
  // Of Telegram bots.
  String.raw`\d{8,10}:[\w-]{35}(?![\w-])`,
  String.raw`eyJ(?:(?![-_]eyJ)[\w-]){8,8000}\.[\w-]{4,6000}(?:\.[\w-]{0,1000}){0,3}`,
].join("|");

/** Goes behind a word, which is found faster than what is before it. */
const begins = (word: string) => String.raw`${word}(?<=(?:(?<!\w)|${ESCAPED})${word})`;
const headerOf = (name: string) =>
  String.raw`${begins(name)}(?:${QUOTE})?[ \t]{0,4}[:=][ \t]{0,4}(?:${QUOTE})?`;

const FLAG_NAMES = [
  "password",
  "passphrase",
  "passwd",
  "pwd",
  "token",
  "secret",
  "api-key",
  "access-key",
  // `--pass 2` is the second pass of an encoder.
  String.raw`pass(?<!-(?:${NO_PASSWORD})-pass)(?![ \t]{1,4}\d{1,2}(?!\S))`,
].join("|");
const FLAG = String.raw`(?:--(?:[a-z]{1,20}-){0,2}(?:${FLAG_NAMES})[ \t]{1,4}|(?<![\w-])-(?:(?:store|key)pass[ \t]{1,4}|pass(?:in|out)?[ \t]{1,4}pass:))`;
const DASHED = { needs: ["-"] };
const ADDRESS = { needs: ["://"], after: "@" };

export const secretShapes: readonly TextRule[] = [
  {
    expression:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[^]){0,64000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
    needs: ["PRIVATE KEY"],
    replacement: REDACTED,
  },
  hide("(?<![A-Za-z0-9])", `(?:${TOKENS})`, { flags: "g" }),
  hide(ESCAPED, `(?:${TOKENS})`, { needs: ["\\", "%", "\u001b"], flags: "g" }),
  // The scheme is worth knowing, what follows it is not.
  hide(
    String.raw`${headerOf("authorization")}(?:[a-z][\w-]{0,20}[ \t]{1,4})?`,
    String.raw`[^\s"'\\]{1,8000}`,
    ASSIGNED,
  ),
  hide(String.raw`${begins("bearer")}[ \t]{1,4}`, String.raw`[\w~+/.=-]{6,8000}`),
  hide(headerOf("cookie"), String.raw`[^\r\n"'\\]{1,8000}`, ASSIGNED),
  ...namedValues,
  ...argumentRules(TEXT),
  ...writtenPasswords,
  hide(String.raw`${FLAG}\\{0,15}["']`, String.raw`[^"'\\\r\n]{1,4000}`, DASHED),
  hide(FLAG, String.raw`[^\s"'\\-](?:[^\s"'\\]|${ESCAPE_ENDS}){0,4000}`, DASHED),
  hide("[?&](?:key|sig|signature|code|auth)=", String.raw`[^\s"'&#<>\\]{6,4000}`, { needs: ["="] }),
  hide(String.raw`:\/\/[^\s/@:?#"'<>\\]{0,300}:`, String.raw`[^\s/"'<>\\]{1,1000}`, ADDRESS),
  // A long name without a password is a token.
  hide(String.raw`:\/\/`, String.raw`[^\s/@:?#"'<>\\]{20,1000}`, ADDRESS),
];
