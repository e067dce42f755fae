import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type RunSummary, summarizeRun } from "@skillwright/agent";
import type { FileStore } from "@skillwright/agent/internal";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { AuditList } from "@skillwright/runtime/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { asAppFailure, findRun, listRuns, openRuns, readRun } from "@skillwright/app/internal";

export interface VerifyRunsOptions extends GlobalOptions {
  /** Makes `run.json` anew from the record. */
  readonly remake?: boolean;
  /** Does not report again what is missing now. */
  readonly accept?: boolean;
}

const NO_RECORD = "no record: it was cut off before it began";

interface VerifiedRun {
  readonly runId: string;
  readonly ok: boolean;
  readonly records: number;
  readonly problems: readonly string[];
}

/**
 * Checks that records, their summaries, and the outputs that they name are as they were written, and
 * that no run was deleted.
 */
export async function verifyRunsCommand(
  given: string | undefined,
  { remake = false, accept = false }: VerifyRunsOptions,
  console: Console,
): Promise<ExitCode> {
  const store = await openRuns(console);
  const ids = given === undefined ? await listRuns(store) : [await findRun(store, given)];
  const runs: VerifiedRun[] = [];
  for (const runId of ids) {
    runs.push(await verifyRun(store, runId, remake));
  }
  const list = given === undefined ? await compareRuns(store, accept) : undefined;
  const missing = list?.missing ?? [];
  runs.push(
    ...missing.map(({ file, records }) => {
      const runId = basename(dirname(file));
      return { runId, ok: false, records: 0, problems: [missingProblem(records)] };
    }),
  );
  const { pruned = 0, problems = [] } = list ?? {};
  if (console.json) console.printJson({ runs, pruned, problems });
  else {
    for (const { runId, ok, records, problems } of runs) {
      const found = records === 0 ? NO_RECORD : `${records} records, as written`;
      console.print(visibleLine(`${runId}  ${ok ? found : "not as written"}`));
      for (const problem of problems) console.print(`  ${visibleLine(problem)}`);
    }
    printRegister({ pruned, problems, missing: missing.length, accept }, console);
    if (runs.length === 0) console.note("No runs in this project.");
  }
  return runs.every(({ ok }) => ok) && problems.length === 0 ? EXIT.done : EXIT.no;
}

async function compareRuns(store: FileStore, accept: boolean): Promise<AuditList> {
  try {
    return await (accept ? store.accept() : store.compare());
  } catch (error) {
    throw asAppFailure(error);
  }
}

export function missingProblem(records: number | undefined): string {
  const held = records === undefined ? "" : `; it had ${plural(records, "record")}`;
  return `it was deleted, not pruned${held}`;
}

interface RegisterView {
  readonly pruned: number;
  readonly problems: readonly string[];
  readonly missing: number;
  readonly accept: boolean;
}

/** What the register of records says, for people. */
export function printRegister(
  { pruned, problems, missing, accept }: RegisterView,
  console: Console,
): void {
  for (const problem of problems)
    console.print(visibleLine(`${problem}; other records may be gone`));
  if (pruned > 0) console.note(`${pruned} pruned before.`);
  if (problems.length + missing === 0) return;
  console.note(
    accept ? "Accepted: not reported again." : "Run this with --accept to not report it again.",
  );
}

async function verifyRun(store: FileStore, runId: string, remake: boolean): Promise<VerifiedRun> {
  try {
    const verification = await store.verify(runId);
    if (verification === undefined)
      return { runId, ok: false, records: 0, problems: ["it is gone"] };
    if (!verification.ok) {
      const problems = verification.problems.map(({ line, message }) => `line ${line}: ${message}`);
      return { runId, ok: false, records: 0, problems };
    }
    if (verification.records === 0) return { runId, ok: true, records: 0, problems: [] };
    const folder = store.folderOf(runId) ?? "";
    const summary = summarizeRun(await readRun(store, runId));
    const problems = outputProblems(folder, summary);
    if (remake && problems.length === 0) await store.summarize(runId);
    const isCutOff = summary.status === "unfinished" && !existsSync(join(folder, "run.json"));
    if (!isCutOff && !(await store.isSummarized(runId))) problems.push(summaryProblem(runId));
    return { runId, ok: problems.length === 0, records: verification.records, problems };
  } catch (error) {
    return { runId, ok: false, records: 0, problems: [asAppFailure(error).message] };
  }
}

function summaryProblem(runId: string): string {
  return `run.json is not what the record gives; make it anew: skillwright runs verify ${runId} --remake`;
}

/** What is kept beside the record has its digest in it. */
function outputProblems(folder: string, { decisions }: RunSummary): string[] {
  return decisions.flatMap(({ output, digest }) => {
    if (output === undefined) return [];
    return digestOfFile(join(folder, output)) === digest
      ? []
      : [`${output} is not as it was written`];
  });
}

function digestOfFile(path: string): string | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined;
    return `sha256:${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  } catch {
    return undefined;
  }
}
