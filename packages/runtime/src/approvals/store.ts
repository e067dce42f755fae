import {
  canonicalJson,
  errorCode,
  readIfPresent,
  waitForLockSync,
  writeAtomic,
} from "@skillwright/core/internal";
import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { KeyFileError, openKeyFile } from "../key-file.ts";
import { ApprovalError } from "./approval.ts";

/** What a signature is for: one made for a request never counts for an approval. */
type SignedKind = "request" | "approval" | "entry";
type DigestKind = SignedKind | "input" | "approval-id";

/**
 * - `approval`: an approval of scope `skill`.
 * - `script`: the text of a script when it was last approved.
 * - `spent`: the request of a stopped run that was approved, for good.
 */
type EntryKind = "approval" | "script" | "spent";

interface Entry {
  readonly version: 1;
  readonly kind: EntryKind;
  readonly principal: string;
  readonly id: string;
  readonly value: unknown;
}

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_SCRIPTS = 500;
const PATIENCE_MS = 30_000;
const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * Everything that is kept about the approvals of one principal: signed entries, one file each, in a
 * folder that has one lock. Throws an `ApprovalError` for an entry that is not what was written here,
 * for this principal and under this id.
 */
export class ApprovalStore {
  readonly #folder: string;
  readonly #principal: string;
  readonly #key: KeyObject;

  constructor(folder: string, principal: string, key: KeyObject) {
    this.#folder = join(folder, hashOf(principal));
    this.#principal = principal;
    this.#key = key;
  }

  /** Read anew each time: another process may have written it. */
  get(kind: EntryKind, id: string): unknown {
    const file = this.#file(kind, id);
    let entry: Partial<Entry>;
    try {
      const bytes = readIfPresent(file, { maxBytes: MAX_BYTES });
      if (bytes === undefined) return undefined;
      entry = JSON.parse(bytes.toString("utf8")) as Partial<Entry>;
    } catch (error) {
      const why = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
      throw damaged(file, why, error);
    }
    if (!hasSignature("entry", entry, this.#key)) throw damaged(file, "its signature does not fit");
    if (entry.principal !== this.#principal) throw damaged(file, "it belongs to someone else");
    const isItself = entry.version === 1 && entry.kind === kind && entry.id === id;
    if (!isItself) throw damaged(file, "it was written for something else");
    return entry.value;
  }

  list(kind: EntryKind): unknown[] {
    return this.#ids(kind).flatMap((id) => this.get(kind, id) ?? []);
  }

  put(kind: EntryKind, id: string, value: unknown): void {
    this.#locked(() => this.#write(kind, id, value));
  }

  /** True for the one process that adds it first. */
  add(kind: EntryKind, id: string, value: unknown): boolean {
    return this.#locked(() => {
      const isNew = !existsSync(this.#file(kind, id));
      if (isNew) this.#write(kind, id, value);
      return isNew;
    });
  }

  /** Also removes what is damaged. */
  remove(kind: EntryKind, id: string): void {
    if (!existsSync(this.#file(kind, id))) return;
    this.#locked(() => rmSync(this.#file(kind, id), { force: true }));
  }

  #write(kind: EntryKind, id: string, value: unknown): void {
    const entry: Entry = { version: 1, kind, principal: this.#principal, id, value };
    const signed = { ...entry, signature: keyedDigest("entry", entry, this.#key) };
    writeAtomic(this.#file(kind, id), `${JSON.stringify(signed, null, 2)}\n`, { flush: true });
    if (kind === "script") this.#prune();
  }

  /** Only texts are ever dropped: the next approval of such a script shows it from its beginning. */
  #prune(): void {
    const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const files = this.#ids("script").map((id) => this.#file("script", id));
    const byAge = files
      .map((file) => ({ file, time: timeOf(file) }))
      .sort((a, b) => b.time - a.time);
    for (const { file } of byAge.slice(MAX_SCRIPTS)) rmSync(file, { force: true });
  }

  #ids(kind: EntryKind): string[] {
    try {
      return readdirSync(this.#folder)
        .flatMap((name) => new RegExp(`^${kind}-([0-9a-f]{32})\\.json$`).exec(name)?.[1] ?? [])
        .sort();
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw damaged(this.#folder, (error as Error).message, error);
    }
  }

  #locked<Result>(work: () => Result): Result {
    const file = join(this.#folder, "lock");
    let lock: ReturnType<typeof waitForLockSync> | undefined;
    try {
      lock = waitForLockSync(file, PATIENCE_MS);
      if (!lock.ok) throw new Error("another process holds its lock");
      return work();
    } catch (error) {
      if (ApprovalError.isInstance(error)) throw error;
      const message = `cannot write ${this.#folder}: ${(error as Error).message}`;
      throw new ApprovalError("approval-unwritable", message, { cause: error });
    } finally {
      if (lock?.ok === true) lock.release();
    }
  }

  #file(kind: EntryKind, id: string): string {
    return join(this.#folder, `${kind}-${id}.json`);
  }
}

/** The key that signs everything of one user. */
export function openKey(file: string): KeyObject {
  try {
    return openKeyFile(file);
  } catch (cause) {
    const isUnusable = cause instanceof KeyFileError;
    const what = isUnusable ? `the key ${file} cannot be used` : `cannot make the key ${file}`;
    const hint = isUnusable
      ? `Give it back to its owner with mode 0600. Without it, remove ${dirname(file)}: everything is then asked again.`
      : "Without a key nothing can be approved. Make the state directory writable.";
    throw new ApprovalError(
      isUnusable ? "approval-key-unusable" : "approval-unwritable",
      `${what}: ${(cause as Error).message}`,
      { cause, hint },
    );
  }
}

/** The id of an entry about something that has a name. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}

function damaged(file: string, why: string, cause?: unknown): ApprovalError {
  return new ApprovalError("approval-damaged", `${file} is damaged: ${why}`, {
    cause,
    hint: `Remove ${file}; what it was about is then asked again.`,
  });
}

/**
 * HMAC-SHA-256 in hexadecimal: a signature, or a digest of a value that may hold secrets. Without the
 * user's key, a short password cannot be guessed from one that was stored.
 */
export function keyedDigest(kind: DigestKind, value: unknown, key: KeyObject): string {
  return createHmac("sha256", key)
    .update(`skillwright ${kind} 1\n${canonicalJson(value)}`)
    .digest("hex");
}

/** Whether an object's `signature` is the one for the rest of it. */
export function hasSignature(kind: SignedKind, value: unknown, key: KeyObject): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { signature, ...rest } = value as Record<string, unknown>;
  if (typeof signature !== "string" || !SIGNATURE.test(signature)) return false;
  try {
    return timingSafeEqual(Buffer.from(signature), Buffer.from(keyedDigest(kind, rest, key)));
  } catch (error) {
    // What has no canonical text was never signed.
    if (error instanceof TypeError) return false;
    throw error;
  }
}
