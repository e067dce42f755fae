import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const BIN = pathOf("packages/cli/bin/skillwright.cjs");
const LAUNCHER = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
/** It has 110 MB of packages, so that it is installed by hand: `npm ci --prefix bench/inspector`. */
const INSPECTOR = [join(pathOf("bench/inspector/node_modules"), LAUNCHER)].find((file) =>
  existsSync(file),
);

const TOKEN = "a-token-for-the-inspector";
const SCRIPT = "console.log('mended', process.argv[2]);\n";
const FILES = {
  "skills/pdf/SKILL.md": skillText("pdf", "Joins PDF files. Use to join them."),
  "skills/pdf/references/guide.md": "# Guide\n",
  "skills/numbers/SKILL.md": skillText(
    "numbers",
    "Counts. Use it.",
    "metadata:\n  version: 1.10\n",
  ),
  // The Inspector declares the extension, and gets tools only for what that cannot say.
  "skills/fix/SKILL.md":
    "---\nname: fix\ndescription: Mends: all. Use to mend.\n---\n# Goal of fix\n",
  "skills/fix/scripts/mend.mjs": SCRIPT,
};

/** How the Inspector reaches a server; the server is gone when the test ends. */
async function target(kind: "stdio" | "http") {
  const folder = temporaryFolder(FILES);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: temporaryFolder(),
    SKILLWRIGHT_MCP_TOKEN: TOKEN,
  };
  const options = ["--root", join(folder, "skills"), "--yes=run_script", "--sandbox", "none"];
  const server = [BIN, "mcp", ...options];
  if (kind === "stdio") return { folder, env, args: [process.execPath, ...server] };
  const child = spawn(process.execPath, [...server, "--http"], { cwd: folder, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (part: Buffer) => (said += part.toString()));
  await expect.poll(() => said, { timeout: 60_000 }).toContain("Bearer <token>");
  const url = /Serving at (\S+)/.exec(said)?.[1] ?? "";
  const args = ["--server-url", url, "--transport", "http"];
  return { folder, env, args: [...args, "--header", `Authorization: Bearer ${TOKEN}`] };
}

async function inspector(kind: "stdio" | "http", era: "legacy" | "modern") {
  const { folder, env, args } = await target(kind);
  return async (...asked: string[]): Promise<string> => {
    const all = [
      INSPECTOR ?? "",
      "--cli",
      ...args,
      "--protocol-era",
      era,
      "-q",
      "--format",
      "json",
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [...all, ...asked], {
      cwd: folder,
      env,
    });
    return stdout;
  };
}

describe.skipIf(INSPECTOR === undefined).each([
  ["stdio", "legacy"],
  ["stdio", "modern"],
  ["http", "legacy"],
  ["http", "modern"],
] as const)("the MCP Inspector over %s (%s)", (kind, era) => {
  it("H-02 lists, reads, verifies and calls everything", { timeout: 180_000 }, async () => {
    const ask = await inspector(kind, era);
    const verified = await ask("--method", "skills/list", "--verify", "--require-digests");
    const reports = verified
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(reports).toMatchObject([
      { name: "numbers", ok: true, outcome: "verified" },
      { name: "pdf", ok: true, outcome: "verified" },
    ]);
    const get = ["--method", "skills/get", "--uri", "skill://numbers/SKILL.md"];
    expect(await ask(...get)).toContain('"version":"1.10"');
    expect(await ask("--method", "resources/list")).toContain("skill://fix/SKILL.md");
    expect(await ask("--method", "resources/templates/list")).toContain("skill://{+path}");
    const folder = ["--method", "resources/directory/read", "--uri", "skill://pdf/references"];
    expect(await ask(...folder)).toContain("guide.md");
    const file = ["--method", "resources/read", "--uri", "skill://pdf/references/guide.md"];
    expect(await ask(...file)).toContain("# Guide");
    expect(await ask("--method", "prompts/list")).toContain('"pdf"');
    const prompt = ["--method", "prompts/get", "--prompt-name", "pdf", "--prompt-args"];
    expect(await ask(...prompt, "arguments=now")).toContain("Arguments: now");
    expect(await ask("--method", "tools/list", "--strict")).toContain("run_skill_script");
    const call = (name: string, input: object) =>
      ask("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(input));
    const skill = { skill_name: "fix" };
    expect(await call("search_skills", { query: "mend" })).toContain("Mends: all");
    expect(await call("load_skill", skill)).toContain("# Goal of fix");
    const read = { ...skill, file_path: "scripts/mend.mjs" };
    expect(await call("read_skill_file", read)).toContain("process.argv");
    const run = { ...skill, script_file: "mend.mjs", args: ["a"] };
    expect(await call("run_skill_script", run)).toContain("mended a");
  });
});
