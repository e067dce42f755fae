import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SOURCES } from "../../scripts/packages.mjs";

/** Each case takes a second; what it attacks would take from minutes to years. */
const PATIENCE_MS = 50_000;

const folder = mkdtempSync(join(tmpdir(), "skillwright-slow-"));
beforeAll(async () => {
  for (const name of ["core", "runtime"]) {
    const entries = [`@skillwright/${name}`, `@skillwright/${name}/internal`];
    const lines = entries.map((entry) => `export * from "${entry}";`);
    writeFileSync(join(folder, `${name}.ts`), lines.join("\n"));
  }
  const bundle = await rolldown({
    input: { core: join(folder, "core.ts"), runtime: join(folder, "runtime.ts") },
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
  await bundle.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    "a block of dependencies in a script",
    `import { mkdirSync, writeFileSync } from "node:fs";
    import { createProcessExecutor } from "./runtime.mjs";
    mkdirSync("skill/scripts", { recursive: true });
    const block = "# /// script\\r\\n" + "#  \\r\\n".repeat(100) + "print(1)\\n";
    writeFileSync("skill/scripts/a.py", block);
    const skill = { name: "skill", path: "skill" };
    const request = { skill, script: "a.py", args: [], cwd: "fresh" };
    const { stdout } = await createProcessExecutor().run(request);
    if (stdout !== "1\\n") process.exitCode = 1;`,
  ],
  [
    "signs, quotes and words of a command",
    `import { decide, DEFAULT_POLICY } from "./runtime.mjs";
    const settings = { ...DEFAULT_POLICY, switches: { run_command: true }, deny: ["Bash(rm:*)"] };
    const places = { workingDirectory: "/work" };
    const size = 120_000;
    for (const part of ["echo $((1", "sudo ", "; ", "'a' ", "env -S 'sh -c ", "> a=", "((", "=a "]) {
      const command = part.repeat(size / part.length);
      decide({ tool: "run_command", input: { command }, activeSkills: [], settings, places });
      const argv = ["sh", "-c", command, ...command.slice(0, 5000).split(" ")];
      decide({ tool: "run_command", input: { argv }, activeSkills: [], settings, places });
    }`,
  ],
  [
    "a token that does not end, in the output of a script",
    `import { createRedactor } from "./runtime.mjs";
    createRedactor({ env: {} }).redactText("eyJ-".repeat(2_000_000));`,
  ],
  [
    "headings and fences with a line separator",
    `import { findReferences, outlineBody } from "./core.mjs";
    for (const start of ["#" + "\\t".repeat(900_000), "\`".repeat(900_000), "~".repeat(900_000)]) {
      outlineBody(start + "\\u2028");
      findReferences(start + "\\u2028");
    }`,
  ],
])("X-05 does not hang on %s", (_, program) => {
  writeFileSync(join(folder, "attack.mjs"), program);
  const { status, signal, stderr } = spawnSync(process.execPath, ["attack.mjs"], {
    cwd: folder,
    encoding: "utf8",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  expect({ status, signal }, stderr).toEqual({ status: 0, signal: null });
});
