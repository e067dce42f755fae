/** A piece of a request. Nothing runs unless every piece but the stop words is accounted for. */
export interface Token {
  readonly kind: "word" | "file" | "number" | "quoted" | "condition" | "unclear";
  /** As written, or the value that a script takes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isStop: boolean;
}

const LATIN = String.raw`(?:(?!\p{Script=Han})[\p{L}\p{N}_])`;
const OPERATORS: readonly (readonly [string, RegExp])[] = [
  [">=", /^(?:>=|≥|.*at least|不少于|不低于)$/i],
  ["<=", /^(?:<=|≤|.*at most|不超过|不高于)$/i],
  ["!=", /^(?:!=|≠|不等于)$/],
  [
    ">",
    /^(?:>|.*(?:more|greater|larger|higher) than|(?:is |are )?(?:above|over)|大于|高于|超过)$/i,
  ],
  ["<", /^(?:<|.*(?:less|smaller|lower|fewer) than|(?:is |are )?(?:below|under)|小于|低于|少于)$/i],
  ["=", /^==?$/],
];
const TOKEN = new RegExp(
  [
    String.raw`(?<quoted>"[^"\n]+"|“[^”\n]+”|\x60[^\x60\n]+\x60|「[^」\n]+」|《[^》\n]+》|(?<!\p{L})'[^'\n]+'(?!\p{L}))`,
    String.raw`(?<sign>https?://[^\s"'<>，。）)]+|[$€£¥%+*^])`,
    String.raw`(?<file>(?:\.{1,2}|~)?/[^\s"'<>,;，；。？！?]*[^\s"'<>,;，；。？！?.:]|[\p{L}\p{N}_./~@+-]*?[\p{L}\p{N}_~-]\.[A-Za-z][A-Za-z0-9]{0,9}(?![A-Za-z0-9_/]|\.[A-Za-z])|[\p{L}\p{N}_.-]+(?:/[\p{L}\p{N}_.-]+)*/(?=[\s,，;；。?？]|$))`,
    String.raw`(?<number>(?<!${LATIN}|[.,$€£¥])[-−]?\d+(?:\.\d+)?(?![\d.,:/^*%°–-]*\d|%|[eE][-+]?\d))`,
    String.raw`(?<operator>[<>!=]=|[<>=≥≤≠]|\b(?:is |are )?(?:(?:more|greater|larger|higher|less|smaller|lower|fewer) than|at least|at most)\b|\b(?:is |are )?(?:above|over|below|under)(?= \d))`,
    String.raw`(?<han>\p{Script=Han}+)`,
    String.raw`(?<word>${LATIN}+(?:[-'’/.,:&+#^*–]${LATIN}+)*)`,
  ].join("|"),
  "giu",
);
const MAX_REQUEST = 2000;

/** Words that carry no content of their own; they may still trigger an option, such as `by`. */
const STOP_WORDS = `a an the this that these those is are was were be been being do does did can could would should will shall may might
  i me my we our us you your it its they them their he she his her of in on at to from for with by as into and or but if so
  then there here what which who whom whose where when why how much many please kindly have has had get give want need let
  show tell make see know help whether called named per using use about between some any thanks thank hello hi now again
  的 了 吗 呢 吧 啊 把 将 请 帮 我 你 您 他 它 们 我们 这 那 个 一 一个 一份 一张 一下 是 有 在 中 里 和 与 及 或 跟 给 对 从 到 成 为 用 以 于
  就 也 都 请问 帮我 是否 什么 哪些 哪个 多少 怎么 如何 等于 带 上 里面 其中 之 间 之间 两个 些 份 张 看看 要 想 能 可以 需要 显示 并 然后 按 每 该 本 让 做 谢谢 你好 现在`;
const STOP = new Set(STOP_WORDS.split(/\s+/));
/** Words that turn a request round: prose that happens to contain them proves nothing. */
const NEGATIONS = /^(?:no[nt]?|never|without|except|exclud.*|unless|.*n['’]t|[不没非除无勿别])$/iu;
/** Words for a value that is not there: a condition would compare with the word itself. */
const NO_VALUE = /^(?:empty|blank|missing|absent|null|nothing|none|unknown|空|空白|缺失)$/iu;
/** Between separate wishes in one request, such as `compare a with b, and check c`. */
export const CLAUSES =
  /\s*(?:[,;]\s*(?:and then|and|then)\s|;\s|[，；,;]\s*(?:并且|并|然后|再|同时))\s*/iu;

const SEGMENTER = new Intl.Segmenter("zh", { granularity: "word" });

export function readRequest(request: string): readonly Token[] {
  const tokens = Array.from(request.slice(0, MAX_REQUEST).matchAll(TOKEN), (match) => {
    const { 0: text, index, groups = {} } = match;
    const kind = Object.keys(groups).find((key) => groups[key] !== undefined);
    const inner = kind === "quoted" ? text.slice(1, -1) : text.replace("−", "-");
    if (kind === "han") return hanWords(text, index);
    if (kind === "word" && !/^\d/.test(text)) return [tokenOf("word", text, index)];
    const isFile = kind === "file" || (kind === "quoted" && /\.[a-z]\w{0,9}$|\/$/i.test(inner));
    const isClear = kind === "quoted" || kind === "number";
    return [tokenOf(isFile ? "file" : isClear ? kind : "unclear", inner, index)];
  });
  return withConditions(tokens.flat());
}

/** The stems of a text for `covers`, after its Chinese, which is matched as a substring. */
export function vocabularyOf(text: string): string {
  return `${text.replaceAll(/\P{Script=Han}+/gu, " ")} ${stemsIn(text).join(" ")} `;
}

export function covers(vocabulary: string, word: string): boolean {
  if (isHan(word)) return vocabulary.includes(word) && !NEGATIONS.test(word);
  return !NEGATIONS.test(word) && stemsIn(word).every((stem) => vocabulary.includes(` ${stem} `));
}

export function stemsIn(text: string): readonly string[] {
  return (text.match(/(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []).map(stemOf);
}

export function stemOf(word: string): string {
  const lower = word.toLowerCase().replace(/ies$/, "y");
  const bare = lower.replace(/['’]s$|(?<=[a-z]{3})(?:ing|ed)$/, "");
  const single = bare === lower ? bare : bare.replace(/([^aeiou])\1$/, "$1");
  return single.replace(/(?<=[a-z]{2})(?:es|s|e)$/, "");
}

export function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

function tokenOf(kind: Token["kind"], text: string, start: number): Token {
  const isStop = kind === "word" && STOP.has(text.toLowerCase());
  return { kind, text, start, end: start + text.length, isStop };
}

function hanWords(text: string, start: number): readonly Token[] {
  const words = Array.from(SEGMENTER.segment(text));
  return words.map(({ segment, index }) => tokenOf("word", segment, start + index));
}

/** Joins `amount > 100` and `where status is open` into one token each. */
function withConditions(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const operator = operatorAt(tokens, at - 1);
    const column = nameAtEnd(joined.slice(0, -1));
    const isValue = /^(?:word|number|quoted)$/.test(token.kind) && !token.isStop;
    const isPlain =
      [...column, token].every(({ text }) => !NEGATIONS.test(text)) && !NO_VALUE.test(token.text);
    if (operator && column.length > 0 && isValue && isPlain) {
      joined.splice(-column.length - 1);
      const value = token.kind === "quoted" ? `"${token.text}"` : token.text;
      const text = `${column.map((word) => word.text).join("")} ${operator} ${value}`;
      joined.push(tokenOf("condition", text, column[0]?.start ?? 0));
    } else {
      const isUnclear = operatorAt(tokens, at) !== undefined;
      joined.push(isUnclear ? { ...token, kind: "unclear", isStop: false } : token);
    }
  }
  return joined;
}

function operatorAt(tokens: readonly Token[], at: number): string | undefined {
  const { kind, text } = tokens[at] ?? { kind: "quoted", text: "" };
  const isWhere = /^(?:where|whose)$/i.test(tokens[at - 2]?.text ?? "");
  if (isWhere && /^(?:is|equals)$/i.test(text)) return "=";
  return kind === "quoted" ? undefined : OPERATORS.find(([, sign]) => sign.test(text))?.[0];
}

/** The last word, or the last Chinese words without a gap. */
export function nameAtEnd(tokens: readonly Token[]): readonly Token[] {
  const [before, last] = [tokens.at(-2), tokens.at(-1)];
  if (last?.kind !== "word" || last.isStop) return [];
  const isGlued = before?.end === last.start && isHan(before.text) && isHan(last.text);
  return isGlued ? [...nameAtEnd(tokens.slice(0, -1)), last] : [last];
}
