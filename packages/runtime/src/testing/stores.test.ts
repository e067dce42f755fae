import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AuditError,
  type AuditEvent,
  createAudit,
  createFileApprovals,
  createMemoryApprovals,
  createMemoryAudit,
  createRedactor,
  openScripts,
} from "@skillwright/runtime";
import { openAudit } from "@skillwright/runtime/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { describeApprovalStore, describeAudit } from "./index.ts";

const runner = { describe, it };
const redactor = createRedactor({ env: {} });

describeApprovalStore(runner, "memory", () => ({ store: createMemoryApprovals() }));

describeApprovalStore(runner, "a folder", () => {
  const folder = temporaryFolder();
  return { store: createFileApprovals(folder), reopened: () => createFileApprovals(folder) };
});

describeAudit(runner, "memory", () => {
  const audit = createMemoryAudit({ redactor });
  return { audit, read: () => audit.events };
});

describeAudit(runner, "a signed file", () => {
  const folder = temporaryFolder();
  const file = join(folder, "audit.jsonl");
  const audit = openAudit({ file, stateDirectory: join(folder, "state"), redactor });
  const read = () =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEvent);
  return { audit, read };
});

describeAudit(runner, "a slow database", () => {
  const events: AuditEvent[] = [];
  const write = async (more: readonly AuditEvent[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    events.push(...more);
  };
  return { audit: createAudit({ write, redactor }), read: () => events };
});

it("P-03 a database that fails stops everything that would follow", async () => {
  const audit = createAudit({ redactor, write: () => Promise.reject(new Error("disk full")) });
  audit.append({ event: "script-start" });
  await expect(audit.sync()).rejects.toThrow(AuditError);
  expect(() => audit.append({ event: "script-end" })).toThrow(/disk full/);
  await expect(audit.sync()).rejects.toThrow(AuditError);
});

it("P-06 scripts of a server keep approvals in its store and records in its log", async () => {
  const audit = createMemoryAudit({ redactor });
  const cwd = temporaryFolder();
  const scripts = await openScripts({
    cwd,
    audit,
    approvals: createMemoryApprovals(),
    stateDirectory: join(cwd, "../state"),
    workspace: true,
    principal: "alice",
  });
  if (!scripts.ok) throw new Error(scripts.message);
  const write = scripts.tools.find(({ name }) => name === "write_file");
  const input = { path: "a.txt", content: "x" };
  const refused = (await write?.execute(input)) as { code: string; request: unknown };
  expect(refused.code).toBe("approval-needed");
  expect(await scripts.resume(refused.request)).toMatchObject({ ok: true });
  expect(await write?.execute(input)).toMatchObject({ ok: true });
  await scripts.close();
  await audit.close();
  expect(audit.events.map(({ event }) => event)).toEqual([
    "approval-request",
    "approval-decision",
    "approval-request",
    "approval-decision",
    "tool-call",
    "workspace-write",
    "tool-end",
  ]);
});
