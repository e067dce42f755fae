import {
  type Candidate,
  type ChangeReport,
  fetchPack,
  installSkills,
  type PackFailure,
  type PackSession,
  restoreSkills,
} from "@skillwright/packs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

export async function installCommand(
  source: string | undefined,
  options: InstallCommandOptions,
  console: Console,
): Promise<ExitCode> {
  if (source === undefined) return restoreCommand(options, console);
  if (options.list === true) return listCommand(source, options, console);
  const { limits, acceptance } = await openPackSettings(options, console);
  const report = await withPacks(options, console, (session) =>
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
  printReport(report, options, console);
  hintReview(report, options, console);
  return EXIT.done;
}

async function restoreCommand(options: InstallCommandOptions, console: Console): Promise<ExitCode> {
  const meant = [options.skill, options.all, options.list, options.link].some(
    (one) => one !== undefined,
  );
  if (meant) {
    const hint = "name a source: skillwright install <source> --skill <name>";
    throw usageFailure("without a source all skills of the lock are restored", hint);
  }
  const { limits, acceptance } = await openPackSettings(options, console);
  const report = await withPacks(options, console, (session) =>
    restoreSkills({
      ...session,
      ...acceptance,
      limits,
      ...(options.frozen === true && { frozen: true }),
      ...(options.force === true && { force: true }),
    }),
  );
  printReport(report, options, console);
  return EXIT.done;
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
    console.printJson({ skills: skills.map(({ name, path }) => ({ name, path })), notes });
    return EXIT.done;
  }
  for (const note of notes) console.note(visibleLine(`note: ${note}`));
  for (const { name, path } of skills) {
    console.print(`  ${visibleLine(name)} ${console.colors.dim(visibleLine(path || "."))}`);
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
      ? { ok: true as const, skills: fetched.skills, notes: fetched.notes }
      : (fetched satisfies PackFailure);
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
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
