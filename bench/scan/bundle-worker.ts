import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Bundles the worker, which imports the library as it is published; returns the file. `bench` is this folder. */
export async function bundleWorker(bench: string): Promise<string> {
  const bundle = await rolldown({
    input: { worker: join(bench, "scan/worker.ts") },
    platform: "node",
    external: ["deepagents", "@skillwright/core"],
    logLevel: "warn",
  });
  const folder = join(dirname(fileURLToPath(import.meta.url)), "scan");
  await bundle.write({
    dir: folder,
    format: "esm",
    // As .js, below node_modules, Node would first read each file as CommonJS.
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    minify: true,
  });
  await bundle.close();
  return join(folder, "worker.mjs");
}
