import {
  listChanges,
  type OutdatedSkill,
  outdatedSkills,
  pruneRoot,
  undoLast,
  uninstallSkills,
  updateSkills,
} from "@skillwright/packs";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { table } from "../terminal/table.ts";
import { type AcceptanceOptions, openPackSettings } from "@skillwright/app/internal";
import { printReport } from "./print-report.ts";
import { type ScopeOptions, scopeFlags, withPacks } from "./with-packs.ts";

export interface UpdateCommandOptions extends ScopeOptions, AcceptanceOptions {
  readonly force?: boolean;
}

export async function updateCommand(
  names: readonly string[],
  options: UpdateCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { limits, acceptance } = await openPackSettings(options, console);
  const report = await withPacks(options, console, (session) =>
    updateSkills({
      ...session,
      ...acceptance,
      limits,
      ...(names.length > 0 && { names }),
      ...(options.force === true && { force: true }),
    }),
  );
  printReport(report, options, console);
  return EXIT.done;
}

export async function uninstallCommand(
  names: readonly string[],
  options: ScopeOptions,
  console: Console,
): Promise<ExitCode> {
  const report = await withPacks(options, console, (session) =>
    uninstallSkills({ ...session, names }),
  );
  printReport(report, options, console);
  return EXIT.done;
}

/** Exit 1 when something could be updated, so that CI can ask, and 4 when that cannot be said. */
export async function outdatedCommand(
  names: readonly string[],
  options: ScopeOptions,
  console: Console,
): Promise<ExitCode> {
  const { limits } = await openPackSettings(options, console);
  const { skills, notes } = await withPacks(options, console, (session) =>
    outdatedSkills({ ...session, limits, ...(names.length > 0 && { names }) }),
  );
  const has = (wanted: OutdatedSkill["status"]) => skills.some(({ status }) => status === wanted);
  if (!console.json) for (const note of notes) console.note(visibleLine(`note: ${note}`));
  if (console.json) console.printJson({ skills, notes });
  else if (skills.length === 0) console.print("nothing is installed");
  else {
    const rows = skills.map(({ name, status, current, latest = "", reason = "", source }) =>
      [name, status, short(current), short(latest), reason === "" ? source : reason].map(
        visibleLine,
      ),
    );
    const header = ["NAME", "STATUS", "CURRENT", "LATEST", "SOURCE"];
    console.print(table(header, rows, { width: console.width, header: console.colors.bold }));
  }
  if (has("outdated") && !console.json && !console.quiet) {
    const command = visibleLine(`skillwright update${scopeFlags(options)}`);
    console.note(console.noteColors.dim(`${command} takes what is newer`));
  }
  if (has("outdated")) return EXIT.no;
  return has("unknown") ? EXIT.missing : EXIT.done;
}

function short(version: string): string {
  return version.replace(/^sha256:(.{12}).*$/, "$1").replace(/^([0-9a-f]{12})[0-9a-f]{28,}$/, "$1");
}

export async function undoCommand(
  options: ScopeOptions & {
    readonly force?: boolean;
    readonly redo?: boolean;
    readonly list?: boolean;
  },
  console: Console,
): Promise<ExitCode> {
  if (options.list === true) return listUndo(options, console);
  const undone = await withPacks(options, console, async (session) => {
    const result = await undoLast({
      ...session,
      ...(options.force === true && { force: true }),
      ...(options.redo === true && { redo: true }),
    });
    if (result.ok || result.code !== "local-edits") return result;
    return { ...result, hint: "`skillwright undo --force` goes back; the edits are in its backup" };
  });
  const { undid, title, id, folders, notes } = undone;
  if (console.json) console.printJson({ undid, title, id, folders, notes });
  else {
    for (const note of notes) console.note(visibleLine(`note: ${note}`));
    console.print(visibleLine(`took back: ${undid}`));
    for (const { folder, status } of folders) console.print(visibleLine(`  ${folder} ${status}`));
  }
  return EXIT.done;
}

/** What undo gets to, newest first. */
async function listUndo(options: ScopeOptions, console: Console): Promise<ExitCode> {
  const listed = await withPacks(options, console, ({ scope, stateDirectory }) =>
    Promise.resolve(listChanges(scope, { ...(stateDirectory && { stateDirectory }) })),
  );
  const changes = listed.changes.filter(({ undoes }) => undoes === undefined);
  if (console.json) {
    console.printJson({ changes: listed.changes });
    return EXIT.done;
  }
  if (changes.length === 0) console.print("nothing was changed here yet");
  for (const { title, time, inEffect, id } of changes) {
    const isDone = inEffect || listed.changes.some((one) => one.inEffect && redoes(one, id));
    const date = new Date(time).toISOString().slice(0, 16).replace("T", " ");
    console.print(visibleLine(`${date}  ${(isDone ? "done" : "undone").padEnd(6)}  ${title}`));
  }
  return EXIT.done;

  /** A redo takes back an undo of the change. */
  function redoes({ undoes }: { readonly undoes?: string }, id: string): boolean {
    return listed.changes.some((one) => one.id === undoes && one.undoes === id);
  }
}

export async function pruneCommand(
  options: ScopeOptions & { readonly keep?: number },
  console: Console,
): Promise<ExitCode> {
  const { removed } = await withPacks(options, console, (session) =>
    pruneRoot({ ...session, ...(options.keep !== undefined && { keep: options.keep }) }),
  );
  if (console.json) console.printJson({ removed });
  else if (removed.length === 0) console.print("nothing to remove");
  else for (const path of removed) console.print(visibleLine(`  removed ${path}`));
  return EXIT.done;
}
