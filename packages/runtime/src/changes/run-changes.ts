import { errorCode, makeFolder } from "@skillwright/core/internal";
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { makeRunDirectory, removeSoon } from "../execution/run-directory.ts";
import { secretFilesIn } from "../workspace/confinement/protected-files.ts";
import { type Applied, applyChanges, discardChanges, recoverChanges } from "./apply.ts";
import type { Change } from "./change.ts";
import { HeldChanges, restoreChanges } from "./held.ts";
import { refuseChanges } from "./refuse-changes.ts";
import { type NoView, openView, probeView, type View } from "./view.ts";

export interface RunChangesOptions {
  /** The working directory. */
  readonly root: string;
  /** Private, and kept with the run: what is held, what undoes changes, and files for the user. */
  readonly folder: string;
  /** More files that are never kept, as in `PROTECTED_FILES`. */
  readonly protectedFiles?: readonly string[];
}

/** What one script or command did to the working directory. */
export interface ScriptChanges {
  /** Those of this one; earlier ones that it left alone are not among them. */
  readonly changes: readonly Change[];
  /** What was kept at once, for it lies in writable places. */
  readonly applied?: Applied;
  /** Why it could change nothing: the working directory was read-only. */
  readonly readOnly?: string;
}

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
  readonly #held: HeldChanges;
  readonly #protectedFiles: readonly string[];
  #view: { readonly view: View; readonly directory: string } | undefined;
  #isStale = false;
  #isRecovered = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ root, folder, protectedFiles = [] }: RunChangesOptions) {
    this.root = realpathSync(root);
    this.output = join(folder, "files");
    this.#held = new HeldChanges(join(folder, "changes"));
    this.#protectedFiles = protectedFiles;
  }

  /** Where the changes are held. */
  get folder(): string {
    return this.#held.folder;
  }

  /** What is held and may be kept. */
  pending(): readonly Change[] {
    const changes = this.#held.read()?.changes ?? [];
    return changes.filter(({ refused }) => refused === undefined);
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
      return { result, found: { changes: await this.#collect(view) } };
    });
  }

  /** Carries out what is held. Later scripts see the real files again. */
  async apply(isSelected: (change: Change) => boolean): Promise<Applied> {
    return this.#inTurn(async () => {
      this.#isStale = true;
      return applyChanges(this.folder, { isSelected });
    });
  }

  async discard(isSelected: (change: Change) => boolean): Promise<readonly Change[]> {
    return this.#inTurn(async () => {
      this.#isStale = true;
      return discardChanges(this.folder, isSelected);
    });
  }

  /** Before and after a change, as text where it is some. */
  contentOf(change: Change, maxBytes: number): Buffer | undefined {
    return this.#held.content(change.after?.digest, maxBytes);
  }

  async close(): Promise<void> {
    const opened = this.#view;
    this.#view = undefined;
    if (opened === undefined) return;
    await opened.view.close();
    removeSoon(opened.directory);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #open(signal: AbortSignal | undefined): Promise<View | NoView> {
    const known = this.#view?.view;
    const isFresh = known !== undefined && performance.now() - known.openedAt < MAX_AGE_MS;
    if (isFresh && !this.#isStale && known.isAlive()) return known;
    await this.close();
    if (!this.#isRecovered) await recoverChanges(this.folder);
    this.#isRecovered = true;
    const probe = await probeView();
    if (!probe.ok) return probe;
    const directory = makeRunDirectory();
    const secrets = secretFilesIn(this.root).paths.map((path) => relative(this.root, path));
    const view = await openView({
      root: this.root,
      folder: realpathSync(directory),
      masked: [...new Set([...secrets, ...USUAL_SECRETS])],
      ...(signal && { signal }),
    });
    if (!view.ok) {
      removeSoon(directory);
      return view;
    }
    this.#view = { view, directory };
    this.#isStale = false;
    await restoreChanges(this.#held, view.merged);
    return view;
  }

  async #collect(view: View): Promise<readonly Change[]> {
    const previous = this.#held.read();
    const collected = await view.collect(previous);
    const changes = refuseChanges(collected, this.#protectedFiles);
    if (changes.length === 0 && previous === undefined) return [];
    await this.#held.save({ root: this.root, changes }, view.merged);
    const known = new Set(previous?.changes.map(versionOf));
    return changes.filter((change) => !known.has(versionOf(change)));
  }
}

function versionOf({ path, kind, after }: Change): string {
  return JSON.stringify([path, kind, after?.digest, after?.mode, after?.target]);
}

/** Makes the folder for the user's files, and gives the names of what is in it. */
export function filesIn(folder: string): readonly string[] {
  try {
    makeFolder(folder);
    return readdirSync(folder).filter(
      (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
    );
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
