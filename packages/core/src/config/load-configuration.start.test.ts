import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadConfiguration } from "./load-configuration.ts";

const seen = vi.hoisted(() => ({ imports: 0 }));

vi.mock("zod/mini", async (importOriginal) => {
  seen.imports++;
  return importOriginal();
});

it("C-02 the schema library is not loaded unless there is something to check", async () => {
  const home = temporaryFolder({ "project/appsettings.json": '{ "Logging": {} }' });
  const options = { cwd: join(home, "project"), home, projectTrusted: true };
  await loadConfiguration({ ...options, env: {} });
  await loadConfiguration({ ...options, env: { SKILLWRIGHT_CACHE_DIR: "/tmp", PATH: "/bin" } });
  await loadConfiguration({ ...options, env: {}, flags: { skill_roots: ["a"] } });
  expect(seen.imports).toBe(0);
  await loadConfiguration({ ...options, env: { SKILLWRIGHT_SKILL_ROOTS: "a" } });
  expect(seen.imports).toBe(1);
});
