import { join } from "node:path";
import { parseSkill, readFile, type SkillRecord } from "@skillwright/core";
import { executionFailure, type ExecutionFailure } from "../execution/execution-receipt.ts";
import { makeRunDirectory, removeRunDirectory } from "../execution/run-directory.ts";
import { type Snapshot, snapshotSkill } from "../execution/snapshot-skill.ts";
import type { PolicySkill } from "../policy/policy-request.ts";

/** What is asked about a script, and the private copy of its skill that all of it was read from. */
export interface InspectedScript {
  readonly ok: true;
  /** What runs when it is approved. */
  readonly snapshot: Snapshot;
  /** Undefined when the script is no text. */
  readonly text: string | undefined;
  readonly policySkill: PolicySkill;
  /** Removes the copy. */
  remove(): void;
}

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
    if (folder !== undefined) removeRunDirectory(folder);
  };
  try {
    folder = makeRunDirectory();
    const snapshot = await snapshotSkill({ name, path }, join(folder, "skill"));
    if (!snapshot.ok) {
      remove();
      return snapshot;
    }
    const { directory } = snapshot;
    const text = await readText(directory, script);
    const { skill } = parseSkill((await readText(directory, "SKILL.md")) ?? "", {
      directoryName: name,
    });
    // What cannot be read declares that it needs nothing: then nothing is done on its behalf.
    const allowedTools = skill === undefined ? [] : skill.allowedTools;
    const policySkill = { name, trusted, ...(allowedTools && { allowedTools }) };
    return { ok: true, snapshot, text, policySkill, remove };
  } catch (error) {
    remove();
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return executionFailure("run-failed", `the script cannot be looked at: ${error.message}`);
  }
}

async function readText(directory: string, path: string): Promise<string | undefined> {
  const read = await readFile({ directory }, path, { maxBytes: MAX_BYTES });
  return read.ok && read.kind === "text" ? read.text : undefined;
}
