import type { SkillEntry } from "./rank-skills.ts";
import { readRequest } from "./read-request.ts";

const MAX_REQUEST = 2000;
const MAX_DESCRIPTION = 400;
/** What skills work on, by the first sentence of their description, and what of it a request shows. */
const OBJECTS: readonly {
  readonly declared: RegExp;
  readonly shown: RegExp;
  /** So many words in common say as much. */
  readonly words: number;
  /** What sounds alike and is something else, unless the description speaks of it. */
  readonly other?: RegExp;
}[] = [
  {
    declared: /\b(?:files?|folders?|director(?:y|ies))\b|文件|文件夹/iu,
    shown:
      /\b(?:files?|folders?|director(?:y|ies)|documents?|texts?|versions?|tables?|columns?|rows?|data|csv|tsv|jsonl?|ya?ml|xml|html|markdown|pdfs?|docx?|xlsx?|spreadsheets?|images?|photos?|logs?|lines?|links?|headings?|schema|syntax)\b|文件|文本|版本|目录|表格|数据|文档|列|行/iu,
    words: 2,
  },
  {
    declared: /\b(?:measurements?|quantit(?:y|ies)|units of)\b|单位换算/iu,
    shown: /\p{N}|\bhow (?:much|many)\b|\bunits?\b|多少|几/iu,
    words: 2,
    other:
      /\b(?:dollars?|euros?|usd|eur|gbp|jpy|cny|chf|cents|yen|yuan|rmb|rupees?|francs?|bitcoins?|currency|currencies|exchange rates?|time ?zones?)\b|[$€£¥]\s?\d|\d\s?[$€£¥]|美元|欧元|日元|英镑|人民币|汇率|货币|时区/iu,
  },
  {
    // Not what people are good at.
    declared: /\bagent skills?\b|\bSKILL\.md\b/iu,
    shown: /\bskill\b|\bSKILL\.md\b|\bagent skills\b|技能/iu,
    words: 4,
  },
];
/** Questions about people that no file answers which is not named. */
const ABOUT_PEOPLE =
  /^\s{0,5}(?:who|wer)\s(?:is|are|was|were|ist|war|reports?|works?|leads?|heads?|manages?|runs|won|wins|invented)\b|^\s{0,5}谁是/iu;
/** Of these no task can be told. */
const GENERIC =
  /^(?:the|this|that|these|those|and|for|from|with|into|about|how|what|which|who|you|your|use|make|get|need|want|help|please|one|two|three|new|all|any|can|does|has|have|not|out|its|are|was|between)$/;

/**
 * Whether a request has nothing of what a skill works on, and only one word in common with it:
 * "compare two phones" is not for a skill that compares files.
 */
export function lacksObject(request: string, { name, description }: SkillEntry): boolean {
  const text = request.slice(0, MAX_REQUEST);
  const [sentence = ""] = description.slice(0, MAX_DESCRIPTION).split(/[.。]\s|[。]/u);
  const declared = OBJECTS.filter((object) => object.declared.test(sentence));
  if (declared.length === 0) return false;
  const { files, outputs, quoted } = readRequest(text);
  // What files are called says nothing of the task.
  const said = [...files, ...outputs].reduce((rest, path) => rest.replace(path, " "), text);
  const shared = sharedWords(said, `${name} ${description}`);
  const isOther = ({ other }: (typeof OBJECTS)[number]) =>
    other?.test(said) === true && !other.test(description);
  if (declared.some(isOther)) return true;
  const more = ABOUT_PEOPLE.test(said) ? 2 : 1;
  return declared.every(({ declared: kind, shown, words }) => {
    const isFile = kind.test("files");
    // "How many" of a file counts something in it.
    const isCount = kind.test("measurements") && files.length > 0 && !/\d/.test(said);
    const isShown = (isFile && files.length > 0) || quoted.length > 1 || shown.test(said);
    return (!isShown || isCount) && shared < words * more;
  });
}

function sharedWords(request: string, description: string): number {
  const known = stemsOf(description);
  return [...stemsOf(request)].filter((stem) => known.has(stem)).length;
}

/** Latin words without their endings; of Chinese, four letters in a row count as one. */
function stemsOf(text: string): Set<string> {
  const lower = text.toLowerCase();
  const latin = (lower.match(/[\p{Script=Latin}]{3,40}/gu) ?? []).filter(
    (word) => !GENERIC.test(word),
  );
  const stems = new Set(latin.map((word) => word.replace(/(?:ing|ed|es|s|e)$/, "")));
  const runs = lower.match(/\p{Script=Han}{2,40}/gu) ?? [];
  for (const run of runs) {
    for (let i = 0; i + 4 <= run.length; i++) stems.add(run.slice(i, i + 4));
  }
  return stems;
}
