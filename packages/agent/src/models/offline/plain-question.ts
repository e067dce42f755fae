import { readRequest } from "./read-request.ts";

interface Question {
  /** How many files it is about. */
  readonly files: 1 | 2;
  readonly asks: RegExp;
  /** What descriptions of skills say for it. */
  readonly looksFor: string;
}

const DATA_FILE = /\.(csv|tsv|jsonl|ndjson)$/i;
const MAX_REQUEST = 2000;

/** Questions in words that are too plain to tell anything, but for the files that they are about. */
const QUESTIONS: readonly Question[] = [
  {
    files: 2,
    asks: /\b(?:match(?:es)?|conforms?|compl(?:y|ies)|fits?|follows?|obeys?|satisf(?:y|ies)|valid)\b[^\n]{0,80}\b(?:schema|rules?)\b/iu,
    looksFor: "validate file conforms to schema against rules 校验 是否符合模式",
  },
  {
    files: 2,
    asks: /\b(?:what|which|how|anything|lines?)\b[^\n]{0,40}\b(?:changed?|changes|new|different|differs?)\b|\b(?:differences?|same|equal)\b|(?:有什么|哪些)?(?:不同|区别|变化|不一样|改了什么)|一样吗|相同/iu,
    looksFor: "compare two files difference 比较两个文件 差异",
  },
  {
    files: 1,
    asks: /\b(?:valid|well-formed|errors?|mistakes|wrong with|broken)\b|^\s{0,5}(?:please\s)?(?:check|validate|verify|lint)\s{1,3}(?:the file\s)?["'`]?[^\s"'`]{1,100}\.(?:json|ya?ml|csv|tsv|md|markdown|xml|toml|html)["'`]?\s{0,3}[.!]?\s{0,5}$|(?:格式|语法)[^\n]{0,6}(?:正确|错误|问题)|有没有错/iu,
    looksFor: "validate check file syntax valid 校验 格式是否正确",
  },
];
const DATA_QUESTIONS: readonly Question[] = [
  {
    files: 1,
    asks: /\b(?:write|make|create|draw|plot|prepare)\b[^\n]{0,40}\b(?:reports?|charts?|graph|plot)\b|写[^\n]{0,6}报告/iu,
    looksFor: "write report from data chart 写报告",
  },
  {
    files: 2,
    asks: /\b(?:merge|combine|join|match|link|connect)\b|合并|关联|连接|拼接/iu,
    looksFor: "join combine two tables 合并表格",
  },
  {
    files: 1,
    asks: /\b(?:sum|total|average|mean|count|how many|highest|lowest|max(?:imum)?|min(?:imum)?|per|group(?:ed)? by)\b|\b(?:which|who|what)\b[^\n]{0,60}\b(?:most|least|best|fewest)\b|总和|合计|平均|最大|最小|最高|最低|最多|最少|分组|每个|汇总|多少[行条]/iu,
    looksFor: "aggregate sum total average count by group table 汇总 分组统计",
  },
  {
    files: 1,
    asks: /\b(?:top|best|first|largest) \d{1,6}\b|\b(?:sort|order|rank|sorted|ordered|ranked)\b[^\n]{0,60}\bby\b|排序|排名|前\s?\d{1,6}/iu,
    looksFor: "table data top list rows amount 表格数据",
  },
  {
    files: 1,
    asks: /\bwhere\s\S{1,60}\s(?:is|are|was|has|contains|equals|starts|ends|[<>=!])|[<>≥≤]\s?-?\d|\b(?:more|greater|less|fewer|larger|smaller) than \d|\b(?:over|above|under|below|at least|at most) \d|(?:大于|小于|超过|低于|等于)\s?\d/iu,
    looksFor: "table data filter rows where condition 表格数据 筛选",
  },
  {
    files: 1,
    // "show a.csv" and "打开 a.csv" want the file itself.
    asks: new RegExp(
      [
        String.raw`\bwhat(?:['’]?s| is| are)?\b[^\n]{0,30}\b(?:in|inside)\b`,
        String.raw`\bwhat (?:does|do)\b[^\n]{0,80}\b(?:contain|hold|have|look like)\b`,
        String.raw`\bcontains\b|\b(?:describe|summari[sz]e|profile|inspect|explore|analy[sz]e|overview|tell me about)\b`,
        String.raw`\b(?:columns?|fields?|rows?)\b`,
        // German, beside skills that are described in it
        String.raw`\bwas\b[^\n]{0,30}\b(?:in|enthält|drin)(?!\p{L})`,
        String.raw`\bbeschreib|(?<!\p{L})(?:über|ueber)(?:blick|sicht)|zusammen(?:fass|\b)|\banalysier|\b(?:spalten?|zeilen?|felder)\b`,
        "有什么|有些什么|有哪些|是什么|包含|概览|概况|概述|介绍|描述|总结|分析|多少[行列条]|几[行列条]|字段|列名",
      ].join("|"),
      "iu",
    ),
    looksFor: "table data columns 表格数据",
  },
];

/** "What is 5 stone in kg?", and nothing else. */
const QUANTITY =
  /^\s{0,5}(?:(?:what(?:['’]?s| is| are)|how much (?:is|are))\s{1,3})?\p{Co}\s{0,3}[\p{L}°µ/²³^\d]{1,20}(?:\s\p{L}{1,20})?\s{1,3}(?:in|to|into)\s{1,3}[\p{L}°µ/²³^\d]{1,20}(?:\s\p{L}{1,20})?\s{0,3}[?.]?\s{0,5}$/iu;

/** What to look for when somebody asks plainly about files; empty for other requests. */
export function plainQuestion(request: string): string {
  const text = request.slice(0, MAX_REQUEST);
  const { files, outputs, masked } = readRequest(text);
  if (QUANTITY.test(masked)) return "convert units measurements quantity";
  const count = files.length + outputs.length;
  const kind = files.flatMap((path) => DATA_FILE.exec(path)?.[1] ?? [])[0];
  const ofFiles = QUESTIONS.find((one) => one.files === count && one.asks.test(text));
  if (ofFiles !== undefined) return ofFiles.looksFor;
  if (kind === undefined) return "";
  const ofData = DATA_QUESTIONS.find((one) => one.files <= count && one.asks.test(text));
  return ofData === undefined ? "" : `${kind} ${ofData.looksFor}`;
}
