import { mkdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { copyTree } from "../../archive/copy-tree.ts";
import { findCandidates } from "../../archive/find-candidates.ts";
import type { FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { RemainingLimits } from "../pack-folder.ts";
import { sourceFailure } from "../source-failure.ts";

type Taken = { readonly ok: true; readonly notes: readonly string[] } | PackFailure;

/**
 * Copies every skill of a folder and nothing beside them. One that holds a link or an unsafe name is
 * left out, so that the others can still be had; if none remains, that is the failure.
 */
export async function takeSkills(
  root: string,
  content: string,
  rootName: string,
  options: FetchOptions,
): Promise<Taken> {
  const found = await findCandidates(root, { rootName, signal: options.signal });
  if (!found.ok) return found;
  return takeFolders(
    root,
    content,
    found.skills.map(({ path }) => path),
    options,
  );
}

/** The same for folders that are known to be skills. */
export async function takeFolders(
  root: string,
  content: string,
  paths: readonly string[],
  { limits, signal, onProgress, quarantine }: FetchOptions,
): Promise<Taken> {
  const remaining = new RemainingLimits(limits);
  const notes: string[] = [];
  let refused: PackFailure | undefined;
  let taken = 0;
  const place = await realpath(quarantine);
  for (const path of paths) {
    const from = join(root, path);
    if (isBelow(place, from)) return holdsQuarantine(path);
    const to = join(content, path);
    await mkdir(to, { recursive: true });
    const copied = await copyTree(from, to, { limits: remaining.now, signal, onProgress });
    if (!copied.ok && copied.code !== "archive-unsafe") return copied;
    if (copied.ok) {
      remaining.take(copied);
      notes.push(...copied.notes);
      taken += 1;
    } else {
      refused ??= copied;
      notes.push(`left out: ${foreignText(path)}, since ${copied.message}`);
    }
  }
  if (taken === 0 && refused !== undefined) return refused;
  return { ok: true, notes: [...new Set(notes)] };
}

function holdsQuarantine(path: string): PackFailure {
  const shown = path === "" ? "the skill" : `the skill ${foreignText(path)}`;
  return sourceFailure("source-invalid", `${shown} holds the place it would be installed into`, {
    hint: "Install into a folder outside of the skill.",
  });
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
