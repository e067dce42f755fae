import {
  canonicalJson,
  errorCode,
  readIfPresent,
  waitForLockSync,
  writeAtomic,
} from "@skillwright/core/internal";
import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { KeyFileError, openKeyFile } from "../key-file.ts";
import { ApprovalError } from "./approval.ts";

/** What a signature is for: one made for a request never counts for an approval. */
type SignedKind = "request" | "approval" | "entry";
type DigestKind = SignedKind | "input" | "approval-id";

/**
 * - `approval`: an approval of scope `skill`.
 * - `spent`: the request of a stopped run that was decided, or its decision that was used, for good.
 * - `admitted`: such a decision until the call that equals its request is made.
 */
export type ApprovalEntryKind = "approval" | "spent" | "admitted";

/** Where an entry is kept. Entries of different principals never meet. */
export interface ApprovalPlace {
  readonly principal: string;
  readonly kind: ApprovalEntryKind;
  /** 32 hexadecimal digits. */
  readonly id: string;
}

/**
 * Where approvals are kept: files, memory, or a database of the host. Entries are plain JSON, signed
 * by their writer. `describeApprovalStore` of `@skillwright/runtime/testing` checks one.
 */
export interface ApprovalStore {
  /** At least 32 bytes that nobody else knows, the same for all processes that share the store. */
  key(): Promise<Uint8Array>;
  /** Read anew each time: another process may have written it. */
  get(place: ApprovalPlace): Promise<unknown>;
  /** All of one kind, by id. */
  list(place: Omit<ApprovalPlace, "id">): Promise<ReadonlyMap<string, unknown>>;
  put(place: ApprovalPlace, entry: unknown): Promise<void>;
  /** Keeps an entry where there is none: true for exactly one of several calls. */
  add(place: ApprovalPlace, entry: unknown): Promise<boolean>;
  /** Nothing happens where there is none. */
  remove(place: ApprovalPlace): Promise<void>;
}

interface Entry extends ApprovalPlace {
  readonly version: 1;
  readonly value: unknown;
}

const MAX_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 30_000;
const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * The entries of one principal. Throws an `ApprovalError` for one that is not what was written here,
 * for this principal and under this id.
 */
export class SignedEntries {
  readonly #store: ApprovalStore;
  readonly #principal: string;
  readonly #key: KeyObject;

  constructor(store: ApprovalStore, principal: string, key: KeyObject) {
    this.#store = store;
    this.#principal = principal;
    this.#key = key;
  }

  async get(kind: ApprovalEntryKind, id: string): Promise<unknown> {
    const place = this.#place(kind, id);
    return this.#checked(await this.#store.get(place), place);
  }

  async list(kind: ApprovalEntryKind): Promise<readonly unknown[]> {
    const entries = await this.#store.list({ principal: this.#principal, kind });
    return [...entries].map(([id, entry]) => this.#checked(entry, this.#place(kind, id)));
  }

  async put(kind: ApprovalEntryKind, id: string, value: unknown): Promise<void> {
    const place = this.#place(kind, id);
    await this.#store.put(place, this.#signed(place, value));
  }

  /** True for the one that adds it first. */
  async add(kind: ApprovalEntryKind, id: string, value: unknown): Promise<boolean> {
    const place = this.#place(kind, id);
    return this.#store.add(place, this.#signed(place, value));
  }

  /** Also removes what is damaged. */
  async remove(kind: ApprovalEntryKind, id: string): Promise<void> {
    await this.#store.remove(this.#place(kind, id));
  }

  #place(kind: ApprovalEntryKind, id: string): ApprovalPlace {
    return { principal: this.#principal, kind, id };
  }

  #signed(place: ApprovalPlace, value: unknown): unknown {
    const entry: Entry = { version: 1, ...place, value };
    return { ...entry, signature: keyedDigest("entry", entry, this.#key) };
  }

  #checked(stored: unknown, { kind, id }: ApprovalPlace): unknown {
    if (stored === undefined) return undefined;
    const name = `the stored ${kind} ${id}`;
    if (!hasSignature("entry", stored, this.#key))
      throw damaged(name, "its signature does not fit");
    const entry = stored as Entry;
    if (entry.principal !== this.#principal) throw damaged(name, "it belongs to someone else");
    const isItself = entry.version === 1 && entry.kind === kind && entry.id === id;
    if (!isItself) throw damaged(name, "it was written for something else");
    return entry.value;
  }
}

/** Keeps approvals as long as the process lives. */
export function createMemoryApprovals(): ApprovalStore {
  const key = randomBytes(32);
  const entries = new Map<string, { readonly place: ApprovalPlace; readonly entry: unknown }>();
  const nameOf = ({ principal, kind, id }: ApprovalPlace) => JSON.stringify([principal, kind, id]);
  return {
    key: async () => key,
    get: async (place) => structuredClone(entries.get(nameOf(place))?.entry),
    list: async ({ principal, kind }) =>
      new Map(
        [...entries.values()]
          .filter(({ place }) => place.principal === principal && place.kind === kind)
          .map(({ place, entry }) => [place.id, structuredClone(entry)]),
      ),
    async put(place, entry) {
      entries.set(nameOf(place), { place, entry: structuredClone(entry) });
    },
    async add(place, entry) {
      if (entries.has(nameOf(place))) return false;
      entries.set(nameOf(place), { place, entry: structuredClone(entry) });
      return true;
    },
    async remove(place) {
      entries.delete(nameOf(place));
    },
  };
}

/** Keeps approvals in the user's state: one file each, in a folder for each principal that has one lock. */
export function createFileApprovals(stateDirectory: string): ApprovalStore {
  const root = join(stateDirectory, "approvals");
  const folderOf = (principal: string) => join(root, hashOf(principal));
  const fileOf = ({ principal, kind, id }: ApprovalPlace) =>
    join(folderOf(principal), `${kind}-${id}.json`);
  const write = (place: ApprovalPlace, entry: unknown) => {
    writeAtomic(fileOf(place), `${JSON.stringify(entry, null, 2)}\n`, { flush: true });
  };
  return {
    key: async () => openKey(join(root, "key")).export(),
    get: async (place) => readEntry(fileOf(place)),
    async list({ principal, kind }) {
      const ids = idsIn(folderOf(principal), kind);
      const found = ids.map((id) => [id, readEntry(fileOf({ principal, kind, id }))] as const);
      return new Map(found.filter(([, entry]) => entry !== undefined));
    },
    put: async (place, entry) => locked(folderOf(place.principal), () => write(place, entry)),
    add: async (place, entry) =>
      locked(folderOf(place.principal), () => {
        const isNew = !existsSync(fileOf(place));
        if (isNew) write(place, entry);
        return isNew;
      }),
    async remove(place) {
      const file = fileOf(place);
      if (existsSync(file)) locked(folderOf(place.principal), () => rmSync(file, { force: true }));
    },
  };
}

function readEntry(file: string): unknown {
  try {
    const bytes = readIfPresent(file, { maxBytes: MAX_BYTES });
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString("utf8")) as unknown);
  } catch (error) {
    const why = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
    throw damaged(file, why, error);
  }
}

function idsIn(folder: string, kind: ApprovalEntryKind): string[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => new RegExp(`^${kind}-([0-9a-f]{32})\\.json$`).exec(name)?.[1] ?? [])
      .sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw damaged(folder, (error as Error).message, error);
  }
}

function locked<Result>(folder: string, work: () => Result): Result {
  let lock: ReturnType<typeof waitForLockSync> | undefined;
  try {
    lock = waitForLockSync(join(folder, "lock"), PATIENCE_MS);
    if (!lock.ok) throw new Error("another process holds its lock");
    return work();
  } catch (error) {
    if (ApprovalError.isInstance(error)) throw error;
    const message = `cannot write ${folder}: ${(error as Error).message}`;
    throw new ApprovalError("approval-unwritable", message, { cause: error });
  } finally {
    if (lock?.ok === true) lock.release();
  }
}

/** The key that signs everything of one user. */
function openKey(file: string): KeyObject {
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
