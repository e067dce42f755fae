import { plural, visibleLine } from "@skillwright/core/internal";
import { RunChanges } from "@skillwright/runtime/internal";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { table } from "../../terminal/table.ts";
import {
  callsDirectory,
  openPlace,
  type SessionPlace,
  openRunStore,
  listRuns,
  summaryOf,
} from "@skillwright/app/internal";

/** The runs of this project, the newest first; child runs stand with their parents. */
export async function listRunsCommand(console: Console): Promise<ExitCode> {
  const place = await openPlace(console);
  const store = openRunStore(place, console);
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
    console.note("No runs in this project yet. Start one with: skillwright run <request>");
    await noteCalls(place, console);
    return EXIT.done;
  }
  const rows = runs.map(({ runId, status, skills, request }) =>
    [runId, status, skills.join(", "), request].map(visibleLine),
  );
  const { width, colors } = console;
  console.print(table(["RUN", "STATUS", "SKILLS", "REQUEST"], rows, { width, header: colors.dim }));
  await noteCalls(place, console);
  return EXIT.done;
}

/** Calls of tools by hand and of `mcp` are no runs, but what their scripts changed may wait as well. */
async function noteCalls({ project, stateDirectory }: SessionPlace, console: Console) {
  const calls = callsDirectory(stateDirectory);
  if (!existsSync(calls)) return;
  for (const id of readdirSync(calls).toSorted().reverse()) {
    const folder = join(calls, id);
    if (RunChanges.pendingIn(folder) === 0) continue;
    const held = await RunChanges.inFolder(folder);
    const root = realpathSync(project);
    if (held === undefined || (held.root !== root && !held.root.startsWith(`${root}/`))) continue;
    const waiting = plural(held.waiting(), "change waits", "changes wait");
    console.note(visibleLine(`Of a call, ${waiting}: skillwright runs changes ${id}`));
  }
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
