import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./setup.mjs";

/** The workspace's own packages, by the source they are built from. */
const SOURCES = {
  "@skillwright/core/config-schema": join(
    ROOT,
    "packages/core/src/config/configuration-json-schema.ts",
  ),
  "@skillwright/core": join(ROOT, "packages/core/src/index.ts"),
};

/** The command line, in as few files as load fast. */
export async function bundleCli() {
  const { rolldown } = await import("rolldown");
  const folder = join(ROOT, "packages/cli/dist");
  await rm(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { skillwright: join(ROOT, "packages/cli/src/skillwright.ts") },
    preserveEntrySignatures: "allow-extension",
    platform: "node",
    resolve: { alias: SOURCES },
    logLevel: "warn",
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    minify: true,
    // Each file costs a millisecond or two to load, so all of ours is one; what few commands need
    // stays apart. No group may import another that imports it: such modules would not be ready.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: "schema",
          test: /node_modules[\\/]zod|config[\\/](?:schema|validate-option|configuration-json-schema)/,
        },
        { name: "watch", test: /node_modules[\\/](?:chokidar|readdirp)/ },
        { name: "glob", test: /node_modules[\\/](?:tinyglobby|fdir|picomatch)/ },
        {
          name: "main",
          test: /node_modules[\\/](?:commander|picocolors)|cli[\\/]src[\\/]commands/,
        },
        { name: "skills", test: /node_modules|packages[\\/](?!cli[\\/]src[\\/]skillwright)/ },
      ],
    },
  });
  await bundle.close();
}

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
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !(id in SOURCES),
    logLevel: "warn",
  });
  const file = join(folder, `${entry.replaceAll(/[^a-z0-9]+/gi, "-")}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return import(`${pathToFileURL(file)}?${Date.now()}`);
}
