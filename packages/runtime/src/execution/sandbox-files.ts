import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemCallFilter } from "./system-call-filter.ts";

export interface SandboxFiles {
  /** Stands in for /etc. */
  readonly etc: string;
  readonly emptyFile: string;
  readonly emptyFolder: string;
  /** System calls that are refused, as bubblewrap takes them. */
  readonly filter?: string;
}

/** Programs look these up; nothing in them is private. */
const COPIED = ["ld.so.cache", "localtime", "mime.types"];
const ALTERNATIVES = "/etc/alternatives";

const known = new Map<string, SandboxFiles>();

/** What a sandbox shows instead of the files of this machine; the same for all runs of a process. */
export function sandboxFiles(directory: string): SandboxFiles {
  let files = known.get(directory);
  if (files === undefined || !existsSync(files.etc)) {
    files = makeSandboxFiles(directory);
    known.set(directory, files);
  }
  return files;
}

function makeSandboxFiles(directory: string): SandboxFiles {
  const emptyFile = join(directory, "empty");
  writeFileSync(emptyFile, "", { mode: 0o400 });
  const emptyFolder = join(directory, "nothing");
  mkdirSync(emptyFolder, { recursive: true, mode: 0o500 });
  const calls = systemCallFilter();
  const filter = join(directory, "filter");
  if (calls !== undefined) writeFileSync(filter, calls, { mode: 0o400 });
  const etc = join(directory, "etc");
  makeEtc(etc);
  return { etc, emptyFile, emptyFolder, ...(calls === undefined ? {} : { filter }) };
}

/**
 * What to mount over a path so that it shows nothing. A link cannot be covered; what it leads to is
 * hidden by its own path.
 */
export function coverOf(
  path: string,
  { emptyFile, emptyFolder }: SandboxFiles,
): readonly { readonly path: string; readonly by: string }[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  return [{ path, by: stats.isDirectory() ? emptyFolder : emptyFile }];
}

/** One folder and not a mount for each file: every mount costs time at every start. */
function makeEtc(etc: string): void {
  const user = process.getuid?.() ?? 0;
  const group = process.getgid?.() ?? 0;
  const texts = {
    passwd: `sandbox:x:${user}:${group}::/tmp/.home:/bin/sh\n`,
    group: `sandbox:x:${group}:\n`,
    hosts: "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  };
  mkdirSync(join(etc, "alternatives"), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(etc, name), text);
  for (const name of COPIED) {
    if (existsSync(join("/etc", name))) copyFileSync(join("/etc", name), join(etc, name));
  }
  if (!existsSync(ALTERNATIVES)) return;
  const links = readdirSync(ALTERNATIVES, { withFileTypes: true });
  for (const { name } of links.filter((entry) => entry.isSymbolicLink())) {
    symlinkSync(readlinkSync(join(ALTERNATIVES, name)), join(etc, "alternatives", name));
  }
}
