import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { SkillwrightError } from "@skillwright/core";
import { listTree } from "../change/files/list-tree.ts";
import type { FolderFile } from "../lock/read-folder.ts";

const { O_NOFOLLOW } = constants as Readonly<Record<string, number | undefined>>;
const FLAGS = constants.O_RDONLY | (O_NOFOLLOW ?? 0);

/**
 * The files of a folder that this process made of plain files and that nobody else can reach: leaner
 * than `readFolder`, which expects to be deceived.
 */
export function readStaged(directory: string): FolderFile[] {
  const { entries, unreadable } = listTree(directory);
  const odd = entries.find(({ kind }) => kind !== "file")?.path ?? unreadable[0];
  if (odd !== undefined) {
    const message = `${JSON.stringify(odd)} is not a plain file`;
    throw new SkillwrightError("file-unreadable", message);
  }
  return entries.map(({ path }) => {
    const descriptor = openSync(`${directory}/${path}`, FLAGS);
    try {
      const executable = (fstatSync(descriptor).mode & 0o100) !== 0;
      return { path, bytes: readFileSync(descriptor), executable };
    } finally {
      closeSync(descriptor);
    }
  });
}
