import { canonicalJson } from "@skillwright/core/internal";
import { createHash, type KeyObject } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ApprovalError } from "../approval.ts";
import type { ApprovalCall } from "../request.ts";
import type { ApprovedScript, LastApproved } from "../script-preview.ts";
import { signatureOf } from "../sign-request.ts";
import { readSignedFile, writeSignedFile } from "../signed-file.ts";

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 500;

interface StoredScript extends ApprovedScript {
  readonly place: string;
}

/** The text of each script when a person last approved it, so that changes can be shown. */
export class ApprovedScripts {
  readonly #folder: string;
  readonly #key: KeyObject;

  constructor(stateDirectory: string, key: KeyObject) {
    this.#folder = join(stateDirectory, "approvals", "scripts");
    this.#key = key;
  }

  /** Damage is no error here: nothing is approved by it, and the next approval mends it. */
  last(call: ApprovalCall): LastApproved {
    const place = placeOf(call);
    if (place === undefined) return undefined;
    try {
      const stored = readSignedFile(this.#file(place), "script", this.#key);
      const script = stored as StoredScript | undefined;
      return script === undefined || script.place === place ? script : "damaged";
    } catch (error) {
      if (ApprovalError.isInstance(error)) return "damaged";
      throw error;
    }
  }

  /** A text that is too long is not kept, nor the one before: its changes would mislead. */
  keep(call: ApprovalCall): void {
    const place = placeOf(call);
    if (place === undefined || call.skill === undefined) return;
    const text = call.script?.text;
    if (text === undefined || Buffer.byteLength(text) > MAX_BYTES) {
      rmSync(this.#file(place), { force: true });
      return;
    }
    const stored: StoredScript = { place, digest: call.skill.digest, text };
    const signature = signatureOf("script", stored, this.#key);
    writeSignedFile(this.#file(place), { ...stored, signature });
    this.#prune();
  }

  #prune(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    if (files.length <= MAX_FILES) return;
    const byAge = files
      .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => a.time - b.time);
    for (const { file } of byAge.slice(0, files.length - MAX_FILES)) rmSync(file, { force: true });
  }

  #file(place: string): string {
    return join(this.#folder, `${place}.json`);
  }
}

/** Where a script lives, whatever its content. */
function placeOf({ skill, script, cwd }: ApprovalCall): string | undefined {
  if (skill === undefined || script === undefined) return undefined;
  const { name, source } = skill;
  const text = canonicalJson({ name, source, script: script.path, cwd });
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
