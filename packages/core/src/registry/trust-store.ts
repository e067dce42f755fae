import { join } from "node:path";
import type { FoundSkill } from "../sources/skill-source.ts";
import { foldName } from "./skill-record.ts";
import { readStateFile, realFolder, writeStateFile } from "./state-file.ts";

/** What a user said about folders and skills. A folder is its real path, and only itself. */
export interface TrustStore {
  readonly folders: ReadonlyMap<string, "trusted" | "untrusted">;
  /** Digest of a trusted skill → its name. */
  readonly digests: ReadonlyMap<string, string>;
  folder(path: string): Promise<"trusted" | "untrusted" | "unknown">;
  setFolder(path: string, trust: "trusted" | "untrusted" | "unknown"): Promise<void>;
  trustDigest(digest: string, name: string): Promise<void>;
  /** Takes back the trust in all contents a skill of this name ever had. */
  untrustName(name: string): Promise<boolean>;
}

/** Opens the user's decisions. A damaged file is an error: silence could mean trust or its loss. */
export async function openTrustStore(stateDirectory: string): Promise<TrustStore> {
  const file = join(stateDirectory, "trust.json");
  const folders = new Map<string, "trusted" | "untrusted">();
  const digests = new Map<string, string>();
  const load = () => {
    const stored = readStateFile(file, 1);
    replaceAll(folders, entriesOf(stored?.["folders"], file).filter(isDecision));
    replaceAll(digests, entriesOf(stored?.["digests"], file).filter(isText));
  };
  /** Another process may have decided meanwhile: its decisions are read before ours are added. */
  const update = (change: () => void): Promise<void> => {
    load();
    change();
    const value = { folders: sortedObject(folders), digests: sortedObject(digests) };
    writeStateFile(file, { version: 1, ...value });
    return Promise.resolve();
  };
  load();
  return {
    folders,
    digests,
    folder: async (path) => folders.get(realFolder(path)) ?? "unknown",
    async setFolder(path, trust) {
      const real = realFolder(path);
      await update(() => (trust === "unknown" ? folders.delete(real) : folders.set(real, trust)));
    },
    trustDigest: (digest, name) => update(() => digests.set(digest, name)),
    async untrustName(name) {
      const wanted = foldName(name);
      const found = [...digests].filter(([, other]) => foldName(other) === wanted);
      if (found.length > 0) await update(() => found.forEach(([digest]) => digests.delete(digest)));
      return found.length > 0;
    },
  };
}

function replaceAll<Value>(map: Map<string, Value>, entries: readonly [string, Value][]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

export interface TrustDecisionOptions {
  readonly store: TrustStore;
  readonly project: string;
  /** Sources that are trusted whatever the folder: the user's and the built-in ones. */
  readonly trustedSources?: ReadonlySet<string>;
  /** Roots named by flag or user configuration. */
  readonly trustedRoots?: ReadonlySet<string>;
}

const TRUSTED_SOURCES: ReadonlySet<string> = new Set(["user", "builtin", "inline"]);

/** Decides for the command line: project skills need a trusted folder or a trusted digest. */
export async function createTrustDecision(
  options: TrustDecisionOptions,
): Promise<(skill: FoundSkill) => boolean | Promise<boolean>> {
  const { store, project, trustedSources = TRUSTED_SOURCES, trustedRoots = new Set() } = options;
  const folderIsTrusted = (await store.folder(project)) === "trusted";
  const names = new Set(store.digests.values());
  return ({ source, root, metadata, directory }) => {
    if (trustedSources.has(source) || trustedRoots.has(root) || folderIsTrusted) return true;
    if (directory === undefined || !names.has(metadata?.name ?? "")) return false;
    return hasTrustedDigest(directory, store);
  };
}

async function hasTrustedDigest(directory: string, { digests }: TrustStore): Promise<boolean> {
  const { skillDigest } = await import("../directory/skill-digest.ts");
  return skillDigest(directory).then(
    (digest) => digests.has(digest),
    () => false,
  );
}

function sortedObject(map: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function entriesOf(value: unknown, file: string): [string, unknown][] {
  if (value === undefined) return [];
  if (typeof value === "object" && value !== null) return Object.entries(value);
  throw new TypeError(`${file} does not hold what it should`);
}

function isDecision(entry: [string, unknown]): entry is [string, "trusted" | "untrusted"] {
  return entry[1] === "trusted" || entry[1] === "untrusted";
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
