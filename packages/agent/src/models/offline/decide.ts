import { createSkillIndex } from "@skillwright/core";
import type { Action } from "../../actions/action.ts";
import { codeBlock } from "../code-block.ts";
import type { ActiveSkill, ModelView, ViewedStep } from "../model.ts";
import { planCommands, readCommands } from "./commands.ts";
import { CLAUSES, covers, isHan, readRequest, vocabularyOf } from "./request.ts";

/** In the order in which they are shown. A line with an empty list is left out. */
const TEXTS = {
  noSkill: ["No skill fits this request well enough.", "没有足够合适的技能来处理这个请求。"],
  nothing: ["Nothing was run.", "没有执行任何操作。"],
  closest: ["Closest documented command: %", "文档中最接近的命令：%"],
  filled: ["Filled in so far: %", "已填入：%"],
  missing: ["It needs: %", "还需要：%"],
  unused: ["Not used from your request: %", "请求中没有用到：%"],
  skills: ["Skills here: %", "可用的技能：%"],
  advice: [
    "The offline demo model only runs documented commands that account for every word of a request. Use their words, put texts in quotes, or set up a language model, for example with ANTHROPIC_API_KEY.",
    "离线演示模型只运行能解释请求中每个词的文档命令。请使用其中的词语，把文本放进引号，或者配置语言模型，例如设置 ANTHROPIC_API_KEY。",
  ],
  result: ["Result of %:", "% 的结果："],
  failed: ["% failed:", "% 失败了："],
  cut: ["The run had to end before this was done.", "运行在完成之前结束了。"],
} as const;
type Key = keyof typeof TEXTS;
const MAX_NAMES = 20;
const MAX_SHOWN = 4000;
/** Words after these are values, as in `by region` or `5 km`: they say nothing about the skill. */
const BEFORE_VALUE = /^(?:by|per|each|called|named|按|每|个|叫|-?[\d.]+)$/i;
const QUESTION = /^\s*(?:what|which|who|how|why|where|is|are|does|do|did|can|could|has|have)\b/i;

/** The next decision. It depends on nothing but the view. */
export function decide(view: ModelView): Action {
  const clauses = view.request.split(CLAUSES).filter((clause) => clause.trim() !== "");
  const isSplit = clauses.length > 1 && clauses.every((clause) => chooseSkill(clause, view));
  const answers: string[] = [];
  for (const clause of isSplit ? clauses : [view.request]) {
    const work = workOn(clause, view);
    if (typeof work !== "string" && !view.mustAnswer) return work;
    answers.push(typeof work === "string" ? work : answer(clause, { cut: [] }));
  }
  return { action: "final_answer", answer: answers.join("\n\n") };
}

/** The next thing to do for a request, or what there is to say about it. */
function workOn(request: string, view: ModelView): Action | string {
  const { active, steps, skills } = view;
  const selections = steps.filter(({ action }) => action.action === "select_skills");
  const called = active.findLast(({ carried }) => carried !== true);
  const chosen = selections.length === 0 && called ? called : chooseSkill(request, view);
  if (chosen === undefined) {
    const unused = readRequest(request).flatMap(({ isStop, text }) => (isStop ? [] : text));
    const names = skills.slice(0, MAX_NAMES).map(({ name }) => name);
    return answer(request, { noSkill: [], unused, skills: names, advice: [] });
  }
  const { name, source } = chosen;
  const skill = active.find((one) => one.name === name);
  if (skill !== undefined) return workWith(skill, request, view);
  const step = selections.find(({ action }) => JSON.stringify(action).includes(`"${name}"`));
  if (step !== undefined) return reported(request, name, step);
  return { action: "select_skills", skills: [{ name, ...(source !== "" && { source }) }] };
}

/** The best hit of the search index whose description accounts for at least half of the words. */
function chooseSkill(request: string, { skills }: ModelView) {
  const said = new Set(request.split(/[\s/`]+/));
  const named = skills.find(({ name }) => name.includes("-") && said.has(name));
  if (named !== undefined) return named;
  const tokens = readRequest(request);
  const plain = tokens.filter(({ kind }) => kind === "word");
  const words = plain.filter(
    (one) => !one.isStop && !BEFORE_VALUE.test(tokens[tokens.indexOf(one) - 1]?.text ?? ""),
  );
  const files = tokens.filter(({ kind }) => kind === "file");
  const endings = files.map(({ text }) => text.replace(/^.*[./]/, ""));
  const index = createSkillIndex(skills.map((skill, i) => ({ ...skill, id: `${i}` })));
  const query = [...plain.map(({ text }) => text), ...endings].join(" ");
  return index
    .search(query, { limit: index.size })
    .flatMap(({ id }) => skills[Number(id)] ?? [])
    .find(({ name, description }) => {
      const about = vocabularyOf(`${name} ${description}`);
      const known = words.filter(({ text }) => covers(about, text));
      const isForFiles = ["file", "folder", ...endings].some((one) => covers(about, one));
      const isWish = QUESTION.test(request) || isHan(request) || known[0] === words[0];
      const isCovered = words.length === 0 ? files.length > 0 : known.length * 2 >= words.length;
      return isCovered && isWish && (files.length === 0 || isForFiles);
    });
}

/** Runs the documented command that accounts for all of the request, or says why none does. */
function workWith(skill: ActiveSkill, request: string, view: ModelView): Action | string {
  const { name, source, text, scripts } = skill;
  const about = view.skills.find((one) => one.name === name)?.description ?? "";
  const attached = (view.attachments ?? []).filter(({ path }) => !request.includes(path));
  const said = request.replace(/^\s*\/[\w:@-]+(?=\s|$)/, "");
  const tokens = readRequest([said, ...attached.map(({ path }) => `"${path}"`)].join(" "));
  const commands = readCommands(text, scripts);
  const [plan, rival] = planCommands(commands, tokens, vocabularyOf(`${name} ${about}`));
  const isTied = rival?.isSafe === true && rival.score === plan?.score;
  if (plan?.isSafe !== true || isTied) {
    const { args: filled = [], missing = [], unused = [] } = plan ?? {};
    const closest = [plan, isTied ? rival : undefined].flatMap((one) => one?.command.usage ?? []);
    return answer(request, { nothing: [], closest, filled, missing, unused, advice: [] });
  }
  const [script, args] = [plan.command.script, [...plan.args]];
  const reference = { name, ...(source !== "" && { source }) };
  const step = view.steps.find(({ action: { skill: by, relative_path: path, args: given } }) => {
    const isSame = path === script && JSON.stringify(given) === JSON.stringify(args);
    return isSame && JSON.stringify(by).includes(`"${name}"`);
  });
  if (step !== undefined) return reported(request, `${name}/${script}`, step);
  return { action: "run_script", skill: reference, relative_path: script, args };
}

function reported(request: string, what: string, { ok, observation }: ViewedStep): string {
  const output = observation.trim();
  const shown = output.length > MAX_SHOWN ? `${output.slice(0, MAX_SHOWN)} …` : output;
  return `${answer(request, { [ok ? "result" : "failed"]: [what] })}\n\n${codeBlock(shown)}`;
}

/** In the language of the request. */
function answer(request: string, values: Partial<Record<Key, readonly string[]>>): string {
  const keys = (Object.keys(TEXTS) as Key[]).filter((key) => values[key] !== undefined);
  const lines = keys.flatMap((key) => {
    const [text, list] = [TEXTS[key][isHan(request) ? 1 : 0], (values[key] ?? []).join(", ")];
    return text.includes("%") && list === "" ? [] : text.replace("%", () => list);
  });
  return lines.join("\n");
}
