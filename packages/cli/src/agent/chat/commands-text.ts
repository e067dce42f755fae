import type { AgentEvent, RunSummary } from "@skillwright/agent";
import type { RunStart, RunUsage, SkillActivated } from "@skillwright/agent/internal";
import { type ConversationEntry, NO_USAGE } from "@skillwright/app/internal";
import type { SkillRecord, Skills } from "@skillwright/core";
import {
  isVisibleToModel,
  plural,
  quoteLine,
  truncateWidth,
  visibleLine,
} from "@skillwright/core/internal";
import type { AuditRecord } from "@skillwright/runtime";
import type { Console } from "../../console.ts";
import type { Colors } from "../../terminal/colors.ts";
import { table } from "../../terminal/table.ts";
import { CHAT_COMMANDS } from "./chat-commands.ts";
import { type ChatState, exchangeCount } from "./chat.ts";

const COLUMN = 13;

/** `/cost`: what the last turn and the whole conversation have used up. */
export function costText(state: ChatState, dim: (text: string) => string): string {
  const { last, usage, uncounted } = state;
  const count = exchangeCount(state);
  const turn = rowsOf(last?.usage ?? NO_USAGE);
  const all = rowsOf(usage);
  const lines = turn.map(([name, amount], i) => line(name, amount, all[i]?.[1] ?? ""));
  const notes = [
    ...(usage.cost === 0 ? ["No price is known for this model, or it costs nothing."] : []),
    ...(uncounted > 0
      ? [`${plural(uncounted, "older run is", "older runs are")} gone and not counted.`]
      : []),
  ];
  const header = line("", "LAST TURN", plural(count, "TURN", "TURNS"));
  return [dim(header), ...lines, ...notes.map(dim)].join("\n");
}

function rowsOf(usage: RunUsage): [string, string][] {
  const { inputTokens, outputTokens, modelCalls, toolCalls, scripts, timeMs, cost } = usage;
  return [
    ["tokens in", String(inputTokens)],
    ["tokens out", String(outputTokens)],
    ["model calls", String(modelCalls)],
    ["tool calls", String(toolCalls)],
    ["scripts", String(scripts)],
    ["time", `${(timeMs / 1000).toFixed(1)} s`],
    ["money", cost > 0 ? `$${cost.toFixed(4)}` : "–"],
  ];
}

function line(...cells: readonly [string, string, string]): string {
  const [name, ...amounts] = cells;
  return name.padEnd(COLUMN) + amounts.map((amount) => amount.padStart(COLUMN)).join("");
}

const KEYS = [
  ["Return", "send"],
  ["\\ Return", "new line (also Ctrl+J, Alt+Return); pasted lines stay together"],
  ["Tab", "complete commands, skills, and paths after @ or /file"],
  ["Up, Down", "history of this project; with text typed, entries that begin with it"],
  [
    "Ctrl-C",
    "during a turn: finish the step and stop, twice: stop now; at the prompt: clear, twice: leave",
  ],
  ["Ctrl-D", "leave"],
] as const;

const COUNTS = [
  "Each message is recorded as a separate run in .agent/runs.",
  'An approval "for the rest of this run" counts until the message is answered, one for a skill until the skill changes.',
  "Active skills stay active in the conversation. A budget is for each message.",
] as const;

const NAME_WIDTH = 14;

/** `/help` */
export function helpText({ bold }: Colors): string {
  const line = (name: string, text: string) => `  ${name.padEnd(NAME_WIDTH)}  ${text}`;
  return [
    bold("Commands"),
    ...CHAT_COMMANDS.map(({ usage, description }) => line(usage, description)),
    line("/name …", "call the skill of that name; /name@source picks one"),
    bold("Keys"),
    ...KEYS.map(([key, text]) => line(key, text)),
    bold("What counts how long"),
    ...COUNTS.map((text) => `  ${text}`),
  ].join("\n");
}

const MARKS = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

/** `/plan`: the last plan, with what is done. */
export function planText(last: RunSummary | undefined, { bold, dim, green }: Colors): string {
  const plan = last?.plan;
  if (plan === undefined) return "No plan yet. The first message makes one.";
  const steps = plan.steps.map(({ title, status }) => {
    const mark = status === "completed" ? green(MARKS[status]) : MARKS[status];
    return `  ${mark} ${visibleLine(title)}`;
  });
  const assumed = plan.assumptions.map((text) => dim(`  assumes: ${visibleLine(text)}`));
  const nothing = steps.length === 0 ? [dim("  no steps")] : [];
  return [bold(visibleLine(plan.goal)), ...steps, ...nothing, ...assumed].join("\n");
}

interface SkillsTextOptions {
  readonly width: number;
  readonly dim: (text: string) => string;
}

const MAX_ROWS = 100;

/** `/skills`: what there is, the active ones first. */
export function skillsText(
  skills: readonly SkillRecord[],
  /** As `name@source`. */
  active: readonly string[],
  { width, dim }: SkillsTextOptions,
): string {
  if (skills.length === 0) return "There are no skills. skillwright doctor says where they may be.";
  const wanted = new Set(active.map((name) => name.toLowerCase()));
  const isActive = ({ name, source }: SkillRecord) => wanted.has(`${name}@${source}`.toLowerCase());
  const sorted = [...skills.filter(isActive), ...skills.filter((skill) => !isActive(skill))];
  const rows = sorted
    .slice(0, MAX_ROWS)
    .map((skill) => [
      visibleLine(skill.name),
      isActive(skill) ? "active" : offeredTo(skill),
      visibleLine(skill.source),
      visibleLine(skill.description),
    ]);
  const shown = table(["SKILL", "STATE", "SOURCE", "DESCRIPTION"], rows, { width, header: dim });
  const more = sorted.length - rows.length;
  const rest = more > 0 ? `\n${dim(`… ${more} more; skillwright list shows all`)}` : "";
  return `${shown}${rest}\n${dim("Active ones stay so in this conversation. /name calls one, /why name explains.")}`;
}

function offeredTo(skill: SkillRecord): string {
  if (!skill.enabled) return "disabled";
  if (!skill.trusted) return "untrusted";
  if (!isVisibleToModel(skill)) return "by name";
  return skill.userInvocable ? "" : "by model";
}

/** A skill that was active in a run, and who wanted it. */
interface UsedSkill {
  readonly name: string;
  readonly source: string;
  readonly how: string;
  readonly reason?: string;
}

/** Those that were active, each once, with who wanted them and why. */
function usedSkills(records: readonly AuditRecord[]): UsedSkill[] {
  const used = new Map<string, UsedSkill>();
  let reason: string | undefined;
  for (const record of records) {
    const event = record as unknown as AgentEvent;
    if (event.event === "action-decide") {
      const { action } = event.data;
      reason = action.action === "select_skills" ? action.reason : undefined;
    } else if (event.event === "skill-activate") {
      const { name, source } = event.data;
      const given = event.data.by === "model" && event.data.turn > 0 ? reason : undefined;
      used.set(`${name}@${source}`, {
        name,
        source,
        how: howOf(event.data),
        ...(given !== undefined && { reason: given }),
      });
    } else if (event.event === "child-start") {
      const { skill } = event.data;
      const [name = skill, source = ""] = skill.split(/@(?=[^@]*$)/);
      used.set(skill, { name, source, how: "worked through in a separate run" });
    }
  }
  return [...used.values()];
}

function howOf(skill: SkillActivated): string {
  if (skill.carried === true) return "active since an earlier message";
  return skill.by === "person" ? "you called it" : `the model chose it in turn ${skill.turn}`;
}

interface WhyPlace {
  readonly skills: Skills;
  /** Of the last run; empty before the first one. */
  readonly records: readonly AuditRecord[];
  readonly colors: Colors;
  readonly width: number;
}

const MAX_SHOWN = 5;
const MAX_RANKED = 50;
const MAX_REASON = 300;

const IN_CATALOG = {
  full: "The model saw its whole description.",
  short: "The model saw the start of its description.",
  name: "The model saw only its name.",
  omitted: "It was not in the catalog for want of room, only to be found by search.",
} as const;

/** `/why [skill]`: from the record what was chosen and for which reason, else what speaks for or against it. */
export async function whyText(name: string, place: WhyPlace): Promise<string> {
  if (name !== "") return whyOne(name, place);
  const { records, colors, skills, width } = place;
  const start = startOf(records);
  if (start === undefined) return NOTHING_YET;
  const used = usedSkills(records);
  const shown = start.catalog.skills.length;
  const hits = await skills.conversation().search(subjectOf(start), { limit: MAX_SHOWN });
  return [
    colors.bold(quoteLine(start.request, MAX_REASON)),
    `The model saw ${shown} of ${shown + start.catalog.omitted} skills.`,
    ...(used.length === 0 ? ["It used none of them."] : used.map((one) => usedLine(one, colors))),
    ...rejectedLines(records),
    ...(hits.length === 0
      ? ["No skill shares a word with the request."]
      : [colors.dim("Nearest to the request by their words (score of the search):")]),
    ...hits.map(({ name: hit, source, score, description }) => {
      const mark = used.some((one) => one.name === hit && one.source === source) ? "●" : "○";
      const line = `  ${mark} ${score.toFixed(2)}  ${visibleLine(hit)}  ${visibleLine(description)}`;
      return truncateWidth(line, width - 1);
    }),
  ].join("\n");
}

const NOTHING_YET = "Nothing was asked yet in this conversation.";

async function whyOne(name: string, { skills, records, colors }: WhyPlace): Promise<string> {
  const { bold, green, yellow } = colors;
  const explanation = skills.explain(name);
  const start = startOf(records);
  const lines = [bold(visibleLine(explanation.name))];
  const known = skills.get(name);
  const used = usedSkills(records).find(
    (one) => known !== undefined && one.name === known.name && one.source === known.source,
  );
  if (used !== undefined) return [...lines, usedLine(used, colors)].join("\n");
  const tried = rejectedLines(records, explanation.name);
  if (start !== undefined) lines.push(yellow("Not used in the last turn."), ...tried);
  const paint = explanation.visibleToModel ? green : yellow;
  lines.push(...explanation.reasons.map((reason) => paint(visibleLine(reason))));
  if (explanation.candidates.length > 0) {
    lines.push(`did you mean ${explanation.candidates.map(visibleLine).join(", ")}?`);
  }
  if (start === undefined || known === undefined) return lines.join("\n");
  const wasShown = start.catalog.skills.some((one) => one.name === known.name);
  if (!explanation.visibleToModel) lines.push("The model did not see it.");
  else if (!wasShown) lines.push("It was not in the catalog of that run.");
  else if (explanation.catalog !== undefined) lines.push(IN_CATALOG[explanation.catalog]);
  if (explanation.visibleToModel) lines.push(await rankLine(known.name, start, skills));
  return lines.join("\n");
}

async function rankLine(name: string, start: RunStart, skills: Skills): Promise<string> {
  const hits = await skills.conversation().search(subjectOf(start), { limit: MAX_RANKED });
  const place = hits.findIndex((hit) => hit.name === name);
  const hit = hits[place];
  const [best] = hits;
  if (hit === undefined) return "Its description shares no word with the request.";
  const ahead =
    best === undefined || place === 0
      ? ""
      : `; ${visibleLine(best.name)} comes first with ${best.score.toFixed(2)}`;
  return `By its words it is number ${place + 1} for the request, score ${hit.score.toFixed(2)}${ahead}.`;
}

function startOf(records: readonly AuditRecord[]): RunStart | undefined {
  const first = records.find(({ event }) => event === "run-start");
  return first?.data as RunStart | undefined;
}

/** What a skill was searched for. */
function subjectOf({ normalizedRequest, request }: RunStart): string {
  return normalizedRequest === "" ? request : normalizedRequest;
}

function usedLine({ name, source, how, reason }: UsedSkill, { green }: Colors): string {
  const why = reason === undefined ? "" : `: ${quoteLine(reason, MAX_REASON)}`;
  return `${green("●")} ${visibleLine(name)} (${visibleLine(source)}), ${how}${why}`;
}

/** Skills that were wanted and could not be had. */
function rejectedLines(records: readonly AuditRecord[], name?: string): string[] {
  let wanted: string | undefined;
  return records.flatMap((record) => {
    const event = record as unknown as AgentEvent;
    if (event.event === "action-decide") {
      const { action } = event.data;
      wanted =
        action.action === "select_skills"
          ? action.skills.map((skill) => skill.name).join(", ")
          : undefined;
      return [];
    }
    if (event.event !== "action-end" || event.data.ok || wanted === undefined) return [];
    if (name !== undefined && !wanted.split(", ").includes(name)) return [];
    return [
      `The model wanted ${visibleLine(wanted)}, but: ${quoteLine(event.data.observation, MAX_REASON)}`,
    ];
  });
}

const SHOWN_EXCHANGES = 2;
const SHOWN_LINES = 4;

/** The conversations of a project, in a table. */
export function conversationsTable(
  entries: readonly ConversationEntry[],
  { width, colors }: Pick<Console, "width" | "colors">,
): string {
  if (entries.length === 0) return "No conversations in this project yet.";
  const rows = entries.map(({ id, exchanges, updatedAt, request }) =>
    [id, String(exchanges), updatedAt.slice(0, 16).replace("T", " "), request].map(visibleLine),
  );
  const header = ["CONVERSATION", "EXCHANGES", "LAST (UTC)", "BEGAN WITH"];
  return table(header, rows, { width, header: colors.dim });
}

/** What a person has to see before they go on with a conversation. */
export function resumedText(
  state: ChatState,
  { noteColors, screenSize }: Pick<Console, "noteColors" | "screenSize">,
): string {
  const { bold, dim } = noteColors;
  const { conversation } = state;
  const count = exchangeCount(state);
  const width = screenSize.columns - 3;
  const shown = conversation.exchanges
    .slice(-SHOWN_EXCHANGES)
    .flatMap(({ request, answer }) => [
      `${dim(">")} ${firstLines(request, width, 2).join("\n  ")}`,
      ...firstLines(answer, width, SHOWN_LINES).map((line) => `  ${dim(line)}`),
    ]);
  const title = `Conversation ${conversation.id}, ${plural(count, "exchange")}`;
  return [bold(visibleLine(title)), ...shown].join("\n");
}

function firstLines(text: string, width: number, most: number): string[] {
  const lines = text.trim().split("\n");
  const shown = lines.slice(0, most).map((line) => truncateWidth(visibleLine(line), width));
  const { length } = lines.slice(most);
  return length === 0 ? shown : [...shown, `… ${plural(length, "more line")}`];
}
