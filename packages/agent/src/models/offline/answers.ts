import type { SaidNumber } from "./find-numbers.ts";
import type { SkillEntry } from "./rank-skills.ts";
import type { Unclear } from "./read-number.ts";
import { shorten } from "./shorten.ts";

const MAX_OUTPUT = 4000;
const MAX_REASON = 1500;
const MAX_DESCRIPTION = 200;
const MAX_RESOURCE = 1500;
const MAX_SKILLS = 30;

/** Says a thing in the language of the request. */
export type Say = (english: string, chinese: string) => string;

export function sayIn(isChinese: boolean): Say {
  return (english, chinese) => (isChinese ? chinese : english);
}

export function outputAnswer(say: Say, script: string, skill: string, output: string): string {
  const shown = shorten(output.trim(), MAX_OUTPUT);
  if (shown === "") {
    return say(
      `${script} of the skill ${skill} ran without an error and printed nothing.`,
      `技能 ${skill} 的 ${script} 运行成功，没有输出。`,
    );
  }
  const head = say(`From ${script} of the skill ${skill}:`, `技能 ${skill} 的 ${script} 的结果：`);
  return `${head}\n\n${shown}`;
}

export function failureAnswer(say: Say, what: string, reason: string): string {
  const shown = shorten(reason.trim(), MAX_REASON);
  if (isRefusal(reason)) {
    return `${say(`${what} was not allowed to run:`, `${what} 没有获准运行：`)}\n\n${shown}`;
  }
  const failed = `${say(`${what} failed:`, `${what} 失败了：`)}\n\n${shown}`;
  if (!/^[ \t]{0,8}(?:usage|用法)\b/imu.test(shown)) return failed;
  const error = /^[ \t]{0,8}(?:error|错误)[:：]\s{0,3}([^\n]{1,300})/imu.exec(shown)?.[1];
  const why = error === undefined ? "" : ` ${say(`(${error})`, `（${error}）`)}`;
  return `${failed}\n\n${say(
    `The call did not fit its usage${why}. Please ask again with what the usage above needs.`,
    `调用不符合上面的用法${why}。请按用法补充或修改后再试。`,
  )}`;
}

/** Whether a person or the policy said no; then there is no second attempt. */
export function isRefusal(reason: string): boolean {
  return /\b(?:denied|not approved|needs? approval|approval (?:is )?(?:needed|required)|refused|rejected|not allowed|forbidden by|policy)\b|拒绝|未批准|不允许/iu.test(
    reason.slice(0, 2000),
  );
}

export function missingAnswer(
  say: Say,
  skill: string,
  script: string,
  names: readonly string[],
): string {
  const list = [...new Set(names)].map((name) => `- ${shorten(name, 100)}`).join("\n");
  return `${say(
    `The skill ${skill} can do this with ${script}, but the request does not say:`,
    `技能 ${skill} 可以用 ${script} 完成，但请求里缺少：`,
  )}\n${list}\n\n${say("Please ask again with that.", "请补充后再试。")}`;
}

const UNCLEAR: Readonly<Record<Unclear, readonly [english: string, chinese: string]>> = {
  range: [
    "It looks like a range: ask for each end of it on its own.",
    "它像一个范围：请分别询问两端的数值。",
  ],
  calculation: [
    "It looks like a calculation: work it out first, and give the result.",
    "它像一个算式：请先算出结果再给出。",
  ],
  ambiguous: [
    "It can be read in two ways: write it without grouping and with a point for decimals, such as 1500 or 1.5, and a minus sign right before it.",
    "它有两种读法：请不要分组，小数点用“.”，例如 1500 或 1.5，负号紧贴数字。",
  ],
  spaced: [
    "It can be one number or several: write it without blanks, such as 1500.",
    "它可能是一个或几个数：请不要留空格，例如 1500。",
  ],
  unknown: [
    "Write it in plain digits with a point for decimals, such as 1500.25, -10 or 1/2.",
    "请用普通数字书写，小数点用“.”，例如 1500.25、-10 或 1/2。",
  ],
};

/** Nothing is run with a part of a number. */
export function unclearAnswer(say: Say, numbers: readonly SaidNumber[]): string {
  const lines = numbers.map(({ written, reading }) => {
    const number = shorten(written.trim(), 100);
    const why = UNCLEAR["unclear" in reading ? reading.unclear : "unknown"];
    return say(
      `The number "${number}" cannot be read for sure. ${why[0]}`,
      `无法确定数字“${number}”的含义。${why[1]}`,
    );
  });
  return `${lines.join("\n")}\n\n${say("Nothing was run.", "没有执行任何操作。")}`;
}

/** What a person may take for part of the result, and is not. */
export function leftOutAnswer(say: Say, phrases: readonly string[]): string {
  const list = phrases.map((phrase) => `"${shorten(phrase, 150)}"`).join(", ");
  return say(`Not taken into account: ${list}.`, `没有考虑：${list}。`);
}

export function unusedAnswer(say: Say, paths: readonly string[]): string {
  const list = paths.map((path) => shorten(path, 200)).join(", ");
  return say(`Attached, but not used: ${list}.`, `已附加但没有用到：${list}。`);
}

export function pipedAnswer(say: Say): string {
  return say(
    "The data came by standard input. It is not a file on disk, and scripts read files only: save it as a file in this folder, and name that file in the request.",
    "数据来自标准输入，磁盘上没有这个文件，而脚本只能读取文件：请把它保存为此文件夹中的文件，并在请求里写明文件名。",
  );
}

export function instructionsAnswer(
  say: Say,
  skill: string,
  sections: string,
  resources: readonly { readonly path: string; readonly text: string }[],
): string {
  const head = say(
    `The offline model cannot write an answer of its own. What the skill ${skill} says on this:`,
    `离线模型不能自己撰写回答。技能 ${skill} 中与此相关的内容：`,
  );
  const more = resources.map(({ path, text }) => `${path}:\n${shorten(text.trim(), MAX_RESOURCE)}`);
  return [head, sections, ...more].filter((part) => part !== "").join("\n\n");
}

/** What there is, for a person who asks. */
export function skillsAnswer(say: Say, skills: readonly SkillEntry[], omitted: number): string {
  if (skills.length === 0) return say("There are no skills here.", "这里没有技能。");
  const shown = skills.slice(0, MAX_SKILLS).map(inLine);
  const more = omitted + skills.length - shown.length;
  return [
    say("The skills here:", "可用的技能："),
    ...shown,
    ...(more > 0 ? [say(`and ${more} more`, `另有 ${more} 个`)] : []),
  ].join("\n");
}

function inLine({ name, description }: SkillEntry): string {
  return `- ${shorten(name, 130)}: ${shorten(description.replace(/\s+/g, " "), MAX_DESCRIPTION)}`;
}

export function noSkillAnswer(say: Say, nearest: readonly SkillEntry[]): string {
  const list = nearest.map(inLine);
  const near =
    list.length === 0
      ? ""
      : `${say("The nearest skills are:", "最接近的技能：")}\n${list.join("\n")}`;
  return [
    say("No skill fits this request well enough.", "没有足够合适的技能来处理这个请求。"),
    near,
    say(
      "This is the offline model: it only works through skills. To go on, name a skill (/skill-name …), say more exactly what is wanted, or set a model key such as ANTHROPIC_API_KEY or OPENAI_API_KEY.",
      "这是离线模型，只能通过技能工作。可以指明技能（/技能名 …）、把需求说得更具体，或者设置模型密钥（例如 ANTHROPIC_API_KEY 或 OPENAI_API_KEY）。",
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

export function toolAnswer(say: Say, tool: string, ok: boolean, observation: string): string {
  if (!ok) return failureAnswer(say, tool, observation);
  const shown = shorten(observation.trim(), MAX_OUTPUT);
  return shown === "" ? say("Nothing was found.", "没有找到内容。") : shown;
}
