import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileStore } from "@skillwright/agent";
import { summarizeRun } from "@skillwright/agent";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { asCommandFailure } from "../../runtime/as-command-failure.ts";
import { visibleText } from "../../terminal/visible-text.ts";
import { findRun, listRuns, openRuns, readRun } from "./find-run.ts";

export interface VerifyRunsOptions extends GlobalOptions {
  /** Makes `run.json` anew from the record. */
  readonly remake?: boolean;
}

interface VerifiedRun {
  readonly runId: string;
  readonly ok: boolean;
  readonly records: number;
  readonly problems: readonly string[];
}

/** Checks that records, and the outputs that they name, are as they were written. */
export async function verifyRunsCommand(
  given: string | undefined,
  { remake = false }: VerifyRunsOptions,
  console: Console,
): Promise<ExitCode> {
  const store = await openRuns(console);
  const ids = given === undefined ? await listRuns(store) : [await findRun(store, given)];
  const runs: VerifiedRun[] = [];
  for (const runId of ids) {
    const verified = await verifyRun(store, runId);
    if (verified.ok && remake) await store.summarize(runId);
    runs.push(verified);
  }
  if (console.json) console.printJson({ runs });
  else {
    for (const { runId, ok, records, problems } of runs) {
      console.print(
        visibleText(`${runId}  ${ok ? `${records} records, as written` : "not as written"}`),
      );
      for (const problem of problems) console.print(`  ${visibleText(problem)}`);
    }
    if (runs.length === 0) console.note("There is no run in this project.");
  }
  return runs.every(({ ok }) => ok) ? EXIT.done : EXIT.no;
}

async function verifyRun(store: FileStore, runId: string): Promise<VerifiedRun> {
  try {
    const verification = await store.verify(runId);
    if (verification === undefined)
      return { runId, ok: false, records: 0, problems: ["it is gone"] };
    if (!verification.ok) {
      const problems = verification.problems.map(({ line, message }) => `line ${line}: ${message}`);
      return { runId, ok: false, records: 0, problems };
    }
    const problems = outputProblems(store.folderOf(runId) ?? "", await readRun(store, runId));
    return { runId, ok: problems.length === 0, records: verification.records, problems };
  } catch (error) {
    return { runId, ok: false, records: 0, problems: [asCommandFailure(error).message] };
  }
}

/** What is kept beside the record has its digest in it. */
function outputProblems(folder: string, records: Parameters<typeof summarizeRun>[0]): string[] {
  return summarizeRun(records).decisions.flatMap(({ output, digest }) => {
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
