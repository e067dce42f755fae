import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createExecutor, createRedactor, DEFAULT_POLICY } from "@skillwright/runtime";
import {
  Gate,
  createRuntime,
  createSecrets,
  denyApprover,
  openApprovals,
  openAudit,
} from "@skillwright/runtime/internal";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

async function runtimeWith(writable: readonly string[], domains: readonly string[] = []) {
  const folder = temporaryFolder({ "work/.keep": "" });
  const root = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const audit = openAudit({ file: join(folder, "audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const secrets = createSecrets({ env: { API_KEY: "0123456789" } });
  const gate = new Gate({
    settings: DEFAULT_POLICY,
    places: { workingDirectory: root },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: denyApprover,
    audit,
    secrets,
  });
  const chosen = createExecutor({ sandbox: "none" });
  if (!chosen.ok) throw new Error(chosen.message);
  const { executor, sandbox } = chosen;
  const network = domains.length === 0 ? ("none" as const) : { domains };
  const runtime = createRuntime({
    gate,
    execution: { executor, sandbox, cwd: root, writable, network },
    workspace: { root, trash: join(folder, "trash") },
    skills: () => [],
  });
  return { root, runtime, secrets };
}

it("X-10 says what scripts find here", async () => {
  const { root, runtime } = await runtimeWith(["out", "tmp"], ["example.com"]);
  const { interpreters, libraries = [], programs = [], ...environment } = runtime.environment;
  expect(environment).toEqual({
    platform: process.platform,
    cwd: root,
    sandbox: "none",
    canWrite: [join(root, "out"), join(root, "tmp")],
    holdsChanges: false,
    network: ["example.com"],
    outputFolder: join(root, "out"),
  });
  expect(interpreters).toContain("node");
  expect(new Set([...libraries, ...programs]).size).toBeLessThan(25);
  const closed = (await runtimeWith([])).runtime.environment;
  expect(closed).toMatchObject({ canWrite: [], network: false });
  expect(closed).not.toHaveProperty("outputFolder");
});

it("D-11 X-10 has the secrets of the run, and offers no commands by default", async () => {
  const { runtime, secrets } = await runtimeWith([]);
  expect(runtime.secrets).toBe(secrets);
  expect(runtime.secrets.hide("key 0123456789")).toBe("key ⟦secret:API_KEY⟧");
  expect(runtime.tools.map(({ name }) => name)).not.toContain("run_command");
});
