import { createSkillIndex } from "@skillwright/core";
import type { Action } from "../../actions/action.ts";
import type { ActiveSkill, ModelView, ViewedStep } from "../model.ts";
import { readCommands } from "./commands.ts";
import { type Plan, planCommands } from "./plan-command.ts";
import { clausesOf, covers, isHan, readRequest, type Token, vocabularyOf } from "./request.ts";

type Entry = Pick<ModelView["skills"][number], "name" | "description"> & { source?: string };

const MAX_SHOWN = 4000;
const MAX_QUERY = 500;
const SEARCH = "search_skills";
const FOUND = /^\s*(?:[-*]|\d+[.)])\s+\**`?([\p{L}\p{N}/_-]+)[^\s:：]*\s*[:：–—-]\s+(.+)$/gmu;
const WORKSPACE = `# Read, open, print or display the contents of a file. 读取 打开 查看 文件 内容
\`read_file <path>\`
# List the files in a folder or directory. 列出 查看 文件 文件夹 目录
\`list_directory [<folder>]\``;
/** Words after these are values, such as the column in `by region`: they say nothing about the skill. */
const BEFORE_VALUE = /^(?:by|per|each|called|named|按|每|个|叫)$/i;
const QUESTION = /^\s*(?:what|which|who|how|why|where|is|are|does|do|did|can|could|has|have)\b/i;

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
  const { active, steps, tools, omittedSkills } = view;
  const selections = steps.filter(({ action }) => action.action === "select_skills");
  const called = active.filter(({ carried }) => carried !== true).at(-1);
  const chosen = selections.length === 0 && called ? called : chooseSkill(request, view);
  if (chosen === undefined) {
    const isSearched = steps.some(({ action }) => action["tool"] === SEARCH);
    const canSearch = omittedSkills > 0 && tools.includes(SEARCH) && request.trim() !== "";
    if (!canSearch || isSearched) return workWith(undefined, request, view);
    return { action: "use_tool", tool: SEARCH, input: { query: request.slice(0, MAX_QUERY) } };
  }
  const { name, source = "" } = chosen;
  const skill = active.find((one) => one.name === name);
  if (skill !== undefined) return workWith(skill, request, view);
  const step = selections.find(({ action }) => JSON.stringify(action).includes(`"${name}"`));
  if (step !== undefined) return reported(request, `select_skills ${name}`, step);
  return { action: "select_skills", skills: [{ name, ...(source !== "" && { source }) }] };
}

/** The best hit of the search index whose description accounts for at least half of the words. */
function chooseSkill(request: string, { skills, steps }: ModelView): Entry | undefined {
  const search = steps.find(({ action, ok }) => ok && action["tool"] === SEARCH);
  const found = Array.from(
    search?.observation.matchAll(FOUND) ?? [],
    ([, name = "", description = ""]) => ({ name, description }),
  );
  const all: readonly Entry[] = [...skills, ...found];
  const said = new Set(request.split(/[\s/`]+/));
  const named = all.find(({ name }) => name.includes("-") && said.has(name));
  if (named !== undefined) return named;
  const tokens = readRequest(request);
  const plain = tokens.filter(({ kind }) => kind === "word");
  const words = plain.filter(
    ({ isStop }, at) => !isStop && !BEFORE_VALUE.test(plain[at - 1]?.text ?? ""),
  );
  const files = tokens.filter(({ kind }) => kind === "file");
  const endings = files.map(({ text }) => text.replace(/^.*[./]/, ""));
  const index = createSkillIndex(all.map((skill, i) => ({ ...skill, id: `${i}` })));
  const query = [...plain.map(({ text }) => text), ...endings].join(" ");
  return index
    .search(query, { limit: index.size })
    .flatMap(({ id }) => all[Number(id)] ?? [])
    .find(({ name, description }) => {
      const about = vocabularyOf(`${name} ${description}`);
      const known = words.filter(({ text }) => covers(about, text));
      const isForFiles = ["file", "folder", ...endings].some((one) => covers(about, one));
      const isWish = QUESTION.test(request) || isHan(request) || known[0] === words[0];
      const isCovered = words.length === 0 ? files.length > 0 : known.length * 2 >= words.length;
      return isCovered && isWish && (files.length === 0 || isForFiles);
    });
}

/** Runs the documented command that accounts for the request; without a skill, a workspace tool. */
function workWith(skill: ActiveSkill | undefined, request: string, view: ModelView) {
  const { name: owner = "", source = "" } = skill ?? {};
  const about = view.skills.find(({ name }) => name === owner)?.description ?? "";
  const commands = readCommands(skill?.text ?? WORKSPACE, skill?.scripts ?? view.tools);
  const tokens = tokensOf(request.replace(/^\s*\/[\w:@-]+(?=\s|$)/, ""), view);
  const [plan, rival] = planCommands(commands, tokens, vocabularyOf(`${owner} ${about}`));
  const isTied = rival?.isSafe === true && rival.score === plan?.score;
  if (skill === undefined && (plan?.isSafe !== true || plan.score < 1)) {
    return noSkill(request, tokens, view.skills);
  }
  if (plan?.isSafe !== true || isTied) return declined(request, owner, plan, isTied ? rival : plan);
  const { name } = plan.command;
  const [path] = plan.args;
  const reference = { name: owner, ...(source !== "" && { source }) };
  const action: Action =
    skill === undefined
      ? { action: "use_tool", tool: name, input: path === undefined ? {} : { path } }
      : { action: "run_script", skill: reference, relative_path: name, args: [...plan.args] };
  const isDone = ({ action: done }: ViewedStep) =>
    skill === undefined
      ? done["tool"] === name
      : done["relative_path"] === name && String(done["args"]) === String(plan.args);
  const step = view.steps.find(isDone);
  const of = say(request, `${name} of the skill ${owner}`, `技能 ${owner} 的 ${name}`);
  return step === undefined ? action : reported(request, skill ? of : name, step, plan.unused);
}

/** The request and the files that came with it. */
function tokensOf(request: string, { attachments = [] }: ModelView): readonly Token[] {
  const tokens = readRequest(request);
  const more = attachments.filter(({ path }) => tokens.every(({ text }) => text !== path));
  const place = { start: -1, end: -1, isStop: false };
  return [
    ...tokens,
    ...more.map(({ path }) => ({
      ...place,
      kind: path === "stdin" ? ("word" as const) : ("file" as const),
      text: path,
    })),
  ];
}

function reported(
  request: string,
  what: string,
  { ok, observation }: ViewedStep,
  unused: readonly string[] = [],
): string {
  const output = observation.trim();
  const shown = output.length > MAX_SHOWN ? `${output.slice(0, MAX_SHOWN)} …` : output;
  return [
    ok
      ? say(request, `From ${what}:`, `${what} 的结果：`)
      : say(request, `${what} failed:`, `${what} 失败了：`),
    shown === "" ? say(request, "It printed nothing.", "没有输出。") : shown,
    ...listed(request, "Not used from your request", "请求中没有用到", unused),
  ].join("\n\n");
}

function declined(request: string, skill: string, plan?: Plan, rival?: Plan): string {
  return [
    say(request, "Nothing was run.", "没有执行任何操作。"),
    ...listed(request, `Closest documented command of ${skill}`, `技能 ${skill} 中最接近的命令`, [
      plan?.command.usage ?? "–",
    ]),
    ...listed(
      request,
      "This one fits as well",
      "同样合适的命令",
      plan === rival ? [] : [rival?.command.usage ?? ""],
    ),
    ...listed(request, "It needs", "还需要", plan?.missing),
    ...listed(request, "It has no place for", "无处可用", plan?.unplaced),
    ...listed(request, "Its documentation does not account for", "文档中没有说明", plan?.unused),
    advice(request),
  ].join("\n");
}

function noSkill(request: string, tokens: readonly Token[], skills: readonly Entry[]): string {
  const words = tokens.filter(({ isStop }) => !isStop).map(({ text }) => text);
  return [
    say(request, "No skill fits this request well enough.", "没有足够合适的技能来处理这个请求。"),
    ...listed(request, "Not used", "没有用到", words),
    ...listed(
      request,
      "Skills here",
      "可用的技能",
      skills.slice(0, 20).map(({ name }) => name),
    ),
    advice(request),
  ].join("\n");
}

function advice(request: string): string {
  return say(
    request,
    "The offline demo model only runs documented commands. Use their words, put texts in quotes, or set up a language model, for example with ANTHROPIC_API_KEY.",
    "离线演示模型只运行文档中的命令。请使用其中的词语，把文本放进引号，或者配置语言模型，例如设置 ANTHROPIC_API_KEY。",
  );
}

function listed(request: string, english: string, chinese: string, values: readonly string[] = []) {
  const list = [...new Set(values)].join(", ");
  return list === "" ? [] : [say(request, `${english}: ${list}`, `${chinese}：${list}`)];
}

function say(request: string, english: string, chinese: string): string {
  return isHan(request) ? chinese : english;
}
