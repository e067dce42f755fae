import { readdirSync, readFileSync } from "node:fs";

interface Found {
  readonly pid: number;
  readonly state: string;
  readonly command: string;
}

/** The processes whose parent is this one, dead ones that were not waited for included. */
export function childrenOf(parent: number): readonly Found[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state = "", ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ");
      return Number(ppid) === parent ? [{ pid: Number(name), state, command }] : [];
    } catch {
      return [];
    }
  });
}

/** The processes of this one that hold views of working directories. */
export function viewHolders(): readonly Found[] {
  return childrenOf(process.pid).filter(({ command }) => command.includes("unshare --user"));
}
