import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SOURCES } from "./scripts/packages.mjs";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const source = (path: string) => join(ROOT, path);

const SYSTEM_ONLY = "**/*.system.test.ts";

/** Test files that take samples in the fast suite and do everything in the system suite. */
const SAMPLING = testFilesWith("support/suite.ts");
/** A module that another file loaded cannot be mocked any more. */
const MOCKING = testFilesWith("vi.mock(");

export default defineConfig({
  resolve: {
    // Tests run from source; what is built is tested end to end.
    alias: SOURCES,
  },
  test: {
    setupFiles: [source("test/support/fast-check-seed.ts")],
    // Ten times what the slowest needs on an idle machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Files share the modules of their worker: loading them again for each would take most of the time.
    isolate: false,
    // Many tests wait for processes that they started: with fewer workers the machine would idle.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          exclude: [SYSTEM_ONLY, ...MOCKING],
        },
      },
      {
        extends: true,
        test: { name: "mocked", include: MOCKING, exclude: [SYSTEM_ONLY], isolate: true },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/**/*.test.ts"],
          exclude: [SYSTEM_ONLY, ...MOCKING],
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["{packages,test}/**/*.system.test.ts", ...SAMPLING],
          env: { TEST_SUITE: "system" },
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/{index,testing}.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 85 },
    },
  },
});

function testFilesWith(text: string): string[] {
  return ["packages", "test"]
    .flatMap((folder) =>
      readdirSync(source(folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .filter((path) => readFileSync(source(path), "utf8").includes(text));
}
