import { lstatSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY_HEAD } from "./control-names.ts";

const BARE_REPOSITORY: readonly string[] = [REPOSITORY_HEAD, "objects", "refs"];

export function isBareRepository(folder: string): boolean {
  return BARE_REPOSITORY.every(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  );
}
