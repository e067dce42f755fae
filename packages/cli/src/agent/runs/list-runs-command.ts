import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { table } from "../../terminal/table.ts";
import { listRuns, openRuns, summaryOf } from "./find-run.ts";

/** The runs of this project, the newest first; child runs stand with their parents. */
export async function listRunsCommand(console: Console): Promise<ExitCode> {
  const store = await openRuns(console);
  const runs: RunRow[] = [];
  for (const runId of await listRuns(store)) {
    const summary = await summaryOf(store, runId);
    if (summary?.parent === undefined) runs.push(rowOf(runId, summary));
  }
  if (console.json) {
    console.printJson({ runs });
    return EXIT.done;
  }
  if (runs.length === 0) {
    console.note("There is no run in this project. skillwright run <request> makes one.");
    return EXIT.done;
  }
  const rows = runs.map(({ runId, status, skills, request }) =>
    [runId, status, skills.join(", "), request].map(visibleLine),
  );
  const { width, colors } = console;
  console.print(table(["RUN", "STATUS", "SKILLS", "REQUEST"], rows, { width, header: colors.dim }));
  return EXIT.done;
}

interface RunRow {
  readonly runId: string;
  readonly status: string;
  readonly startedAt: string;
  readonly request: string;
  readonly model: string;
  readonly skills: readonly string[];
  readonly approval?: string;
}

const MAX_REQUEST = 200;

function rowOf(runId: string, summary: Awaited<ReturnType<typeof summaryOf>>): RunRow {
  if (summary === undefined) {
    return { runId, status: "damaged", startedAt: "", request: "", model: "", skills: [] };
  }
  const { status, startedAt, request, model, skills, approval } = summary;
  return {
    runId,
    status,
    startedAt,
    request: request.slice(0, MAX_REQUEST),
    model,
    skills: [...new Set(skills.map(({ name }) => name))],
    ...(approval !== undefined && { approval }),
  };
}
