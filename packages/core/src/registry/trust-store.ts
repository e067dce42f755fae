import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { skillDigest } from "../directory/skill-digest.ts";
import type { FoundSkill } from "../sources/skill-source.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";

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
  const stored = await readStateFile(file);
  const folders = new Map(entriesOf(stored?.["folders"]).filter(isDecision));
  const digests = new Map(entriesOf(stored?.["digests"]).filter(isText));
  const save = () =>
    writeStateFile(file, {
      version: 1,
      folders: sortedObject(folders),
      digests: sortedObject(digests),
    });
  return {
    folders,
    digests,
    folder: async (path) => folders.get(await realPath(path)) ?? "unknown",
    async setFolder(path, trust) {
      const real = await realPath(path);
      if (trust === "unknown") folders.delete(real);
      else folders.set(real, trust);
      await save();
    },
    async trustDigest(digest, name) {
      digests.set(digest, name);
      await save();
    },
    async untrustName(name) {
      const found = [...digests].filter(([, other]) => other === name);
      for (const [digest] of found) digests.delete(digest);
      if (found.length > 0) await save();
      return found.length > 0;
    },
  };
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
    return skillDigest(directory).then(
      (digest) => store.digests.has(digest),
      () => false,
    );
  };
}

function sortedObject(map: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function isDecision(entry: [string, unknown]): entry is [string, "trusted" | "untrusted"] {
  return entry[1] === "trusted" || entry[1] === "untrusted";
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
