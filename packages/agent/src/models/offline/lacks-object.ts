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
}[] = [
  {
    declared: /\b(?:files?|folders?|director(?:y|ies))\b|文件|文件夹/iu,
    shown:
      /\b(?:files?|folders?|director(?:y|ies)|documents?|texts?|versions?|tables?|columns?|rows?|data|csv|tsv|jsonl?|ya?ml|xml|html|markdown|pdfs?|docx?|xlsx?|spreadsheets?|images?|photos?|logs?|lines?|links?|headings?|schema|syntax)\b|文件|文本|版本|目录|表格|数据|文档|列|行/iu,
    words: 2,
  },
  {
    declared: /\b(?:measurements?|quantit(?:y|ies)|units of)\b|单位换算/iu,
    shown: /\d|\bhow (?:much|many)\b|\bunits?\b|多少|几/iu,
    words: 2,
  },
  {
    // Not what people are good at.
    declared: /\bagent skills?\b|\bSKILL\.md\b/iu,
    shown: /\bskill\b|\bSKILL\.md\b|\bagent skills\b|技能/iu,
    words: 4,
  },
];
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
  return declared.every(({ declared: kind, shown, words }) => {
    const isFile = kind.test("files");
    const isShown = (isFile && files.length > 0) || quoted.length > 1 || shown.test(said);
    return !isShown && shared < words;
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
