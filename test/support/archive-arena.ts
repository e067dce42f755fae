import assert from "node:assert/strict";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  type ReadArchive,
  readArchive,
  type ReadArchiveOptions,
} from "../../packages/packs/src/archive/index.ts";
import type { PackFailure } from "../../packages/packs/src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Things to lose around an empty folder into which an archive is unpacked. */
const SURROUNDINGS = {
  "victim.txt": "untouched",
  "home/.bashrc": "untouched",
  "home/skills/good/SKILL.md": "untouched",
};

/** A place where a hostile archive would be seen to do harm. */
export class ArchiveArena {
  readonly folder = temporaryFolder(SURROUNDINGS);
  readonly destination = join(this.folder, "home/quarantine/destination");
  readonly archive = join(this.folder, "archive.bin");

  constructor() {
    mkdirSync(this.destination, { recursive: true });
  }

  async read(
    bytes: Buffer,
    options: Omit<ReadArchiveOptions, "destination"> = {},
  ): Promise<ReadArchive | PackFailure> {
    writeFileSync(this.archive, bytes);
    return readArchive(this.archive, { destination: this.destination, ...options });
  }

  /** The archive must be refused, and nothing may be different afterwards. */
  async refused(
    bytes: Buffer,
    options: Omit<ReadArchiveOptions, "destination"> = {},
  ): Promise<PackFailure> {
    writeFileSync(this.archive, bytes);
    const before = treeOf(this.folder);
    const result = await this.read(bytes, options);
    assert.deepEqual(treeOf(this.folder), before);
    assert.deepEqual(readdirSync(this.destination), []);
    if (result.ok) throw new Error(`it was accepted: ${JSON.stringify(result)}`);
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    assert.doesNotMatch(result.message, /[\u0000-\u001f\u007f-\u009f\u202e]/);
    assert.ok(result.message.length < 400);
    return result;
  }

  /** The archive must be accepted. Gives the files, with modes where they are not 644. */
  async accepted(
    bytes: Buffer,
    options: Omit<ReadArchiveOptions, "destination"> = {},
  ): Promise<{ files: Record<string, string>; result: ReadArchive }> {
    const result = await this.read(bytes, options);
    if (!result.ok) throw new Error(`it was refused: ${result.message}`);
    return { files: treeOf(this.destination), result };
  }
}

/** Every file and link below a folder, with its mode and content. */
export function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const full = join(folder, path);
    const stats = lstatSync(full);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}`;
    else if (stats.isFile()) {
      found[path] = `${mode === "644" ? "" : `${mode} `}${readFileSync(full, "latin1")}`;
    }
  }
  return found;
}
