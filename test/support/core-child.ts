import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const CORE = fileURLToPath(new URL("../../packages/core/src/", import.meta.url));
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/** The library as one folder of modules that a child process can import. */
export async function bundleCore(folder: string): Promise<string> {
  const entries = ["index.ts", "internal/index.ts"].map((path) => JSON.stringify(join(CORE, path)));
  const input = join(folder, "entry.mjs");
  writeFileSync(input, entries.map((path) => `export * from ${path};\n`).join(""));
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "core.mjs" });
  await bundle.close();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  chmodSync(folder, 0o755);
  return join(folder, "core.mjs");
}

/**
 * Runs the body of an async function with `core` and `args` in a process of its own and gives what
 * it returns. Never as root, who may read everything.
 */
export async function runInChild(
  bundle: string,
  body: string,
  args: readonly string[] = [],
): Promise<unknown> {
  const source = `import * as core from ${JSON.stringify(bundle)};
    const args = process.argv.slice(1);
    const result = await (async () => {${body}})();
    process.stdout.write(JSON.stringify(result));`;
  const command = [process.execPath, "--input-type=module", "-e", source, ...args];
  const full = process.getuid?.() === 0 ? ["setpriv", ...NOBODY, ...command] : command;
  const child = spawn(full[0]!, full.slice(1), { stdio: ["ignore", "pipe", "pipe"], cwd: "/" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the child ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout);
}
