import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditRecord, createRedactor, verifyAudit } from "@skillwright/runtime";
import { createBubblewrapExecutor } from "@skillwright/runtime/internal";
import { describe, expect, it } from "vitest";
import { createFileStore, createOfflineModel, type Model } from "../../packages/agent/src/index.ts";
import { MAX_TEXT } from "../../packages/agent/src/internal/index.ts";
import { agentWorld, APPROVED, gatedPolicy } from "../support/agent-world.ts";

const PDF = `---
name: pdf-processing
description: 处理 PDF 文件：提取文字、合并、分析页数。Extracts text from PDF files, merges them and counts pages. Use when the user wants to work with PDF files.
---
# PDF 处理步骤

1. 先运行脚本统计页数： \`python3 scripts/analyze.py <file>\`
2. 详细规则见 references/rules.md。
`;
const FILES = {
  "project/pdf-processing/SKILL.md": PDF,
  "project/pdf-processing/references/rules.md": "# Rules\nRULES-OF-PDF\n",
  "project/pdf-processing/scripts/analyze.py": `import pathlib, sys
data = pathlib.Path(sys.argv[1]).read_bytes()
print(f"pages: {data.count(b'/Type /Page')}, bytes: {len(data)}")
`,
  "project/spreadsheet/SKILL.md":
    "---\nname: spreadsheet\ndescription: Reads and writes spreadsheets. Use when the user wants to work with tables in XLSX files.\n---\nSTEPS-OF-SPREADSHEET\n",
  "project/spreadsheet/references/cells.md": "RULES-OF-CELLS\n",
  "work/report.pdf": "%PDF-1.4\n/Type /Page\n/Type /Page\n%%EOF\n",
};
const SELECT = { action: "select_skills", skills: [{ name: "pdf-processing" }] };
const READ = {
  action: "load_resource",
  skill: { name: "pdf-processing" },
  relative_path: "references/rules.md",
};
const SCRIPT = {
  action: "run_script",
  skill: { name: "pdf-processing" },
  relative_path: "analyze.py",
  args: ["report.pdf"],
};
const ANSWER = { action: "final_answer", answer: "好了" };

/** A run with a record on the disk, in the real sandbox, and what that record says. */
async function recordedRun(
  model: Model | readonly object[],
  { request = "我要处理 PDF", decide = () => APPROVED } = {},
) {
  const world = await agentWorld({ files: FILES });
  const { folder } = world;
  const store = createFileStore({
    root: join(folder, "work"),
    stateDirectory: join(folder, "state"),
    redactor: createRedactor({ env: {}, maxStringLength: MAX_TEXT }),
  });
  const executor = createBubblewrapExecutor();
  const { policy, asked } = gatedPolicy(folder, { decide, executor });
  const { result, requests } = await world.run(model as Model, { request, policy, store });
  const file = join(store.folderOf(result.runId) ?? "", "events.jsonl");
  const verified = await verifyAudit(file, { stateDirectory: join(folder, "state") });
  const records = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditRecord);
  return { folder, result, requests, asked, verified, records, runFolder: join(file, "..") };
}

/** Where something stands in a record first; after everything when it never does. */
function firstWith(records: readonly AuditRecord[], text: string): number {
  const at = records.findIndex((record) => JSON.stringify(record).includes(text));
  return at === -1 ? records.length : at;
}

const place = (records: readonly AuditRecord[], event: string) =>
  records.findIndex((record) => record.event === event);

describe("acceptance of 001 §3", () => {
  it("N-03 case 1: the system prompt has the skill's name and description", async () => {
    const { requests } = await recordedRun([ANSWER]);
    expect(requests[0]?.system).toContain("pdf-processing");
    expect(requests[0]?.system).toContain("处理 PDF 文件");
    expect(requests[0]?.system).not.toContain("先运行脚本统计页数");
  });

  it("N-03 case 2: a request in Chinese loads the skill, and the next prompt has its steps", async () => {
    const { result, requests, records } = await recordedRun([SELECT, ANSWER]);
    expect(result).toMatchObject({ status: "answered", skills: ["pdf-processing"] });
    const said = (turn: number) => JSON.stringify(requests[turn]?.messages);
    expect(said(0)).toContain("我要处理 PDF");
    expect(said(0)).not.toContain("先运行脚本统计页数");
    expect(said(1)).toContain("先运行脚本统计页数");
    expect(firstWith(records, "先运行脚本统计页数")).toBe(place(records, "skill-activate"));
  });

  it("N-03 M-02 case 2 with the offline model: it chooses the skill by itself", async () => {
    const { result, records } = await recordedRun(createOfflineModel());
    expect(result.skills).toEqual(["pdf-processing"]);
    expect(place(records, "skill-activate")).toBeGreaterThan(place(records, "action-decide"));
  });

  it("N-03 X-01 case 3: a Python script runs in the sandbox and its output comes back", async () => {
    const { result, requests, records, asked, verified } = await recordedRun([
      SELECT,
      SCRIPT,
      { ...ANSWER, answer: "2 页" },
    ]);
    expect(requests[2]?.messages.at(-1)).toMatchObject({
      role: "observation",
      content: "pages: 2, bytes: 39\n",
    });
    expect(result).toMatchObject({ status: "answered", answer: "2 页", usage: { scripts: 1 } });
    expect(asked[0]).toMatchObject({ tool: "run_script", skill: { name: "pdf-processing" } });
    const events = records.map(({ event }) => event);
    expect(events.slice(events.indexOf("approval-request"))).toEqual([
      "approval-request",
      "approval-decision",
      "script-start",
      "script-end",
      "action-end",
      "model-request",
      "model-response",
      "action-decide",
      // The plan of a model that made none: the request is done.
      "plan-update",
      "run-end",
    ]);
    expect(records.find(({ event }) => event === "script-start")?.data).toMatchObject({
      sandbox: "bubblewrap",
    });
    expect(verified).toMatchObject({ ok: true });
  });

  it("N-03 X-03 a script that fails: its error output comes back as such", async () => {
    const { requests, records } = await recordedRun([
      SELECT,
      { ...SCRIPT, args: ["no.pdf"] },
      ANSWER,
    ]);
    expect(requests[2]?.messages.at(-1)?.content).toContain("FileNotFoundError");
    const ends = records.filter(({ event }) => event === "action-end");
    expect(ends[1]?.data).toMatchObject({ ok: false, code: "script-failed" });
  });
});

describe("definition of done of 003 §13, from the record of a run", () => {
  it("N-03 A-05 line 1: at the start only metadata is known, and it lists the skills", async () => {
    const { records } = await recordedRun([SELECT, ANSWER]);
    const listed = ["pdf-processing", "spreadsheet"].map((name) => ({ name }));
    expect(records[0]?.data).toMatchObject({ catalog: { skills: listed, omitted: 0 } });
    const before = JSON.stringify(records.slice(0, place(records, "action-decide") + 1));
    for (const body of ["先运行脚本统计页数", "STEPS-OF-SPREADSHEET", "RULES-OF"]) {
      expect(before).not.toContain(body);
    }
  });

  it("N-03 A-05 line 2: only the skill that was triggered is loaded", async () => {
    const { records, requests } = await recordedRun([SELECT, READ, ANSWER]);
    const loaded = records.filter(({ event }) => event === "skill-activate");
    expect(loaded.map(({ data }) => (data as { name: string }).name)).toEqual(["pdf-processing"]);
    expect(firstWith(records, "STEPS-OF-SPREADSHEET")).toBe(records.length);
    expect(JSON.stringify(requests.map(({ messages }) => messages))).not.toContain("STEPS-OF-S");
  });

  it("N-03 A-05 line 3: a file is read only by load_resource", async () => {
    const without = await recordedRun([SELECT, ANSWER]);
    expect(firstWith(without.records, "RULES-OF")).toBe(without.records.length);
    expect(place(without.records, "file-read")).toBe(-1);
    const { records } = await recordedRun([SELECT, READ, ANSWER]);
    const decided = records.findIndex(({ data }) =>
      JSON.stringify(data).includes('"load_resource"'),
    );
    expect(place(records, "file-read")).toBeGreaterThan(decided);
    expect(firstWith(records, "RULES-OF-PDF")).toBe(place(records, "file-read") + 1);
    expect(firstWith(records, "RULES-OF-CELLS")).toBe(records.length);
  });

  it("N-03 P-01 P-02 line 5: what is of risk takes an approval, and a refusal holds", async () => {
    const refused = await recordedRun([SELECT, SCRIPT, ANSWER], {
      decide: () => ({ approved: false, scope: "once", by: "person" }),
    });
    expect(place(refused.records, "approval-decision")).toBeGreaterThan(0);
    expect(place(refused.records, "script-start")).toBe(-1);
    const write = { action: "use_tool", tool: "write_file", input: { path: "x", content: "y" } };
    const written = await recordedRun([write, ANSWER]);
    expect(place(written.records, "approval-request")).toBeLessThan(
      place(written.records, "tool-call"),
    );
    expect(readdirSync(join(written.folder, "work")).toSorted()).toContain("x");
  });

  it("N-03 P-03 the record is whole, private to git, and summed up beside it", async () => {
    const { verified, runFolder, result } = await recordedRun([SELECT, SCRIPT, ANSWER]);
    expect(verified).toMatchObject({ ok: true });
    const summary: unknown = JSON.parse(readFileSync(join(runFolder, "run.json"), "utf8"));
    expect(summary).toMatchObject({ runId: result.runId, status: "answered" });
    expect(readFileSync(join(runFolder, "../.gitignore"), "utf8")).toBe("*\n");
  });
});
