import type { AgentEvent } from "@skillwright/agent";
import type { RunStart } from "@skillwright/agent/internal";
import type { Skills } from "@skillwright/core";
import { quoteLine, truncateWidth, visibleLine } from "@skillwright/core/internal";
import type { AuditRecord } from "@skillwright/runtime";
import type { Colors } from "../../../terminal/colors.ts";
import { type UsedSkill, usedSkills } from "./used-skills.ts";

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
