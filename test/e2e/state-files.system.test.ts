import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skillText } from "../support/skill-tree.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const HUGE = 6 * 1024 ** 3;
/** Generous, so that only a process that never ends is killed. */
const HANGS_AFTER_MS = 50_000;
const STATE = "home/.local/state/skillwright";

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  "a sparse file of 6 GiB"(path) {
    const descriptor = openSync(path, "w", 0o600);
    ftruncateSync(descriptor, HUGE);
    closeSync(descriptor);
  },
  "a FIFO": (path) => void execFileSync("mkfifo", ["-m", "600", path]),
  "a directory": (path) => mkdirSync(path),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
};

/** The first file that a pattern names; a file that does not exist yet is named as it is. */
const FILES: readonly (readonly [string, readonly string[]])[] = [
  [`${STATE}/trust.json`, ["list"]],
  [`${STATE}/disabled.json`, ["list"]],
  [`${STATE}/audit/key`, ["run", "Which skills are there?"]],
  [`${STATE}/audit/heads/*.head`, ["runs", "show", "RUN"]],
  [`${STATE}/approvals/key`, ["run", "Which skills are there?"]],
  [`${STATE}/evals/last-*.json`, ["eval", "report"]],
  ["home/.config/skillwright/config.json", ["list"]],
  ["project/.agent/config.json", ["list"]],
  ["project/.agent/skills.lock.json", ["verify"]],
  ["project/.agent/runs/*/events.jsonl", ["runs", "show", "RUN"]],
];
/** Without these everything is still known. */
const IGNORED: readonly (readonly [string, readonly string[]])[] = [
  ["project/.gitignore", ["list"]],
  ["home/.cache/skillwright/*.index", ["list"]],
  ["home/.cache/skillwright/*.search", ["search", "dates"]],
];

let world = "";
let run = "";

function skillwright(args: readonly string[]) {
  const result = spawnSync(process.execPath, [BIN, ...args], {
    cwd: join(world, "project"),
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: join(world, "home") },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: HANGS_AFTER_MS,
    killSignal: "SIGKILL",
  });
  return { ...result, text: result.stderr + result.stdout };
}

/** Puts something else in the place of a file, and everything back afterwards. */
function withOther(pattern: string, put: (path: string) => void, args: readonly string[]) {
  const path = join(world, found(pattern));
  const kept = join(world, "kept");
  rmSync(kept, { recursive: true, force: true });
  for (const name of ["home", "project"]) {
    cpSync(join(world, name), join(kept, name), { recursive: true, preserveTimestamps: true });
  }
  try {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    put(path);
    return { ...skillwright(args.map((word) => (word === "RUN" ? run : word))), path };
  } finally {
    for (const name of ["home", "project"]) {
      rmSync(join(world, name), { recursive: true, force: true });
      cpSync(join(kept, name), join(world, name), { recursive: true, preserveTimestamps: true });
    }
  }
}

function found(pattern: string): string {
  const [before = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern;
  const folder = before.endsWith("/") ? before : `${dirname(before)}/`;
  const start = before.slice(folder.length);
  const [end = ""] = (rest[0] ?? "").split("/");
  const name = readdirSync(join(world, folder)).find(
    (one) => one.startsWith(start) && one.endsWith(end) && one !== ".gitignore",
  );
  return `${folder}${name ?? ""}${(rest[0] ?? "").slice(end.length)}`;
}

beforeAll(() => {
  const evals = {
    skill_name: "mine",
    evals: [
      {
        id: 1,
        prompt: "Please format these dates",
        expected_output: "Dates",
        assertions: [{ text: "used", type: "skill_used", value: "mine" }],
      },
    ],
  };
  const description = "Formats dates. Use when a date must be written.";
  world = mkdtempSync(join(tmpdir(), "skillwright-state-"));
  const files = {
    "project/.gitignore": "node_modules\n",
    "project/.agent/skills/mine/SKILL.md": skillText("mine", description),
    "project/.agent/skills/mine/evals/evals.json": JSON.stringify(evals),
    "pack/other/SKILL.md": skillText("other", "Formats times. Use when a time must be written."),
    "home/.keep": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world, path)), { recursive: true });
    writeFileSync(join(world, path), text);
  }
  mkdirSync(join(world, "project/.git"));
  for (const args of [
    ["trust"],
    ["disable", "mine"],
    ["enable", "mine"],
    ["install", "../pack/other"],
    ["search", "dates"],
    ["run", "Which skills are there?"],
    ["eval"],
  ]) {
    const { status, text } = skillwright(args);
    if (status !== 0) throw new Error(`skillwright ${args.join(" ")}: ${text}`);
  }
  run = basename(dirname(found("project/.agent/runs/*/events.jsonl")));
}, 300_000);
afterAll(() => rmSync(world, { recursive: true, force: true }));

describe.each(Object.entries(KINDS))("%s", (_, put) => {
  it.each(FILES)("R-05 in the place of %s is an error that names it", (pattern, args) => {
    const { status, text, path } = withOther(pattern, put, args);
    expect({ status, text }).toMatchObject({ status: 2 });
    expect(text).toContain(path);
    expect(text).toMatch(/remove|move .* away|mode 0600/i);
    expect(text).not.toMatch(/^ {4}at |bug of its own|internal error/im);
  });

  it.each(IGNORED)("R-05 in the place of %s is ignored", (pattern, args) => {
    const { status, text } = withOther(pattern, put, args);
    expect({ status, text }).toMatchObject({ status: 0 });
    expect(text).toContain("mine");
  });
});
