import {
  parseSkill,
  type ScriptExecutor,
  type SkillRecord,
  type ToolContext,
} from "@skillwright/core";
import {
  type ScriptRequest,
  type ScriptResult,
  defined,
  promptText,
} from "@skillwright/core/internal";
import { join } from "node:path";
import { executionFailure, type ExecutionFailure } from "../execution/execution-failure.ts";
import { receiptText, type Snapshot } from "../execution/executor.ts";
import { canInterpret } from "../execution/find-program.ts";
import { makeRunDirectory, removeSoon } from "../execution/run-directory.ts";
import { snapshotSkill } from "../execution/prepare-run.ts";
import type { PolicySkill } from "../policy/policy-settings.ts";
import { checkVersions, versionsOf } from "./check-versions.ts";
import { failed, failureText, restoreSecrets } from "./model-text.ts";
import { runCode } from "./run-code.ts";
import { runRecorded, type ScriptExecutorOptions } from "./run-recorded.ts";

/** What an approval shows of a script, and the private copy of its skill that it was read from. */
interface InspectedScript {
  readonly ok: true;
  /** What runs when it is approved. */
  readonly snapshot: Snapshot;
  /** Undefined when the script is not text. */
  readonly text: string | undefined;
  readonly policySkill: PolicySkill;
  /** `metadata.requires` of the skill. */
  readonly requires: string;
  /** Removes the copy in the background. */
  remove(): void;
}

const SKILL_FILE = "SKILL.md";
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a script and what its skill declares from the private copy that will run: the text that is
 * approved is the text that runs.
 */
async function inspectScript(
  { name, path, trusted }: SkillRecord,
  script: string,
): Promise<InspectedScript | ExecutionFailure> {
  let folder: string | undefined;
  const remove = () => {
    if (folder !== undefined) removeSoon(folder);
  };
  try {
    folder = makeRunDirectory();
    const wanted = [script, SKILL_FILE];
    const snapshot = await snapshotSkill({ name, path }, join(folder, "skill"), wanted);
    if (!snapshot.ok) {
      remove();
      return snapshot;
    }
    const text = decodedText(snapshot.contents.get(script));
    const declared = decodedText(snapshot.contents.get(SKILL_FILE)) ?? "";
    const { skill } = parseSkill(declared, { directoryName: name });
    // A file that cannot be read declares no tools, so that nothing is allowed on its behalf.
    const allowedTools = skill === undefined ? [] : skill.allowedTools;
    const policySkill = { name, trusted, ...(allowedTools && { allowedTools }) };
    const requires = skill?.metadata["requires"] ?? "";
    return { ok: true, snapshot, text, policySkill, requires, remove };
  } catch (error) {
    remove();
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return executionFailure("run-failed", `the script cannot be looked at: ${error.message}`);
  }
}

/** Undefined for binary data, and for more text than can be shown. */
function decodedText(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.length > MAX_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Runs scripts of skills for core's tools: past the gate, from the very copy that was inspected and
 * approved, with its start and end in the record.
 */
export function createScriptExecutor(options: ScriptExecutorOptions): ScriptExecutor {
  return {
    mayAsk: true,
    canRun: canInterpret,
    runCode: (request, context) => runCode(request, context, options),
    async run(request, context) {
      const { skill, script } = request;
      const path = script.startsWith("scripts/") ? script : `scripts/${script}`;
      const inspected = await inspectScript(skill, path);
      if (!inspected.ok) return failed(inspected);
      try {
        return await runInspected({ ...request, script: path }, inspected, context, options);
      } finally {
        inspected.remove();
      }
    },
  };
}

async function runInspected(
  { skill, script, args }: ScriptRequest,
  { snapshot, text, policySkill, requires }: InspectedScript,
  context: ToolContext,
  options: ScriptExecutorOptions,
): Promise<ScriptResult> {
  const { gate, executor, sandbox, cwd, limits, writable = [], network = "none" } = options;
  const { signal } = context;
  const { name, source, path } = skill;
  const { digest } = snapshot;
  const restored = restoreSecrets(gate.secrets, (restore) => args.map(restore));
  if (restored.problem !== undefined)
    return { ok: false, text: promptText(failureText(restored.problem)) };
  const inputWith = (words: readonly string[]) => {
    return { skill_name: name, script_file: script, args: words };
  };
  const approved = { name, source, digest };
  const call = {
    tool: "run_script",
    input: inputWith(args),
    restoredInput: inputWith(restored.value),
    secretNames: restored.names,
    cwd,
    skill: approved,
    script: { path: script, args, text },
    sandbox,
    writable,
    network: network === "none" ? network : network.domains,
    policySkill,
  };
  const repeats = await gate.repeatable(call, options.changes, context);
  const passed = await gate.pass({ ...call, repeats }, context);
  if (!passed.ok) return failed(passed);
  const versions = versionsOf(requires);
  const needed = versions.map(({ requirement }) => requirement);
  const {
    receipt,
    text: result,
    unanswered,
  } = await runRecorded({
    ...options,
    kind: "script",
    facts: { skill: name, digest, script },
    start: { args, cwd, sandbox, ...(needed.length > 0 && { requires: needed }) },
    check: () => checkVersions(name, versions, { executor, limits, signal }),
    request: {
      skill: { name, path, digest, snapshot },
      script,
      args: restored.value,
      cwd,
      writable,
      network,
      ...defined({ limits }),
    },
    by: script,
    skill: approved,
    signal,
    repeats: repeats && { ...repeats, wasAsked: passed.wasAsked },
    toText: receiptText,
  });
  const shown = promptText(result);
  if (unanswered !== undefined) return failed({ ...unanswered, message: shown, receipt });
  if (receipt.ok) return { ok: true, text: shown };
  if (receipt.failure?.code === "requirement-unmet") return failed(receipt.failure);
  const code = receipt.canceled ? "aborted" : "script-failed";
  return failed({ ok: false, code, message: shown, receipt });
}
