import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./setup.mjs";
import { thirdPartyLicenses } from "./third-party-licenses.mjs";

/** The workspace's own packages, by the source they are built from. */
const SOURCES = {
  "@skillwright/core/config-schema": join(
    ROOT,
    "packages/core/src/config/configuration-json-schema.ts",
  ),
  "@skillwright/core/internal": join(ROOT, "packages/core/src/internal/index.ts"),
  "@skillwright/core": join(ROOT, "packages/core/src/index.ts"),
  "@skillwright/agent": join(ROOT, "packages/agent/src/index.ts"),
  "@skillwright/evals": join(ROOT, "packages/evals/src/index.ts"),
  "@skillwright/mcp": join(ROOT, "packages/mcp/src/index.ts"),
  "@skillwright/packs": join(ROOT, "packages/packs/src/index.ts"),
  "@skillwright/runtime": join(ROOT, "packages/runtime/src/index.ts"),
};

/**
 * What every command needs to list skills stands apart from the parser and from YAML, which few heads
 * need: left to itself, the bundler puts what is small beside what is large.
 */
const CHUNKS = [
  {
    name: "heads",
    test: /core[\\/]src[\\/]format[\\/](?:reporter|fields[\\/]known-keys|text[\\/]|rules[\\/](?:fields|syntax[\\/]yaml-repaired)|yaml[\\/](?:unusual|simple-scalars|repair-yaml))/,
  },
];

/**
 * The command line. As CommonJS it starts faster: Node loads such files without its module loader.
 * Each command is a file of its own, with what only it needs.
 */
export async function bundleCli() {
  const { rolldown } = await import("rolldown");
  const folder = join(ROOT, "packages/cli/dist");
  const fresh = `${folder}.${process.pid}`;
  const bundle = await rolldown({
    input: { skillwright: join(ROOT, "packages/cli/src/skillwright.ts") },
    platform: "node",
    resolve: { alias: SOURCES },
    plugins: [withoutChildProcesses],
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: fresh,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: true,
    codeSplitting: { groups: CHUNKS },
  });
  await bundle.close();
  const files = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  await writeFile(join(fresh, "THIRD-PARTY-LICENSES.txt"), thirdPartyLicenses(files));
  // A build that fails leaves the last one in place.
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** Commander loads `child_process` for commands that are programs of their own; we have none. */
const withoutChildProcesses = {
  name: "without-child-processes",
  resolveId: (id, importer) =>
    id === "node:child_process" && importer?.includes("node_modules/commander")
      ? "\0no-child-processes"
      : undefined,
  load: (id) => (id === "\0no-child-processes" ? "export default undefined;" : undefined),
};

/** Loads a TypeScript module of the workspace, its packages from source, other packages as they are. */
export async function loadTypescript(
  entry,
  folder = join(ROOT, "node_modules/.cache/skillwright"),
) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: join(ROOT, entry),
    platform: "node",
    resolve: { alias: SOURCES },
    external: (id) => !(/^(?:[./]|@oxc-project\/runtime\/)/.test(id) || id in SOURCES),
    logLevel: "warn",
  });
  const file = join(folder, `${entry.replaceAll(/[^a-z0-9]+/gi, "-")}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return import(`${pathToFileURL(file).href}?${Date.now()}`);
}
