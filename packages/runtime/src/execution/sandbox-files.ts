import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCallFilter } from "./system-call-filter.ts";

export interface SandboxFiles {
  /** By their name in /etc. */
  readonly etc: Readonly<Record<string, string>>;
  readonly emptyFile: string;
  readonly emptyFolder: string;
  /** System calls that are refused, as bubblewrap takes them. */
  readonly filter?: string;
}

const known = new Map<string, SandboxFiles>();

/** What a sandbox shows instead of the files of this machine; the same for all runs of a process. */
export function sandboxFiles(directory: string): SandboxFiles {
  let files = known.get(directory);
  if (files === undefined || !existsSync(files.emptyFolder)) {
    files = makeSandboxFiles(directory);
    known.set(directory, files);
  }
  return files;
}

function makeSandboxFiles(directory: string): SandboxFiles {
  const user = process.getuid?.() ?? 0;
  const group = process.getgid?.() ?? 0;
  const texts = {
    passwd: `sandbox:x:${user}:${group}::/tmp/.home:/bin/sh\n`,
    group: `sandbox:x:${group}:\n`,
    hosts: "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  };
  const etc = Object.entries(texts).map(([name, text]) => {
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o400 });
    return [name, file] as const;
  });
  const emptyFile = join(directory, "empty");
  writeFileSync(emptyFile, "", { mode: 0o400 });
  const calls = systemCallFilter();
  const filter = join(directory, "filter");
  if (calls !== undefined) writeFileSync(filter, calls, { mode: 0o400 });
  const emptyFolder = join(directory, "nothing");
  mkdirSync(emptyFolder, { mode: 0o500 });
  return {
    etc: Object.fromEntries(etc),
    emptyFile,
    emptyFolder,
    ...(calls === undefined ? {} : { filter }),
  };
}
