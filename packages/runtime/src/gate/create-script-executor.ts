import {
  parseSkill,
  type ScriptExecutor,
  type SkillRecord,
  type ToolContext,
} from "@skillwright/core";
import {
  type CodeRequest,
  defined,
  isHostError,
  promptText,
  type ScriptRequest,
  type ScriptResult,
  truncateMiddle,
  versionRequirements,
} from "@skillwright/core/internal";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ExecutionLimits,
  type ExecutionReceipt,
  type Executor,
  receiptText,
  type Snapshot,
} from "../execution/executor.ts";
import {
  canceledFailure,
  executionFailure,
  type ExecutionFailure,
  timedOutFailure,
} from "../execution/execution-failure.ts";
import { canInterpret } from "../execution/find-program.ts";
import { snapshotSkill } from "../execution/run.ts";
import { makeRunDirectory, removeSoon } from "../execution/child-process.ts";
import type { PolicySkill } from "../policy/policy-settings.ts";
import {
  failed,
  failureText,
  restoreSecrets,
  type RunCheck,
  runRecorded,
  type ScriptExecutorOptions,
} from "./run-recorded.ts";

/** A version that a skill requires, and what the sandbox has. */
interface CheckedVersion {
  /** As written: `python>=3.10`. */
  readonly requirement: string;
  /** Null when the interpreter is missing or did not answer. */
  readonly version: string | null;
  /** Null when the interpreter did not answer. */
  readonly met: boolean | null;
}

interface CheckVersionsOptions {
  readonly executor: Executor;
  readonly limits?: ExecutionLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

type VersionScript = readonly [file: string, text: string];

const PYTHON: VersionScript = [
  "version.py",
  'import sys\nprint("%d.%d.%d" % sys.version_info[:3])\n',
];
const NODE: VersionScript = ["version.mjs", "console.log(process.versions.node);\n"];
const BASH = 'echo "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}.${BASH_VERSINFO[2]}"\n';

/** All that is ever started to learn a version: an interpreter of scripts with a script of ours. */
const VERSION_SCRIPTS: ReadonlyMap<string, VersionScript> = new Map([
  ["python", PYTHON],
  ["python3", PYTHON],
  ["node", NODE],
  ["nodejs", NODE],
  ["bash", ["version.bash", BASH]],
  ["ruby", ["version.rb", "puts RUBY_VERSION\n"]],
  ["perl", ["version.pl", 'printf "%vd\\n", $^V;\n']],
]);
const VERSION = /^\d{1,9}(?:\.\d{1,9}){1,3}$/;

/** The requirements of `metadata.requires` that can be checked with the interpreters of scripts. */
function versionsOf(requires: string) {
  return versionRequirements(requires).flatMap(({ requirement, program, isMetBy }) => {
    const script = VERSION_SCRIPTS.get(program);
    return script === undefined ? [] : [{ requirement, script, isMetBy }];
  });
}

/** Checks them where and how the scripts of the skill run. */
async function checkVersions(
  skill: string,
  wanted: ReturnType<typeof versionsOf>,
  options: CheckVersionsOptions,
): Promise<RunCheck> {
  if (wanted.length === 0) return { facts: {} };
  const folder = makeRunDirectory();
  try {
    mkdirSync(join(folder, "scripts"));
    const versions = new Map<string, string | null | undefined>();
    const requirements: CheckedVersion[] = [];
    for (const { requirement, script, isMetBy } of wanted) {
      const [file, text] = script;
      if (!versions.has(file)) {
        writeFileSync(join(folder, "scripts", file), text);
        versions.set(file, await versionOf(file, folder, options));
      }
      const version = versions.get(file);
      const met = version === undefined ? null : version !== null && isMetBy(version);
      requirements.push({ requirement, version: version ?? null, met });
    }
    const unmet = requirements.find(({ met }) => met === false);
    if (unmet === undefined) return { facts: { requirements } };
    const { requirement, version } = unmet;
    const found = version === null ? "which is not installed" : `and this is ${version}`;
    const failure = executionFailure(
      "requirement-unmet",
      `the skill ${JSON.stringify(skill)} requires ${requirement}, ${found}`,
      "Install a version that satisfies it, or change metadata.requires in its SKILL.md.",
    );
    return { facts: { requirements }, failure };
  } finally {
    removeSoon(folder);
  }
}

/** Null when the interpreter is missing, undefined when it did not answer. */
async function versionOf(
  file: string,
  folder: string,
  { executor, limits, signal }: CheckVersionsOptions,
): Promise<string | null | undefined> {
  const skill = { name: "interpreter-version", path: folder };
  const script = { skill, script: `scripts/${file}`, args: [], cwd: "fresh" };
  const receipt = await executor.run(
    { ...script, ...defined({ limits }) },
    { ...defined({ signal }) },
  );
  if (receipt.failure?.code === "interpreter-missing") return null;
  const text = receipt.stdout.trim();
  return receipt.ok && VERSION.test(text) ? text : undefined;
}

const SANDBOX = "code";
const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES = 102_400;

/**
 * A script that is a function of the host passes the same gate as a file: policy, approval, record. It
 * runs in this process, so nothing but the function itself limits what it does.
 */
async function runCode(
  request: CodeRequest,
  context: ToolContext,
  options: ScriptExecutorOptions,
): Promise<ScriptResult> {
  const { gate, cwd, limits } = options;
  const { skill, script, args, digest, text, allowedTools } = request;
  const { name, source, trusted, path } = skill;
  const { signal } = context;
  const restored = restoreSecrets(gate.secrets, (restore) => args.map(restore));
  if (restored.problem !== undefined) {
    return { ok: false, text: promptText(failureText(restored.problem)) };
  }
  const inputWith = (words: readonly string[]) => {
    return { skill_name: name, script_file: script, args: words };
  };
  const approved = { name, source, digest };
  const passed = await gate.pass(
    {
      tool: "run_script",
      input: inputWith(args),
      restoredInput: inputWith(restored.value),
      secretNames: restored.names,
      cwd,
      skill: approved,
      script: { path: script, args, text },
      sandbox: SANDBOX,
      policySkill: { name, trusted, ...(allowedTools && { allowedTools }) },
    },
    context,
  );
  if (!passed.ok) return failed(passed);
  const { receipt, text: result } = await runRecorded({
    gate,
    ...defined({ onOutput: options.onOutput }),
    executor: executorOf(request),
    kind: "script",
    facts: { skill: name, digest, script },
    start: { args, cwd, sandbox: SANDBOX },
    request: {
      skill: { name, path, digest },
      script,
      args: restored.value,
      cwd,
      ...defined({ limits }),
    },
    by: script,
    skill: approved,
    signal,
    toText: receiptText,
  });
  const shown = promptText(result);
  if (receipt.ok) return { ok: true, text: shown };
  const code = receipt.canceled ? "aborted" : "script-failed";
  return failed({ ok: false, code, message: shown, receipt });
}

/** Calls the function in the place of a process. */
function executorOf({ code, digest, script }: CodeRequest): Executor {
  return {
    probe: () => Promise.resolve({ ok: true }),
    async run(request, { signal, onOutput } = {}) {
      const { timeoutMs = TIMEOUT_MS, outputBytes = OUTPUT_BYTES } = request.limits ?? {};
      const args = "args" in request ? request.args : [];
      const started = performance.now();
      const ended = await called(code, args, timeoutMs, signal);
      const text = ended.output?.ok === true ? ended.output.text : "";
      const stdout = truncateMiddle(text, outputBytes);
      if (stdout !== "") onOutput?.(stdout, "stdout");
      const failure =
        ended.reason === "timeout"
          ? timedOutFailure(script, timeoutMs)
          : ended.reason === "abort"
            ? canceledFailure(script)
            : ended.output?.ok === false
              ? executionFailure("script-failed", ended.output.message, ended.output.hint)
              : undefined;
      const receipt: ExecutionReceipt = {
        ok: failure === undefined,
        exitCode: failure === undefined ? 0 : 1,
        signal: null,
        timedOut: ended.reason === "timeout",
        canceled: ended.reason === "abort",
        truncated: stdout !== text,
        stdout,
        stderr: "",
        durationMs: Math.round(performance.now() - started),
        sandbox: SANDBOX,
        digest,
        command: [],
        unenforced: [],
        ...defined({ failure }),
      };
      return receipt;
    },
  };
}

type Ended = {
  readonly output?: Awaited<ReturnType<CodeRequest["code"]["run"]>>;
  readonly reason?: "timeout" | "abort";
};

/** The function is told to stop through its signal; whether it does or not, its time is over. */
async function called(
  code: CodeRequest["code"],
  args: readonly string[],
  timeoutMs: number,
  outer: AbortSignal | undefined,
): Promise<Ended> {
  if (outer?.aborted === true) return { reason: "abort" };
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<Ended>((resolve) => {
    timer = setTimeout(() => resolve({ reason: "timeout" }), timeoutMs);
    onAbort = () => resolve({ reason: "abort" });
    outer?.addEventListener("abort", onAbort);
  });
  const running = code
    .run(args, { signal: controller.signal })
    .then((output): Ended => ({ output }));
  try {
    return await Promise.race([running, stopped]);
  } catch (error) {
    if (isHostError(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { output: executionFailure("script-failed", message) };
  } finally {
    controller.abort();
    clearTimeout(timer);
    if (onAbort !== undefined) outer?.removeEventListener("abort", onAbort);
    running.catch(() => {});
  }
}

/** What an approval shows of a script, and the private copy of its skill that it was read from. */
interface InspectedScript {
  readonly ok: true;
  /** What runs when it is approved. */
  readonly snapshot: Snapshot;
  /** Undefined when the script is not text. */
  readonly text: string | undefined;
  readonly policySkill: PolicySkill;
  /** What `metadata.requires` of the skill names and can be checked. */
  readonly versions: ReturnType<typeof versionsOf>;
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
    const { allowedTools, versions } = declarationsOf(name, snapshot);
    const policySkill = { name, trusted, ...(allowedTools && { allowedTools }) };
    return { ok: true, snapshot, text, policySkill, versions, remove };
  } catch (error) {
    remove();
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return executionFailure("run-failed", `the script cannot be looked at: ${error.message}`);
  }
}

type Declarations = Pick<PolicySkill, "allowedTools"> & Pick<InspectedScript, "versions">;

const MAX_KNOWN = 500;
const known = new Map<string, Declarations>();

/** What the copy's own SKILL.md declares. A copy with a known digest is not parsed again. */
function declarationsOf(name: string, { digest, contents }: Snapshot): Declarations {
  const key = `${digest} ${name}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const text = decodedText(contents.get(SKILL_FILE)) ?? "";
  const { skill } = parseSkill(text, { directoryName: name });
  // A file that cannot be read declares no tools, so that nothing is allowed on its behalf.
  const allowedTools = skill === undefined ? [] : skill.allowedTools;
  const versions = versionsOf(skill?.metadata["requires"] ?? "");
  const declarations = { versions, ...(allowedTools && { allowedTools }) };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, declarations);
  return declarations;
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
  { snapshot, text, policySkill, versions }: InspectedScript,
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
