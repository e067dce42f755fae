import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FolderIndex, ScanCache } from "../sources/skill-source.ts";

/** Changes whenever what is stored changes its shape or the parser its results. */
const FORMAT = "skillwright-index-2";

/** `$XDG_CACHE_HOME/skillwright`, or the like. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CACHE_HOME"];
  return join(
    base === undefined || base === "" ? join(env["HOME"] ?? homedir(), ".cache") : base,
    "skillwright",
  );
}

/**
 * Keeps what was found below each root in one file per root. A file that is missing, damaged, of
 * another version or not writable only costs time.
 */
export function diskCache(directory: string): ScanCache {
  const fileOf = (root: string) =>
    join(directory, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.index`);
  return {
    async read(root) {
      try {
        return decode(await readFile(fileOf(root), "utf8"), root);
      } catch {
        return undefined;
      }
    },
    async write(root, index) {
      const temporary = `${fileOf(root)}.${randomBytes(6).toString("hex")}`;
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeFile(temporary, encode(index, root), { mode: 0o600, flag: "wx" });
        await rename(temporary, fileOf(root));
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}

function encode(index: FolderIndex, root: string): string {
  const payload = JSON.stringify({ root, ...index });
  return `${FORMAT} ${checksum(payload)}\n${payload}`;
}

function decode(text: string, root: string): FolderIndex | undefined {
  const newline = text.indexOf("\n");
  const payload = text.slice(newline + 1);
  if (text.slice(0, newline) !== `${FORMAT} ${checksum(payload)}`) return undefined;
  const stored: unknown = JSON.parse(payload);
  return isIndex(stored) && stored.root === root ? stored : undefined;
}

/** Names lead from folder to folder, so that one with a separator would lead out of the root. */
function isIndex(value: unknown): value is FolderIndex & { root: string } {
  if (!isRecord(value) || !isRecord(value["folders"]) || !isRecord(value["skills"])) return false;
  const { folders, skills } = value;
  return Object.values(folders).every(isFolder) && Object.values(skills).every(isSkill);
}

function isFolder(value: unknown): boolean {
  if (!isRecord(value) || typeof value["stamp"] !== "string") return false;
  const { skills, folders, links = [] } = value;
  return [skills, folders, links].every((names) => Array.isArray(names) && names.every(isName));
}

function isSkill(value: unknown): boolean {
  if (!isRecord(value) || typeof value["stamp"] !== "string") return false;
  const { metadata } = value;
  if (metadata === undefined) return true;
  return (
    isRecord(metadata) &&
    typeof metadata["name"] === "string" &&
    typeof metadata["description"] === "string"
  );
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "" && name !== ".." && !name.includes("/");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checksum(payload: string): string {
  return createHash("sha256").update(payload).digest("hex");
}
