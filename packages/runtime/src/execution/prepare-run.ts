import { nearNames } from "@skillwright/core";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CheckedRequest } from "./check-request.ts";
import {
  executionFailure,
  type ExecutionFailure,
  type ExecutionRequest,
  type Snapshot,
} from "./executor.ts";
import { findInterpreter, type Interpreter } from "./find-interpreter.ts";
import { changedSkill, snapshotSkill } from "./snapshot-skill.ts";
import { HOOKS_FILE, isTypeScript, transpileScripts } from "./transpile-scripts.ts";

export interface PreparedRun {
  readonly ok: true;
  readonly snapshot: Snapshot;
  readonly interpreter: Interpreter;
  /** Folder with JavaScript made of TypeScript, when the script is such. */
  readonly typescript?: string;
  /** What is left of the script's timeout. */
  readonly timeoutMs: number;
}

export interface PrepareOptions {
  readonly interpreters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const HEAD_BYTES = 64 * 1024;

/** Copies the skill, holds it against what was approved, and finds what runs the script. */
export async function prepareRun(
  request: ExecutionRequest,
  { script, limits }: CheckedRequest,
  runDirectory: string,
  { interpreters, signal }: PrepareOptions,
): Promise<PreparedRun | ExecutionFailure> {
  const { skill } = request;
  const snapshot = skill.snapshot ?? (await snapshotSkill(skill, join(runDirectory, "skill")));
  if (!snapshot.ok) return snapshot;
  if (skill.digest !== undefined && skill.digest !== snapshot.digest) {
    return changedSkill(skill, snapshot.digest);
  }
  if (!snapshot.files.has(script)) return missingScript(request, script, snapshot);
  const { virtualEnvironment } = request;
  const interpreter = findInterpreter(script, headOf(join(snapshot.directory, script)), {
    ...(interpreters === undefined ? {} : { interpreters }),
    ...(virtualEnvironment === undefined ? {} : { virtualEnvironment }),
  });
  if (!interpreter.ok) return interpreter;
  if (!isTypeScript(script)) {
    return { ok: true, snapshot, interpreter, timeoutMs: limits.timeoutMs };
  }
  const started = performance.now();
  const typescript = join(runDirectory, "typescript");
  const problem = await transpileScripts(snapshot, script, typescript, {
    limits,
    signal,
  });
  const timeoutMs = Math.max(1, Math.ceil(limits.timeoutMs - (performance.now() - started)));
  return problem ?? { ok: true, snapshot, interpreter, typescript, timeoutMs };
}

/** The command line, with the folders where the script's process sees them. */
export function commandOf(
  { interpreter }: PreparedRun,
  { script }: CheckedRequest,
  args: readonly string[],
  places: { readonly skill: string; readonly typescript?: string },
): readonly string[] {
  const { typescript } = places;
  const hooks = typescript === undefined ? [] : ["--import", join(typescript, HOOKS_FILE)];
  const { program, args: flags } = interpreter;
  return [program, ...flags, ...hooks, join(places.skill, script), ...args];
}

/**
 * Lets a Python script import its skill's own packages by their path from the skill's root. A colon
 * would make two folders of one.
 */
export function pythonPathOf({ interpreter }: PreparedRun, skill: string): string | undefined {
  const isPython = interpreter.name.startsWith("python") || interpreter.name === "uv";
  return isPython && !skill.includes(":") ? skill : undefined;
}

function headOf(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.allocUnsafe(HEAD_BYTES);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

function missingScript(
  { skill }: ExecutionRequest,
  script: string,
  { files }: Snapshot,
): ExecutionFailure {
  const scripts = [...files].filter((path) => path.startsWith("scripts/"));
  const near = nearNames(script, scripts);
  const message = `the skill ${JSON.stringify(skill.name)} has no script ${JSON.stringify(script)}`;
  const candidates = near.length > 0 ? near : scripts.slice(0, 10);
  return { ...executionFailure("script-missing", message), candidates };
}
