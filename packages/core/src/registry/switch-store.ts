import { join } from "node:path";
import { foldName } from "./skill-record.ts";
import { readStateFile, realFolder, writeStateFile } from "./state-file.ts";

/** Which skills the user switched off, everywhere or in one project. */
export interface SwitchStore {
  /** Names that are off for this project, the user's own included. */
  disabled(project: string): Promise<string[]>;
  /** Without a project: everywhere. Case does not matter. True when something changed. */
  setEnabled(name: string, enabled: boolean, project?: string): Promise<boolean>;
}

export async function openSwitchStore(stateDirectory: string): Promise<SwitchStore> {
  const file = join(stateDirectory, "disabled.json");
  let switches = await readSwitches(file);
  return {
    async disabled(project) {
      const own = switches.projects.get(realFolder(project)) ?? [];
      return [...new Set([...switches.everywhere, ...own])];
    },
    async setEnabled(name, enabled, project) {
      const folder = project === undefined ? undefined : realFolder(project);
      // Another process may have switched something meanwhile.
      switches = await readSwitches(file);
      const names =
        folder === undefined
          ? switches.everywhere
          : (switches.projects.get(folder) ?? new Set<string>());
      const known = [...names].filter((other) => foldName(other) === foldName(name));
      const changed = known.length > 0 === enabled;
      if (!enabled && changed) names.add(name);
      if (enabled) for (const other of known) names.delete(other);
      if (folder !== undefined) switches.projects.set(folder, names);
      if (changed) writeStateFile(file, toState(switches));
      return changed;
    },
  };
}

interface Switches {
  readonly everywhere: Set<string>;
  readonly projects: Map<string, Set<string>>;
}

async function readSwitches(file: string): Promise<Switches> {
  const stored = readStateFile(file, 1);
  const projects = Object.entries((stored?.["projects"] ?? {}) as Record<string, unknown>);
  return {
    everywhere: new Set(textList(stored?.["everywhere"])),
    projects: new Map(projects.map(([folder, names]) => [folder, new Set(textList(names))])),
  };
}

function toState({ everywhere, projects }: Switches): object {
  const used = [...projects].filter(([, names]) => names.size > 0);
  return {
    version: 1,
    everywhere: [...everywhere].sort(),
    projects: Object.fromEntries(used.map(([folder, names]) => [folder, [...names].sort()])),
  };
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
