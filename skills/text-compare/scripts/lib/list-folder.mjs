import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

const MAX_ENTRIES = 200_000;

/**
 * All that is in a folder, by its path with `/`. Links are not followed: a link is its target's name.
 * Empty folders count; others are known by what is in them.
 */
export async function listFolder(root, skipped) {
  const entries = new Map();
  const open = [""];
  while (open.length > 0) {
    const folder = open.pop();
    const names = await readdir(join(root, folder));
    if (names.length === 0 && folder !== "") entries.set(folder, { kind: "empty folder" });
    for (const name of names) {
      if (skipped.has(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const entry = await entryOf(join(root, path));
      if (entry.kind === "folder") open.push(path);
      else entries.set(path, entry);
      if (entries.size + open.length > MAX_ENTRIES) {
        throw new Error(`${root} has more than ${MAX_ENTRIES} files; compare its parts`);
      }
    }
  }
  return entries;
}

async function entryOf(path) {
  const found = await lstat(path);
  if (found.isDirectory()) return { kind: "folder" };
  if (found.isSymbolicLink()) return { kind: "link", target: await readlink(path) };
  if (found.isFile()) return { kind: "file", size: found.size };
  return { kind: "special file" };
}

export async function digestOf(path) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
  }
  return hash.digest("hex");
}
