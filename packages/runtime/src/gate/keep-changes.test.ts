import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openSkills } from "@skillwright/core";
import { expect, it, onTestFinished } from "vitest";
import { childrenOf, viewHolders } from "../../../../test/support/processes.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openApprovals } from "../approvals/index.ts";
import { applyChanges, openView } from "../changes/index.ts";
import {
  type ApprovalRequest,
  createFlagApprover,
  createRedactor,
  DEFAULT_POLICY,
} from "../index.ts";
import {
  Gate,
  approvalFacts,
  approvalText,
  chooseExecutor,
  createRuntime,
  denyApprover,
  isAboutChanges,
  openAudit,
  RunChanges,
} from "../internal/index.ts";

type Answer = { readonly because: string } | { readonly only: readonly string[] };

/** A run whose skill has one script, `do.sh`, that runs its argument. */
async function world(
  answer: (request: ApprovalRequest) => "yes" | "no" | "later" | Answer,
  { writable = [], deny = [] }: { writable?: readonly string[]; deny?: readonly string[] } = {},
) {
  const folder = temporaryFolder({
    "work/a.txt": "one\n",
    "work/b.txt": "b\n",
    "skills/w/SKILL.md": skillText("w"),
    "skills/w/scripts/do.sh": 'eval "$1"',
  });
  const root = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const audit = openAudit({
    file: join(folder, "run/audit.jsonl"),
    stateDirectory,
    redactor: createRedactor({ env: {} }),
  });
  const asked: ApprovalRequest[] = [];
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, deny },
    places: { workingDirectory: root },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      ask(request, context) {
        if (request.tool === "run_script")
          return createFlagApprover(["run_script"]).ask(request, context);
        asked.push(request);
        const given = answer(request);
        if (given === "later") return denyApprover.ask(request, context);
        const approved = given === "yes" || (typeof given === "object" && "only" in given);
        const { because: reason, only } = Object(given) as { because?: string; only?: string[] };
        const more = { ...(reason && { reason }), ...(only && { only }) };
        return Promise.resolve({ approved, scope: "once", by: "person", ...more });
      },
    },
    audit,
  });
  const executor = await chooseExecutor({ sandbox: "bubblewrap" });
  if ("ok" in executor) throw new Error(executor.message);
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const changes = new RunChanges({ root, folder: join(folder, "run") });
  onTestFinished(async () => {
    await changes.close();
    audit.close();
  });
  const runtime = createRuntime({
    gate,
    execution: { executor, sandbox: "bubblewrap", cwd: root, changes, writable },
    workspace: { root, trash: join(folder, "trash") },
    skills: () => skills.all,
  });
  const found = skills.find("w");
  if (!found.ok) throw new Error(found.message);
  const script = async (text: string) => {
    const { skill } = found;
    return runtime.executor.run({ skill, script: "do.sh", args: [text] }, { changesMayWait: true });
  };
  const tool = async (name: string, input: object) => {
    const one = runtime.tools.find((each) => each.name === name);
    const result = await one?.execute(input, { changesMayWait: true });
    return { result: result as { ok: boolean; text?: string }, text: one?.toText(result) };
  };
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const records = () =>
    readFileSync(audit.file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; data: unknown });
  const events = () => records().map(({ event }) => event);
  const data = (name: string) =>
    records().flatMap((record) => (record.event === name ? [record.data] : []));
  const { close } = runtime;
  return { folder, root, changes, asked, script, tool, text, events, data, close };
}

it("X-11 what holds the view reaps the processes of scripts, and ends with the runtime", async () => {
  const { script, close } = await world(() => "yes");
  for (let i = 0; i < 4; i++)
    expect(await script("(sleep 0.01 &) ; true")).toMatchObject({ ok: true });
  const [unshare, ...others] = viewHolders();
  expect(others).toEqual([]);
  const [holder] = childrenOf(unshare?.pid ?? 0);
  expect(holder).toBeDefined();
  const dead = () => childrenOf(holder?.pid ?? 0).filter(({ state }) => state === "Z");
  // The last one may still be on its way.
  await expect.poll(dead, { timeout: 20_000 }).toEqual([]);
  await close();
  expect(viewHolders()).toEqual([]);
});

it("X-11 a script that removes what an earlier one left leaves nothing held", async () => {
  const { script, changes, events } = await world(() => "later");
  await script("mkdir t; echo x > t/x.txt");
  expect(changes.pending()).not.toHaveLength(0);
  const before = events().length;
  await script("rm -r t");
  expect(changes.pending()).toHaveLength(0);
  expect(events().slice(before)).toContain("changes-end");
});

it("X-11 asks once for all that a script changed, with the diff, and keeps it when approved", async () => {
  const { script, asked, text, root, events, changes } = await world(() => "yes");
  const result = await script("echo two >> a.txt; echo new > c.txt; rm b.txt; mkdir .git; echo ok");
  expect(result).toMatchObject({ ok: true });
  expect(result.text).toBe(
    [
      "ok",
      "",
      "Changed in the working directory:",
      '- "b.txt" deleted',
      '- "a.txt" modified, 8 bytes',
      '- "c.txt" created, 4 bytes',
      "Not kept, as scripts may not change it:",
      '- ".git": it tells other programs what to do (.git)',
    ].join("\n"),
  );
  expect([text("a.txt"), text("c.txt")]).toEqual(["one\ntwo\n", "new\n"]);
  expect(existsSync(join(root, "b.txt"))).toBe(false);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ tool: "write_file", skill: { name: "w" } });
  expect(asked[0]?.preview.diff).toContain("+two");
  expect(events()).toEqual(
    expect.arrayContaining(["script-end", "changes-request", "changes-apply", "changes-end"]),
  );
  // That of the script itself.
  expect(events().filter((event) => event === "approval-request")).toHaveLength(1);
  expect(changes.pending()).toEqual([]);
});

it("X-11 a question about many files can be told from one about a call", async () => {
  const { script, asked, root } = await world(() => "yes");
  await script('for i in $(seq 200); do echo x > "file-$i.txt"; done');
  expect(readdirSync(root)).toHaveLength(202);
  expect(asked.map(isAboutChanges)).toEqual([true]);
});

it("X-11 many changes are told by folder, refused and lost files by name", async () => {
  const { script } = await world(() => "later");
  const { text } = await script(
    `mkdir -p unpacked/word/media .git; for i in $(seq 31); do head -c 2710 /dev/zero > unpacked/word/$i.xml; done
     echo x > unpacked/top; for i in 1 2 3; do echo more >> a.txt; done; rm b.txt; echo > /tmp/lost.csv`,
  );
  expect(text.split("\n")).toEqual([
    expect.stringContaining('Gone with the private /tmp: "lost.csv".'),
    expect.stringContaining("Held until a person approves"),
    '- "b.txt" deleted',
    '- "a.txt" modified, 19 bytes',
    '- "unpacked/" (32 files, 83 KB) created',
    "Not kept, as scripts may not change it:",
    '- ".git": it tells other programs what to do (.git)',
  ]);
  const many = await script(
    "for d in 1 2 3 4 5 6 7 8 9; do mkdir d$d; echo > d$d/x; echo > d$d/y; done",
  );
  expect(many.text).toContain('- "d7/" (2 files, 2 bytes) created\n- and 4 more files');
  expect(many.text.length).toBeLessThan(600);
});

it("X-11 a folder that was there is opened while there is room", async () => {
  const { script, tool } = await world(() => "yes");
  await script(
    "mkdir -p src/one src/two; for i in $(seq 9); do echo > src/one/$i; echo > src/two/$i; done",
  );
  const { text } = await script(
    "rm src/one/[1-5]; for i in 6 7; do echo x > src/one/$i; done; rm -r src/two; echo > src/z",
  );
  expect(text).toBe(
    [
      "Changed in the working directory:",
      '- "src/one/" (7 files, 4 bytes): 5 deleted, 2 modified',
      '- "src/two/" (9 files) deleted',
      '- "src/z" created, 1 byte',
    ].join("\n"),
  );
  expect((await tool("list_directory", { path: "src" })).text).toBe("one/\nz\t1");
});

it("X-11 a file that became a folder is a file with its content again when that is undone", async () => {
  const { script, root, text, changes } = await world(() => "yes");
  await script("rm b.txt; mkdir b.txt; chmod 750 b.txt; echo in > b.txt/in; rm a.txt");
  expect(readdirSync(root)).toEqual(["b.txt"]);
  const { conflicts } = await RunChanges.undo([changes], () => true);
  expect(conflicts).toEqual([]);
  expect([text("b.txt"), text("a.txt")]).toEqual(["b\n", "one\n"]);
});

it("X-11 holds changes when nobody answers; later scripts and tools of the run see them", async () => {
  const { script, tool, text, root, changes, folder } = await world(() => "later");
  const first = await script("echo two >> a.txt; echo new > c.txt; rm b.txt");
  expect(first.text).toContain("Held until a person approves");
  expect(text("a.txt")).toBe("one\n");
  expect((await script("cat a.txt c.txt; ls")).text).toContain("one\ntwo\nnew\na.txt\nc.txt\n");
  expect((await tool("read_file", { path: "a.txt" })).text).toBe("one\ntwo\n");
  expect((await tool("read_file", { path: "c.txt" })).text).toBe("new\n");
  expect((await tool("read_file", { path: "b.txt" })).result).toMatchObject({
    ok: false,
    code: "file-deleted",
  });
  await changes.close();
  // As another process does, later.
  const again = await RunChanges.inFolder(join(folder, "run"));
  expect(again?.pending().map(({ path }) => path)).toEqual(["b.txt", "a.txt", "c.txt"]);
  const applied = await again?.apply(({ path }) => path !== "c.txt");
  expect(applied?.conflicts).toEqual([]);
  expect(text("a.txt")).toBe("one\ntwo\n");
  expect(existsSync(join(root, "c.txt"))).toBe(false);
  expect((await again?.discard(() => true))?.map(({ path }) => path)).toEqual(["c.txt"]);
  // Only what was kept is left, which can be undone.
  const left = await RunChanges.inFolder(join(folder, "run"));
  expect([left?.pending(), left?.undoing().map(({ path }) => path)]).toEqual([
    [],
    ["a.txt", "b.txt"],
  ]);
});

it("X-11 folders are listed and searched as scripts left them", async () => {
  const { script, tool, root, changes } = await world(() => "later");
  await script(
    "mkdir -p sub/deep; echo needle one > sub/deep/n.txt; echo needle two >> a.txt; rm b.txt",
  );
  const listed = async (path: string) => (await tool("list_directory", { path })).text;
  expect(await listed(".")).toBe("a.txt\t15\nsub/");
  expect(await listed("sub/deep")).toBe("n.txt\t11");
  expect(await listed("b.txt")).toContain('a script deleted "b.txt"');
  const search = async (input: object) =>
    (await tool("search_files", { pattern: "needle", ...input })).text;
  const inFolder = "sub/deep/n.txt:1: needle one";
  expect(await search({})).toBe(`a.txt:2: needle two\n${inFolder}`);
  expect(await search({ path: "sub" })).toBe(inFolder);
  expect(await search({ path: "sub/deep/n.txt" })).toBe(inFolder);
  expect(await search({ path: "a.txt" })).toBe("a.txt:2: needle two");
  expect(await search({ pattern: "^b$" })).toBe("No line matches.");
  expect(await search({ path: "b.txt" })).toContain('a script deleted "b.txt"');
  expect(readdirSync(root).toSorted()).toEqual(["a.txt", "b.txt"]);
  await changes.discard(() => true);
  expect(await listed(".")).toBe("a.txt\t4\nb.txt\t2");
  expect(await search({})).toBe("No line matches.");
});

it("X-11 a writable place saves the question, and a rule that denies holds in it", async () => {
  const { script, asked, text, root, changes, events } = await world(() => "no", {
    writable: ["out"],
    deny: ["Write(out/private/**)"],
  });
  mkdirSync(join(root, "out/private"), { recursive: true });
  const result = await script("echo 1 > out/a; echo 2 > out/private/b; echo 3 > c");
  expect(result.text).toContain('Changed in the working directory:\n- "out/a" created');
  expect(result.text).toMatch(/Not kept \(.*\):\n- "c" created.*\n- "out\/private\/b" created/);
  expect(text("out/a")).toBe("1\n");
  expect(readdirSync(join(root, "out/private"))).toEqual([]);
  expect(existsSync(join(root, "c"))).toBe(false);
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).not.toContain("out/");
  expect(events()).toContain("policy-deny");
  expect(changes.pending()).toEqual([]);
});

it("X-11 discards what a person refuses", async () => {
  const { script, text, changes } = await world(() => "no");
  const result = await script("echo two >> a.txt");
  expect(result.text).toContain('Not kept (write_file was not approved):\n- "a.txt" modified');
  expect(changes.pending()).toEqual([]);
  expect((await script("cat a.txt")).text).toBe("one\n");
  expect(text("a.txt")).toBe("one\n");
});

it("X-11 a file that a person chooses comes with its new folder, and nothing else does", async () => {
  const { script, text, changes, root } = await world(() => ({ only: ["sub/in/1.txt", "b.txt"] }));
  const result = await script(
    "mkdir -p sub/in; echo 1 > sub/in/1.txt; echo 2 > sub/in/2.txt; rm b.txt",
  );
  expect(result.text).toContain(
    'Not kept (the person chose other files):\n- "sub/in/2.txt" created',
  );
  expect(result.text).not.toContain("another one by now");
  expect(text("sub/in/1.txt")).toBe("1\n");
  expect(readdirSync(join(root, "sub/in"))).toEqual(["1.txt"]);
  expect(existsSync(join(root, "b.txt"))).toBe(false);
  expect(changes.pending()).toEqual([]);
});

it("X-11 the model reads why a person did not want the changes", async () => {
  const { script } = await world(() => ({ because: "the name is wrong" }));
  const { text } = await script("echo new > c.txt");
  expect(text).toContain(
    'Not kept (a person refused write_file: the name is wrong):\n- "c.txt" created',
  );
});

it("X-11 an edit of a held file that is approved starts from what the script left, and is kept", async () => {
  let answer: "yes" | "later" = "later";
  const { script, tool, text, changes, asked } = await world(() => answer);
  await script("echo two >> a.txt; mkdir d; echo deep > d/e.txt");
  answer = "yes";
  const edit = { path: "a.txt", old_text: "two", new_text: "three" };
  expect((await tool("edit_file", edit)).result).toMatchObject({ ok: true });
  expect(JSON.stringify(asked.at(-1))).toContain("+three");
  expect(text("a.txt")).toBe("one\nthree\n");
  const inner = { path: "d/e.txt", old_text: "deep", new_text: "deeper" };
  expect((await tool("edit_file", inner)).result).toMatchObject({ ok: true });
  expect(text("d/e.txt")).toBe("deeper\n");
  expect(changes.pending().filter(({ after }) => after?.type === "file")).toEqual([]);
  expect((await script("cat a.txt d/e.txt")).text).toContain("one\nthree\ndeeper\n");
});

it("X-11 counts files, for people as for the model, and folders where there is nothing else", async () => {
  const { script, changes, data } = await world(() => "later");
  await script("mkdir -p e/f");
  expect(changes.waiting()).toBe(2);
  await script("rm -r e; mkdir -p d/e/f; for i in 1 2 3; do echo $i > d/e/f/$i.txt; done");
  expect(changes.waiting()).toBe(3);
  expect(changes.pending()).toHaveLength(6);
  const files = ["d/e/f/1.txt", "d/e/f/2.txt", "d/e/f/3.txt"];
  expect(data("changes-end").at(-1)).toMatchObject({ held: files, left: 3 });
});

it("X-11 without an answer, an edit of a held file becomes part of what is held", async () => {
  const { script, tool, text, root, changes, events } = await world(() => "later");
  await script("echo two >> a.txt; mkdir d; echo deep > d/e.txt; chmod 755 d/e.txt");
  const before = changes.pending().find(({ path }) => path === "a.txt");
  const earlier = events().length;
  const edit = { path: "a.txt", old_text: "two", new_text: "three" };
  const edited = await tool("edit_file", edit);
  expect(edited.result).toMatchObject({ ok: true, held: true });
  expect(edited.text).toContain("held with what the script made of it");
  expect(edited.text).toContain("-two\n+three");
  const appended = { path: "d/e.txt", content: "end\n", append: true };
  expect((await tool("write_file", appended)).result).toMatchObject({ ok: true, held: true });
  expect(events().slice(earlier)).not.toContain("approval-request");
  expect(text("a.txt")).toBe("one\n");
  expect(existsSync(join(root, "d"))).toBe(false);
  expect((await tool("read_file", { path: "a.txt" })).text).toBe("one\nthree\n");
  expect((await script("cat a.txt d/e.txt; echo four >> a.txt")).text).toContain(
    "one\nthree\ndeep\nend\n",
  );
  expect(changes.pending().find(({ path }) => path === "a.txt")?.before).toEqual(before?.before);
  const { conflicts } = await changes.apply(() => true);
  expect(conflicts).toEqual([]);
  expect([text("a.txt"), text("d/e.txt")]).toEqual(["one\nthree\nfour\n", "deep\nend\n"]);
  expect(lstatSync(join(root, "d/e.txt")).mode & 0o777).toBe(0o755);
});

it("X-11 a refused edit of a held file changes nothing, and a denied one is not asked about", async () => {
  let answer: "no" | "later" = "later";
  const { script, tool, text } = await world(() => answer, { deny: ["edit_file(b.txt)"] });
  await script("echo two >> a.txt; echo two >> b.txt");
  answer = "no";
  const edit = { old_text: "two", new_text: "three" };
  const refused = await tool("edit_file", { ...edit, path: "a.txt" });
  expect(refused.result).toMatchObject({ ok: false, code: "approval-refused" });
  const denied = await tool("edit_file", { ...edit, path: "b.txt" });
  expect(denied.result).toMatchObject({ ok: false, code: "policy-denied" });
  expect((await tool("read_file", { path: "a.txt" })).text).toBe("one\ntwo\n");
  expect([text("a.txt"), text("b.txt")]).toEqual(["one\n", "b\n"]);
});

it("X-11 an edit of a file that a script replaced by a link goes to the real file", async () => {
  const { script, tool, text } = await world(({ calledAs }) =>
    calledAs === "edit_file" ? "yes" : "later",
  );
  await script("rm a.txt; ln -s b.txt a.txt");
  const edit = { path: "a.txt", old_text: "one", new_text: "two" };
  expect((await tool("edit_file", edit)).result).toMatchObject({ ok: true });
  expect([text("a.txt"), text("b.txt")]).toEqual(["two\n", "b\n"]);
});

it("X-11 a file that a person saves while the change waits is a conflict, reported by name", async () => {
  const { script, root, text, changes } = await world(() => "later");
  await script("echo two >> a.txt; echo x > b.txt");
  writeFileSync(join(root, "a.txt"), "mine\n");
  const { applied, conflicts } = await changes.apply(() => true);
  expect(applied.map(({ path }) => path)).toEqual(["b.txt"]);
  expect(conflicts).toMatchObject([{ path: "a.txt" }]);
  expect(text("a.txt")).toBe("mine\n");
});

it("X-11 what a killed process began is finished by the next run in the same folder", async () => {
  const { script, root, text, folder } = await world(() => "later");
  await script("echo two >> a.txt; echo new > c.txt");
  const held = join(folder, "run/changes");
  const die = (step: string) => {
    if (step === "change 0") throw new Error("killed");
  };
  await expect(applyChanges(held, { onStep: die })).rejects.toThrow("killed");
  expect(text("a.txt")).toBe("one\ntwo\n");
  expect(existsSync(join(root, "c.txt"))).toBe(false);
  const next = new RunChanges({ root, folder: join(folder, "next-run") });
  const { found } = await next.run(() => Promise.resolve());
  await next.close();
  expect(found).toEqual({ changes: [] });
  expect(readdirSync(root).toSorted()).toEqual(["a.txt", "b.txt", "c.txt"]);
});

it("X-11 names files of the private /tmp that are gone, and keeps the output folder", async () => {
  const { script, changes } = await world(() => "yes");
  const result = await script('echo x > /tmp/lost.csv; echo y > "$SKILLWRIGHT_OUTPUT/kept.csv"');
  expect(result.text).toContain('Gone with the private /tmp: "lost.csv".');
  expect(readFileSync(join(changes.output, "kept.csv"), "utf8")).toBe("y\n");
  expect((await script("cat /tmp/lost.csv")).ok).toBe(false);
});

it("X-11 what cannot be looked at afterwards is an error of something that ran", async () => {
  const { script, changes, folder } = await world(() => "yes");
  expect((await script("true")).ok).toBe(true);
  // Where the contents would be held is a file.
  rmSync(join(folder, "run/changes"), { recursive: true, force: true });
  writeFileSync(join(folder, "run/changes"), "");
  const result = await script("echo x > new.txt");
  expect(result.ok).toBe(false);
  expect(result.text).toContain("it ran, and what it changed is lost");
  expect(changes.root).toBeTruthy();
});

it("X-11 F6 no secret file is in the view, at any depth, in any case or behind a link", async () => {
  const { script, root } = await world(() => "yes");
  const secrets = [
    ".env",
    ".ENV",
    "server.key",
    ".pgpass",
    "a/b/id_ed25519_sk",
    "a/.aws/credentials",
  ];
  for (const path of secrets) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "TOP-SECRET");
  }
  symlinkSync("../.env", join(root, "a/link"));
  const result = await script("grep -r . . ; cat a/link; ls -A . a a/b; echo mine > .ENV");
  expect(result.text).not.toContain("TOP-SECRET");
  expect(result.text).toContain("./a.txt:one");
  expect(result.text).toContain('- ".ENV": it is kept secret from scripts');
  expect(readFileSync(join(root, ".ENV"), "utf8")).toBe("TOP-SECRET");
});

it.runIf(process.getuid?.() === 0)(
  "X-11 a file of another owner gives a message that says what to do",
  async () => {
    const { script, root } = await world(() => "yes");
    chmodSync(join(root, "a.txt"), 0o666);
    chownSync(join(root, "a.txt"), 4242, 4242);
    const result = await script("echo more >> a.txt");
    expect(result.ok).toBe(false);
    expect(result.text).toContain("A file belongs to another user or group");
  },
);

it("X-11 a script that cannot write reads why, and where it can", async () => {
  const { script, changes } = await world(() => "yes");
  changes.run = async (work) => {
    const result = await work({ ok: false, reason: "user namespaces are switched off" });
    return { result, found: { changes: [], readOnly: "user namespaces are switched off" } };
  };
  const result = await script("echo x > a.txt");
  expect(result.ok).toBe(false);
  expect(result.text).toContain(
    'cannot write to the working directory here: user namespaces are switched off. Files written to "$SKILLWRIGHT_OUTPUT" are kept.',
  );
  expect((await script('echo y > "$SKILLWRIGHT_OUTPUT/x"')).ok).toBe(true);
});

it("X-11 there is no view where another file system is mounted below", async () => {
  const folder = temporaryFolder();
  expect(await openView({ root: "/dev", folder })).toMatchObject({
    ok: false,
    reason: expect.stringContaining("another file system is mounted at") as string,
  });
});

it("X-11 P-02 a question about many changes says how many there are, and is still one about changes", async () => {
  const { script, asked } = await world((request) =>
    isAboutChanges(request) ? { only: ["site/p1/f1.txt"] } : "no",
  );
  const make =
    "for p in 1 2 3 4 5 6; do mkdir -p site/p$p; for f in $(seq 30); do seq 20 > site/p$p/f$f.txt; done; done; echo two >> a.txt; rm b.txt";
  const { ok } = await script(make);
  expect(ok).toBe(true);
  const [request] = asked;
  if (request === undefined) throw new Error("nothing was asked");
  const { text, isCut } = approvalFacts(request, 80);
  expect(isCut).toBe(true);
  expect(text.replaceAll(/\n +/g, " ")).toMatch(
    /Files +[^\n]*"site\/" \(180 files, [^)]+\)\s+created/,
  );
  expect(text).toContain('"b.txt" deleted');
  expect(text).toMatch(/Changes +3,601 lines added, 1 line removed/);
  expect(approvalText(request)).toContain("3,601 lines added, 1 line removed");
});
