import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { SkillRecord } from "@skillwright/core";
import { walkDirectory } from "@skillwright/core/internal";
import {
  type Environment,
  environmentNeed,
  type EnvironmentNeed,
  EnvironmentStore,
  type NeedFailure,
  readSkillText,
} from "@skillwright/runtime/environments";

/** What scripts of a skill need together. */
export interface DeclaredEnvironment {
  readonly skill: string;
  /** `scripts/fill.py` */
  readonly scripts: readonly string[];
  /** What they declare, or why that cannot be read. */
  readonly need: EnvironmentNeed | NeedFailure;
  /** Where it has been prepared. */
  readonly environment?: Environment;
}

const MAX_ENTRIES = 4000;

/** Prepared environments lie in the user's cache: they can be made again. */
export function environmentStore(cacheDirectory: string): EnvironmentStore {
  return new EnvironmentStore(join(cacheDirectory, "environments"));
}

/** What the scripts of a skill declare. Starts nothing and fetches nothing. */
export async function declaredEnvironments(
  { name, path }: SkillRecord,
  store: EnvironmentStore,
): Promise<readonly DeclaredEnvironment[]> {
  const directory = realpathSync(path);
  const { entries } = await walkDirectory(directory, { under: "scripts", maxEntries: MAX_ENTRIES });
  const declared = new Map<string, DeclaredEnvironment>();
  for (const { path: script, kind } of entries) {
    if (kind !== "file" || script.includes("/node_modules/")) continue;
    const need = await environmentNeed(script, (file) => readSkillText(directory, file));
    if (need === undefined) continue;
    const key = "code" in need ? need.message : need.id;
    const environment = "code" in need ? undefined : store.find(need.id);
    const scripts = [...(declared.get(key)?.scripts ?? []), script];
    declared.set(key, { skill: name, scripts, need, ...(environment && { environment }) });
  }
  return [...declared.values()];
}
