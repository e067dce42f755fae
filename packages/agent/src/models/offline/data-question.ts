import { readRequest } from "./read-request.ts";

const DATA_FILE = /\.(csv|tsv|jsonl|ndjson)$/i;
/** Questions about what a file holds; "show a.csv" and "打开 a.csv" want the file itself. */
const ASKS = new RegExp(
  [
    // English
    String.raw`\bwhat(?:['’]?s| is| are)?\b[^\n]{0,30}\b(?:in|inside)\b`,
    String.raw`\bwhat (?:does|do)\b[^\n]{0,80}\b(?:contain|hold|have|look like)\b`,
    String.raw`\b(?:describe|summari[sz]e|profile|inspect|explore|analy[sz]e|overview|tell me about)\b`,
    String.raw`\b(?:columns?|fields?|rows?)\b`,
    // German
    String.raw`\bwas\b[^\n]{0,30}\b(?:in|enthält|drin)(?!\p{L})`,
    String.raw`\bbeschreib|(?<!\p{L})(?:über|ueber)(?:blick|sicht)|zusammen(?:fass|\b)|\banalysier|\b(?:spalten?|zeilen?|felder)\b`,
    // Chinese
    "有什么|有些什么|有哪些|是什么|包含|概览|概况|概述|介绍|描述|总结|分析|多少[行列条]|几[行列条]|字段|列名",
  ].join("|"),
  "iu",
);
const MAX_REQUEST = 2000;

/** What to look for when somebody asks what a file of data holds; undefined for other requests. */
export function dataQuestion(request: string): string | undefined {
  const text = request.slice(0, MAX_REQUEST);
  const { files } = readRequest(text);
  const kind = files.flatMap((path) => DATA_FILE.exec(path)?.[1] ?? [])[0];
  if (kind === undefined || !ASKS.test(text)) return undefined;
  return `${kind} table data columns 表格数据`;
}
