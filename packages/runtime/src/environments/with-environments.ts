import { realpathSync } from "node:fs";
import { join } from "node:path";
import { executionFailure } from "../execution/execution-failure.ts";
import {
  type ExecutionReceipt,
  type Executor,
  refusedReceipt,
  type ScriptExecution,
} from "../execution/executor.ts";
import {
  declaresItself,
  type EnvironmentNeed,
  environmentNeed,
  type NeedFailure,
} from "./needs.ts";
import { readSkillText } from "./read-skill-text.ts";
import type { EnvironmentStore } from "./store.ts";

export interface EnvironmentOptions {
  readonly store: EnvironmentStore;
  /** The command that prepares a skill's environment, for hosts that have one. */
  readonly command?: (skill: string) => string;
}

/**
 * An executor whose scripts find their libraries: those that a skill declares, where they were prepared. Starts
 * nothing and fetches nothing itself.
 */
export function withEnvironments(executor: Executor, options: EnvironmentOptions): Executor {
  return {
    probe: () => executor.probe(),
    async run(request, context) {
      if ("argv" in request || request.virtualEnvironment !== undefined) {
        return executor.run(request, context);
      }
      const need = await needOf(request);
      if (need === undefined) return executor.run(request, context);
      if ("code" in need) return withHint(await executor.run(request, context), need.message);
      const environment = options.store.find(need.id);
      if (environment === undefined) {
        const hint = prepareHint(request, options);
        if (!declaresItself(scriptPath(request), need)) {
          return withHint(await executor.run(request, context), hint);
        }
        const message = `${request.script} declares libraries that are not prepared: ${shown(need)}`;
        return refusedReceipt("", executionFailure("environment-missing", message, hint));
      }
      const { folder } = environment;
      const python = { virtualEnvironment: folder };
      const node = { nodeModules: join(folder, "node_modules") };
      return executor.run({ ...request, ...(need.kind === "python" ? python : node) }, context);
    },
  };
}

async function needOf(
  request: ScriptExecution,
): Promise<EnvironmentNeed | NeedFailure | undefined> {
  const { skill } = request;
  const directory = skill.snapshot?.directory ?? realpathSync(skill.path);
  return environmentNeed(scriptPath(request), (path) => readSkillText(directory, path));
}

function scriptPath({ script }: ScriptExecution): string {
  return script.startsWith("scripts/") ? script : `scripts/${script}`;
}

function shown(need: EnvironmentNeed): string {
  return need.kind === "python" ? need.requirements.join(", ") : need.declaredIn;
}

function prepareHint({ skill }: ScriptExecution, { command }: EnvironmentOptions): string {
  return command === undefined
    ? "Its libraries have to be prepared first, with prepareEnvironment."
    : `A person has to prepare them first: ${command(skill.name)}`;
}

/** What the skill declares says better what to do than the name of one module. */
function withHint(receipt: ExecutionReceipt, hint: string): ExecutionReceipt {
  const { failure } = receipt;
  if (failure?.code !== "module-missing") return receipt;
  return { ...receipt, failure: { ...failure, hint } };
}
