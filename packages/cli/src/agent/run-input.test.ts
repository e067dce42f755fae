import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { viewHolders } from "../../../../test/support/processes.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { main } from "../index.ts";

const SELECT = { action: "select_skills", skills: [{ name: "pdf" }], reason: "It \u001b[2Jjoins." };
const SCRIPT = { action: "run_script", skill: { name: "pdf" }, relative_path: "scripts/a.py" };
const ANSWER = { action: "final_answer", answer: "done" };

interface Called {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunStartData {
  readonly request: string;
  readonly use?: readonly string[];
  readonly attachments?: readonly Record<string, unknown>[];
  readonly catalog: { readonly skills: readonly unknown[] };
}

function world(actions: readonly unknown[] = [ANSWER], configuration = {}) {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/.agent/skills/pdf/SKILL.md": skillText("pdf", "Merges PDF files. Use to join them."),
    "project/.agent/skills/pdf/scripts/a.py": "print('\\u001b[31mred')\n",
    "project/notes.md": "# Notes\n",
    "outside.txt": "secret\n",
    "config.json": JSON.stringify(configuration),
    "actions.json": JSON.stringify({ actions }),
  });
  const project = join(folder, "project");
  const env = {
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    PATH: process.env["PATH"] ?? "",
  };
  const model = ["--trust", "--model", `mock:${join(folder, "actions.json")}`];
  const call = async (args: readonly string[], stdin?: Readable): Promise<Called> => {
    let stdout = "";
    let stderr = "";
    const given = args[0] === "tools" ? ["--trust"] : model;
    const exitCode = await main([...args, ...given, "--config", join(folder, "config.json")], {
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
      ...(stdin && { stdin: () => stdin }),
      env,
      cwd: project,
    });
    return { exitCode, stdout, stderr };
  };
  const started = (): RunStartData => {
    const id = runIn(project);
    const file = join(project, ".agent/runs", id, "events.jsonl");
    const [first = "{}"] = readFileSync(file, "utf8").split("\n");
    return (JSON.parse(first) as { data: RunStartData }).data;
  };
  return { folder, project, call, started };
}

function runIn(project: string): string {
  const entries = readdirSync(join(project, ".agent/runs"));
  return entries.find((one) => !one.startsWith(".")) ?? "";
}

describe("a request from stdin", () => {
  it.each([[["run"]], [["run", "-"]]])("C-01 %j takes it from a pipe", async (args) => {
    const { call, started } = world();
    const ran = await call(args, Readable.from(["join\n", "them 请\n"]));
    expect(ran).toMatchObject({ exitCode: 0, stdout: "done\n" });
    expect(started().request).toBe("join\nthem 请");
  });

  it("C-01 is never waited for beside words: an idle pipe holds nothing up", async () => {
    const { call, started } = world();
    const idle = new PassThrough();
    expect(await call(["run", "join", "them"], idle)).toMatchObject({ exitCode: 0 });
    expect(started().request).toBe("join them");
    expect(idle.readableFlowing).toBe(null);
  });

  it.each([
    ["nothing", Readable.from([]), /is empty/],
    ["only blanks", Readable.from(["  \n"]), /is empty/],
    ["no text", Readable.from([Buffer.from([0xff, 0xfe, 0])]), /not text/],
    ["too much", Readable.from([Buffer.alloc(300_000, "a")]), /too long[^]*--file -/],
    ["too many characters", Readable.from(["a".repeat(60_001)]), /60001 characters/],
  ])("C-01 %s is wrong usage, with the way to do it", async (_, stdin, message) => {
    const { call, project } = world();
    const ran = await call(["run", "-"], stdin);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
    expect(readdirSync(join(project, ".agent"))).toEqual(["skills"]);
  });

  it("C-01 a keyboard is not waited for without a word from the person", async () => {
    const { call } = world();
    const keyboard = Object.assign(new PassThrough(), { isTTY: true });
    expect(await call(["run"], keyboard)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/not said[^]*skillwright run "/),
    });
  });

  it("C-01 cannot be the request and a file at once", async () => {
    const { call } = world();
    for (const args of [
      ["run", "--file", "-"],
      ["run", "-", "--file", "-"],
    ]) {
      expect(await call(args, Readable.from(["x"]))).toMatchObject({ exitCode: 2 });
    }
    expect(await call(["run", "x", "--file", "-", "--file", "-"])).toMatchObject({ exitCode: 2 });
  });
});

describe("files with a request", () => {
  it("C-01 go along with their size, digest and text", async () => {
    const { call, started, project } = world();
    writeFileSync(join(project, "photo.png"), Buffer.from([0x89, 0x50, 0, 0xff]));
    mkdirSync(join(project, "sub"));
    symlinkSync("../notes.md", join(project, "sub/link.md"));
    const files = ["--file", "notes.md", "--file", "photo.png", "--file", "sub/link.md"];
    const ran = await call(["run", "look", ...files, "--file", "-"], Readable.from(["a,b\n"]));
    expect(ran.exitCode).toBe(0);
    const digest = `sha256:${createHash("sha256").update("# Notes\n").digest("hex")}`;
    // The link leads to a file that is there already.
    expect(started().attachments).toEqual([
      { path: "notes.md", bytes: 8, digest, text: "# Notes\n" },
      { path: "photo.png", bytes: 4, digest: expect.stringMatching(/^sha256:/) },
      { path: "stdin", bytes: 4, digest: expect.stringMatching(/^sha256:/), text: "a,b\n" },
    ]);
    expect(ran.stderr).toContain("file    notes.md (8 bytes)");
  });

  it("C-01 only the beginning of a long one, not half of a character", async () => {
    const { call, started, project } = world();
    writeFileSync(join(project, "long.txt"), `x${"😀".repeat(30_000)}`);
    expect(await call(["run", "look", "--file", "long.txt"])).toMatchObject({ exitCode: 0 });
    const [file] = started().attachments ?? [];
    expect(file).toMatchObject({ bytes: 120_001, truncated: true });
    expect(String(file?.["text"])).not.toMatch(/\p{Cs}/u);
  });

  it("X-02 not from outside, by a path or a link, nor what is no file", async () => {
    const { call, folder, project } = world();
    symlinkSync(join(folder, "outside.txt"), join(project, "link.txt"));
    symlinkSync(folder, join(project, "up"));
    linkSync(join(folder, "outside.txt"), join(project, "hard.txt"));
    execFileSync("mkfifo", [join(project, "fifo")]);
    for (const [path, message] of [
      ["", "the path of a file is empty"],
      ["hard.txt", "has a second name somewhere (a hard link)"],
      ["../outside.txt", "outside of the working directory"],
      [join(folder, "outside.txt"), "outside of the working directory"],
      ["link.txt", "outside of the working directory"],
      ["up/outside.txt", "outside of the working directory"],
      ["/dev/zero", "outside of the working directory"],
      ["fifo", "is not a file"],
      [".agent", "is not a file"],
      ["nothing.txt", "there is no file"],
      ["a\u0000b", "there is no file"],
    ] as const) {
      const { exitCode, stderr, stdout } = await call(["run", "look", "--file", path]);
      expect({ path, exitCode, stdout }).toEqual({ path, exitCode: 2, stdout: "" });
      expect(stderr).toContain(message);
    }
    expect(readdirSync(join(project, ".agent"))).toEqual(["skills"]);
  });

  it("C-01 nor one that is too large, or too many", async () => {
    const { call, project } = world([ANSWER], { workspace: { maxFileSizeBytes: 1000 } });
    writeFileSync(join(project, "large.txt"), "a".repeat(1001));
    expect(await call(["run", "look", "--file", "large.txt"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/1001 bytes, at most 1000[^]*in the request/),
    });
    const piped = Readable.from([Buffer.alloc(2000)]);
    expect(await call(["run", "look", "--file", "-"], piped)).toMatchObject({ exitCode: 2 });
    const many = Array.from({ length: 21 }, () => ["--file", "notes.md"]).flat();
    expect(await call(["run", "look", ...many])).toMatchObject({ exitCode: 2 });
  });
});

describe("skills that a person wants, or not", () => {
  it("A-08 --skill uses it from the beginning, and a wrong name begins no run", async () => {
    const { call, started, project } = world();
    const wrong = await call(["run", "join", "--skill", "pfd"]);
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("pdf") });
    expect(readdirSync(join(project, ".agent"))).toEqual(["skills"]);
    expect(await call(["run", "join", "--skill", "pdf"])).toMatchObject({ exitCode: 0 });
    expect(started().use).toEqual(["pdf"]);
  });

  it("A-10 --no-skills is a baseline without any, and goes on so", async () => {
    const { call, started } = world([SELECT]);
    const ran = await call(["run", "join", "--no-skills"]);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--no-skills") });
    expect(started().catalog.skills).toEqual([]);
    expect(ran.stderr).not.toContain("pdf (project)");
    const both = await call(["run", "join", "--no-skills", "--skill", "pdf"]);
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("exclude") });
  });
});

describe("what a run prints", () => {
  it("P-03 --events prints every record as it is written, the last with the answer", async () => {
    const { call, project } = world([SELECT, SCRIPT, { ...ANSWER, answer: "\u009b31m数" }]);
    const { exitCode, stdout, stderr } = await call([
      "run",
      "join",
      "--yes=run_script",
      "--events",
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const id = runIn(project);
    const file = readFileSync(join(project, ".agent/runs", id, "events.jsonl"), "utf8");
    const records = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
    const isDelta = (record: object) => "event" in record && record.event === "text-delta";
    expect(records(stdout).filter((record) => !isDelta(record))).toEqual(records(file));
    // What streams is printed too, and never recorded.
    const deltas = records(stdout).filter(isDelta) as { data: { text: string } }[];
    expect(deltas.map(({ data }) => data.text).join("")).toBe("\u009b31m数");
    expect(records(stdout).at(-1)).toMatchObject({
      event: "run-end",
      data: { status: "answered", answer: "\u009b31m数" },
    });
    // oxlint-disable-next-line no-control-regex -- what a terminal obeys
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(await call(["run", "join", "--events", "--json"])).toMatchObject({ exitCode: 2 });
  });

  it("P-04 --events prints no secret of a text that streams", async () => {
    const key = `sk-proj-${"aB3".repeat(12)}`;
    const answer = `one\nkey ${key}\npassword=hunter2 end`;
    const { call } = world([{ ...ANSWER, answer }]);
    const { stdout } = await call(["run", "join", "--events"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; data: { text: string } });
    const texts = events.filter(({ event }) => event === "text-delta").map(({ data }) => data.text);
    expect(texts.join("")).toBe("one\nkey [redacted]\npassword=[redacted] end");
    expect(texts[0]).toBe("one\nkey [redacted]\n");
    expect(stdout).not.toMatch(/aB3aB3|hunter2/);
    const at = (name: string) => events.findLastIndex(({ event }) => event === name);
    expect(at("text-delta")).toBeLessThan(at("model-response"));
  });

  it("X-11 what scripts ran in ends with the run, and with a single call", async () => {
    const { call } = world([SELECT, SCRIPT, ANSWER]);
    expect(await call(["run", "join", "--yes=run_script"])).toMatchObject({ exitCode: 0 });
    expect(viewHolders()).toEqual([]);
    const input = JSON.stringify({ skill_name: "pdf", script_file: "a.py" });
    const args = ["tools", "call", "run_skill_script", "--input", input, "--yes=run_script"];
    expect((await call(args)).stdout).toContain("red");
    expect(viewHolders()).toEqual([]);
  });

  it("P-02 --events stops for an approval like any program, and says how it goes on", async () => {
    const { call } = world([SELECT, SCRIPT, ANSWER]);
    const { exitCode, stdout, stderr } = await call(["run", "join", "--events"]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/"event":"run-end".*"needs_approval".*\n$/);
    expect(stderr).toContain("skillwright runs resume");
  });

  it("C-01 says why skills were chosen, and of a script that fails what it said", async () => {
    const { call, project } = world([SELECT, SCRIPT, ANSWER]);
    const script = join(project, ".agent/skills/pdf/scripts/a.py");
    writeFileSync(script, "import sys; print('no paper'); sys.exit(4)\n");
    const { stderr } = await call(["run", "join", "--yes=run_script"]);
    expect(stderr).toMatch(/why {5}It \\u\{1b\}\[2Jjoins\.\n/);
    expect(stderr).toMatch(/run {5}pdf\/scripts\/a\.py\n.*\(exit 4\)\nfailed .*no paper/);
  });

  it("C-01 every end that can go on names the command", async () => {
    const spent = world([SELECT, ANSWER]);
    expect(await spent.call(["run", "x", "--budget-turns", "1"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /larger budget, with: skillwright runs resume \S+.* --budget-turns 30/,
      ),
    });
    const tools = world([ANSWER]);
    const forced = await tools.call(["run", "x", "--budget-tool-calls", "0"]);
    expect(forced).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/of 0 tool calls left nothing[^]*--budget-tool-calls 60/),
    });
    // The answer is a result, whatever forced it.
    expect(forced.stdout.trim()).not.toBe("");
    const failed = world([SELECT]);
    expect(await failed.call(["run", "x"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Continue it with: skillwright runs resume \S+/),
    });
  });

  it("P-02 --approve is for a run that waits, and the command for that is named", async () => {
    const { call } = world([SELECT, SCRIPT, ANSWER]);
    const { stderr } = await call(["run", "join"]);
    const [, runId = "", approval = ""] = /resume (\S+) --approve (\S+)/.exec(stderr) ?? [];
    const known = await call(["run", "join", "--approve", approval]);
    expect(known).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`skillwright runs resume ${runId} --approve ${approval}`),
    });
    const unknown = await call(["run", "join", "--approve", "other"]);
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("runs list") });
  });

  it.each([
    "run",
    "runs",
    "runs list",
    "runs show",
    "runs verify",
    "runs replay",
    "runs resume",
    "runs prune",
  ])("C-01 %s --help has examples, in 80 columns", async (command) => {
    const { call } = world();
    const { exitCode, stdout } = await call([...command.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\\n[^]*  skillwright ${command}`));
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
