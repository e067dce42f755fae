import { resolve } from "node:path";
import { commonPrograms, pythonLibraries } from "../execution/find-libraries.ts";
import { trustedProgram } from "../execution/trusted-program.ts";
import type { ScriptExecutorOptions } from "./create-script-executor.ts";

/** What scripts and commands of a run find, as plain data. */
export interface RuntimeEnvironment {
  /** As `process.platform`. */
  readonly platform: string;
  /** The working directory, or `fresh` for an empty one that is gone afterwards. */
  readonly cwd: string;
  /** `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  /** The folders whose changes are kept at once, absolute. */
  readonly canWrite: readonly string[];
  /** Changes elsewhere in the working directory are held until they are approved. */
  readonly holdsChanges?: boolean;
  /** The hosts that scripts may reach; commands have no network. */
  readonly network: false | readonly string[];
  /** Where results are to be written: the first writable folder. */
  readonly outputFolder?: string;
  /** Those that are installed. */
  readonly interpreters: readonly string[];
  /** Libraries that its Python can import, and other programs, of those that skills commonly need. */
  readonly libraries?: readonly string[];
  readonly programs?: readonly string[];
}

const INTERPRETERS = ["python3", "node", "bash", "ruby", "perl"];

/** Looks for programs in the folders of the system. No process is started. */
export function describeEnvironment(
  {
    cwd,
    sandbox,
    network = "none",
    writable = [],
    changes,
    python,
  }: Pick<ScriptExecutorOptions, "changes" | "python" | "cwd" | "network" | "sandbox" | "writable">,
  root: string,
): RuntimeEnvironment {
  // Without a view, all that is written is what a sandbox cannot prevent.
  const canWrite =
    sandbox === "sandbox-runtime" ? [] : writable.map((folder) => resolve(root, folder));
  const [outputFolder] = canWrite;
  const libraries = pythonLibraries(python);
  const programs = commonPrograms();
  return {
    platform: process.platform,
    cwd,
    sandbox,
    canWrite,
    holdsChanges: sandbox === "bubblewrap" && changes !== undefined,
    network: network === "none" ? false : network.domains,
    ...(outputFolder !== undefined && { outputFolder }),
    // The Node that runs this also runs scripts.
    interpreters: INTERPRETERS.filter(
      (name) => name === "node" || trustedProgram(name) !== undefined,
    ),
    ...(libraries.length > 0 && { libraries }),
    ...(programs.length > 0 && { programs }),
  };
}
