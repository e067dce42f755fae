import { existsSync, lstatSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { StateStore, StoredState } from "../conversation/state-store.ts";
import type { FoundSkill } from "../sources/skill-source.ts";
import { foldName } from "./skill-record.ts";
import { damaged, readStateFile, realFolder, withStateLock, writeStateFile } from "./state-file.ts";

/**
 * Finds repositories inside of a project: they are projects of their own, with other authors. Costs a
 * look for each skill and, once, for each folder above one.
 */
class NestedRepositories {
  readonly #project: string;
  readonly #known = new Map<string, string | undefined>();

  constructor(project: string) {
    this.#project = project;
  }

  /** The innermost repository between the project, or a root outside of it, and a skill's folder. */
  around(skill: string, root: string): string | undefined {
    const isInProject = `${skill}${sep}`.startsWith(`${this.#project}${sep}`);
    const outer = isInProject ? this.#project : root;
    if (skill === outer) return undefined;
    return isRepository(skill) ? skill : this.#above(dirname(skill), outer);
  }

  #above(folder: string, outer: string): string | undefined {
    if (folder === outer || folder === dirname(folder)) return undefined;
    if (!this.#known.has(folder)) {
      const found = isRepository(folder) ? folder : this.#above(dirname(folder), outer);
      this.#known.set(folder, found);
    }
    return this.#known.get(folder);
  }
}

/** A submodule has a file of this name, a clone a folder. */
function isRepository(folder: string): boolean {
  try {
    return lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

interface TrustedPlaces {
  /** Roots named by flag or user configuration; the same root by a link is the same. */
  readonly trustedRoots?: ReadonlySet<string>;
  /** Folders whose roots are trusted, but for those of repositories inside of them. */
  readonly trustedFolders?: readonly string[];
}

/** Whether a root is one that the user named, or lies in a folder that they named. */
export function trustedRootTest(places: TrustedPlaces): (root: string) => boolean {
  const { trustedRoots = new Set<string>(), trustedFolders = [] } = places;
  const roots = new Set([...trustedRoots].map(realFolder));
  const folders = new Set(trustedFolders.map(realFolder));
  const known = new Map<string, boolean>();
  return (root) => {
    const answer = known.get(root);
    if (answer !== undefined) return answer;
    const real = realFolder(root);
    const found = roots.has(real) || isIn(folders, real);
    known.set(root, found);
    return found;
  };
}

function isIn(folders: ReadonlySet<string>, root: string): boolean {
  if (folders.size === 0) return false;
  for (let folder = root; ; folder = dirname(folder)) {
    if (folders.has(folder)) return true;
    if (folder === dirname(folder) || existsSync(join(folder, ".git"))) return false;
  }
}

/** What a user said about folders and skills. A folder is its real path, and only itself. */
export interface TrustStore {
  readonly folders: ReadonlyMap<string, "trusted" | "untrusted">;
  /** Digest of a trusted skill → its name; of an MCP server's, its URI and `path@mcp:server`. */
  readonly digests: ReadonlyMap<string, string>;
  folder(path: string): Promise<"trusted" | "untrusted" | "unknown">;
  setFolder(path: string, trust: "trusted" | "untrusted" | "unknown"): Promise<void>;
  trustDigest(digest: string, name: string): Promise<void>;
  /** Takes back the trust in all contents a skill of this name ever had. */
  untrustName(name: string): Promise<boolean>;
}

/** Behind the name of a skill of an MCP server: its content is trusted from there only. */
const SERVER = /@mcp:[^@]*$/;

/** Decisions in a folder of the user's state, or in a store of the host. */
export async function openTrustStore(place: string | StateStore): Promise<TrustStore> {
  const decisions = typeof place === "string" ? inFile(place) : inStore(place);
  const file = decisions.name;
  const folders = new Map<string, "trusted" | "untrusted">();
  const digests = new Map<string, string>();
  const load = (stored: Stored) => {
    replaceAll(folders, entriesOf(stored?.["folders"], file).filter(isDecision));
    replaceAll(digests, entriesOf(stored?.["digests"], file).filter(isText));
  };
  /** Another process may have decided meanwhile: its decisions are read before ours are added. */
  const update = async <Result>(change: () => Result): Promise<Result> => {
    let result: Result | undefined;
    await decisions.update((stored) => {
      load(stored);
      result = change();
      return { version: 1, folders: sortedObject(folders), digests: sortedObject(digests) };
    });
    return result as Result;
  };
  load(await decisions.read());
  return {
    folders,
    digests,
    folder: async (path) => folders.get(realFolder(path)) ?? "unknown",
    async setFolder(path, trust) {
      const real = realFolder(path);
      await update(() => (trust === "unknown" ? folders.delete(real) : folders.set(real, trust)));
    },
    async trustDigest(digest, name) {
      await update(() => digests.set(digest, name));
    },
    untrustName: (name) =>
      update(() => {
        const wanted = foldName(name);
        const isMeant = (other: string) =>
          [other, other.replace(SERVER, ""), other.replace("@mcp:", "@")].some(
            (name) => foldName(name) === wanted,
          );
        const found = [...digests].filter(([, other]) => isMeant(other));
        for (const [digest] of found) digests.delete(digest);
        return found.length > 0;
      }),
  };
}

type Stored = Readonly<Record<string, unknown>> | undefined;

interface Decisions {
  /** For messages. */
  readonly name: string;
  read(): Promise<Stored>;
  /** One at a time, over all processes. */
  update(change: (stored: Stored) => object): Promise<void>;
}

function inFile(stateDirectory: string): Decisions {
  const name = join(stateDirectory, "trust.json");
  return {
    name,
    read: async () => readStateFile(name, 1),
    update: async (change) =>
      withStateLock(name, () => writeStateFile(name, change(readStateFile(name, 1)))),
  };
}

const TRUST = "trust";

function inStore(store: StateStore): Decisions {
  const read = async () => store.load(TRUST);
  const stateOf = (stored: StoredState | undefined) => stored?.state as Stored;
  return {
    name: "the stored trust",
    read: async () => stateOf(await read()),
    async update(change) {
      for (;;) {
        const stored = await read();
        const version = await store.save(TRUST, change(stateOf(stored)), stored?.version);
        if (version !== undefined) return;
      }
    },
  };
}

function replaceAll<Value>(map: Map<string, Value>, entries: readonly [string, Value][]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/**
 * Who decides on trust. A decision about a content, not about a place, says for which digest it
 * holds; it is checked again whenever something of the skill is disclosed.
 */
export type TrustDecision = (
  skill: FoundSkill,
  onlyFor?: (digest: string) => void,
) => boolean | Promise<boolean>;

export interface TrustDecisionOptions extends TrustedPlaces {
  readonly store: TrustStore;
  readonly project: string;
  /** The project counts as trusted whatever the store says, such as for one run. */
  readonly projectTrusted?: boolean;
  /** Sources that are trusted whatever the folder: the user's and the built-in ones. */
  readonly trustedSources?: ReadonlySet<string>;
}

const TRUSTED_SOURCES: ReadonlySet<string> = new Set(["user", "builtin", "inline"]);

export async function createTrustDecision(options: TrustDecisionOptions): Promise<TrustDecision> {
  const { store, project, trustedSources = TRUSTED_SOURCES } = options;
  const projectTrusted = options.projectTrusted ?? (await store.folder(project)) === "trusted";
  const names = new Set(store.digests.values());
  const isTrustedRoot = trustedRootTest(options);
  const repositories = new NestedRepositories(project);
  return (skill, onlyFor) => {
    const { source, root, metadata, directory } = skill;
    if (trustedSources.has(source) || isTrustedRoot(root)) return true;
    if (directory === undefined) return projectTrusted;
    const nested = repositories.around(directory, root);
    const isTrusted =
      nested === undefined ? projectTrusted : store.folders.get(realFolder(nested)) === "trusted";
    if (isTrusted || !names.has(metadata?.name ?? "")) return isTrusted;
    return hasTrustedDigest(directory, store, onlyFor);
  };
}

async function hasTrustedDigest(
  directory: string,
  { digests }: TrustStore,
  onlyFor: ((digest: string) => void) | undefined,
): Promise<boolean> {
  const { skillDigest } = await import("../directory/skill-files.ts");
  const digest = await skillDigest(directory).catch(() => undefined);
  if (digest === undefined || !digests.has(digest)) return false;
  onlyFor?.(digest);
  return true;
}

function sortedObject(map: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function entriesOf(value: unknown, file: string): [string, unknown][] {
  if (value === undefined) return [];
  if (typeof value === "object" && value !== null) return Object.entries(value);
  throw damaged(`${file} does not hold what it should`);
}

function isDecision(entry: [string, unknown]): entry is [string, "trusted" | "untrusted"] {
  return entry[1] === "trusted" || entry[1] === "untrusted";
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
