import { join } from "node:path";
import { openSkills, type SkillTool } from "@skillwright/core";
import { AuditError, DEFAULT_POLICY } from "@skillwright/runtime";
import {
  Gate,
  createScriptExecutor,
  denyApprover,
  openApprovals,
} from "@skillwright/runtime/internal";
import type { RunPolicy, RunStore } from "../../packages/agent/src/index.ts";
import { createCodeExecutor } from "../support/code-executor.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Skills, one of which works apart, and scripts and a tool whose effects are counted. */
export async function agentWorld() {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf", "Joins PDF files. Use to join them."),
    "skills/pdf/references/forms.md": "# Forms\nFill them.\n",
    "skills/pdf/scripts/act.py": "",
    "skills/apart/SKILL.md": skillText(
      "apart",
      "Works apart. Use for that.",
      "run-mode: subagent\n",
    ),
    "skills/apart/scripts/act.py": "",
    "skills/only-people/SKILL.md": skillText(
      "only-people",
      "For people. Use by name.",
      "disable-model-invocation: true\n",
    ),
    "work/.keep": "",
  });
  const effects: string[] = [];
  const act = ({ args }: { readonly args: readonly string[] }) => {
    effects.push(args.join(" "));
    return `did ${args.join(" ")}`;
  };
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const policy = codePolicy(folder, { "pdf/scripts/act.py": act, "apart/scripts/act.py": act });
  const touch: SkillTool = {
    name: "touch",
    description: "Touches something.",
    inputSchema: { type: "object", properties: { what: { type: "string" } } },
    execute: async (input) => {
      effects.push((input as { readonly what: string }).what);
      return { ok: true };
    },
    toText: () => "touched",
  };
  return { folder, skills, policy, effects, tools: [touch] };
}

function codePolicy(folder: string, scripts: Parameters<typeof createCodeExecutor>[0]): RunPolicy {
  const cwd = join(folder, "work");
  return {
    async open({ runId, audit, activeSkills }) {
      const gate = new Gate({
        settings: { ...DEFAULT_POLICY, ask: [], allow: ["run_script"] },
        places: { workingDirectory: cwd },
        activeSkills,
        approvals: await openApprovals({ stateDirectory: join(folder, "state"), runId }),
        approver: denyApprover,
        audit,
      });
      const executor = createCodeExecutor(scripts);
      return {
        executor: createScriptExecutor({ gate, executor, cwd, sandbox: "code" }),
        tools: [],
      };
    },
  };
}

/** The process is gone: nothing that comes after it is written. */
export class Crash extends AuditError {
  constructor(message: string) {
    super("audit-closed", message);
  }
}

/** The same store for a process that is killed before its record number `last + 1`. */
export function crashingStore(store: RunStore, last: number): RunStore {
  let written = 0;
  const crashing = <Log extends Awaited<ReturnType<RunStore["create"]>>>(log: Log): Log => ({
    ...log,
    async append(events, { expectedSequence }) {
      const room = Math.max(0, last - written);
      written += events.length;
      // A process that dies may have written a part.
      const records = await log.append(events.slice(0, room), { expectedSequence });
      if (room < events.length) throw new Crash(`killed before ${events[room]?.event}`);
      return records;
    },
  });
  return {
    ...store,
    create: async (runId) => crashing(await store.create(runId)),
    open: async (runId) => {
      const log = await store.open(runId);
      return log && crashing(log);
    },
  };
}
