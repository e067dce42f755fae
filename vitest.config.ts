import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SOURCES } from "./scripts/packages.mjs";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run from source; what is built is tested end to end.
    alias: SOURCES,
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: [source("./test/support/fast-check-seed.ts")],
    testTimeout: 60_000,
    // Many tests wait for processes that they started: with one worker less the machine would idle.
    maxWorkers: Math.max(2, availableParallelism()),
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/index.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 85 },
    },
  },
});
