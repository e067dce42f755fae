import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Bundles the worker as the command line is bundled; returns the file. `bench` is this folder. */
export async function bundleWorker(bench: string): Promise<string> {
  const bundle = await rolldown({
    input: { worker: join(bench, "scan/worker.ts") },
    platform: "node",
    external: ["deepagents"],
    logLevel: "warn",
  });
  const folder = join(dirname(fileURLToPath(import.meta.url)), "scan");
  await bundle.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" });
  await bundle.close();
  return join(folder, "worker.js");
}
