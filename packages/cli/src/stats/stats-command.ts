import {
  openRunStore,
  openSession,
  openSessionSkills,
  type SessionOptions,
  type SkillStat,
  skillStats,
  type SkillStats,
} from "@skillwright/app/internal";
import { plural, visibleLine } from "@skillwright/core/internal";
import { duration } from "../agent/run-options.ts";
import { dollars, shortCount, shortTime } from "../agent/view/amounts.ts";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { table } from "../terminal/table.ts";

export interface StatsOptions extends SessionOptions {
  readonly since?: string;
}

const MAX_NAMED = 20;

export async function statsCommand(
  { since, ...options }: StatsOptions,
  console: Console,
): Promise<ExitCode> {
  const age = since === undefined ? undefined : duration(since, "--since");
  const session = await openSession(options, console);
  const skills = await openSessionSkills(session, options, console);
  const stats = await skillStats(
    openRunStore(session, console),
    skills.all,
    session.cacheDirectory,
    age === undefined ? {} : { since: Date.now() - age },
  );
  await skills.close();
  if (console.json) {
    const { ok: _, ...figures } = stats;
    console.printJson({ ...figures });
  } else if (stats.runs === 0) {
    const when = since === undefined ? "" : ` of the last ${since}`;
    console.note(`There is no run${when} in this project. Start one: skillwright run <request>`);
  } else print(stats, console);
  return EXIT.done;
}

function print(stats: SkillStats, console: Console): void {
  const { colors, width } = console;
  const { runs, children, turns, tokens, cost, costWithoutSkill, catalog, damaged } = stats;
  const rows = stats.skills
    .filter(({ offered, activated, scripts }) => offered + activated + scripts.runs > 0)
    .map((skill) => rowOf(skill).map(visibleLine));
  const header = [
    "SKILL",
    "OFFERED",
    "USED",
    "MISSED",
    "SCRIPTS",
    "CATALOG",
    "BODY",
    "FILES",
    "COST",
  ];
  if (rows.length > 0) console.print(`${table(header, rows, { width, header: colors.dim })}\n`);
  const ofChildren = children === 0 ? "" : ` (${plural(children, "child run")})`;
  console.print(
    `${plural(runs, "run")}${ofChildren}, ${plural(turns, "turn")}, ${shortCount(tokens.input)} tokens in, ` +
      `${shortCount(tokens.output)} out, ${dollars(cost)}; ${dollars(costWithoutSkill)} of it without a skill`,
  );
  console.print(`The catalog took ${shortCount(catalog.tokensPerTurn)} tokens per turn.`);
  const { neverUsed, slowestScripts } = stats;
  if (neverUsed.length > 0) {
    const more = neverUsed.length > MAX_NAMED ? ` and ${neverUsed.length - MAX_NAMED} more` : "";
    console.print(visibleLine(`Never used: ${neverUsed.slice(0, MAX_NAMED).join(", ")}${more}`));
  }
  if (slowestScripts.length > 0) {
    const lines = slowestScripts.map(({ skill, script, runs: times, averageMs, maxMs }) =>
      [shortTime(averageMs), shortTime(maxMs), String(times), `${skill} ${script}`].map(
        visibleLine,
      ),
    );
    const titles = ["AVERAGE", "LONGEST", "RUNS", "SCRIPT"];
    console.print(`\n${table(titles, lines, { width, header: colors.dim })}`);
  }
  if (damaged > 0) {
    console.note(
      `${plural(damaged, "record")} could not be read in full. See: skillwright runs verify`,
    );
  }
}

function rowOf({ name, source, scripts, tokens, ...skill }: SkillStat): string[] {
  const failed = scripts.failed + scripts.interrupted;
  return [
    source === "" ? name : `${name}@${source}`,
    String(skill.offered),
    String(skill.activated),
    String(skill.misses),
    failed === 0 ? String(scripts.runs) : `${scripts.runs} (${failed} failed)`,
    shortCount(tokens.catalog),
    shortCount(tokens.body),
    shortCount(tokens.files),
    dollars(skill.cost) +
      (skill.gateViolations > 0 ? `, ${plural(skill.gateViolations, "gate violation")}` : ""),
  ];
}
