import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { approvalText, openApprovals } from "../approvals/index.ts";
import {
  type ApprovalRequest,
  AuditError,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
} from "../index.ts";
import {
  Gate,
  contentDigest,
  createSecrets,
  createWorkspaceTools,
  guardWorkspace,
  openAudit,
  type WorkspaceOptions,
} from "../internal/index.ts";

const SECRET = "hunter2hunter2";

async function world(
  settings: Partial<PolicySettings> = {},
  onAsk = () => {},
  more: Partial<WorkspaceOptions> = {},
) {
  const folder = temporaryFolder({
    "work/a.txt": "one\n",
    "work/.env": "SECRET=1\n",
    "work/private/k": "PRIVKEY=42\n",
    "work/private/deep/other.txt": "nothing\n",
    "work/open.txt": "no PRIVKEY here\n",
    "work/z/open.txt": "PRIVKEY\n",
  });
  const root = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const audit = openAudit({ file: join(folder, "run/audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, ...settings },
    places: { workingDirectory: root },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      ask(request) {
        asked.push(request);
        onAsk();
        return Promise.resolve({ approved: true, scope: "once", by: "person" });
      },
    },
    audit,
    secrets: createSecrets({ env: { DB_PASSWORD: SECRET } }),
  });
  const workspace = { root, trash: join(folder, "trash"), ...more };
  const provider = guardWorkspace(createWorkspaceTools(workspace), { gate, workspace });
  const call = async (name: string, input: unknown) => {
    const tool = provider.tools().find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`${name} is not offered`);
    const result = await tool.execute(input);
    return { ...(result as object), shown: tool.toText(result) };
  };
  const records = () =>
    readFileSync(audit.file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });
  return { root, asked, call, audit, records };
}

describe("the workspace behind the gate", () => {
  it("X-10 P-01 reading is allowed, writing asks with the diff, the rest is not offered", async () => {
    const { root, asked, call } = await world();
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    expect(await call("write_file", { path: "a.txt", content: "two\n" })).toMatchObject({
      ok: true,
    });
    expect(asked[0]?.preview.diff).toContain("two");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two\n");
    await expect(call("run_command", {})).rejects.toThrow("not offered");
  });

  it("P-02 names the tool that was called and the file that it changes", async () => {
    const { asked, call } = await world();
    await call("edit_file", { path: "./a.txt", old_text: "one", new_text: "two" });
    await call("write_file", { path: "new.txt", content: "x" });
    const shown = asked.map((request) => approvalText(request));
    expect(shown[0]).toMatch(/^Tool {7}edit_file$/m);
    expect(shown[0]).toMatch(/^May write {2}a\.txt$/m);
    expect(shown[1]).toMatch(/^Tool {7}write_file$/m);
    expect(shown[1]).toMatch(/^May write {2}new\.txt$/m);
  });

  it("P-02 shows a marker that stands for no secret as it is written", async () => {
    const { root, asked, call } = await world();
    const content = "one\n⟦secret:FOO_TOKEN⟧\n⟦secret:DB_PASSWORD⟧\n";
    const given = content.replace("⟦secret:DB", "⟦⟦secret:DB");
    const { shown } = await call("write_file", { path: "a.txt", content: given });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(content);
    expect(asked[0]?.preview.diff).toContain("+⟦secret:FOO_TOKEN⟧\n+⟦secret:DB_PASSWORD⟧");
    expect(shown).toContain("+⟦secret:FOO_TOKEN⟧");
  });

  it("P-01 a denied path is denied under every name that the tool takes it by", async () => {
    const { call } = await world({ deny: ["Read(.env)"] });
    for (const input of [{ path: ".env" }, { file_path: ".env" }, '{"PATH":"./.env"}']) {
      expect(await call("read_file", input)).toMatchObject({ ok: false, code: "policy-denied" });
    }
  });

  it("A-02 P-01 a name in another case is read, and decided on by the name that the file has", async () => {
    const { root, call, records } = await world({ deny: ["Read(Hidden/**)"] });
    mkdirSync(join(root, "Hidden"));
    mkdirSync(join(root, "Docs"));
    writeFileSync(join(root, "Hidden/Notes.md"), "mine\n");
    writeFileSync(join(root, "Docs/Read.md"), "read me\n");
    writeFileSync(join(root, "Docs/same.md"), "lower\n");
    writeFileSync(join(root, "Docs/SAME.md"), "upper\n");
    expect(await call("read_file", { path: "docs/read.MD" })).toMatchObject({
      ok: true,
      path: "Docs/Read.md",
      text: "read me\n",
      resolvedFrom: "docs/read.MD",
    });
    expect(await call("read_file", { path: "docs/read.MD" })).toMatchObject({
      shown: "[Read Docs/Read.md (asked for docs/read.MD).]\nread me\n",
    });
    expect(await call("read_file", { path: "Docs/Read.md" })).toMatchObject({ shown: "read me\n" });
    const recorded = records().find(({ event }) => event === "tool-call");
    expect(recorded?.data["input"]).toMatchObject({ path: "Docs/Read.md" });
    for (const path of ["hidden/notes.md", "HIDDEN/Notes.md", "Hidden/Notes.md"]) {
      expect(await call("read_file", { path })).toMatchObject({ ok: false, code: "policy-denied" });
    }
    expect(await call("read_file", { path: "Docs/same.md" })).toMatchObject({ text: "lower\n" });
    expect(await call("read_file", { path: "Docs/Same.md" })).toMatchObject({
      ok: false,
      code: "file-not-found",
    });
    symlinkSync("Docs", join(root, "Link"));
    expect(await call("read_file", { path: "link/Read.md" })).toMatchObject({ ok: false });
    expect(await call("write_file", { path: "docs/read.md", content: "x" })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(join(root, "Docs/Read.md"), "utf8")).toBe("read me\n");
  });

  it("P-02 what changed while it was decided on is not overwritten", async () => {
    let root = "";
    const made = await world({}, () => writeFileSync(join(root, "a.txt"), "meanwhile\n"));
    root = made.root;
    expect(await made.call("write_file", { path: "a.txt", content: "two\n" })).toMatchObject({
      ok: false,
      code: "file-changing",
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("meanwhile\n");
  });

  it("P-03 X-10 nothing happens that the record cannot take", async () => {
    const { root, call, audit } = await world({
      ask: [],
      decisions: { low: "allow", medium: "allow", high: "allow" },
    });
    audit.close();
    await expect(call("write_file", { path: "new.txt", content: "x" })).rejects.toThrow(AuditError);
    expect(existsSync(join(root, "new.txt"))).toBe(false);
  });
});

describe("a search behind the gate", () => {
  const found = "open.txt:1: no PRIVKEY here\nz/open.txt:1: PRIVKEY";
  const note = (files: string) =>
    `[${files} not searched: the policy does not let them be read without asking.]`;

  it.each(
    ["Read(private/**)", "Read(./private/**)", "Grep(private/**)", "read_file(/private)"].flatMap(
      (rule) => (["deny", "ask"] as const).map((list) => [rule, list] as const),
    ),
  )("P-01 X-10 leaves out what %s is to %s", async (rule, list) => {
    const { call, asked } = await world({ [list]: [rule] });
    // The number is the same whether something in there matches or not.
    for (const [pattern, lines] of [
      ["PRIVKEY", found],
      ["PRIVKEY=42", "No line matches."],
      ["PRIVKEY=43", "No line matches."],
    ] as const) {
      const result = await call("search_files", { pattern });
      expect(result).toMatchObject({ ok: true, leftOut: 3 });
      expect(result.shown).toBe(`${lines}\n${note("3 files were")}`);
    }
    expect(asked).toEqual([]);
  });

  it("P-01 X-10 counts up to the last match when there are more", async () => {
    const { call } = await world({ deny: ["Read(private/**)"] });
    const input = { pattern: "PRIVKEY", max_results: 1 };
    expect(await call("search_files", input)).toMatchObject({ truncated: true, leftOut: 1 });
  });

  it("P-01 X-10 leaves out a file, also by its name or through a link", async () => {
    const { root, call } = await world({ deny: ["Read(open.txt)"] });
    symlinkSync("open.txt", join(root, "link"));
    const all = await call("search_files", { pattern: "PRIVKEY" });
    expect(all.shown).toBe(`private/k:1: PRIVKEY=42\n${note("3 files were")}`);
    for (const path of ["open.txt", "link"]) {
      expect(await call("search_files", { pattern: "PRIVKEY", path })).toMatchObject({
        code: "policy-denied",
      });
    }
  });

  it("P-01 what was asked about and approved is searched, but not what is denied in it", async () => {
    const { call, asked } = await world({ ask: ["Grep"], deny: ["Read(private/deep)"] });
    const result = await call("search_files", { pattern: "PRIVKEY" });
    expect(asked).toHaveLength(1);
    expect(result.shown).toContain("private/k:1: PRIVKEY=42");
    expect(result).toMatchObject({ leftOut: 2 });
  });
});

it("P-03 files that were read, written and deleted are on record", async () => {
  const { call, records } = await world(
    {
      ask: [],
      decisions: { low: "allow", medium: "allow", high: "allow" },
      switches: { delete_file: true },
    },
    () => {},
    { enableDeleteFile: true },
  );
  await call("read_file", { path: "a.txt" });
  await call("read_file", { path: "missing.txt" });
  await call("write_file", { path: "./new.txt", content: "two\n" });
  await call("delete_file", { path: "new.txt" });
  expect(records().filter(({ event }) => event.startsWith("workspace-"))).toMatchObject([
    { event: "workspace-read", data: { path: "a.txt", startLine: 1, endLine: 1, size: 4 } },
    {
      event: "workspace-write",
      data: { path: "new.txt", created: true, bytes: 4, digest: contentDigest("two\n") },
    },
    { event: "workspace-write", data: { path: "new.txt", deleted: true, kind: "file" } },
  ]);
});

it("P-03 P-04 no digest tells what secret was written, or stood there before", async () => {
  const { root, call, records } = await world({
    ask: [],
    decisions: { low: "allow", medium: "allow", high: "allow" },
  });
  const texts = ["DB_PASSWORD=1111\n", "DB_PASSWORD=2222\n"];
  writeFileSync(join(root, "settings"), texts[0] ?? "");
  await call("write_file", { path: "settings", content: texts[1] });
  const write = records().find(({ event }) => event === "workspace-write");
  expect(write?.data).toMatchObject({ path: "settings", digest: "[redacted]" });
  for (const text of texts) {
    const digest = contentDigest(text).replace("sha256:", "");
    expect(JSON.stringify(records())).not.toContain(digest);
  }
});

describe("what a model reads and writes", () => {
  const FREE = { ask: [], decisions: { low: "allow", medium: "allow", high: "allow" } } as const;
  const SOURCE = `const authToken = data.token;
const password = "mypassword1";
qpdf --password=mypassword in.pdf ghp_${"a1B2".repeat(9)}
`;

  it("D-11 a file arrives exactly, and comes back exactly", async () => {
    const { root, call } = await world(FREE);
    const file = join(root, "auth.js");
    const text = `${SOURCE}DB_PASSWORD=${SECRET}\n⟦secret:DB_PASSWORD⟧\n`;
    writeFileSync(file, text);
    const read = (await call("read_file", { path: "auth.js" })) as unknown as { text: string };
    const seen = `${SOURCE}DB_PASSWORD=⟦secret:DB_PASSWORD⟧\n⟦⟦secret:DB_PASSWORD⟧\n`;
    expect(read).toMatchObject({ ok: true, text: seen, shown: seen });
    const found = await call("search_files", { pattern: "token|DB_" });
    expect(found.shown).toContain("const authToken = data.token;");
    expect(found.shown).toContain("DB_PASSWORD=⟦secret:DB_PASSWORD⟧");
    await call("write_file", { path: "auth.js", content: read.text });
    expect(readFileSync(file, "utf8")).toBe(text);
    await call("edit_file", {
      path: "auth.js",
      old_text: "DB_PASSWORD=⟦secret:DB_PASSWORD⟧",
      new_text: "PASS=⟦secret:DB_PASSWORD⟧",
    });
    expect(readFileSync(file, "utf8")).toBe(text.replace(/DB_PASSWORD=/, "PASS="));
  });

  it("D-11 P-04 who approves sees the name of a secret, and so does the record", async () => {
    const { root, call, asked, records } = await world();
    writeFileSync(join(root, "app.env"), `A=1\nDB_PASSWORD=${SECRET}\n`);
    await call("read_file", { path: "app.env" });
    const content = "A=2\nDB_PASSWORD=⟦secret:DB_PASSWORD⟧\n";
    await call("write_file", { path: "app.env", content });
    expect(readFileSync(join(root, "app.env"), "utf8")).toBe(`A=2\nDB_PASSWORD=${SECRET}\n`);
    const write = asked.find(({ tool }) => tool === "write_file");
    expect(write).toMatchObject({ secretNames: ["DB_PASSWORD"], input: { content } });
    const shown = approvalText(write!);
    expect(shown).toContain("puts in the secrets DB_PASSWORD");
    const called = records().find(({ event, data }) => {
      return event === "tool-call" && data["tool"] === "write_file";
    });
    expect(called?.data["input"]).toMatchObject({ content });
    expect(JSON.stringify([shown, asked, records()])).not.toContain(SECRET);
  });

  it("D-11 neither a secret that was not read is written, nor a marker in its place", async () => {
    const { root, call } = await world(FREE);
    const content = "⟦secret:DB_PASSWORD⟧";
    const edit = { path: "a.txt", old_text: "one", new_text: content };
    for (const refused of [
      await call("write_file", { path: "a.txt", content }),
      await call("edit_file", edit),
    ]) {
      expect(refused).toMatchObject({ ok: false, code: "secret-unread" });
      expect(refused.shown).toContain("Read the file that has it again");
    }
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
  });

  it("T-12 X-10 edit_file is governed as write_file, and asks with the diff", async () => {
    const edit = { path: "a.txt", old_text: "one", new_text: "two" };
    const asking = await world();
    expect(await asking.call("edit_file", edit)).toMatchObject({ ok: true });
    expect(asking.asked).toMatchObject([{ tool: "write_file", input: edit }]);
    expect(asking.asked[0]?.preview.diff).toContain("-one\n+two");
    const events = asking.records().map(({ event }) => event);
    expect(events.slice(-3)).toEqual(["tool-call", "workspace-write", "tool-end"]);
    const denied = await world({ deny: ["Edit(a.txt)"] });
    const input = { ...edit, old_text: "on" };
    expect(await denied.call("edit_file", input)).toMatchObject({ code: "policy-denied" });
    expect(await denied.call("write_file", { path: "a.txt", content: "" })).toMatchObject({
      code: "policy-denied",
    });
  });

  it("T-12 P-01 an edit that cannot be made asks nobody, unless the file may not be read", async () => {
    const edit = { path: "a.txt", old_text: "onee", new_text: "" };
    const open = await world();
    expect((await open.call("edit_file", edit)).shown).toContain("1\tone");
    const closed = await world({ deny: ["Read(a.txt)"] });
    const { shown } = await closed.call("edit_file", edit);
    expect(shown).toContain("does not contain old_text");
    expect(shown).not.toContain("1\tone");
    expect(open.asked).toEqual([]);
    // Without a question, it could be found out what is in the file.
    expect(closed.asked).toHaveLength(1);
  });
});

it("P-03 an effect waits until the record is safe", async () => {
  const { root, call, audit } = await world({
    ask: [],
    decisions: { low: "allow", medium: "allow", high: "allow" },
  });
  const seen: boolean[] = [];
  Object.assign(audit, {
    sync: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(existsSync(join(root, "new.txt")));
    },
  });
  await call("read_file", { path: "a.txt" });
  expect(seen, "reading has none").toEqual([]);
  await call("write_file", { path: "new.txt", content: "x" });
  expect(seen).toEqual([false]);
  const error = new AuditError("audit-unwritable", "no disk");
  Object.assign(audit, { sync: () => Promise.reject(error) });
  await expect(call("write_file", { path: "other.txt", content: "x" })).rejects.toThrow("no disk");
  expect(existsSync(join(root, "other.txt"))).toBe(false);
});
