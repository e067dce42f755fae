import { expect, it } from "vitest";
import { chooseExecutor } from "../internal/index.ts";

it("X-06 takes the sandbox by itself, and none only when asked", async () => {
  for (const sandbox of ["auto", "bubblewrap", "none"]) {
    expect(await chooseExecutor({ sandbox })).toHaveProperty("run");
  }
});

it.each(["", "process", "docker", "toString"])("X-06 %j is no sandbox", async (sandbox) => {
  expect(await chooseExecutor({ sandbox })).toMatchObject({ ok: false, code: "sandbox-unknown" });
});
