import { accessSync, constants, lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Change, Move } from "./change.ts";
import { folderNameProblem, overlap } from "./files/folder-name.ts";
import { isStagedPath, type JournalMove } from "./journal/journal.ts";
import { stagedSource } from "./journal/place-folder.ts";
import { plainFolder, standing } from "./files/plain-path.ts";
import type { RootContext } from "./root-context.ts";
import { RootRefusal } from "./root-refusal.ts";

/**
 * Looks at everything that can be known to go wrong later while nothing is decided yet. Throws a
 * refusal for what lies in the root, and an error for a change that must not have been asked for.
 */
export function checkChange(
  context: RootContext,
  { moves }: Change,
): readonly Omit<JournalMove, "after">[] {
  const both = overlap(moves.map(({ folder }) => folder));
  if (both !== undefined) {
    throw new RootRefusal(`${both[0]} and ${both[1]} are in each other's place`, {
      code: "name-taken",
    });
  }
  const device = lstatSync(context.root).dev;
  return moves.map((move) => checkMove(context, move, device));
}

function checkMove(
  { root, state }: RootContext,
  { folder, staged }: Move,
  device: number,
): Omit<JournalMove, "after"> {
  const problem = folderNameProblem(folder);
  if (problem !== undefined) {
    throw new Error(`the folder ${JSON.stringify(folder)} cannot be placed: ${problem}`);
  }
  const segments = folder.split("/");
  const parent = plainFolder(root, segments.slice(0, -1));
  if (parent !== undefined) checkMovable(join(parent, segments.at(-1)!), device);
  if (staged === undefined) return { folder };
  const path = relative(state.folder, staged).split(sep).join("/");
  if (!isStagedPath(path)) throw new Error(`${staged} is not a staged folder of this root`);
  const source = stagedSource(state.folder, path);
  const stats = standing(source);
  // Whatever a person had in the place of a skill comes back as it was.
  const isPlaceable = path.startsWith("staging/")
    ? stats?.isDirectory() === true || stats?.isSymbolicLink() === true
    : stats !== undefined;
  if (!isPlaceable) throw new Error(`${staged} is neither a folder nor a link`);
  checkMovable(source, device);
  return { folder, staged: path };
}

/** A folder that another file system hangs in, or that may not be written, cannot be renamed. */
function checkMovable(path: string, device: number): void {
  const stats = standing(path);
  if (stats === undefined) return;
  if (stats.dev !== device) throw new RootRefusal(`${path} is on another file system`);
  if (stats.isDirectory()) accessSync(path, constants.W_OK);
}
