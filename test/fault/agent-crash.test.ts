import { join } from "node:path";
import * as fc from "fast-check";
import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import {
  createFileStore,
  createMemoryStore,
  type Model,
  type RunOptions,
  replayRun,
  resumeAgent,
  runAgent,
  type RunStore,
} from "../../packages/agent/src/index.ts";
import { MAX_TEXT } from "../../packages/agent/src/internal/index.ts";
import { foldRecords } from "../../packages/agent/src/runs/index.ts";
import { modelOf } from "../support/agent-world.ts";
import { isSystem } from "../support/suite.ts";
import { agentWorld, Crash, crashingStore } from "./agent-world.ts";

type World = Awaited<ReturnType<typeof agentWorld>>;
type Decision = Readonly<Record<string, unknown>>;
/** A text, one call, or several calls in one turn. */
type Entry = string | Decision | readonly Decision[];

const RUN = "run-1";
const select = (name: string) => ({ action: "select_skills", skills: [{ name }] });
const script = (argument: string) => ({
  action: "run_script",
  skill: { name: "pdf" },
  relative_path: "scripts/act.py",
  args: [argument],
});

/** Decisions of all kinds, good and bad; each effect has a name of its own. */
const decisions = fc
  .array(
    fc.constantFrom(
      "script",
      "tool",
      "secret",
      "secret-script",
      "read",
      "apart",
      "plan",
      "garbage",
      "missing",
      "several",
      "again",
    ),
    { minLength: 1, maxLength: 7 },
  )
  .map((kinds): Entry[] => [select("pdf"), ...kinds.flatMap(decisionsOf), ANSWER]);

const TOKEN = `ghp_${"a1".repeat(18)}`;
const ANSWER = { action: "final_answer", answer: "done" };

function decisionsOf(kind: string, index: number): Entry[] {
  switch (kind) {
    case "script":
      return [script(`script-${index}`)];
    case "tool":
      return [{ action: "touch", what: `tool-${index}` }];
    case "secret":
      return [{ action: "touch", what: `secret-${index}: token=abc123\n${TOKEN}`, otp: "918273" }];
    case "secret-script":
      return [script(`secret-script-${index}\n${TOKEN}`)];
    case "read":
      return [
        { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/forms.md" },
      ];
    case "apart":
      // The child takes the next ones: it acts, and answers.
      return [
        select("apart"),
        {
          action: "run_script",
          skill: { name: "apart" },
          relative_path: "scripts/act.py",
          args: [`apart-${index}`],
        },
        { action: "final_answer", answer: `part ${index}` },
      ];
    case "plan":
      return [
        {
          action: "update_plan",
          plan_update: { replace: { goal: `goal ${index}`, steps: [{ id: "1", title: "go" }] } },
        },
      ];
    case "garbage":
      return [`{"action": "nonsense ${index}`];
    case "missing":
      return [{ ...script("never"), relative_path: `scripts/none-${index}.py` }];
    case "several":
      // Two reads side by side, then a script and a tool, then one that cannot be used.
      return [
        [
          { action: "load_resource", skill: "pdf", path: "references/forms.md" },
          { action: "load_resource", skill: "pdf", path: "SKILL.md", lines: "1-2" },
          script(`several-script-${index}`),
          { action: "touch", what: `several-tool-${index}: token=abc123` },
          { action: "nonsense" },
        ],
      ];
    default:
      return [select("pdf")];
  }
}

/** Makes native calls, one entry after the other. */
function sayingModel(entries: readonly Entry[]): Model {
  const left = entries.values();
  return modelOf((_, turn) => {
    const { value: entry, done } = left.next();
    if (done === true) throw new Error("nothing is left to say");
    if (typeof entry === "string") return { text: entry, calls: [] };
    const calls = [entry].flat().map(({ action, ...input }, i) => ({
      id: `call-${turn}-${i}`,
      name: String(action),
      input,
    }));
    return { text: "", calls };
  });
}

async function recordsOf(store: RunStore) {
  const ids = await store.list();
  return Promise.all(ids.map(async (runId) => (await store.read(runId)) ?? []));
}

const BUDGET = { turns: 60, toolCalls: 60, scripts: 60 };

const common = ({ skills, policy, tools }: World) => ({ skills, policy, tools });

type Given = Pick<RunOptions, "use" | "attachments" | "conversation">;

/** What a run may begin with: skills that are wanted, were active or are gone, files, a history. */
const GIVEN: Given = {
  use: ["only-people", "pdf@project"],
  attachments: [
    { path: "a.txt", bytes: 60, digest: "sha256:0", text: `password=abc123 ${TOKEN}\n` },
    { path: "b.bin", bytes: 7, digest: "sha256:1" },
  ],
  conversation: {
    id: "run-0",
    previous: "run-0",
    exchanges: [{ runId: "run-0", request: "before", answer: `token=abc123 ${TOKEN}` }],
    skills: ["gone@project", "pdf@project", "apart@project", "only-people@project"],
  },
};
const given = fc.record(
  {
    use: fc.constant(GIVEN.use),
    attachments: fc.constant(GIVEN.attachments),
    conversation: fc.constant(GIVEN.conversation),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Given>;

function start(world: World, store: RunStore, entries: readonly Entry[], more: Given) {
  const model = sayingModel(entries);
  return runAgent({
    ...common(world),
    ...more,
    request: "go",
    model,
    store,
    ids: () => RUN,
    budget: BUDGET,
  });
}

/** A new process, with a model that goes on where the old one was heard last. */
async function resume(world: World, store: RunStore, entries: readonly Entry[]) {
  const all = (await recordsOf(store)).flat();
  const heard = all.filter(({ event }) => event === "model-response").length;
  const model = sayingModel(entries.slice(heard));
  return resumeAgent({ ...common(world), model, store, runId: RUN });
}

/** Whether somebody was killed in the middle of something that has an effect. */
async function isWithinAnAct(store: RunStore): Promise<boolean> {
  const states = (await recordsOf(store)).map(foldRecords);
  return states.some(({ pending }) => pending.some(({ hasBegun }) => hasBegun === true));
}

/**
 * What a run has come to that is killed at these points, each time in a new process, beside one that
 * was left alone.
 */
async function crashAt(
  entries: readonly Entry[],
  [first = 0, ...others]: readonly number[],
  stores: () => RunStore,
  more: Given = {},
) {
  const whole = await agentWorld();
  const wholeStore = createMemoryStore();
  const end = await start(whole, wholeStore, entries, more);
  const { length } = (await recordsOf(wholeStore)).flat();

  const world = await agentWorld();
  const store = stores();
  const last = 1 + Math.floor(first * (length - 1));
  await expect(start(world, crashingStore(store, last), entries, more)).rejects.toThrow(Crash);
  let cutOff = Number(await isWithinAnAct(store));
  for (const point of others) {
    const after = crashingStore(store, Math.floor(point * length));
    await resume(world, after, entries).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    cutOff += Number(await isWithinAnAct(store));
  }
  await resume(world, store, entries);
  const records = await recordsOf(store);
  const { end: got } = foldRecords((await store.read(RUN)) ?? []);
  const replays = await Promise.all(records.map(replayRun));
  // A script that was cut off has not succeeded, unless something did after it.
  const statusOf = (one: typeof got) =>
    cutOff > 0 && one?.status === "failed" ? "answered" : one?.status;
  const missing = whole.effects.filter((effect) => !world.effects.includes(effect));
  return {
    end: { status: statusOf(got), answer: got?.answer },
    effects: world.effects,
    isReplayed: replays.every((replay) => replay.ok && replay.hasEnded),
    isClean: !/ghp_|abc123|918273/.test(JSON.stringify(records)),
    expected: {
      end: { status: end.status, answer: end.answer },
      // Of what was cut off nobody knows whether it happened; once, or not at all.
      effects:
        missing.length <= cutOff
          ? whole.effects.filter((effect) => !missing.includes(effect))
          : whole.effects,
      isReplayed: true,
      isClean: true,
    },
  };
}

describe("a process that is killed between two records", () => {
  it("P-03 A-01 at every record of a turn with several calls", async () => {
    const entries = [select("pdf"), ...decisionsOf("several", 1), ANSWER];
    const whole = createMemoryStore();
    await start(await agentWorld(), whole, entries, {});
    const { length } = (await recordsOf(whole)).flat();
    expect(length).toBeGreaterThan(20);
    for (let last = 1; last < length; last++) {
      const at = (last - 0.5) / (length - 1);
      const { expected, ...got } = await crashAt(entries, [at], createMemoryStore);
      expect(got, `after ${last} records`).toEqual(expected);
    }
  });

  it("P-03 A-01 goes on as if nothing had been, and does nothing twice", async () => {
    const point = fc.double({ min: 0, max: 0.999, noNaN: true });
    const points = fc.array(point, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(decisions, points, given, async (entries, at, more) => {
        const { expected, ...got } = await crashAt(entries, at, createMemoryStore, more);
        expect(got).toEqual(expected);
      }),
      { numRuns: isSystem ? 60 : 15 },
    );
  });

  it("P-03 at every record of a run that has everything", async () => {
    const entries = [
      select("pdf"),
      ...[
        "script",
        "tool",
        "secret",
        "secret-script",
        "read",
        "apart",
        "plan",
        "garbage",
        "missing",
        "several",
      ].flatMap(decisionsOf),
      ANSWER,
    ];
    for (let at = 0; at < 1; at += isSystem ? 0.01 : 0.1) {
      const { expected, ...got } = await crashAt(entries, [at], createMemoryStore, GIVEN);
      expect(got).toEqual(expected);
      expect(got.end.status).toBe("answered");
    }
  });

  it("P-03 also where the record is a file", async () => {
    const entries = [
      select("pdf"),
      ...["script", "secret", "several", "apart", "tool"].flatMap(decisionsOf),
      ANSWER,
    ];
    for (let at = 0; at < 1; at += isSystem ? 1 / 12 : 1 / 4) {
      const { folder } = await agentWorld();
      const redactor = createRedactor({ env: {}, maxStringLength: MAX_TEXT });
      const stateDirectory = join(folder, "state");
      const files = () => createFileStore({ root: folder, stateDirectory, redactor });
      const { expected, ...got } = await crashAt(entries, [at], files, GIVEN);
      expect(got).toEqual(expected);
    }
  });
});
