import { REDACTED, type TextRule } from "./redactor.ts";

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

/** Values of secret names in a text, by how they are quoted. Short literals are no secrets. */
const SOURCES = [
  String.raw`(${QUOTED}")(?!${QUOTED_PLACEHOLDER})(?:[^"\\\r\n]|\\.){4,4000}`,
  String.raw`(${QUOTED}')(?!${QUOTED_PLACEHOLDER})[^'\r\n]{4,4000}`,
  String.raw`(${QUOTED}\\{1,15}["'])(?!${QUOTED_PLACEHOLDER})[^"'\\\r\n]{4,4000}`,
  String.raw`(${NAME}${BEFORE_VALUE})(?!${CODE}|${COUNT}|${BARE_PLACEHOLDER})${VALUE}`,
];

const namedValues: readonly TextRule[] = SOURCES.map((source) => ({
  expression: new RegExp(source, "gi"),
  needs: [":", "="],
  replacement: `$1${REDACTED}`,
}));

/** Programs with a short option for a password: `-p` means something else to most others. */
interface PasswordOption {
  readonly programs: readonly string[];
  /** Only after this argument: `docker login -p`, not `docker run -p`. */
  readonly command?: "login";
  readonly options: readonly string[];
  /** `attached`: `-pX` only, since `-p X` asks for the password and X is something else. */
  readonly value: "any" | "attached";
  /** Between a user name, which is kept, and the password. */
  readonly behind?: ":" | "%" | ",";
}

const PASSWORD_OPTIONS: readonly PasswordOption[] = [
  {
    programs: `mysql mysqladmin mysqlcheck mysqldump mysqlimport mysqlshow mysqlslap mariadb
      mariadb-admin mariadb-dump 7z 7za 7zr 7zz rar unrar`.split(/\s+/),
    options: ["-p"],
    value: "attached",
  },
  {
    programs: `sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat
      mongotop cqlsh`.split(/\s+/),
    options: ["-p"],
    value: "any",
  },
  {
    programs: `docker podman nerdctl buildah skopeo oras crane helm az oc cf`.split(/\s+/),
    command: "login",
    options: ["-p"],
    value: "any",
  },
  {
    programs: `zip unzip sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool ssh-keygen`.split(/\s+/),
    options: ["-P"],
    value: "any",
  },
  { programs: ["ssh-keygen"], options: ["-N"], value: "any" },
  { programs: ["redis-cli", "redis-benchmark", "valkey-cli"], options: ["-a"], value: "any" },
  {
    programs: `ldapadd ldapcompare ldapdelete ldapmodify ldappasswd ldapsearch ldapwhoami`.split(
      " ",
    ),
    options: ["-w"],
    value: "any",
  },
  { programs: ["curl"], options: ["-u", "--user"], value: "any", behind: ":" },
  { programs: ["curl"], options: ["-U", "--proxy-user"], value: "any", behind: ":" },
  { programs: ["http", "https", "xh"], options: ["-a", "--auth"], value: "any", behind: ":" },
  { programs: ["smbclient", "rpcclient"], options: ["-U", "--user"], value: "any", behind: "%" },
  { programs: ["lftp"], options: ["-u"], value: "any", behind: "," },
];

/** Shorter words behind an option are prose rather than a password. */
const MIN_LENGTH = 3;
const SPACE = String.raw`[ \t]{1,8}`;
/** An argument that ends no command. */
const ARGUMENT = String.raw`${SPACE}(?![|&;])(?!\S{0,300}[;|&][ \t])\S{1,300}`;

/** Each rule finds the first such option of a command: `sshpass -p X ssh -p 22`. */
const passwordOptions: readonly TextRule[] = PASSWORD_OPTIONS.map((rule) => {
  const { programs, command, options, value, behind } = rule;
  const names = programs.map((name) => name.replace(/[.-]/g, String.raw`\$&`)).join("|");
  const program = String.raw`(?:(?<![\w.-])|(?<=${ESCAPED}))(?:${names})(?:\.exe)?`;
  const reach = command === undefined ? "" : String.raw`(?:${ARGUMENT}){0,4}?${SPACE}${command}`;
  const gap = value === "attached" ? "" : String.raw`(?:${SPACE}|=)?`;
  const user = behind === undefined ? "" : `(?:${QUOTE})?[^\\s"'\\\\${behind}]{0,200}${behind}`;
  const option = String.raw`${SPACE}(?:${options.map((one) => optionSource(one, rule)).join("|")})${gap}${user}`;
  const start = `${program}${reach}(?:${ARGUMENT}){0,30}?${option}(?:${QUOTE})?`;
  const quoted = String.raw`(?<=["'])[^"'\\\r\n]{${MIN_LENGTH},4000}`;
  const bare = String.raw`(?![-"'\\])(?:[^\s"'\\]|${ESCAPE_ENDS}){${MIN_LENGTH},4000}`;
  return {
    expression: new RegExp(`(${start})(?:${quoted}|${bare})`, "g"),
    needs: ["-"],
    replacement: `$1${REDACTED}`,
  };
});

/** The name of a setting that holds a secret: `aws_secret_access_key`, `//host/:_authToken`. */
const SETTING = String.raw`(?:secret|password|passwd|token|_auth|api_?key|access_key)`;
const SETTING_NAME = new RegExp(`${SETTING}$`, "i");
/** An option of `htpasswd`, with the number that `-C` and `-r` take. */
const HTPASSWD_OPTION = String.raw`${SPACE}-[a-zA-Z0-9]{1,12}(?:${SPACE}\d{1,6})?`;
const WORD = String.raw`(?:"[^"\r\n]{1,300}"|'[^'\r\n]{1,300}'|[^\s|;&"']{1,300})`;
const WORDS = String.raw`${WORD}(?:${SPACE}${WORD}){0,3}`;
const SUDO = String.raw`sudo(?:${SPACE}[^\s|;&]{1,100}){0,8}?${SPACE}(?:-[a-zA-Z]{0,8}S|--stdin)(?!\w)`;

function htpasswdRule(isPrinted: "=" | "!", before: number): TextRule {
  const options = String.raw`(?:${HTPASSWD_OPTION}){0,5}?${SPACE}-[a-zA-Z0-9]{0,11}`;
  const start = String.raw`(?<![\w.-])htpasswd(?=${options}b)(?${isPrinted}${options}n)(?:${HTPASSWD_OPTION}){1,6}`;
  return {
    expression: new RegExp(
      String.raw`(${start}(?:${SPACE}(?!-)${WORD}){${before}}${SPACE})${WORD}`,
      "g",
    ),
    needs: ["htpasswd"],
    replacement: `$1${REDACTED}`,
  };
}

/** Passwords that are arguments by their place, or that a shell writes to a program's input. */
const placedPasswords: readonly TextRule[] = [
  {
    expression: new RegExp(
      String.raw`((?<![\w-])config(?:ure)?${SPACE}set${SPACE}[^\s"'\\]{0,200}${SETTING}${SPACE})${WORD}`,
      "gi",
    ),
    needs: ["set"],
    replacement: `$1${REDACTED}`,
  },
  // `-n` writes no file, so none is named.
  htpasswdRule("=", 1),
  htpasswdRule("!", 2),
  {
    expression: new RegExp(
      String.raw`((?<![\w-])(?:echo|printf)${SPACE}(?:-[neE]{1,3}${SPACE})?)${WORDS}(?=[ \t]{0,8}\|[ \t]{0,8}(?:\S{1,100}${SPACE}){0,2}?${SUDO})`,
      "g",
    ),
    needs: ["sudo"],
    replacement: `$1${REDACTED}`,
  },
  {
    expression: new RegExp(
      String.raw`((?<![\w-])${SUDO}[^|;&<\r\n]{0,300}<<<[ \t]{0,8})${WORD}`,
      "g",
    ),
    needs: ["<<<"],
    replacement: `$1${REDACTED}`,
  },
];

/** Finds the same passwords in an argument list, which is given one argument after the other. */
export class ArgumentList {
  #rules: readonly PasswordOption[] = [];
  #isLogin = false;
  #pending: PasswordOption | undefined;
  #before = "";
  #isSet = false;
  #htpasswd: { readonly options: string; readonly left: number } | undefined;

  /** The argument, without the password that it holds; undefined when it holds none. */
  redact(argument: string): string | undefined {
    const { pending, before } = { pending: this.#pending, before: this.#before };
    this.#pending = undefined;
    this.#before = argument;
    // `--pass 2` is the second pass of an encoder.
    if (before === "--pass" && !/^\d{0,2}$/.test(argument)) return REDACTED;
    if (/^-pass(?:in|out)?$/.test(before) && argument.startsWith("pass:"))
      return `pass:${REDACTED}`;
    if (pending !== undefined) return withoutPassword(argument, pending);
    if (this.#isSet && SETTING_NAME.test(before)) return REDACTED;
    this.#isSet =
      argument === "set" ? /^config(?:ure)?$/.test(before) : this.#isSet && before === "set";
    if (this.#htpasswd !== undefined) return this.#readHtpasswd(argument, before);
    const name = argument.slice(argument.lastIndexOf("/") + 1).replace(/\.exe$/, "");
    if (name === "htpasswd") this.#htpasswd = { options: "", left: 3 };
    const rules = PASSWORD_OPTIONS.filter(({ programs }) => programs.includes(name));
    if (rules.length > 0) {
      this.#rules = rules;
      this.#isLogin = false;
      return undefined;
    }
    if (/^[|&;]|;$/.test(argument)) this.#rules = [];
    if (argument === "login") this.#isLogin = true;
    if (!argument.startsWith("-")) return undefined;
    return this.#readOption(argument);
  }

  /** `-b` takes the password behind the file and the user; `-n` takes no file. */
  #readHtpasswd(argument: string, before: string): string | undefined {
    const { options = "", left = 0 } = this.#htpasswd ?? {};
    if (argument.startsWith("-")) {
      const isPrinted = argument.includes("n");
      this.#htpasswd = { options: options + argument, left: isPrinted ? 2 : left };
    } else if (!/^-\w{0,11}[Cr]$/.test(before)) {
      this.#htpasswd = left === 1 ? undefined : { options, left: left - 1 };
      if (left === 1 && options.includes("b")) return REDACTED;
    }
    return undefined;
  }

  #readOption(argument: string): string | undefined {
    for (const rule of this.#rules) {
      const option = rule.options
        .map((one) => new RegExp(`^${optionSource(one, rule)}`).exec(argument)?.[0])
        .find((found) => found !== undefined);
      if (option === undefined || (rule.command === "login" && !this.#isLogin)) continue;
      const rest = argument.slice(option.length);
      if (rest === "" && rule.value === "attached") continue;
      if (rest !== "" && option.startsWith("--") && !rest.startsWith("=")) continue;
      this.#rules = this.#rules.filter((one) => one !== rule);
      if (rest === "") this.#pending = rule;
      else return option + (withoutPassword(rest, rule) ?? rest);
    }
    return undefined;
  }
}

/** Only where the value has a mark of its own are other letters before the option's taken for options. */
function optionSource(option: string, { behind }: PasswordOption): string {
  const isShort = /^-[a-zA-Z]$/.test(option);
  return isShort && behind !== undefined ? `-[a-zA-Z#]{0,8}?${option.slice(1)}` : option;
}

function withoutPassword(value: string, { behind }: PasswordOption): string | undefined {
  const mark = value.startsWith("=") ? "=" : "";
  if (behind === undefined) return mark + REDACTED;
  const at = value.indexOf(behind);
  return at === -1 ? undefined : value.slice(0, at + 1) + REDACTED;
}

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
  String.raw`hv[bsr]\.[\w-]{16,1000}`,
  String.raw`gsk_\w{16,1000}`,
  String.raw`xai-\w{16,1000}`,
  String.raw`nvapi-[\w-]{16,1000}`,
  String.raw`dapi[0-9a-f]{32}(?:-\d{1,2})?(?!\w)`,
  String.raw`gl(?:sa|c)_\w{16,1000}`,
  String.raw`dckr_[a-z]at_[\w-]{16,1000}`,
  // Of Telegram bots.
  String.raw`\d{8,10}:[\w-]{35}(?![\w-])`,
  String.raw`eyJ(?:(?![-_]eyJ)[\w-]){8,8000}\.[\w-]{4,6000}(?:\.[\w-]{0,1000}){0,3}`,
];

/** Goes behind a word, which is found faster than what is before it. */
const begins = (word: string) => String.raw`${word}(?<=(?:(?<!\w)|${ESCAPED})${word})`;

const ASSIGNED = [":", "="];
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
  ...passwordOptions,
  ...placedPasswords,
  {
    expression: new RegExp(String.raw`(${FLAG}\\{0,15}["'])[^"'\\\r\n]{1,4000}`, "gi"),
    needs: ["-"],
    replacement: `$1${REDACTED}`,
  },
  {
    expression: new RegExp(
      String.raw`(${FLAG})[^\s"'\\-](?:[^\s"'\\]|${ESCAPE_ENDS}){0,4000}`,
      "gi",
    ),
    needs: ["-"],
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
