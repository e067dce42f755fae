import type { SlotType } from "./usage.ts";

const TYPES: readonly (readonly [SlotType, RegExp])[] = [
  [
    "output",
    /^(?:o|out|dest|target|save|export|write)$|^(?:out|save|write|export|store) (?:as|to|in|into|file|path|dir|directory|folder)$|\b(?:outputs?|destination|outfile|outdir|(?:save|write|export) to|save as)\b|\boutput\w|输出|保存/,
  ],
  ["url", /\b(?:url|uri|link|endpoint|website)\b|链接|网址/],
  ["email", /\b(?:e-?mail|recipient)\b|邮箱/],
  ["date", /\b(?:date|day|since|until|start|end|deadline)\b|日期/],
  ["from", /^(?:from|source unit|from unit|unit from|from currency)$|源单位/],
  ["to", /^(?:to|target unit|to unit|unit to|to currency)$|目标单位/],
  [
    "file",
    /\b(?:file|files|path|paths|filename|csv|tsv|pdf|image|document|doc|dir|directory|folder|log|yaml|json|html|markdown|md|left|right|old|new|before|after|input file|a|b)\b|\w+file\b|文件|路径|目录/,
  ],
  [
    "number",
    /^n$|\b(?:number|num|count|limit|amount|size|top|width|height|value|max|min|lines?|rows?|port|pages?|percent|quantity)\b|数量|数值|金额/,
  ],
  [
    "text",
    /\b(?:text|message|query|string|title|prompt|question|content|expression|expr|pattern|keywords?|topic|sentence|phrase|body|description|term|words?|conditions?|predicate|criteria)\b|条件|文本|内容|关键词|问题|标题/,
  ],
  ["any", /^(?:input|args?|arguments|data|\d|@|\*|输入|参数|数据)$/],
];

/** What a place takes, by the name that the documentation gives it. */
export function slotType(name: string): SlotType {
  return TYPES.find(([, pattern]) => pattern.test(name))?.[0] ?? "word";
}
