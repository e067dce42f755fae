import type { SkillEntry } from "./rank-skills.ts";

interface Deed {
  /** How requests for it begin. */
  readonly asked: RegExp;
  /** What the description of a skill that does it has somewhere. */
  readonly offered: RegExp;
}

const START = String.raw`^\s{0,5}(?:(?:please|now|can you|could you|would you|i (?:want|need|would like|'d like) (?:you )?to|help me(?: to)?|let'?s)\s{1,3}){0,2}`;

/**
 * Things that sound like others by what they are done to: "convert data.json to YAML" has the words
 * of a skill that checks such files.
 */
const DEEDS: readonly Deed[] = [
  {
    asked: deed("convert|transform|transpile|transcode"),
    offered:
      /\b(?:conver|transform|transpil|transcod|translat|export|migrat|port|turn|render|generat|creat|extract|compil)\w*|转换|换算|转成|转为|导出/iu,
  },
  {
    asked: deed("translate"),
    offered:
      /\b(?:translat|locali[sz]|language|i18n|l10n|multilingual|convert)\w*|翻译|语言|本地化/iu,
  },
  {
    asked: deed("book|reserve|schedule|order|buy|purchase"),
    offered:
      /\b(?:book|reserv|schedul|calendar|appointment|meeting|order|buy|purchas|shop|travel|restaurant|cron|plan)\w*|预订|日程|购买/iu,
  },
  {
    asked: deed(
      "(?:write|create|draft|compose|design|invent|generate|make)\\s{1,3}(?:me\\s|us\\s)?(?:an?|some|two|three)",
    ),
    offered:
      /\b(?:writ|creat|draft|compos|design|invent|generat|mak|build|produc|scaffold|author|develop|implement|turn|draw|render|plan|prepar|set up|setting up|edit|content|coding|guidance|best practice)\w*|写|创建|新建|生成|撰写|制作|设计|做/iu,
  },
];

/** Whether a request begins with a deed that a skill does not say it does. */
export function asksForOther(request: string, { name, description }: SkillEntry): boolean {
  return DEEDS.some(
    ({ asked, offered }) => asked.test(request) && !offered.test(`${name} ${description}`),
  );
}

function deed(verbs: string): RegExp {
  return new RegExp(String.raw`${START}(?:${verbs})\b`, "iu");
}
