import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { EventEmitter, on } from "node:events";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { main } from "../../index.ts";
import { runCli } from "../../../../../test/support/run-cli.ts";

const SELECT = { action: "select_skills", skills: [{ name: "pdf" }], reason: "It is about PDF." };
const JOIN = {
  action: "run_script",
  skill: { name: "pdf" },
  relative_path: "scripts/join.mjs",
  args: ["a"],
};
const said = (answer: string) => ({ action: "final_answer", answer });

type Document = Readonly<Record<string, unknown>>;

function world(actions: readonly unknown[]) {
  const more: Record<string, string> = {};
  const notes = new EventEmitter();
  /** When this was said on stderr. */
  const noted = async (part: string) => {
    for await (const [text] of on(notes, "note")) if (String(text).includes(part)) return;
  };
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/notes.md": "# Notes\nThe code word is heron.\n",
    "project/.agent/skills/pdf/SKILL.md": skillText("pdf", "Joins PDF files. Use to join them."),
    "project/.agent/skills/pdf/scripts/join.mjs": "console.log('joined', process.argv[2]);\n",
    "project/.agent/skills/plan/SKILL.md": skillText("plan", "Plans trips. Use for travels."),
    "outside.txt": "no",
    "actions.json": JSON.stringify({ actions }),
  });
  const cwd = join(folder, "project");
  const env = {
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const options = [
    "--trust",
    "--sandbox",
    "none",
    "--model",
    `mock:${join(folder, "actions.json")}`,
  ];
  const chat = async (input: string | AsyncIterable<string>, ...args: string[]) => {
    const stdin = Readable.from(typeof input === "string" ? [input] : input);
    let stdout = "";
    let stderr = "";
    const exitCode = await main(["chat", ...options, ...args], {
      stdin: () => stdin,
      stdout: { write: (text) => (stdout += text) },
      stderr: {
        write(text) {
          stderr += text;
          notes.emit("note", text);
        },
      },
      env: { ...env, ...more },
      cwd,
    });
    return { exitCode, stdout, stderr };
  };
  const json = async (input: string, ...args: string[]) => {
    const { stdout, ...rest } = await chat(input, "--json", ...args);
    const documents = stdout.split("\n").filter((line) => line !== "");
    return { ...rest, documents: documents.map((line) => JSON.parse(line) as Document) };
  };
  const runs = join(cwd, ".agent/runs");
  const ids = () =>
    readdirSync(runs)
      .filter((name) => !name.startsWith("."))
      .sort();
  const start = (id: string) => {
    const [line = ""] = readFileSync(join(runs, id, "events.jsonl"), "utf8").split("\n");
    return (JSON.parse(line) as { readonly data: Document }).data;
  };
  const rewrite = (next: readonly unknown[]) =>
    writeFileSync(join(folder, "actions.json"), JSON.stringify({ actions: next }));
  return { folder, env: more, noted, chat, json, ids, runs, start, rewrite };
}

describe("chat without a terminal", () => {
  it("C-01 D-04 takes a message per line; each is a run that knows the ones before", async () => {
    const { chat, ids, start } = world([SELECT, said("first"), said("second")]);
    const { exitCode, stdout } = await chat("join a\nand \\\nb\n\n");
    expect([exitCode, stdout]).toEqual([0, "first\nsecond\n"]);
    const [first = "", second = ""] = ids();
    expect(start(second)).toMatchObject({
      request: "and \nb",
      conversation: {
        id: first,
        previous: first,
        exchanges: [{ runId: first, request: "join a", answer: "first" }],
        skills: ["pdf@project"],
      },
    });
    expect(ids()).toHaveLength(2);
  });

  it("C-01 prints a line of JSON for each message and command", async () => {
    const { json, ids } = world([said("one"), said("two")]);
    const { exitCode, documents } = await json("a\n/cost\n/nothing\n", "hello");
    const [first = ""] = ids();
    expect(documents).toMatchObject([
      { schemaVersion: 1, status: "answered", answer: "one", conversation: { id: first, turn: 1 } },
      { schemaVersion: 1, status: "answered", answer: "two", conversation: { id: first, turn: 2 } },
      { schemaVersion: 1, command: "cost", text: expect.stringContaining("2 TURNS") as string },
      { schemaVersion: 1, error: { message: "there is no command or skill /nothing" } },
    ]);
    expect(exitCode).toBe(2);
  });

  it("P-02 C-01 asks nobody; the exit code is that of the last message", async () => {
    const { chat, json, rewrite } = world([SELECT, JOIN]);
    const waiting = await json("join a\n");
    expect(waiting).toMatchObject({ exitCode: 3, documents: [{ status: "needs_approval" }] });
    rewrite([said("well")]);
    const { exitCode, stdout, stderr } = await chat("never mind\n", "--continue");
    expect([exitCode, stdout]).toEqual([0, "well\n"]);
    expect(stderr).toContain("1 exchange");
    expect(stderr).toContain("waits for an approval of run_script");
    expect(stderr).toMatch(/runs resume \S+ --approve /);
  });

  it("C-01 M-01 a conversation goes on with its own model", async () => {
    const cwd = temporaryFolder({ ".git/HEAD": "" });
    const begun = await runCli(["chat", "--model", "offline"], {
      cwd,
      env: { HOME: cwd },
      stdin: "hi\n",
    });
    expect(begun.exitCode, begun.stderr).toBe(0);
    const env = { HOME: cwd, OPENAI_API_KEY: "sk-none", OPENAI_BASE_URL: "http://127.0.0.1:9" };
    const { exitCode, stderr } = await runCli(["chat", "--continue"], { cwd, env, stdin: "hi\n" });
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining("offline demo model is answering"),
    ]);
  });

  it("C-01 goes on after a message that failed", async () => {
    const { json } = world([said("one")]);
    const { exitCode, documents } = await json("a\nb\n/exit\nc\n");
    expect(documents).toMatchObject([{ status: "answered" }, { status: "model_failed" }]);
    expect(documents).toHaveLength(2);
    expect(exitCode).toBe(1);
  });

  it("C-01 says so when there is nothing to go on with", async () => {
    const { chat } = world([]);
    expect(await chat("", "--continue")).toMatchObject({ exitCode: 1 });
    expect(await chat("", "--resume", "2026")).toMatchObject({ exitCode: 1 });
    expect(await chat("", "--resume", "2026", "--continue")).toMatchObject({ exitCode: 2 });
    expect(await chat("", "--budget-turns", "none")).toMatchObject({ exitCode: 2 });
  });
});

describe("the commands of a chat", () => {
  it("A-08 explains what was used and why, from the record", async () => {
    const { chat } = world([SELECT, said("done")]);
    const { stdout } = await chat("join the PDF files\n/why\n/why pdf\n/why plan\n/why pdg\n");
    expect(stdout).toContain("● pdf (project), the model chose it in turn 1: It is about PDF.");
    expect(stdout).toMatch(/Nearest to the request[^]*● \d+\.\d+ {2}pdf/);
    expect(stdout).toMatch(/plan\nNot used in the last turn\./);
    expect(stdout).toMatch(/shares no word with the request|it is number \d/);
    expect(stdout).toContain("did you mean pdf");
  });

  it("A-08 a command comes before a skill of its name, which its source still calls", async () => {
    const { chat, start, ids } = world([said("travelled")]);
    const { stdout, stderr } = await chat("/plan\n/plan@project to Rome\n/skills\n/plna\n");
    expect(stderr).toContain("/plan@project calls it");
    expect(stdout).toContain("travelled");
    expect(start(ids()[0] ?? "")).toMatchObject({ invoked: { skill: "plan@project" } });
    expect(stdout).toMatch(/plan\s+active\s+project/);
    expect(stdout).toMatch(/pdf\s+project/);
    expect(stderr).toMatch(/did you mean \/plan/);
  });

  it("R-09 a skill that was added meanwhile can be called", async () => {
    const { chat, folder, start, ids, noted } = world([said("new")]);
    const skill = join(folder, "project/.agent/skills/fresh");
    const lines = async function* () {
      yield "/fresh\n";
      await noted("no command or skill");
      mkdirSync(skill);
      writeFileSync(join(skill, "SKILL.md"), skillText("fresh", "Is new. Use it now."));
      yield "/fresh now\n";
    };
    const { exitCode, stderr } = await chat(lines());
    expect(stderr).toContain("there is no command or skill /fresh");
    expect(exitCode).toBe(0);
    expect(start(ids()[0] ?? "")).toMatchObject({ invoked: { skill: "fresh", arguments: "now" } });
  });

  it("A-03 M-04 shows the plan and what it cost", async () => {
    const plan_update = {
      replace: {
        goal: "Join \u001b[31mthem",
        steps: [{ id: "1", title: "Look", status: "completed" }],
        assumptions: [],
        constraints: {},
      },
    };
    const { chat } = world([{ ...said("done"), plan_update }]);
    const { stdout } = await chat("/plan\njoin\n/plan\n/cost\n");
    expect(stdout).toMatch(/^No plan yet/);
    expect(stdout).toContain("Join \\u{1b}[31mthem\n  ☑ Look");
    expect(stdout).toMatch(/LAST TURN +1 TURN\ntokens in +(\d+) +\1\n/);
    expect(stdout).toMatch(/model calls +1 +1\n/);
  });

  it("D-10 gives a file with the next message only, and none from outside", async () => {
    const { json, start, ids } = world([said("one"), said("two")]);
    const files = "/file notes.md\n/file ../outside.txt\n/file\nwhat is in it?\nand now?\n";
    const { documents } = await json(files);
    expect(documents.map(({ command, error, answer }) => command ?? error ?? answer)).toMatchObject(
      [
        "file",
        { message: expect.stringContaining("outside of the working directory") as string },
        { message: "which file is not said" },
        "one",
        "two",
      ],
    );
    const [first = "", second = ""] = ids();
    expect(start(first)).toMatchObject({ attachments: [{ path: "notes.md" }] });
    expect(start(second)).not.toHaveProperty("attachments");
  });

  it("C-01 begins anew, lists conversations and goes back to one by its beginning", async () => {
    const { chat, ids, start, rewrite } = world([said("one"), said("two")]);
    await chat("about cats\n/new\nabout dogs\n");
    const [cats = "", dogs = ""] = ids();
    expect(start(dogs)).toMatchObject({ conversation: { id: dogs, exchanges: [] } });
    rewrite([said("three"), said("four")]);
    const { stdout, stderr } = await chat(`/resume\n/resume ${cats}\nmore\n/help\n`);
    expect(stdout).toMatch(new RegExp(`${dogs}[^]*about dogs[^]*${cats}[^]*about cats`));
    expect(stderr).toContain(`Conversation ${cats}, 1 exchange`);
    expect(start(ids().at(-1) ?? "")).toMatchObject({
      conversation: { id: cats, exchanges: [{ request: "about cats" }] },
    });
    expect(stdout).toContain("/resume [id]");
    const last = await chat("/cost\n", "--continue");
    expect(last.stderr).toContain(`Conversation ${cats}, 2 exchanges`);
    expect(last.stdout).toMatch(/LAST TURN +2 TURNS\n/);
  });

  it("C-01 P-03 a conversation goes on although older runs are gone or damaged", async () => {
    const { chat, ids, runs, rewrite } = world([said("one"), said("two"), said("three")]);
    await chat("a\nb\nc\n");
    const [first = "", second = ""] = ids();
    rmSync(join(runs, first), { recursive: true });
    writeFileSync(join(runs, second, "events.jsonl"), "{}\n");
    mkdirSync(join(runs, "20990101T000000000Z-00000000"));
    rewrite([said("four")]);
    const { exitCode, stdout, stderr } = await chat("d\n/cost\n", "--continue");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("3 exchanges");
    expect(stdout).toContain("four");
    expect(stdout).toContain("2 older runs are gone and not counted");
  });

  it("P-03 R-12 a conversation that somebody else wrote, such as with a clone, is none", async () => {
    const { chat, env, folder, rewrite } = world([said("do as I say")]);
    await chat("hello\n");
    env["XDG_STATE_HOME"] = join(folder, "another-user");
    rewrite([said("nothing was said before")]);
    expect(await chat("", "--continue")).toMatchObject({ exitCode: 1 });
    const { stdout } = await chat("/resume\nhello\n");
    expect(stdout).toContain("No conversations in this project yet.");
    expect(stdout).not.toContain("do as I say");
  });

  it("C-01 a message that is too long is refused, and the next one is not", async () => {
    const { json } = world([said("short")]);
    const { documents, exitCode } = await json(`${"x".repeat(60_001)}\nhello\n`);
    expect(documents).toMatchObject([
      { error: { message: "the message has 60001 characters, at most 60000 are taken" } },
      { answer: "short" },
    ]);
    expect(exitCode).toBe(0);
  });
});
