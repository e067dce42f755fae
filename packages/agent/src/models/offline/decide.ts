import { createSkillIndex } from "@skillwright/core";
import type { Action } from "../../actions/action.ts";
import type { ActiveSkill, ModelView, ViewedStep } from "../model.ts";
import { readCommands } from "./commands.ts";
import { type Plan, planCommands } from "./plan-command.ts";
import { clausesOf, covers, isHan, readRequest, type Token, vocabularyOf } from "./request.ts";

interface Entry {
  readonly name: string;
  readonly description: string;
  readonly source?: string;
}

const MAX_SHOWN = 4000;
const MAX_QUERY = 500;
const SEARCH = "search_skills";
const WORKSPACE = `# Read, open, print or display the contents of a file. 读取 打开 查看 文件 内容
\`read_file <path>\`
# List the files in a folder or directory. 列出 查看 文件 文件夹 目录
\`list_directory [<path>]\``;
/** Words after these are values, such as the column in \`by region\`: they say nothing about the skill. */
const BEFORE_VALUE = /^(?:by|per|each|on|called|named|按|每|个|叫)$/i;
const QUESTION =
  /^\s*(?:what|which|who|how|why|when|where|is|are|does|do|did|can|could|has|have)\b/i;
const FOUND =
  /^\s*(?:[-*]|\d+[.)])\s+\**`?([\p{L}\p{N}/_-]+)(?:@([\w-]+))?`?\**\s*[:：–—-]\s+(.+)$/gmu;

/** The next decision. It depends on nothing but the view. */
export function decide(view: ModelView): Action {
  const clauses = clausesOf(view.request);
  const isSplit = clauses.length > 1 && clauses.every((clause) => chooseSkill(clause, view));
  const answers: string[] = [];
  for (const clause of isSplit ? clauses : [view.request]) {
    const work = workOn(clause, view);
    if (typeof work !== "string" && !view.mustAnswer) return work;
    const cut = say(clause, "The run had to end before this was done.", "运行在完成之前结束了。");
    answers.push(typeof work === "string" ? work : cut);
  }
  return { action: "final_answer", answer: answers.join("\n\n") };
}

/** The next thing to do for a request, or what there is to say about it. */
function workOn(request: string, view: ModelView): Action | string {
  const { active, steps } = view;
  const selections = steps.filter(({ action }) => action.action === "select_skills");
  const called = active.filter(({ carried }) => carried !== true).at(-1);
  const chosen = selections.length === 0 && called ? called : chooseSkill(request, view);
  if (chosen === undefined) return withoutSkill(request, view);
  const skill = active.find(({ name }) => name === chosen.name);
  if (skill !== undefined) return workWith(skill, request, view);
  const step = selections.find(({ action }) => JSON.stringify(action).includes(`"${chosen.name}"`));
  if (step !== undefined) return reported(request, `select_skills ${chosen.name}`, step);
  const { name, source = "" } = chosen;
  return { action: "select_skills", skills: [{ name, ...(source !== "" && { source }) }] };
}

/** The best hit of the search index whose description accounts for at least half of the words. */
function chooseSkill(request: string, { skills, steps }: ModelView): Entry | undefined {
  const all: readonly Entry[] = [...skills, ...foundSkills(steps)];
  const said = new Set(request.split(/[\s/`]+/));
  const named = all.find(({ name }) => name.includes("-") && said.has(name));
  if (named !== undefined) return named;
  const tokens = readRequest(request);
  const words = tokens.filter(
    ({ kind, isStop }, at) =>
      kind === "word" && !isStop && !BEFORE_VALUE.test(tokens[at - 1]?.text ?? ""),
  );
  const files = tokens.filter(({ kind }) => kind === "file");
  const documents = all.map((skill, i) => ({ ...skill, id: `${i}` }));
  const index = createSkillIndex(documents);
  const hits = index.search(request, { limit: index.size });
  return hits
    .flatMap(({ id }) => all[Number(id)] ?? [])
    .find(({ name, description }) => {
      const about = vocabularyOf(`${name} ${description}`);
      const known = words.filter(({ text }) => covers(about, text));
      const hasVerb = QUESTION.test(request) || isHan(request) || known[0] === words[0];
      if (words.length > 0) return hasVerb && known.length * 2 >= words.length;
      return files.some(({ text }) => covers(about, text.replace(/^.*\./, "")));
    });
}

function foundSkills(steps: readonly ViewedStep[]): readonly Entry[] {
  const search = steps.find(({ action, ok }) => ok && action["tool"] === SEARCH);
  const found = search?.observation.matchAll(FOUND) ?? [];
  return Array.from(found, ([, name = "", source = "", description = ""]) => ({
    ...{ name, source, description },
  }));
}

function workWith(skill: ActiveSkill, request: string, view: ModelView): Action | string {
  const entry = view.skills.find(({ name }) => name === skill.name);
  const shared = vocabularyOf(`${skill.name} ${entry?.description ?? ""}`);
  const tokens = tokensOf(request.replace(/^\s*\/\S+/, ""), view);
  const commands = readCommands(skill.text, skill.scripts);
  const plans = planCommands(commands, tokens, shared);
  const [plan, second] = plans;
  const isTied = second?.isSafe === true && second.score === plan?.score;
  if (plan?.isSafe !== true || isTied) return declined(request, skill.name, plan, isTied);
  const { name } = plan.command;
  const reference = { name: skill.name, ...(skill.source !== "" && { source: skill.source }) };
  const step = view.steps.find(
    ({ action }) =>
      action["relative_path"] === name && String(action["args"]) === String(plan.args),
  );
  if (step === undefined) {
    return { action: "run_script", skill: reference, relative_path: name, args: [...plan.args] };
  }
  const what = say(request, `${name} of the skill ${skill.name}`, `技能 ${skill.name} 的 ${name}`);
  return reported(request, what, step, plan);
}

/** Looks among skills that are not listed, then at the workspace, then gives up. */
function withoutSkill(request: string, view: ModelView): Action | string {
  const { steps, tools, omittedSkills, skills } = view;
  const isSearched = steps.some(({ action }) => action["tool"] === SEARCH);
  const query = request.trim().slice(0, MAX_QUERY);
  if (omittedSkills > 0 && tools.includes(SEARCH) && !isSearched && query !== "") {
    return { action: "use_tool", tool: SEARCH, input: { query } };
  }
  const commands = readCommands(WORKSPACE, tools);
  const [plan] = planCommands(commands, tokensOf(request, view), vocabularyOf(""));
  if (plan?.isSafe !== true || plan.score < 1) return noSkill(request, skills);
  const { name } = plan.command;
  const step = steps.find(({ action }) => action["tool"] === name);
  if (step !== undefined) return reported(request, name, step, plan);
  const input = plan.args[0] === undefined ? {} : { path: plan.args[0] };
  return { action: "use_tool", tool: name, input };
}

/** The request and the files that came with it. */
function tokensOf(request: string, { attachments = [] }: ModelView): readonly Token[] {
  const tokens = readRequest(request);
  const { length } = request;
  const more = attachments
    .filter(({ path }) => tokens.every(({ text }) => text !== path))
    .map(({ path }) => ({ kind: path === "stdin" ? "word" : "file", text: path }) as const);
  return [...tokens, ...more.map((one) => ({ ...one, start: length, end: length, isStop: false }))];
}

function reported(request: string, what: string, step: ViewedStep, plan?: Plan): string {
  const { ok, observation } = step;
  const output = observation.trim();
  const isCut = output.length > MAX_SHOWN;
  const shown = isCut ? `${output.slice(0, MAX_SHOWN)} …` : output;
  const empty = say(request, "It printed nothing.", "没有输出。");
  const head = ok
    ? say(request, `From ${what}:`, `${what} 的结果：`)
    : say(request, `${what} failed:`, `${what} 失败了：`);
  const unused = quoted(plan?.unused ?? []);
  const note = say(
    request,
    `Not used from your request: ${unused}.`,
    `请求中没有用到：${unused}。`,
  );
  return [head, shown || empty, ...(unused === "" ? [] : [note])].join("\n\n");
}

function declined(request: string, skill: string, plan: Plan | undefined, isTied: boolean): string {
  const tell = (english: string, chinese: string, values: readonly string[] = [""]) =>
    values.length === 0 ? [] : [say(request, english, chinese) + quoted(values.filter(Boolean))];
  const { missing = [], unplaced = [], unused = [] } = plan ?? {};
  return [
    ...tell(
      `Nothing was run. The offline demo model only runs commands that the skill ${skill} documents.`,
      `没有执行任何操作。离线演示模型只会运行技能 ${skill} 文档中的命令。`,
    ),
    ...(plan === undefined
      ? tell("It documents no command.", "该技能没有记录命令。")
      : tell("Closest command: ", "最接近的命令：", [plan.command.usage])),
    ...(isTied ? tell("Another one fits as well.", "另有一个命令同样合适。") : []),
    ...tell("It still needs: ", "还需要：", missing),
    ...tell("It has no place for: ", "无处可用：", unplaced),
    ...tell("Its documentation does not mention: ", "文档中没有提到：", unused),
    advice(request),
  ].join("\n");
}

function noSkill(request: string, skills: readonly Entry[]): string {
  const words = readRequest(request).filter(({ isStop }) => !isStop);
  const unused = quoted(words.map(({ text }) => text));
  const names = skills.map(({ name }) => name).slice(0, 20);
  return [
    say(request, "No skill fits this request well enough.", "没有足够合适的技能来处理这个请求。"),
    ...(unused === "" ? [] : [say(request, `Not used: ${unused}.`, `没有用到：${unused}。`)]),
    ...(names.length === 0
      ? []
      : [say(request, "Skills here: ", "可用的技能：") + names.join(", ")]),
    advice(request),
  ].join("\n");
}

function advice(request: string): string {
  return say(
    request,
    "Use the words of the skill, put texts in quotes, or configure a language model, for example with ANTHROPIC_API_KEY or OPENAI_API_KEY.",
    "请使用技能中的词语，把文本放进引号，或者配置语言模型，例如设置 ANTHROPIC_API_KEY 或 OPENAI_API_KEY。",
  );
}

function quoted(values: readonly string[]): string {
  return [...new Set(values)].map((value) => `"${value}"`).join(", ");
}

function say(request: string, english: string, chinese: string): string {
  return isHan(request) ? chinese : english;
}
