import { SkillwrightError } from "@skillwright/core";
import { fileDigests, quoteNames } from "@skillwright/core/internal";
import type { PackFailure } from "../pack-failure.ts";
import { MANIFEST_FILE, type PackManifest } from "./manifest.ts";

/**
 * Whether a folder holds exactly what the manifest lists: nothing missing, nothing else, every byte
 * the same. Only the manifest itself, at the root, may lie beside. Permission bits are not compared,
 * since not every file system keeps them; an installer sets them as the manifest says.
 */
export async function checkManifest(
  directory: string,
  manifest: PackManifest,
): Promise<{ readonly ok: true } | PackFailure> {
  const expected = new Map<string, string>();
  for (const { path: folder, files } of manifest.skills) {
    for (const { path, sha256 } of files) {
      expected.set(folder === "" ? path : `${folder}/${path}`, sha256);
    }
  }
  const found = await digestsOf(directory);
  if (!(found instanceof Map)) return found;
  if (!expected.has(MANIFEST_FILE)) found.delete(MANIFEST_FILE);
  const missing = [...expected.keys()].filter((path) => !found.has(path));
  const extra = [...found.keys()].filter((path) => !expected.has(path));
  const different = [...expected].flatMap(([path, sha256]) =>
    found.has(path) && found.get(path) !== sha256 ? [path] : [],
  );
  if (missing.length + extra.length + different.length === 0) return { ok: true };
  const parts = [
    named("missing", missing),
    named("not listed", extra),
    named("changed", different),
  ];
  return {
    ok: false,
    code: "digest-mismatch",
    message: `the files are not those of the manifest: ${parts.filter(Boolean).join("; ")}`,
  };
}

async function digestsOf(directory: string): Promise<Map<string, string> | PackFailure> {
  try {
    const digests = await fileDigests(directory);
    return new Map(digests.map(({ path, sha256 }) => [path, sha256]));
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    return { ok: false, code: "digest-mismatch", message: error.message };
  }
}

function named(what: string, paths: readonly string[]): string {
  return paths.length === 0 ? "" : `${what} ${quoteNames(paths)}`;
}
