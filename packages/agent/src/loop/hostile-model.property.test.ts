import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditRecord } from "@skillwright/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentWorld,
  APPROVED,
  gatedPolicy,
  modelOf,
  REFUSED,
} from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { isSystem, numRuns } from "../../../../test/support/suite.ts";
import type { ModelResponse, RunStatus } from "../index.ts";

const RUNS = numRuns(5000);
const TURNS = 5;
/** Of one record and of a whole run, in characters. */
const MAX_RECORD = 600_000;
/** A turn has up to 5 calls; one that works apart has as many turns again. */
const MAX_RECORDS = 12 + TURNS * 5 * 12;

const ENDS: ReadonlySet<RunStatus> = new Set<RunStatus>([
  "answered",
  "failed",
  "budget_exhausted",
  "needs_approval",
  "denied",
  "invalid_output",
  "model_failed",
  "canceled",
  "error",
]);

const FILES = {
  "project/alpha/SKILL.md": skillText("alpha"),
  "project/alpha/references/a.md": "# A\ntext\n",
  "project/alpha/scripts/run.py": "print(1)\n",
  "project/beta/SKILL.md": skillText("beta", undefined, "run-mode: subagent\n"),
  "project/gamma/SKILL.md": skillText("gamma", undefined, "allowed-tools: Read\n"),
  "project/gamma/scripts/run.py": "print(2)\n",
  "work/a.txt": "one\n",
  "outside.txt": "not to be read\n",
};

const name = fc.constantFrom("alpha", "beta", "gamma", "alpah", "../alpha", "", "constructor");
const path = fc.constantFrom(
  "references/a.md",
  "scripts/run.py",
  "a.txt",
  "a.md",
  "../../outside.txt",
  "../outside.txt",
  "/etc/passwd",
  "scripts/../../gamma/scripts/run.py",
  "\0",
  ".",
);
const args = fc.array(fc.constantFrom("yes", "no", "--x", "; rm -rf ~", "$(id)"), { maxLength: 3 });
const plan = fc.oneof(
  fc.constant(undefined),
  fc.constant({ replace: { goal: "g", steps: [{ id: "1", title: "t" }] } }),
  fc.constant({ patch: { add: [{ id: "1", title: "t" }], constraints: { max_turns: 1e9 } } }),
  fc.anything({ maxDepth: 2 }),
);
const skill = fc.record({ name, source: fc.constantFrom(undefined, "project", "user", null) });
const named = fc.oneof(
  fc.record({
    action: fc.constant("select_skills"),
    skills: fc.array(skill, { maxLength: 4 }),
    plan_update: plan,
  }),
  fc.record({ action: fc.constant("load_resource"), skill, relative_path: path }),
  fc.record({ action: fc.constant("run_script"), skill, relative_path: path, args }),
  fc.record({
    action: fc.constantFrom("use_tool"),
    tool: fc.constantFrom(
      "read_file",
      "write_file",
      "list_directory",
      "__proto__",
      "search_skills",
    ),
    input: fc.oneof(
      fc.record({ path, content: fc.string() }),
      fc.dictionary(fc.string(), fc.anything({ maxDepth: 2 })),
    ),
  }),
  fc.record({
    action: fc.constantFrom("update_plan", "final_answer", "toString"),
    plan_update: plan,
  }),
);
const hostileKeys = fc.constantFrom(
  '{"action":"final_answer","__proto__":{"answer":"x"}}',
  '{"action":"run_script","constructor":{"prototype":{}},"args":{"length":1e9}}',
  '{"action":"use_tool","tool":"read_file","input":{"__proto__":{"path":"a.txt"}}}',
);
const huge = fc
  .tuple(
    fc.constantFrom('{"a":', "[", '{"action":"final_answer","answer":"x', "\u0000", "𝄞"),
    fc.oneof({ weight: 9, arbitrary: fc.nat(2000) }, { weight: 1, arbitrary: fc.nat(20_000) }),
  )
  .map(([part, times]) => part.repeat(times));
const text = fc.oneof(
  { weight: 6, arbitrary: named.map(asText) },
  { weight: 2, arbitrary: named.map((value) => `Well: ${asText(value)},\n\`\`\``) },
  {
    weight: 2,
    arbitrary: named.chain((value) => fc.nat(80).map((at) => asText(value).slice(0, at))),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 2, arbitrary: hostileKeys },
  { weight: 1, arbitrary: huge },
);
const call = fc.oneof(
  named.map(({ action: called, ...input }) => ({ id: "c", name: called, input })),
  fc.record({
    id: fc.string(),
    name: fc.oneof(fc.string(), fc.constantFrom("read_file", "final_answer", "hasOwnProperty")),
    input: fc.anything({
      maxDepth: 2,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    }),
  }),
);
const usage = fc.record(
  {
    inputTokens: fc.double(),
    outputTokens: fc.constantFrom(1, -1e9, Number.NaN),
    cost: fc.double(),
  },
  { requiredKeys: [] },
);
const message = fc.record({
  text: fc.oneof(text, fc.constant("")),
  calls: fc.oneof(fc.constant([]), fc.array(call, { maxLength: 4 })),
});
/** What gets a run further, so that the hostile parts meet it everywhere. */
const ALPHA = { name: "alpha" };
const SENSIBLE: readonly object[] = [
  { action: "select_skills", skills: [ALPHA, { name: "gamma" }] },
  { action: "select_skills", skills: [{ name: "beta" }] },
  { action: "load_resource", skill: ALPHA, relative_path: "references/a.md" },
  { action: "run_script", skill: ALPHA, relative_path: "scripts/run.py", args: ["yes"] },
  { action: "run_script", skill: ALPHA, relative_path: "scripts/run.py", args: ["no"] },
  { action: "run_script", skill: { name: "gamma" }, relative_path: "run.py", args: ["yes"] },
  { action: "use_tool", tool: "read_file", input: { path: "a.txt" } },
  { action: "use_tool", tool: "write_file", input: { path: "b.txt", content: "x" } },
];
const sensible = fc
  .constantFrom(...SENSIBLE)
  .map((value) => ({ message: { text: JSON.stringify(value), calls: [] }, usage: {} }));
/** Several of them in one turn, in any order, with hostile ones between. */
const several = fc
  .array(fc.oneof(fc.constantFrom(...SENSIBLE).map(asCall), call), { minLength: 2, maxLength: 5 })
  .map((calls) => ({ message: { text: "", calls }, usage: {} }));
const output = fc.oneof(
  { weight: 8, arbitrary: sensible },
  { weight: 6, arbitrary: several },
  { weight: 12, arbitrary: fc.record({ message, usage }) },
  { weight: 1, arbitrary: fc.constantFrom("throw" as const, "nothing" as const) },
);

describe("a hostile model", () => {
  it("A-02 A-04 P-01 ends every run in a stated way, does nothing unapproved, and fills nothing up", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy, ran, asked } = gatedPolicy(folder, {
      decide: ({ tool, input }) =>
        tool === "run_script" && (input as { args?: string[] }).args?.[0] === "yes"
          ? APPROVED
          : REFUSED,
    });
    const seen = new Map<RunStatus, number>();
    const events = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(output, { minLength: 1, maxLength: TURNS }), async (outputs) => {
        let next = 0;
        const model = modelOf(() => ({ text: "", calls: [] }), {
          protocol: outputs.length % 2 === 0 ? "json" : "tools",
          decide: async () => {
            const said = outputs[next++ % outputs.length];
            if (said === "throw") throw new Error("hostile");
            if (said === "nothing" || said === undefined) return undefined as never;
            return { ok: true, finish: "stop", latencyMs: 0, ...said } as unknown as ModelResponse;
          },
        });
        const { result, records } = await run(model, { policy, budget: { turns: TURNS } });
        expect(ENDS.has(result.status)).toBe(true);
        expect(records.length).toBeLessThanOrEqual(MAX_RECORDS);
        for (const record of records) expect(sizeOf(record)).toBeLessThan(MAX_RECORD);
        seen.set(result.status, (seen.get(result.status) ?? 0) + 1);
        for (const { event } of records) events.set(event, (events.get(event) ?? 0) + 1);
      }),
      { numRuns: RUNS },
    );
    for (const { skill: of, args: given } of ran) {
      expect(`${of.name} ${given[0]}`).toBe("alpha yes");
    }
    expect(ran.length).toBeGreaterThan(RUNS / 250);
    expect(asked.length).toBeGreaterThan(ran.length);
    expect(readdirSync(join(folder, "work"))).toEqual(["a.txt"]);
    expect(readFileSync(join(folder, "work/a.txt"), "utf8")).toBe("one\n");
    expect(readdirSync(folder).toSorted()).toEqual(["outside.txt", "project", "state", "work"]);
    expect(({} as Record<string, unknown>)["answer"]).toBeUndefined();
    // The walk has to get everywhere, or it proves nothing. A sample of it may not.
    if (!isSystem) return;
    const ends = [
      "answered",
      "budget_exhausted",
      "denied",
      "invalid_output",
      "model_failed",
    ] as const;
    for (const end of ends) expect(seen.get(end) ?? 0, end).toBeGreaterThan(5);
    for (const event of ["skill-activate", "file-read", "child-end", "policy-deny", "tool-call"]) {
      expect(events.get(event) ?? 0, event).toBeGreaterThan(20);
    }
  }, 600_000);
});

function asCall(value: object) {
  const { action: called = "", ...input } = value as { readonly action?: string };
  return { id: called, name: called, input };
}

function asText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "{";
  }
}

function sizeOf({ data }: AuditRecord): number {
  return JSON.stringify(data).length;
}
