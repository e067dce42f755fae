import { fileURLToPath } from "node:url";
import { runNode } from "./run-process.ts";
import type { BenchProject } from "./skill-roots.ts";

/** What a fresh `npm install` of each takes on the disk, what it depends on included. */
export const PEERS = {
  deepagents: "deepagents 1.14.1 (73 MB installed), listSkills: parses with yaml",
  openskills: "openskills 1.5.0 (4 MB installed), list: two lines by regular expression",
} as const;

/** The command line of openskills, once it has shown that it lists the skills of the project. */
export function findOpenskills({ folder, count }: BenchProject): string {
  try {
    const cli = fileURLToPath(import.meta.resolve("openskills"));
    const { stdout } = runNode([cli, "list"], { cwd: folder });
    if (stdout.includes(`Summary: ${count} project, 0 global`)) return cli;
    console.log(`openskills does not list ${count} skills: ${stdout.slice(-80)}`);
  } catch (error) {
    console.log(`openskills cannot be run: ${String(error)}`);
  }
  return "openskills-is-missing";
}
