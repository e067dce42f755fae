import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const READER = fileURLToPath(new URL("../../packages/packs/src/archive/index.ts", import.meta.url));

export interface ChildReport {
  /** Code of the failure, or `ok`. */
  readonly code: string;
  /** Bytes by which the most memory the process ever had grew while it read. */
  readonly growth: number;
}

/** The archive reader as one module that a child process can import. */
export async function bundleReader(folder: string): Promise<string> {
  const core = (path: string) =>
    fileURLToPath(new URL(`../../packages/core/src/${path}`, import.meta.url));
  const bundle = await rolldown({
    input: READER,
    platform: "node",
    logLevel: "silent",
    resolve: {
      alias: {
        "@skillwright/core/internal": core("internal/index.ts"),
        "@skillwright/core": core("index.ts"),
      },
    },
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "reader.mjs" });
  await bundle.close();
  return join(folder, "reader.mjs");
}

/** Reads an archive in a process of its own and reports what it cost. */
export async function readInChild(
  bundle: string,
  archive: string,
  destination: string,
): Promise<ChildReport> {
  const source = `import { readArchive } from ${JSON.stringify(bundle)};
    const [file, destination] = process.argv.slice(1);
    const before = process.resourceUsage().maxRSS;
    const result = await readArchive(file, { destination });
    const growth = (process.resourceUsage().maxRSS - before) * 1024;
    process.stdout.write(JSON.stringify({ code: result.ok ? "ok" : result.code, growth }));`;
  const args = ["--input-type=module", "-e", source, archive, destination];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the child ended with ${String(code)}`);
  return JSON.parse(stdout) as ChildReport;
}
