import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { findManagedFile } from "./index.ts";

describe.runIf(process.getuid?.() === 0)("the managed file", () => {
  it("P-07 a variable names one where the machine has none, and never replaces the machine's", () => {
    const folder = temporaryFolder({ "etc.json": "{}", "other.json": "{}" });
    const [machine, other] = [join(folder, "etc.json"), join(folder, "other.json")];
    const env = { SKILLWRIGHT_MANAGED_CONFIG: other };
    expect(findManagedFile({}, join(folder, "none.json"))).toBe(undefined);
    expect(findManagedFile({}, machine)).toEqual({ layer: "managed", file: machine });
    expect(findManagedFile({ SKILLWRIGHT_MANAGED_CONFIG: "" }, machine)?.file).toBe(machine);
    expect(findManagedFile(env, join(folder, "none.json"))?.file).toBe(other);
    expect(() => findManagedFile(env, machine)).toThrow("cannot replace");
  });
});
