import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export { readRunIndex } from "./run-index.ts";
export { skillStats } from "./stats.ts";

export interface GeneratedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface GeneratedRun {
  readonly runId: string;
  readonly time: number;
  readonly events: readonly GeneratedEvent[];
  /** Half a line at the end, as a crash leaves it. */
  readonly torn: boolean;
}

const FIRST = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const REQUESTS = [
  "fill this pdf form",
  "make a chart of sales",
  "translate the letter",
  "say hello",
];

/** Runs as the agent records them: with child runs, conversations, resumed and crashed ones. */
export function* generateRuns(count: number, skills: readonly string[]): Generator<GeneratedRun> {
  const random = randomFrom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (part: number) => random() < part;
  for (let made = 0; made < count;) {
    const time = FIRST + made * MINUTE;
    const runId = `${new Date(time).toISOString().replaceAll(/[-:.]/g, "")}-${String(made).padStart(8, "0")}`;
    const child = made + 1 < count && chance(0.15) ? `${runId}.1` : undefined;
    const request = pick(REQUESTS);
    yield { runId, time, ...oneRun({ runId, request, child }) };
    made++;
    if (child === undefined) continue;
    yield { runId: child, time: time + 1000, ...oneRun({ runId: child, request, parent: runId }) };
    made++;
  }

  function oneRun(given: {
    runId: string;
    request: string;
    child?: string | undefined;
    parent?: string;
  }) {
    const { runId, request, child, parent } = given;
    const listed = skills.slice(0, 2 + Math.floor(random() * (skills.length - 1)));
    const events: GeneratedEvent[] = [];
    const add = (event: string, data: Record<string, unknown>) => events.push({ event, data });
    add("run-start", {
      schemaVersion: 2,
      runId,
      ...(parent !== undefined && { parent, skill: "pdf@project" }),
      request,
      catalog: {
        digest: `sha256:${listed.length}`,
        tokens: 30 * listed.length,
        skills: listed.map((name) => ({ name, description: `about ${name}`, source: "project" })),
        omitted: 0,
      },
      system: "You use skills.\n".repeat(40),
    });
    if (chance(0.2)) activate(pick(listed), { carried: true });
    if (chance(0.3)) {
      const decision = pick(["none", "hint", "activate"]);
      const candidates = [pick(listed), pick(listed)].map((name) => ({ name, source: "project" }));
      add("skill-route", { decision, candidates });
    }
    const turns = 1 + Math.floor(random() * 4);
    for (let turn = 1; turn <= turns; turn++) {
      add("model-request", {
        turn,
        tokens: 900,
        ...(chance(0.1) && { droppedSkills: [idOf(pick(listed))] }),
      });
      if (chance(0.05)) {
        // Killed while the model was asked, then resumed: the turn is asked again.
        add("run-resume", { reason: "crash" });
        add("model-request", { turn, tokens: 900 });
      }
      const calls = chance(0.05) ? 0 : 1;
      const usage = {
        inputTokens: 900 * calls,
        outputTokens: 50 * calls,
        calls,
        cost: 0.01 * calls,
      };
      add("model-response", { turn, text: "{}", calls: [], usage });
      if (chance(0.5)) activate(pick(listed), {});
      if (chance(0.3))
        add("file-read", { turn, skill: pick(listed), path: "a.md", ok: chance(0.8), tokens: 200 });
      if (chance(0.1)) add("context-trim", { before: 2 });
      if (chance(0.1)) add("skill-drop", { id: idOf(pick(listed)), name: "", reason: "unloaded" });
      if (chance(0.1))
        add("gate-refuse", { skill: pick(listed), gate: "final_answer needs run a.py" });
      if (chance(0.3)) script(pick(listed), `${runId}-${turn}`);
      if (turn === 1 && child !== undefined) {
        add("child-start", { turn, runId: child, skill: "pdf@project" });
        add("child-end", {
          turn,
          runId: child,
          skill: "pdf@project",
          usage: { inputTokens: 9999, cost: 9 },
        });
      }
    }
    const torn = chance(0.1);
    if (!torn)
      add("run-end", { status: "answered", answer: "done", usage: { inputTokens: 9999, cost: 9 } });
    return { events, torn };

    function activate(name: string, more: object) {
      const text = `# ${name}\n`.repeat(20);
      add("skill-activate", {
        id: idOf(name),
        name,
        source: "project",
        tokens: 400,
        text,
        ...more,
      });
    }
    function script(skill: string, id: string) {
      add("script-start", { id, skill, script: "scripts/a.py", args: [] });
      // Cut off, and the run was resumed.
      if (chance(0.2)) add("run-resume", { reason: "crash" });
      else
        add("script-end", {
          id,
          skill,
          script: "scripts/a.py",
          ok: chance(0.7),
          durationMs: 100 + 1000 * random(),
        });
    }
  }
}

function idOf(name: string): string {
  return `project:${name}`;
}

/** Writes a run below a project as the store does, except that nothing is signed. */
export function writeRun(project: string, { runId, time, events, torn }: GeneratedRun): void {
  const folder = join(project, ".agent/runs", runId);
  mkdirSync(folder, { recursive: true });
  const at = new Date(time).toISOString();
  const lines = events.map(({ event, data }, i) =>
    JSON.stringify({
      schemaVersion: 1,
      sequence: i + 1,
      time: at,
      event,
      data,
      previous: "0",
      hash: "0",
    }),
  );
  const rest = torn ? '{"schemaVersion":1,"sequence":99,"time":"2026' : "";
  writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n${rest}`);
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
