import { join } from "node:path";
import { parseSkill, readFile, type SkillRecord } from "@skillwright/core";
import type { ExecutionFailure } from "../execution/execution-receipt.ts";
import { makeRunDirectory, removeRunDirectory } from "../execution/run-directory.ts";
import { snapshotSkill } from "../execution/snapshot-skill.ts";
import type { PolicySkill } from "../policy/policy-request.ts";

/** What is asked about a script: all of it belongs to one digest. */
export interface InspectedScript {
  readonly ok: true;
  readonly digest: string;
  /** Undefined when the script is no text. */
  readonly text: string | undefined;
  readonly policySkill: PolicySkill;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a script and what its skill declares from a private copy, so that nobody can show one text to
 * who approves and have another one named by the digest.
 */
export async function inspectScript(
  { name, path, trusted }: SkillRecord,
  script: string,
): Promise<InspectedScript | ExecutionFailure> {
  const folder = makeRunDirectory();
  try {
    const snapshot = await snapshotSkill({ name, path }, join(folder, "skill"));
    if (!snapshot.ok) return snapshot;
    const { directory, digest } = snapshot;
    const text = await readText(directory, script);
    const { skill } = parseSkill((await readText(directory, "SKILL.md")) ?? "", {
      directoryName: name,
    });
    // What cannot be read declares that it needs nothing: then nothing is done on its behalf.
    const allowedTools = skill === undefined ? [] : skill.allowedTools;
    return {
      ok: true,
      digest,
      text,
      policySkill: { name, trusted, ...(allowedTools && { allowedTools }) },
    };
  } finally {
    removeRunDirectory(folder);
  }
}

async function readText(directory: string, path: string): Promise<string | undefined> {
  const read = await readFile({ directory }, path, { maxBytes: MAX_BYTES });
  return read.ok && read.kind === "text" ? read.text : undefined;
}
