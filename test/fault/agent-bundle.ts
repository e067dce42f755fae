import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { SOURCES } from "../../scripts/packages.mjs";

const source = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** The command line from source as a program that can be killed. */
export async function bundleCommandLine(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-agent-"));
  const bundle = await rolldown({
    input: source("cli/src/skillwright.ts"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    external: ["sucrase"],
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "skillwright.mjs" });
  await bundle.close();
  return join(folder, "skillwright.mjs");
}
