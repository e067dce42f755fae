import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOfflineModel } from "@skillwright/agent";
import { directorySource, openSkills } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { exampleResults } from "../../../../test/support/example-results.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type ArmOptions,
  type BlobStore,
  type EvalCase,
  folderBlobs,
  type GraderRequest,
  memoryBlobs,
  openPublishedEval,
  planTrials,
  publishEval,
  runEvals,
  runTrial,
  type TrialResult,
} from "../index.ts";

const PDF =
  "---\nname: pdf\ndescription: Fills PDF forms. Use when a PDF form has to be filled.\n---\n# PDF\n";
const OTHER = PDF.replace("# PDF", "# PDF, as it was");
const CSV =
  "---\nname: csv\ndescription: Profiles CSV tables. Use when a table has to be profiled.\n---\n# CSV\n";
const { setup } = exampleResults([]);

function caseOf(id: string, more: Partial<EvalCase> = {}): EvalCase {
  return {
    id,
    title: id,
    input: "Fill the PDF form",
    files: [],
    expected: {
      skills: { used: ["pdf"], unused: [], only: true },
      sequence: [],
      output: [],
      statements: [],
    },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: "/cases.yaml", line: 1, dialect: "skillwright", skill: "pdf" },
    ...more,
  };
}

/** A project with two skills, an older version of one, a file and a grader. */
async function project() {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": PDF,
    "skills/pdf/scripts/fill.py": "print(1)\n",
    "skills/pdf/evals/evals.json": "{}",
    "skills/csv/SKILL.md": CSV,
    "old/as-it-was/SKILL.md": OTHER,
    "evals/form.txt": "a form",
    "evals/graders/check.py": "import helper\n",
    "evals/graders/helper.py": "x = 1\n",
  });
  const open = (name: string) =>
    openSkills({ roots: [directorySource(join(folder, name), { label: "project" })] });
  const [skills, old] = await Promise.all([open("skills"), open("old")]);
  const arms: ArmOptions[] = [
    { arm: { name: "with_skill" }, skillsFor: async () => skills },
    { arm: { name: "old_skill" }, skillsFor: async () => old, isFor: ({ id }) => id !== "c" },
  ];
  const origin = { ...caseOf("a").origin, file: join(folder, "evals/cases.yaml") };
  const cases = [
    caseOf("c", { origin }),
    caseOf("a", { origin, files: [{ path: "in/form.txt", from: join(folder, "evals/form.txt") }] }),
    caseOf("b", {
      origin,
      expected: {
        sequence: [],
        output: [{ type: "script", file: "graders/check.py", args: ["x"] }],
        statements: [],
      },
    }),
  ];
  return { folder, arms, cases };
}

/** Without time, and without the tokens that paths of skills take on this machine. */
const seen = ({ usage, runId, activationTokens, ...rest }: TrialResult) => ({
  ...rest,
  isActivated: activationTokens > 0,
  usage: { ...usage, timeMs: 0, inputTokens: 0 },
  isNamed: runId !== "",
  steps: rest.steps.map((step) => ({ ...step, atMs: 0 })),
});

describe("publishEval", () => {
  it("W-02 a worker that has only the blobs gets the results of the machine that published", async () => {
    const { folder, arms, cases } = await project();
    const requests: GraderRequest[] = [];
    const graders = {
      runGrader: async (request: GraderRequest) => {
        requests.push(request);
        const beside = readFileSync(join(request.file, "../helper.py"), "utf8");
        return {
          ok: true,
          exitCode: beside === "x = 1\n" ? 0 : 1,
          stdout: "",
          stderr: "",
        } as const;
      },
    };
    const work = join(temporaryFolder(), "work");
    mkdirSync(work);
    const base = { openModel: () => createOfflineModel(), graders, folder: work };
    const local = await runEvals({ ...base, cases, arms, trials: 2 });
    const shared = temporaryFolder();
    const evalDigest = await publishEval({ cases, arms, setup }, folderBlobs(shared));
    const jobs = planTrials({ evalDigest, cases, arms, trials: 2 });
    rmSync(folder, { recursive: true });
    const inputs = await openPublishedEval(evalDigest, {
      blobs: folderBlobs(shared),
      folder: temporaryFolder(),
    });
    expect(inputs.setup).toEqual(setup);
    const worker = { ...base, inputs: () => inputs };
    const remote: TrialResult[] = [];
    for (const job of jobs) {
      const wire = JSON.parse(JSON.stringify(job)) as typeof job;
      const result = await runTrial(wire, worker);
      if (result !== undefined) remote.push(result);
    }
    expect(remote).toHaveLength(10);
    expect(remote.map(seen)).toEqual(local.map(seen));
    expect(new Set(remote.map(({ outcome }) => outcome))).toEqual(new Set(["pass"]));
    expect(new Set(remote.map(({ runId }) => runId)).size).toBe(10);
    expect(requests.length).toBeGreaterThan(0);
    expect(readdirSync(work)).toEqual([]);
  });

  it("W-02 the same content has the same digest, and any other content another", async () => {
    const { folder, arms, cases } = await project();
    const publish = (more: object = {}) =>
      publishEval({ cases, arms, setup, ...more }, memoryBlobs());
    const first = await publish();
    expect(await publish({ cases: cases.toReversed() })).toBe(first);
    writeFileSync(join(folder, "skills/pdf/evals/evals.json"), "[]");
    expect(await publish()).toBe(first);
    const others = [
      await publish({ timeoutMs: 5 }),
      await publish({ arms: arms.slice(0, 1) }),
      await publish({ setup: { ...setup, model: "other" } }),
    ];
    writeFileSync(join(folder, "evals/graders/helper.py"), "x = 2\n");
    others.push(await publish());
    writeFileSync(join(folder, "skills/pdf/scripts/fill.py"), "print(2)\n");
    others.push(await publish());
    writeFileSync(join(folder, "evals/form.txt"), "another form");
    others.push(await publish());
    expect(new Set([first, ...others]).size).toBe(7);
  });

  it("W-02 a worker runs nothing of blobs that are missing, changed, or lead elsewhere", async () => {
    const { arms, cases } = await project();
    const store = new Map<string, Uint8Array>();
    const inner = memoryBlobs();
    const blobs: BlobStore = {
      async put(bytes) {
        const digest = await inner.put(bytes);
        store.set(digest, bytes);
        return digest;
      },
      get: async (digest) => store.get(digest),
    };
    const evalDigest = await publishEval({ cases, arms, setup }, blobs);
    const folder = temporaryFolder();
    const open = () => openPublishedEval(evalDigest, { blobs, folder });
    const [one] = cases;
    if (one === undefined) throw new Error("no case");
    expect(await (await open()).caseOf("nobody")).toBeUndefined();
    await expect((await open()).skillsFor("without_skill", one)).rejects.toThrow("is not run in");
    for (const [digest, bytes] of store) {
      if (!Buffer.from(bytes).toString().includes("# PDF")) continue;
      store.set(digest, Buffer.from("other instructions"));
    }
    await expect((await open()).skillsFor("with_skill", one)).rejects.toThrow("is damaged");
    const hostile = await blobs.put(Buffer.from("evil"));
    const file = { path: "../../escaped", digest: hostile, isExecutable: true };
    const tree = await blobs.put(Buffer.from(JSON.stringify([file])));
    const skill = { name: "pdf", source: "project", folder: "pdf", tree };
    const catalog = await blobs.put(Buffer.from(JSON.stringify([skill])));
    const page = await blobs.put(
      Buffer.from(JSON.stringify([{ evalCase: one, catalogs: { with_skill: catalog } }])),
    );
    const manifest = { schemaVersion: 1, setup, pages: [{ first: one.id, digest: page }] };
    const digest = await blobs.put(Buffer.from(JSON.stringify(manifest)));
    const inputs = await openPublishedEval(digest, { blobs, folder });
    await expect(inputs.skillsFor("with_skill", one)).rejects.toThrow("not the name of a file");
    store.delete(evalDigest);
    await expect(open()).rejects.toThrow("is missing");
  });
});
