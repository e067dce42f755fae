import {
  type Candidate,
  type ChangeReport,
  detectedAgents,
  fetchPack,
  installSkills,
  type PackFailure,
  type PackSession,
  resolveScope,
  restoreSkills,
} from "@skillwright/packs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseSkill } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type AcceptanceOptions, openPackSettings } from "@skillwright/app/internal";
import { printReport } from "./print-report.ts";
import { type ScopeOptions, usageFailure, withPacks } from "./with-packs.ts";

export interface InstallCommandOptions extends ScopeOptions, AcceptanceOptions {
  readonly skill?: readonly string[];
  readonly all?: boolean;
  readonly list?: boolean;
  readonly force?: boolean;
  readonly link?: boolean;
  readonly frozen?: boolean;
}

/** Once for each agent that is named; agents that share a folder count once. */
export async function installCommand(
  source: string | undefined,
  { agent: words, ...options }: InstallCommandOptions,
  console: Console,
): Promise<ExitCode> {
  if (source !== undefined && options.list === true) return listCommand(source, options, console);
  if (words === undefined) return reported(await installOnce(source, options, console));
  const { cwd, env } = console;
  const home = env["HOME"] ?? homedir();
  const named = words.split(",").map((word) => word.trim());
  const agents = named.includes("all") ? detectedAgents(cwd, home, env) : named;
  if (agents.length === 0) {
    throw usageFailure("no agent was found here", "name one: --agent claude-code,cursor,codex");
  }
  const roots = new Map<string, string>();
  for (const agent of agents) {
    const user = options.source === "user";
    const scope = resolveScope({ cwd, home, env, agent, ...(user && { source: "user" }) });
    const key = scope.ok ? scope.root : agent;
    if (!roots.has(key)) roots.set(key, agent);
  }
  const reports: ChangeReport[] = [];
  for (const agent of roots.values()) {
    const own = { ...options, agent };
    const report = await installOnce(source, own, console);
    if (console.json) reports.push(report);
    else printReport(report, own, console);
  }
  if (console.json) printReport(merged(reports), options, console);
  return EXIT.done;

  function reported(report: ChangeReport): ExitCode {
    printReport(report, options, console);
    if (source !== undefined) hintReview(report, options, console);
    return EXIT.done;
  }
}

/** One document for all agents. */
function merged(reports: readonly ChangeReport[]): ChangeReport {
  return {
    ok: true,
    changed: reports.some(({ changed }) => changed),
    dryRun: reports.some(({ dryRun }) => dryRun),
    skills: reports.flatMap(({ skills }) => skills),
    problems: reports.flatMap(({ problems }) => problems),
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
  };
}

async function installOnce(
  source: string | undefined,
  options: InstallCommandOptions,
  console: Console,
): Promise<ChangeReport> {
  if (source === undefined) return restoreCommand(options, console);
  const { limits, acceptance } = await openPackSettings(options, console);
  return withPacks(options, console, (session) =>
    installSkills(source, {
      ...session,
      ...acceptance,
      limits,
      ...(options.skill !== undefined && { skills: options.skill }),
      ...(options.all === true && { all: true }),
      ...(options.force === true && { force: true }),
      ...(options.link === true && { link: true }),
      ...(options.frozen === true && { frozen: true }),
      ...(console.canAsk && { choose: (candidates) => chooseSkills(candidates, console) }),
    }),
  );
}

async function restoreCommand(
  options: InstallCommandOptions,
  console: Console,
): Promise<ChangeReport> {
  const meant = [options.skill, options.all, options.list, options.link].some(
    (one) => one !== undefined,
  );
  if (meant) {
    const hint = "name a source: skillwright install <source> --skill <name>";
    throw usageFailure("without a source all skills of the lock are restored", hint);
  }
  const { limits, acceptance } = await openPackSettings(options, console);
  return withPacks(options, console, (session) =>
    restoreSkills({
      ...session,
      ...acceptance,
      limits,
      ...(options.frozen === true && { frozen: true }),
      ...(options.force === true && { force: true }),
    }),
  );
}

/** What a source holds. Nothing is installed. */
async function listCommand(
  source: string,
  options: InstallCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { limits } = await openPackSettings(options, console);
  const found = await withPacks(options, console, (session) =>
    lookInto(source, { ...session, limits }),
  );
  const { skills, notes } = found;
  if (console.json) {
    console.printJson({ skills: skills, notes });
    return EXIT.done;
  }
  for (const note of notes) console.note(visibleLine(`note: ${note}`));
  for (const { name, path, description } of skills) {
    console.print(`  ${visibleLine(name)} ${console.colors.dim(visibleLine(path || "."))}`);
    if (description !== "") console.print(`      ${visibleLine(description)}`);
  }
  return EXIT.done;
}

async function lookInto(source: string, session: PackSession) {
  const { cwd, env, limits, signal, onProgress } = session;
  const quarantine = await mkdtemp(join(tmpdir(), "skillwright-look-"));
  try {
    const more = { ...(env && { env }), ...(limits && { limits }), ...(signal && { signal }) };
    const fetched = await fetchPack(source, {
      quarantine,
      cwd,
      ...more,
      ...(onProgress && { onProgress }),
    });
    return fetched.ok
      ? {
          ok: true as const,
          skills: await Promise.all(fetched.skills.map(described)),
          notes: fetched.notes,
        }
      : (fetched satisfies PackFailure);
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
}

async function described({ name, path, directory }: Candidate) {
  const text = await readFile(join(directory, "SKILL.md"), "utf8").catch(() => "");
  const { skill } = parseSkill(text);
  return { name, path, description: skill?.description ?? "" };
}

async function chooseSkills(
  candidates: readonly Candidate[],
  console: Console,
): Promise<readonly Candidate[] | undefined> {
  const chosen = await console.chooseMany({
    message: `Which of the ${candidates.length} skills?`,
    choices: candidates.map(({ name, path }, index) => ({
      value: String(index),
      label: visibleLine(name),
      hint: visibleLine(path),
    })),
  });
  return chosen?.map((index) => candidates[Number(index)]).filter((one) => one !== undefined);
}

function hintReview(
  { changed, dryRun, skills }: ChangeReport,
  { target, root }: InstallCommandOptions,
  console: Console,
): void {
  const [first] = skills;
  if (!changed || dryRun || console.json || console.quiet || first === undefined) return;
  // Elsewhere it would not be found by its name.
  if (target !== undefined || root !== undefined) return;
  const name = visibleLine(first.name);
  console.note(console.noteColors.dim(`look before you use it: skillwright inspect ${name}`));
}
