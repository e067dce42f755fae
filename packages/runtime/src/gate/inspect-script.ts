import { join } from "node:path";
import { parseSkill, type SkillRecord } from "@skillwright/core";
import { executionFailure, type ExecutionFailure, type Snapshot } from "../execution/executor.ts";
import { makeRunDirectory, removeSoon } from "../execution/run-directory.ts";
import { snapshotSkill } from "../execution/snapshot-skill.ts";
import type { PolicySkill } from "../policy/policy-request.ts";

/** What is asked about a script, and the private copy of its skill that all of it was read from. */
export interface InspectedScript {
  readonly ok: true;
  /** What runs when it is approved. */
  readonly snapshot: Snapshot;
  /** Undefined when the script is no text. */
  readonly text: string | undefined;
  readonly policySkill: PolicySkill;
  /** `metadata.requires` of the skill. */
  readonly requires: string;
  /** Removes the copy, soon: nobody has to wait for it. */
  remove(): void;
}

const SKILL_FILE = "SKILL.md";
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a script and what its skill declares from a private copy, so that nobody can show one text to
 * who approves and have another one run.
 */
export async function inspectScript(
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
    const text = textOf(snapshot.contents.get(script));
    const declared = textOf(snapshot.contents.get(SKILL_FILE)) ?? "";
    const { skill } = parseSkill(declared, { directoryName: name });
    // What cannot be read declares that it needs nothing: then nothing is done on its behalf.
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

/** Undefined for what is no text, or too much of it to be shown. */
function textOf(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.length > MAX_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
