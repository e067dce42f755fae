import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { readStateFile, writeStateFile } from "./state-file.ts";

/** Which skills the user switched off, everywhere or in one project. */
export interface SwitchStore {
  /** Names that are off for this project, the user's own included. */
  disabled(project: string): Promise<string[]>;
  /** Without a project: everywhere. True when something changed. */
  setEnabled(name: string, enabled: boolean, project?: string): Promise<boolean>;
}

export async function openSwitchStore(stateDirectory: string): Promise<SwitchStore> {
  const file = join(stateDirectory, "disabled.json");
  const stored = await readStateFile(file);
  const everywhere = new Set(textList(stored?.["everywhere"]));
  const projects = new Map(
    Object.entries((stored?.["projects"] ?? {}) as Record<string, unknown>).map(
      ([folder, names]) => [folder, new Set(textList(names))] as const,
    ),
  );
  const save = () =>
    writeStateFile(file, {
      version: 1,
      everywhere: [...everywhere].sort(),
      projects: Object.fromEntries(
        [...projects]
          .filter(([, names]) => names.size > 0)
          .map(([folder, names]) => [folder, [...names].sort()]),
      ),
    });
  return {
    async disabled(project) {
      const own = projects.get(await realPath(project)) ?? [];
      return [...new Set([...everywhere, ...own])];
    },
    async setEnabled(name, enabled, project) {
      const folder = project === undefined ? undefined : await realPath(project);
      const names = folder === undefined ? everywhere : (projects.get(folder) ?? new Set<string>());
      const changed = enabled
        ? names.delete(name)
        : !names.has(name) && names.add(name) !== undefined;
      if (folder !== undefined) projects.set(folder, names);
      if (changed) await save();
      return changed;
    },
  };
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
