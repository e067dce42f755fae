/** Words that belong to the name after them. */
const BEFORE_UNIT =
  "(?:(?:square|cubic|nautical|imperial|us|metric|fluid|troy|short|long)\\s{1,3}){0,2}";
const LATIN_UNIT = `${BEFORE_UNIT}°?[\\p{Script=Latin}µ][\\p{Script=Latin}µ]{0,20}(?:[/²³^][\\p{Script=Latin}\\d²³]{0,10}|\\d(?![\\d.]))?(?:\\s{1,3}per\\s{1,3}[\\p{Script=Latin}]{1,20})?`;
/** "degrees Celsius" is Celsius, but degrees alone are degrees. */
const DEGREES = "(?:degrees?\\s{1,3}(?!(?:to|in|into|is|are|as|equals?|please)\\b)(?=\\p{L}))?";

const AFTER_NUMBER = new RegExp(
  `[\\d\\p{Co}]\\s{0,3}(?!(?:and|or|to|und|oder)\\b)(?:${DEGREES}(°?${LATIN_UNIT})|(\\p{Script=Han}{1,6}?)(?=换算|转换|转成|换成|转为|换为|等于|合多少|[是有合]几|[是有合]?多少|到|为|成|是|[，。？\\s]|$))`,
  "iu",
);
/** 华氏 100 度 */
const AROUND_NUMBER = /(\p{Script=Han}氏)(?:温度)?\s{0,3}\p{Co}\s{0,3}(?=度|°)/u;
const AFTER_FROM = /\bfrom\s{1,3}([\p{L}\p{N}_-]{1,40})|从\s{0,3}([\p{L}]{1,10}?)(?=到|转|换|$)/iu;
const HOW_MANY = new RegExp(
  `\\bhow\\s{1,3}(?:many|much)\\s{1,3}${DEGREES}(${LATIN_UNIT})\\s{1,3}(?:is|are|in|make|makes|equals?|does|do)\\b`,
  "iu",
);
const AFTER_TO = new RegExp(
  `\\b(?:into|to|in)\\s{1,3}${DEGREES}(°?${BEFORE_UNIT}[\\p{Script=Latin}µ][\\p{L}\\p{N}_²³/^-]{0,40}(?:\\s{1,3}per\\s{1,3}[\\p{Script=Latin}]{1,20})?)|(?:换算[成为到]|转换[成为到]|[转换][成为]|翻译[成为]|(?:等于|[是有合])?多少|等于几|[是有合]几)\\s{0,3}(?:个)?(\\p{Script=Han}{1,6}|[\\p{Script=Latin}]{1,20})`,
  "iu",
);

/** What a quantity is given in, in a text with masks for its numbers: "5 miles", "from USD", 华氏 100 度. */
export function findSourceUnit(text: string): string[] {
  return found(AFTER_FROM, text) ?? found(AROUND_NUMBER, text) ?? found(AFTER_NUMBER, text) ?? [];
}

/** What it is wanted in: "to kilometres", "how many km are", 是多少公里. */
export function findTargetUnit(text: string): string[] {
  return found(HOW_MANY, text) ?? found(AFTER_TO, text) ?? [];
}

function found(pattern: RegExp, text: string): string[] | undefined {
  const match = pattern.exec(text);
  const unit = match?.[1] ?? match?.[2];
  if (unit === undefined) return undefined;
  // 华氏 is short for 华氏度.
  return [unit.replace(/(\p{Script=Han}氏)$/u, "$1度")];
}
