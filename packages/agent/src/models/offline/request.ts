/** Pieces of a request. Only words may stay unused; everything else has to be placed or nothing runs. */
export interface Token {
  readonly kind: "word" | "file" | "number" | "quoted" | "condition" | "url" | "unclear";
  /** As written, or the value that a script takes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isStop: boolean;
}

const LATIN = String.raw`(?:(?!\p{Script=Han})[\p{L}\p{N}_])`;
const MORE =
  "(?:is |are )?(?:more|greater|larger|higher|bigger) than|above|over|大于|高于|超过|多于";
const LESS = "(?:is |are )?(?:less|smaller|lower|fewer) than|below|under|小于|低于|少于";
const LEAST = "(?:is |are )?at least|不少于|不低于|大于等于";
const MOST = "(?:is |are )?at most|不超过|不高于|小于等于";
const TOKEN = new RegExp(
  [
    `"(?<q1>[^"\\n]+)"|“(?<q2>[^”\\n]+)”|\`(?<q3>[^\`\\n]+)\`|「(?<q4>[^」\\n]+)」|《(?<q5>[^》\\n]+)》|(?<!\\p{L})'(?<q6>[^'\\n]+)'(?!\\p{L})`,
    String.raw`(?<url>https?://[^\s"'<>，。）)]+)`,
    String.raw`(?<file>(?:\.{1,2}|~)?/[^\s"'<>,;，；。？！?]*[^\s"'<>,;，；。？！?.:]|[\p{L}\p{N}_./~@+-]*?[\p{L}\p{N}_)~-]\.[A-Za-z][A-Za-z0-9]{0,9}(?![A-Za-z0-9_/]|\.[A-Za-z])|[\p{L}\p{N}_.-]+(?:/[\p{L}\p{N}_.-]+)*/(?=[\s,，;；。?？]|$))`,
    String.raw`(?<number>(?<![\p{L}\p{N}.,$€£¥])[-+−]?\d+(?:\.\d+)?(?![\d.,:/^*%°–-]*\d|%|[eE][-+]?\d))`,
    `(?<least>>=|≥|${LEAST})|(?<most><=|≤|${MOST})|(?<unequal>!=|≠|不等于)|(?<more>>|${MORE})|(?<less><|${LESS})|(?<equal>==?)`,
    String.raw`(?<han>\p{Script=Han}+)`,
    String.raw`(?<word>${LATIN}+(?:[-'’/.,:&+#^*–]${LATIN}+)*)`,
    String.raw`(?<sign>[$€£¥%+*/^])`,
  ].join("|"),
  "giu",
);
const OPERATORS = { least: ">=", most: "<=", unequal: "!=", more: ">", less: "<", equal: "=" };
const MAX_REQUEST = 2000;

/** Words that carry no content of their own; they may still trigger an option, such as `by`. */
const STOP = new Set(
  `a an the this that these those is are was were be been being do does did can could would should will shall may might
  i me my we our us you your it its they them their he she his her of in on at to from for with by as into and or but if so
  then there here what which who whom whose where when why how much many please kindly have has had get give want need let
  show tell make see know help whether called named per using use about between some any per
  的 了 吗 呢 吧 啊 把 将 请 帮 我 你 您 他 它 们 我们 这 那 个 一 一个 一份 一张 一下 是 有 在 中 里 和 与 及 或 跟 给 对 从 到 成 为 用 以 于
  就 也 都 请问 帮我 什么 哪些 哪个 多少 怎么 如何 等于 带 上 里面 其中 之 间 之间 两个 些 份 张 看看 要 想 能 可以 需要 显示 并 然后 按 每 该 本 让 做`.split(
    /\s+/,
  ),
);
/** Words that turn a request round: prose that happens to contain them proves nothing. */
const NEGATIONS =
  /^(?:not|no|non|never|without|except|excluding|exclude|unless|.*n['’]t|[不没非除无勿别].*|以外|之外)$/iu;
const LIMITS = /^(?:only|first|last|all|every|each|top|both|than|只|仅|前|后|所有|全部|最.*)$/iu;
const LINKS =
  /^(?:of|in|on|at|to|from|for|with|by|as|into|and|or|but|then|between|per|about|using|where|whose|before|after|since|until|during)$/i;
const ARTICLES = /^(?:a|an|the|my|our|your|this|that|these|those|its|their)$/i;
const CLAUSES =
  /\s*(?:[,;]\s*(?:and then|and|then)\s|;\s|[，；,;]\s*(?:并且|并|然后|再|同时))\s*/iu;

let segmenter: Intl.Segmenter | undefined;

export function readRequest(request: string): readonly Token[] {
  const tokens: (Token & { readonly operator?: string })[] = [];
  for (const match of request.slice(0, MAX_REQUEST).matchAll(TOKEN)) {
    const { groups = {}, index } = match;
    const [text] = match;
    const add = (kind: Token["kind"], value = text, operator?: string) =>
      tokens.push({
        ...{ kind, text: value, start: index, end: index + text.length, isStop: false },
        ...(operator !== undefined && { operator }),
      });
    const name = Object.keys(groups).find((key) => groups[key] !== undefined) ?? "sign";
    if (name === "han") tokens.push(...hanWords(text, index));
    else if (name.startsWith("q"))
      add(isFile(groups[name] ?? "") ? "file" : "quoted", groups[name]);
    else if (name === "word" && /^\d/.test(text)) add("unclear");
    else if (name === "word") tokens.push(wordAt(text, index));
    else if (name === "number") add("number", text.replace("−", "-").replace(/^\+/, ""));
    else if (name === "file" || name === "url") add(name);
    else add("unclear", text, Object.entries(OPERATORS).find(([key]) => key === name)?.[1]);
  }
  return withConditions(tokens);
}

/** Separate wishes in one request, such as `compare a with b, and check c`. */
export function clausesOf(request: string): readonly string[] {
  return request.split(CLAUSES).filter((clause) => clause.trim() !== "");
}

/** Words and stems of a text, for `covers`. Chinese is matched as a substring, so the text stays. */
export interface Vocabulary {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
}

export function vocabularyOf(text: string): Vocabulary {
  const words = text.toLowerCase().match(/(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
  return { text, stems: new Set(words.map(stemOf)) };
}

export function covers({ text, stems }: Vocabulary, word: string): boolean {
  if (NEGATIONS.test(word)) return /\p{Script=Han}{2}/u.test(word) && text.includes(word);
  if (isHan(word)) return text.includes(word);
  const parts = word.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return parts.every((part) => stems.has(stemOf(part)));
}

export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  const cut = lower
    .replace(/['’]s$/, "")
    .replace(/ies$/, "y")
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, "")
    .replace(/(?<=[a-z]{2})(?:es|s|e)$/, "");
  return /(?:ing|ed)$/.test(lower) ? cut.replace(/([^aeiou])\1$/, "$1") : cut;
}

export function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** Whether leaving this word out could change the result. In doubt it could. */
export function isEssential(tokens: readonly Token[], at: number): boolean {
  const { text = "" } = tokens[at] ?? {};
  if (isHan(text) || NEGATIONS.test(text) || LIMITS.test(text)) return true;
  let before = at - 1;
  while (ARTICLES.test(tokens[before]?.text ?? "")) before--;
  const isFirst = tokens.slice(0, at).every(({ isStop }) => isStop);
  return isFirst || LINKS.test(tokens[before]?.text ?? "");
}

function isFile(text: string): boolean {
  return /^[^\n]*\.[A-Za-z][A-Za-z0-9]{0,9}$|^[^\s]+\/$|^(?:\.{1,2}|~)?\//u.test(text);
}

function wordAt(text: string, start: number): Token {
  const isStop = STOP.has(text.toLowerCase());
  return { kind: "word", text, start, end: start + text.length, isStop };
}

function hanWords(text: string, start: number): readonly Token[] {
  segmenter ??= new Intl.Segmenter("zh", { granularity: "word" });
  return Array.from(segmenter.segment(text), ({ segment, index }) =>
    wordAt(segment, start + index),
  );
}

/** Joins `amount > 100` and `where status is open` into one token each. */
function withConditions(
  tokens: readonly (Token & { readonly operator?: string })[],
): readonly Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const { operator = whereIs(tokens, at) } = token;
    const value = tokens[at + 1];
    const column = operator === undefined ? undefined : joined.at(-1);
    const isWhole = column?.kind === "word" && !column.isStop && value !== undefined;
    if (operator === undefined || !isWhole || !/word|number|quoted/.test(value.kind)) {
      joined.push(token);
      continue;
    }
    joined.pop();
    let { start, text } = column;
    for (let last = joined.at(-1); isHan(text); last = joined.at(-1)) {
      if (last?.kind !== "word" || last.isStop || last.end !== start || !isHan(last.text)) break;
      ({ start } = last);
      text = last.text + text;
      joined.pop();
    }
    const right = value.kind === "quoted" ? `"${value.text}"` : value.text;
    const condition = `${text} ${operator} ${right}`;
    joined.push({ kind: "condition", text: condition, start, end: value.end, isStop: false });
    at++;
  }
  return joined;
}

function whereIs(tokens: readonly Token[], at: number): string | undefined {
  const isWhere = /^(?:where|whose)$/i.test(tokens[at - 2]?.text ?? "");
  return isWhere && /^(?:is|equals)$/i.test(tokens[at]?.text ?? "") ? "=" : undefined;
}
