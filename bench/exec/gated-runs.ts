import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import type { ScriptResult } from "@skillwright/core/internal";
import { denyApprover } from "../../packages/runtime/src/approvals/approvers.ts";
import { openApprovals } from "../../packages/runtime/src/approvals/open-approvals.ts";
import { openAudit } from "../../packages/runtime/src/audit/register.ts";
import { createRedactor } from "../../packages/runtime/src/audit/redaction/create-redactor.ts";
import { verifyAudit } from "../../packages/runtime/src/audit/verify-audit.ts";
import { createScriptExecutor } from "../../packages/runtime/src/gate/create-script-executor.ts";
import type { ScriptExecutorOptions } from "../../packages/runtime/src/gate/run-recorded.ts";
import { Gate } from "../../packages/runtime/src/gate/gate.ts";
import {
  DEFAULT_POLICY,
  type PolicySettings,
} from "../../packages/runtime/src/policy/policy-settings.ts";
import type { BenchSkill } from "./skill.ts";

export interface GatedRuns {
  /** A call as a model makes it: snapshot, hash, policy, record, run, record. */
  run(script: string, args?: readonly string[]): Promise<ScriptResult>;
  /** Ends the record and gives how the runs ended. Throws unless it is whole. */
  close(): Promise<readonly RecordedEnd[]>;
}

interface RecordedEnd {
  readonly timedOut: boolean;
  readonly durationMs: number;
}

export type GatedOptions = Pick<
  ScriptExecutorOptions,
  "changes" | "executor" | "limits" | "onOutput" | "sandbox"
>;

/** Scripts of skills may run; nothing else changes. */
const SETTINGS: PolicySettings = {
  ...DEFAULT_POLICY,
  ask: [],
  decisions: { low: "allow", medium: "allow", high: "ask" },
};

let count = 0;

/** The whole way of a script, with a policy that allows it and a record on the disk. */
export async function openGatedRuns(
  { root, cwd }: BenchSkill,
  options: GatedOptions,
): Promise<GatedRuns> {
  const stateDirectory = join(root, "state");
  const audit = openAudit({
    file: join(root, `records/${++count}.jsonl`),
    stateDirectory,
    redactor: createRedactor({ env: process.env }),
  });
  const gate = new Gate({
    settings: SETTINGS,
    places: { workingDirectory: cwd },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "bench" }),
    approver: denyApprover,
    audit,
  });
  const scripts = createScriptExecutor({ gate, cwd, ...options });
  const skill = (await openSkills({ roots: [root] })).get("bench");
  if (skill === undefined) throw new Error("the skill was not found");
  return {
    run: (script, args = []) => Promise.resolve(scripts.run({ skill, script, args }, {})),
    async close() {
      audit.close();
      const found = await verifyAudit(audit.file, { stateDirectory });
      if (!found.ok) throw new Error(`the record is not whole: ${JSON.stringify(found)}`);
      return endsIn(audit.file);
    },
  };
}

function endsIn(file: string): readonly RecordedEnd[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; data: RecordedEnd })
    .filter(({ event }) => event === "script-end")
    .map(({ data }) => data);
}
