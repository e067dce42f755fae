import { join } from "node:path";
import { foldName } from "./skill-record.ts";
import { readStateFile, realFolder, withStateLock, writeStateFile } from "./state-file.ts";

/** One skill that was switched off, by its name or its source and path. */
interface SkillSwitch {
  readonly skill: string;
  /** The project it holds in; everywhere without one. */
  readonly project?: string;
}

/** Which skills the user switched off, everywhere or in one project. */
export interface SwitchStore {
  /** Names that are off for this project, the user's own included. */
  disabled(project: string): Promise<string[]>;
  /** The same, with where each of them holds. */
  switches(project: string): Promise<SkillSwitch[]>;
  /**
   * Takes a name, or `source:path` for one skill of that name. Without a project: everywhere. Case
   * does not matter. True when something changed.
   */
  setEnabled(name: string, enabled: boolean, project?: string): Promise<boolean>;
}

export async function openSwitchStore(stateDirectory: string): Promise<SwitchStore> {
  const file = join(stateDirectory, "disabled.json");
  let switches = readSwitches(file);
  return {
    async disabled(project) {
      return [...new Set(switchesOf(switches, project).map(({ skill }) => skill))];
    },
    switches: async (project) => switchesOf(switches, project),
    setEnabled: async (name, enabled, project) =>
      withStateLock(file, () => {
        // Another process may have switched something meanwhile.
        switches = readSwitches(file);
        const changed = change(switches, name, enabled, project);
        if (changed) writeStateFile(file, toState(switches));
        return changed;
      }),
  };
}

function switchesOf({ everywhere, projects }: Switches, project: string): SkillSwitch[] {
  const folder = realFolder(project);
  return [
    ...[...everywhere].map((skill) => ({ skill })),
    ...[...(projects.get(folder) ?? [])].map((skill) => ({ skill, project: folder })),
  ];
}

/** True when something changed. */
function change(
  { everywhere, projects }: Switches,
  name: string,
  enabled: boolean,
  project: string | undefined,
): boolean {
  const folder = project === undefined ? undefined : realFolder(project);
  const names = folder === undefined ? everywhere : (projects.get(folder) ?? new Set<string>());
  const known = [...names].filter((other) => foldName(other) === foldName(name));
  const changed = known.length > 0 === enabled;
  if (!enabled && changed) names.add(name);
  if (enabled) for (const other of known) names.delete(other);
  if (folder !== undefined) projects.set(folder, names);
  return changed;
}

interface Switches {
  readonly everywhere: Set<string>;
  readonly projects: Map<string, Set<string>>;
}

function readSwitches(file: string): Switches {
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
