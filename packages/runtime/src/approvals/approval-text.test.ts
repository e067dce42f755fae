import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUnits } from "../../../../test/arbitraries/hostile-text.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type ApprovalCall,
  approvalChoices,
  approvalFacts,
  type Approvals,
  approvalSource,
  approvalText,
} from "../internal/index.ts";
import { openApprovals } from "./index.ts";

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const DIGEST = `sha256:${"a".repeat(64)}`;
const CALL: ApprovalCall = {
  tool: "run_script",
  input: { script: "a.py", args: ["in file.pdf"] },
  cwd: "/work",
  skill: { name: "pdf", source: "project", digest: DIGEST },
  script: { path: "scripts/a.py", args: ["in file.pdf"], text: "import sys\nprint(1)\n" },
  command: ["python3", "-E", "scripts/a.py", "in file.pdf"],
  sandbox: "bubblewrap",
  writable: ["out"],
  network: ["example.org"],
};

const open = () => openApprovals({ stateDirectory: temporaryFolder(), runId: "r" });
const requestOf = async (call: ApprovalCall) => (await open()).request(call);
const withScript = (text: string | undefined): ApprovalCall => ({
  ...CALL,
  script: { path: "scripts/a.py", args: ["in file.pdf"], text },
});

describe("what a person sees", () => {
  it("P-02 shows exactly what will happen", async () => {
    expect(approvalText(await requestOf(CALL)).split("\n")).toEqual([
      "Tool       run_script",
      "Skill      pdf from project",
      `Digest     ${DIGEST}`,
      "Script     scripts/a.py",
      'Command    python3 -E scripts/a.py "in file.pdf"',
      'Input      {"args":["in file.pdf"],"script":"a.py"}',
      "Folder     /work",
      "Sandbox    bubblewrap",
      "May write  out",
      "May reach  example.org",
      "All of scripts/a.py:",
      "  | import sys",
      "  | print(1)",
    ]);
  });

  it("P-02 says why a file is asked about before it is read", async () => {
    const read = (path: string) => ({ tool: "read_file", input: { path }, cwd: "/work" });
    const note = /^Note {7}such files hold secrets; the model gets the text as it is$/m;
    for (const path of ["app.env", "deploy/.env", ".npmrc"]) {
      expect(approvalText(await requestOf(read(path)))).toMatch(note);
    }
    expect(approvalText(await requestOf(read("notes.txt")))).not.toMatch(/^Note/m);
    expect(approvalText(await requestOf({ ...read("app.env"), tool: "other" }))).not.toMatch(note);
  });

  it("P-02 promises nothing that no sandbox holds", async () => {
    const text = approvalText(await requestOf({ ...CALL, sandbox: "none", writable: [] }));
    expect(text).toContain("Sandbox    NONE: it can read, write and reach whatever you can");
    expect(text).not.toContain("May write");
    const held = approvalText(await requestOf({ ...CALL, writable: [], network: "none" }));
    expect(held).toContain("May write  a copy of the folder\nMay reach  no network");
  });

  it("P-02 says how much of a script it leaves out", async () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");
    const request = await requestOf(withScript(text));
    expect(approvalText(request)).toContain("First 40 of 100 lines of scripts/a.py:\n  | line 1\n");
    expect(approvalText(request)).not.toContain("line 41");
  });

  it("P-02 a diff that a tool gives is shown", async () => {
    const call = { tool: "write_file", input: {}, cwd: "/work", diff: "-a\n+b" };
    expect(approvalText(await requestOf(call))).toMatch(
      /Changes to the file:\n {2}\| -a\n {2}\| \+b$/,
    );
  });

  it("P-02 shows nothing twice: not what the diff or the command already shows in full", async () => {
    const content = `${"x".repeat(70)}\n`;
    const write = (diff: string) =>
      requestOf({ tool: "write_file", input: { path: "a", content }, cwd: "/work", diff });
    expect(approvalText(await write(`+${content}`))).toContain(
      'Input      {"content":"(71 characters, see the changes)","path":"a"}',
    );
    expect(approvalText(await write(`+${"y".repeat(500)}`))).toContain("xxx");
    const run = (input: Readonly<Record<string, string | number>>) =>
      requestOf({ tool: "run_command", input, cwd: "/work", command: ["ls", "-l"] });
    expect(approvalText(await run({ command: "ls -l" }))).not.toContain("Input");
    expect(approvalText(await run({ command: "ls -l", cwd: "sub" }))).toContain(
      'Input      {"cwd":"sub"}',
    );
  });

  it("P-02 nothing in a request can look like a line of ours or command the terminal", async () => {
    const approvals = await open();
    await fc.assert(
      fc.asyncProperty(anyUnits, anyUnits, async (a, b) => {
        const forged = `${a}\nMay reach  no network\r\n${b}`;
        const request = await approvals.request({
          ...withScript(forged),
          input: { [forged]: forged },
          cwd: forged,
          skill: { name: forged, source: forged, digest: forged },
          command: [forged],
          writable: [forged],
          network: [forged],
          sandbox: forged,
        });
        const text = approvalText(request);
        expect(text.split("\n").filter((line) => line.startsWith("May reach"))).toHaveLength(1);
        expect(text).not.toMatch(OBEYED);
      }),
    );
  });
});

describe("the facts in short", () => {
  const linesOf = async (call: ApprovalCall, columns?: number) => {
    const { text, isCut } = approvalFacts(await requestOf(call), columns);
    return { lines: text.split("\n"), isCut };
  };

  it("P-02 say in a few lines what will happen", async () => {
    expect((await linesOf(CALL)).lines).toEqual([
      "Tool      run_script scripts/a.py",
      "Skill     pdf from project, sha256:aaaaaaaaaaaa…",
      'Command   python3 -E scripts/a.py "in file.pdf"',
      "Folder    /work",
      "Limits    in bubblewrap; writes out; reaches example.org",
      "Source    2 lines",
      "With a    all scripts of pdf, for the rest of this run",
    ]);
    const write = { tool: "edit_file", input: { path: "a", old_text: "b" }, cwd: "/work" };
    expect((await linesOf({ ...write, writable: ["a"], diff: "-a\n+b\n+c" })).lines).toEqual([
      "Tool      edit_file",
      "Files     a",
      "Folder    /work",
      "Changes   2 lines added, 1 line removed",
      "With a    all writes in the working directory, for the rest of this run",
    ]);
  });

  it("P-02 leave room for the question at 80 columns, whatever they are about", async () => {
    const approvals = await open();
    await fc.assert(
      fc.asyncProperty(
        anyUnits,
        fc.nat(300),
        fc.integer({ min: 40, max: 200 }),
        async (a, times, columns) => {
          const long = `${a}\nTool      read_file\r\n`.repeat(times);
          const request = await approvals.request({
            ...withScript(long),
            input: { [long]: long },
            cwd: long,
            skill: { name: long, source: long, digest: long || "x" },
            command: [long, long],
            writable: [long],
            network: [long],
            sandbox: long,
            secretNames: [long],
            unlistedBy: [long],
          });
          const { text, isCut } = approvalFacts(request, columns);
          const lines = text.split("\n");
          expect(lines.length).toBeLessThanOrEqual(9);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(Math.min(80, columns));
          expect(lines.filter((line) => line.startsWith("Tool"))).toHaveLength(1);
          expect(text).not.toMatch(OBEYED);
          expect(isCut || times <= 20).toBe(true);
        },
      ),
    );
  });

  it("P-02 break lines between words, and cut between them", async () => {
    const word = fc.stringMatching(/^[a-z./-]{1,60}$/);
    const approvals = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 60 }), async (command) => {
        const request = await approvals.request({
          tool: "run_command",
          input: {},
          cwd: "/",
          command,
        });
        const { text, isCut } = approvalFacts(request);
        const shown = text.split("\n").map((line) => line.slice(10).trimEnd());
        const at = text.split("\n").findIndex((line) => line.startsWith("Folder"));
        const words = shown.slice(1, at).join(" ").split(" ");
        expect(isCut || words.join(" ") === command.join(" ")).toBe(true);
        const cut = words.findIndex((one) => one.startsWith("…(+"));
        const [head, tail] = cut === -1 ? [words, []] : [words.slice(0, cut), words.slice(cut + 1)];
        expect(command.slice(0, head.length)).toEqual(head);
        expect(command.slice(command.length - tail.length)).toEqual(tail);
      }),
    );
  });

  it("P-02 say what was left out, and show both ends", async () => {
    const command = ["python3", "a".repeat(2000), "; rm -rf ~"];
    const { lines, isCut } = await linesOf({ ...CALL, command });
    expect(isCut).toBe(true);
    expect(lines.join("").replaceAll(" ".repeat(10), "")).toMatch(
      /python3 aaa.* …\(\+\d+\)… a+ "; rm -rf ~"/,
    );
  });

  it("P-02 warn of what cannot be seen, and of a sandbox that is none", async () => {
    const { lines } = await linesOf({ ...CALL, command: ["rm", "\u202efdp"], sandbox: "none" });
    expect(lines.join("\n")).toContain("Sandbox   NONE");
    expect(lines.at(-1)).toMatch(/^Careful {3}hidden characters in the command\. Can be approved/);
  });

  it("P-02 the source has every line, as it is", async () => {
    const text = `${"x = 1\n".repeat(100)}y = "${"z".repeat(900)}"\n`;
    const shown = approvalSource(await requestOf(withScript(text)), text);
    expect(shown.split("\n").filter((line) => line.startsWith("  | "))).toHaveLength(101);
    expect(shown).toContain("z".repeat(900));
    expect(approvalSource(await requestOf(withScript("a\u202eb")), "a\u202eb")).toContain(
      "\\u{202e}",
    );
  });
});

describe("choices", () => {
  it("P-02 the first one refuses, and every other is an approval that counts", async () => {
    const approvals = await open();
    const choices = approvalChoices(await approvals.request(CALL));
    expect(choices.map(({ id }) => id)).toEqual([
      "deny",
      "once",
      "run",
      "run-any",
      "kind",
      "skill",
      "skill-any",
    ]);
    expect(choices[0]?.decision.approved).toBe(false);
    for (const { decision } of choices) {
      expect(await approvals.record(await approvals.request(CALL), decision)).toMatchObject({
        ok: true,
      });
    }
  });

  it("P-02 any arguments is neither offered nor accepted before all lines were shown", async () => {
    const linesTo = (last: number, first = "line 1") =>
      [first, ...Array.from({ length: last - 1 }, (_, index) => `line ${index + 2}`), ""].join(
        "\n",
      );
    const anyArguments = { approved: true, by: "person", anyArguments: true } as const;
    const changed = (text: string) => ({
      ...withScript(text),
      skill: { ...CALL.skill!, digest: "x" },
    });
    const offered = async (approvals: Approvals, call: ApprovalCall) => {
      const choices = approvalChoices(await approvals.request(call));
      const ids = new Set(choices.map(({ id }) => id));
      for (const scope of ["run", "skill"] as const) {
        const result = await approvals.record(await approvals.request(call), {
          ...anyArguments,
          scope,
        });
        expect(result.ok).toBe(ids.has(`${scope}-any`));
      }
      return ids.has("run-any");
    };
    expect(await offered(await open(), withScript(linesTo(40)))).toBe(true);
    const long = await open();
    expect(await offered(long, withScript(linesTo(41)))).toBe(false);
    // That an earlier text was approved once shows nothing of this one.
    const request = await long.request(withScript(linesTo(41)));
    await long.record(request, { approved: true, scope: "once", by: "person" });
    expect(await offered(long, changed(linesTo(41, "other")))).toBe(false);
    const short = await open();
    expect(await offered(short, withScript(linesTo(4)))).toBe(true);
    expect(await offered(short, changed(linesTo(4, "other")))).toBe(true);
  });

  it("P-02 without a skill or a script less is offered", async () => {
    const ids = async (call: ApprovalCall) =>
      approvalChoices(await requestOf(call)).map(({ id }) => id);
    const { script: _, ...noScript } = CALL;
    expect(await ids(noScript)).toEqual(["deny", "once", "run", "skill"]);
    const { skill: __, ...noSkill } = noScript;
    expect(await ids(noSkill)).toEqual(["deny", "once", "run"]);
  });
});
