import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { materialOf } from "./eval-fingerprint.ts";
import type { EvalWorld } from "./eval-world.ts";

const MAX_DEPTH = 4;
/** A file from a machine with another clock may seem to be of the future. */
const FUTURE_MS = 1000;

/** Tells what happened to files of cases since it was last called. They were read after `since`. */
export function createCaseLook(
  world: EvalWorld,
  since: number,
): () => "edited" | "listed" | undefined {
  const own = world.cases.flatMap((one) => [one.origin.file, ...materialOf(one)]);
  const files = [...new Set(own)];
  const folders = caseFolders(world);
  const outputs = outputsOf(world);
  const stamps = () => files.map(stampOf).join("\n");
  const names = () =>
    folders
      .flatMap((folder) => namesIn(folder, outputs, isEvals(folder) ? MAX_DEPTH : 0))
      .join("\n");
  let before = { stamps: stamps(), names: names() };
  let isLate = files.some((file) => isSavedAfter(file, since));
  return () => {
    const now = { stamps: stamps(), names: names() };
    const isEdited = isLate || now.stamps !== before.stamps;
    const isListed = now.names !== before.names;
    before = now;
    isLate = false;
    return isEdited ? "edited" : isListed ? "listed" : undefined;
  };
}

/** Where a new file may hold cases; those of a skill without any are told by its own watch. */
function caseFolders({ paths, cases }: EvalWorld): string[] {
  const given = paths.filter((path) => isEvals(path));
  return [...new Set([...given, ...cases.map(({ origin }) => dirname(origin.file))])];
}

function isEvals(path: string): boolean {
  return /^evals?$/i.test(basename(path));
}

/** What an eval writes itself must not start the next one. */
function outputsOf({ options, console }: EvalWorld): string[] {
  const { record, save, junit, markdown, html, workspace } = options;
  return [record, save, junit, markdown, html, workspace].flatMap((path) =>
    path === undefined ? [] : resolve(console.cwd, path),
  );
}

function namesIn(folder: string, outputs: readonly string[], levels: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (outputs.some((one) => path === one || path.startsWith(`${one}${sep}`))) return [];
      const isEntered = entry.isDirectory() && levels > 0;
      return [path, ...(isEntered ? namesIn(path, outputs, levels - 1) : [])];
    });
  } catch {
    return [];
  }
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return "gone";
  }
}

function isSavedAfter(file: string, since: number): boolean {
  try {
    const { mtimeMs } = statSync(file);
    return mtimeMs > since && mtimeMs < Date.now() + FUTURE_MS;
  } catch {
    return true;
  }
}
