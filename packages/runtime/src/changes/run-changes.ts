import { readRegularFile } from "@skillwright/core/internal";
import { existsSync, realpathSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { makeRunDirectory, removeSoon } from "../execution/child-process.ts";
import { atPath, ChangedError } from "../workspace/confinement/open-folder.ts";
import { secretFilesIn } from "../workspace/confinement/protected-files.ts";
import {
  type Applied,
  applyChanges,
  discardChanges,
  recoverChanges,
  recoverRoot,
  undoFolders,
} from "./apply.ts";
import {
  type Change,
  countedChanges,
  HeldChanges,
  type OutputFile,
  outputFiles,
  parentsOf,
  restoreChanges,
} from "./change.ts";
import { refuseChanges } from "./collect.ts";
import { type NoView, openView, probeView, type View } from "./view.ts";

export interface RunChangesOptions {
  /** The working directory. */
  readonly root: string;
  /** Private, and kept with the run: what is held, what undoes changes, and files for the user. */
  readonly folder: string;
  /** More files that are never kept, as in `PROTECTED_FILES`. */
  readonly protectedFiles?: readonly string[];
  /** The command with which a person decides later, where there is one. */
  readonly command?: string;
}

/** What one script or command did to the working directory. */
export interface ScriptChanges {
  /** Those of this one. Earlier ones are among them where it wrote the same file again. */
  readonly changes: readonly Change[];
  /** What was kept at once, because it lies in writable places and no one else decides. */
  readonly applied?: Applied;
  /** Where changes need no approval unless policy denies them, named as the changes are. */
  readonly writable?: readonly string[];
  /** Names in its private `/tmp`, which is gone. */
  readonly lost?: readonly string[];
  /** Why it could change nothing: the working directory was read-only. */
  readonly readOnly?: string;
  /** Why what it changed is lost, though it ran. */
  readonly problem?: string;
}

/** What scripts left under a name: of a file, the path of its held copy. */
export type SeenEntry =
  | { readonly type: "file"; readonly copy: string; readonly size: number }
  | { readonly type: "deleted" | "folder" | "link" | "special" };

/** What scripts changed, by folder (`""` is the working directory) and name. */
export type SeenFolders = ReadonlyMap<string, ReadonlyMap<string, SeenEntry>>;

const OUTPUT = "files";
/** A view that is older hides what a person saved meanwhile. */
const MAX_AGE_MS = 5000;
/** Hidden even before they are there. */
const USUAL_SECRETS = [".env", ".env.local", ".netrc", ".npmrc", ".pypirc", ".git-credentials"];

/** The changes of one run: each script runs in a view that has those of the ones before. */
export class RunChanges {
  /** Real path. */
  readonly root: string;
  /** Where scripts leave files for the user; they find it as `$SKILLWRIGHT_OUTPUT`. */
  readonly output: string;
  readonly command: string | undefined;
  readonly #held: HeldChanges;
  readonly #protectedFiles: readonly string[];
  #view: { readonly view: View; readonly directory: string } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isStale = false;
  #isRecovered = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ root, folder, protectedFiles = [], command }: RunChangesOptions) {
    this.command = command;
    this.root = realpathSync(root);
    this.output = join(folder, OUTPUT);
    this.#held = new HeldChanges(join(folder, "changes"));
    this.#protectedFiles = protectedFiles;
  }

  /** What another process left in a run's folder; undefined when nothing is held or to be undone there. */
  static async inFolder(folder: string): Promise<RunChanges | undefined> {
    const held = join(folder, "changes");
    const places = [held, ...undoFolders(held)];
    for (const place of places) await recoverChanges(place);
    const [manifest] = places.flatMap((place) => new HeldChanges(place).read() ?? []);
    return manifest && new RunChanges({ root: manifest.root, folder });
  }

  /** How many wait, as people count them. */
  waiting(): number {
    return countedChanges(this.pending()).length;
  }

  /** How many changes wait in a run's folder; none where their working directory is gone. */
  static pendingIn(folder: string): number {
    const manifest = new HeldChanges(join(folder, "changes")).read();
    if (manifest === undefined || !existsSync(manifest.root)) return 0;
    return countedChanges(manifest.changes.filter(({ refused }) => refused === undefined)).length;
  }

  /** What scripts left for the user, in a run's folder. */
  static outputIn(folder: string): readonly OutputFile[] {
    return outputFiles(join(folder, OUTPUT));
  }

  /**
   * Takes back what was kept of these runs, the last first. A file that is not as it was left stays as it
   * is and can be undone later.
   */
  static async undo(
    runs: readonly RunChanges[],
    isSelected: (change: Change) => boolean,
  ): Promise<Applied> {
    const places = runs.flatMap(({ folder }) => undoFolders(folder));
    const done = new Map<string, Change>();
    const conflicts = new Map<string, Applied["conflicts"][number]>();
    // Their names begin with the time.
    for (const place of places.toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1))) {
      const isOpen = (change: Change) => isSelected(change) && !conflicts.has(change.path);
      const result = await carriedOut(place, isOpen);
      for (const change of result.applied) done.set(`${change.kind} ${change.path}`, change);
      for (const conflict of result.conflicts) conflicts.set(conflict.path, conflict);
    }
    for (const run of runs) run.#isStale = true;
    return { applied: [...done.values()], conflicts: [...conflicts.values()] };
  }

  /** Where the changes are held. */
  get folder(): string {
    return this.#held.folder;
  }

  /** What is held and may be kept. */
  pending(): readonly Change[] {
    return this.all().filter(({ refused }) => refused === undefined);
  }

  /** The same with what is never kept. */
  all(): readonly Change[] {
    return this.#held.read()?.changes ?? [];
  }

  /** What would undo the changes that were kept. */
  undoing(): readonly Change[] {
    const places = undoFolders(this.folder);
    return places.flatMap((place) => new HeldChanges(place).read()?.changes ?? []);
  }

  /** One at a time, so that each change has one author. */
  async run<T>(
    work: (view: View | NoView) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ readonly result: T; readonly found: ScriptChanges }> {
    return this.#inTurn(async () => {
      const view = await this.#open(signal);
      const result = await work(view);
      if (!view.ok) return { result, found: { changes: [], readOnly: view.reason } };
      try {
        return { result, found: { changes: await this.#collect(view) } };
      } catch (error) {
        // What is left in the view is not what later scripts are to see.
        this.#isStale = true;
        return { result, found: { changes: [], problem: problemOf(error) } };
      }
    });
  }

  /** Those of a list that are still held, once what a killed process began is finished. */
  async held(list: readonly Change[]): Promise<readonly Change[]> {
    return this.#inTurn(async () => {
      await recoverChanges(this.folder);
      const keys = new Set(list.map(resultOf));
      return this.pending().filter((change) => keys.has(resultOf(change)));
    });
  }

  /** Carries out what is held. Later scripts see the real files again. */
  async apply(isSelected: (change: Change) => boolean): Promise<Applied> {
    return this.#inTurn(async () => {
      this.#isStale = true;
      return carriedOut(this.folder, isSelected);
    });
  }

  async discard(isSelected: (change: Change) => boolean): Promise<readonly Change[]> {
    return this.#inTurn(async () => {
      this.#isStale = true;
      return discardChanges(this.folder, isSelected);
    });
  }

  /** The real file was written by a tool, so what a script made of it, or of its folders, no longer counts. */
  async supersede(path: string): Promise<void> {
    const folders = parentsOf(path);
    await this.discard((change) => {
      const isFolder = change.kind === "created" && change.after?.type === "folder";
      return change.path === path || (isFolder && folders.includes(change.path));
    });
  }

  /** The held file of a path, which a tool may write to without touching the real one. */
  heldFile(path: string): Change | undefined {
    return this.all().find((change) => change.path === path && isWrittenFile(change));
  }

  /** Gives a held file another text. What it was made from stays, so it is applied as it would have been. */
  async amend(path: string, bytes: Buffer): Promise<boolean> {
    return this.#inTurn(async () => {
      await recoverChanges(this.folder);
      const manifest = this.#held.read();
      const change = manifest?.changes.filter(isWrittenFile).find((one) => one.path === path);
      if (manifest === undefined || change === undefined) return false;
      this.#isStale = true;
      const after = { ...change.after, size: bytes.length, digest: this.#held.add(bytes) };
      const changes = manifest.changes.map((one) => (one === change ? { ...one, after } : one));
      this.#held.write({ ...manifest, changes });
      return true;
    });
  }

  /** The real file of a change; undefined when it is not there, or too large. */
  realContent({ path }: Change, maxBytes: number): Buffer | undefined {
    return atPath(this.root, path, (folder, name) => contentAt(folder.child(name), maxBytes));
  }

  /** What the script made of it. */
  contentOf({ after }: Change, maxBytes: number): Buffer | undefined {
    const digest = after?.digest;
    return digest === undefined ? undefined : contentAt(this.#held.contentPath(digest), maxBytes);
  }

  /** What scripts made of a path, in parts without links; undefined where the real file counts. */
  seen(segments: readonly string[]): SeenEntry | undefined {
    const folders = this.seenFolders();
    const entryAt = (depth: number) =>
      folders.get(segments.slice(0, depth).join("/"))?.get(segments[depth] ?? "");
    const found = entryAt(segments.length - 1);
    if (found !== undefined) return found;
    const isGone = segments.slice(0, -1).some((_, depth) => {
      const entry = entryAt(depth);
      return entry !== undefined && entry.type !== "folder";
    });
    return isGone ? { type: "deleted" } : undefined;
  }

  /** All that scripts made of names, for whoever lists or searches folders. */
  seenFolders(): SeenFolders {
    const folders = new Map<string, Map<string, SeenEntry>>();
    for (const change of this.all()) {
      const entry = this.#seenEntry(change);
      if (entry === undefined) continue;
      const segments = change.path.split("/");
      const name = segments.pop() ?? "";
      const folder = segments.join("/");
      const entries = folders.get(folder) ?? new Map<string, SeenEntry>();
      folders.set(folder, entries.set(name, entry));
    }
    return folders;
  }

  /** Undefined where the real file counts: also where the content of a refused file is not stored. */
  #seenEntry({ kind, after }: Change): SeenEntry | undefined {
    if (kind === "mode") return undefined;
    if (kind === "deleted") return { type: "deleted" };
    if (after?.type !== "file") return after && { type: after.type };
    const { digest, size } = after;
    if (digest === undefined || !this.#held.has(digest)) return undefined;
    return { type: "file", copy: this.#held.contentPath(digest), size };
  }

  /**
   * Ends the processes that hold the view, once what runs has ended. It is opened again when something
   * runs. What is held stays.
   */
  async close(): Promise<void> {
    await this.#inTurn(() => this.#closeView());
  }

  async #closeView(): Promise<void> {
    clearTimeout(this.#idle);
    const opened = this.#view;
    this.#view = undefined;
    if (opened === undefined) return;
    await opened.view.close();
    removeSoon(opened.directory);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    clearTimeout(this.#idle);
    try {
      return await turn;
    } finally {
      // A host may have thousands of runs, and a view as old as this is not used again.
      clearTimeout(this.#idle);
      if (this.#view !== undefined) {
        this.#idle = setTimeout(() => void this.close(), MAX_AGE_MS).unref();
      }
    }
  }

  async #open(signal: AbortSignal | undefined): Promise<View | NoView> {
    const known = this.#view?.view;
    const isFresh = known !== undefined && performance.now() - known.openedAt < MAX_AGE_MS;
    if (isFresh && !this.#isStale && known.isAlive()) return known;
    await this.#closeView();
    if (!this.#isRecovered) {
      await recoverChanges(this.folder);
      recoverRoot(this.root, this.folder);
    }
    this.#isRecovered = true;
    const probe = await probeView();
    if (!probe.ok) return probe;
    const directory = makeRunDirectory();
    const { paths, isComplete } = secretFilesIn(this.root);
    const secrets = paths.map((path) => relative(this.root, path));
    const view = await openView({
      root: this.root,
      folder: realpathSync(directory),
      masked: [...new Set([...secrets, ...USUAL_SECRETS])],
      isMaskIncomplete: !isComplete,
      ...(signal && { signal }),
    });
    if (!view.ok) {
      removeSoon(directory);
      return view;
    }
    this.#view = { view, directory };
    this.#isStale = false;
    await restoreChanges(this.#held, view.merged);
    const held = this.#held.read();
    // From here on it shows which files are written again. What fails here fails after the script, too.
    if (held !== undefined) await view.collect(held).catch(() => {});
    return view;
  }

  async #collect(view: View): Promise<readonly Change[]> {
    const previous = this.#held.read();
    const collected = await view.collect(previous);
    const changes = refuseChanges(collected, this.#protectedFiles);
    if (changes.length === 0 && previous === undefined) return [];
    await this.#held.save({ root: this.root, changes }, view.merged);
    const known = new Set(previous?.changes.map(versionOf));
    const isNew = (change: Change) =>
      !known.has(versionOf(change)) || collected.rewritten.has(change.path);
    return changes.filter(isNew);
  }
}

type WrittenFile = Change & { readonly after: NonNullable<Change["after"]> };

function isWrittenFile(change: Change): change is WrittenFile {
  const { kind, after, refused } = change;
  if (refused !== undefined) return false;
  return (kind === "created" || kind === "modified") && after?.type === "file";
}

async function carriedOut(
  folder: string,
  isSelected: (change: Change) => boolean,
): Promise<Applied> {
  try {
    return await applyChanges(folder, { isSelected });
  } catch (error) {
    const reason = problemOf(error);
    const changes = new HeldChanges(folder).read()?.changes ?? [];
    const failed = changes.filter((change) => change.refused === undefined && isSelected(change));
    return { applied: [], conflicts: failed.map(({ path }) => ({ path, reason })) };
  }
}

function contentAt(path: string, maxBytes: number): Buffer | undefined {
  try {
    return readRegularFile(path, { maxBytes });
  } catch {
    return undefined;
  }
}

/** A full disk, or a file that changes while it is read; anything else is a bug, and thrown. */
function problemOf(error: unknown): string {
  if (error instanceof ChangedError) return error.message;
  if (!(error instanceof Error) || !("syscall" in error)) throw error;
  return `the system refused it: ${error.message}`;
}

function versionOf(change: Change): string {
  return `${change.kind} ${resultOf(change)}`;
}

/** What becomes of a path. Its kind depends on what is there, too. */
function resultOf({ path, kind, after }: Change): string {
  const { digest, mode, target } = after ?? {};
  return JSON.stringify([path, kind === "deleted", digest, mode, target]);
}
