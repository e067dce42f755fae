import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { foreignText } from "../foreign-text.ts";
import { parseFolder } from "../parse/source-suffix.ts";

export interface PackageSkills {
  /** Folders within the package, in the order they count. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

const FOLDERS = ["skills", "dist/skills"];

/**
 * Where a package keeps its skills: folders that its package.json names, `skills/*`, `dist/skills/*`,
 * or else the package itself. A SKILL.md elsewhere, such as in its tests, is not offered.
 */
export async function packageSkills(root: string): Promise<PackageSkills> {
  const { folders, notes } = await declaredFolders(root);
  const paths = new Map<string, string>();
  for (const folder of [...folders, ...FOLDERS]) {
    const isSkill = folders.includes(folder) && (await hasSkill(join(root, folder)));
    const found = isSkill ? [folder] : await skillsIn(root, folder);
    for (const path of found) {
      const name = path.split("/").at(-1) ?? path;
      // What is built from `skills` is the same again.
      if (!paths.has(name)) paths.set(name, path);
    }
  }
  const hasRoot = await hasSkill(root);
  if (paths.size === 0) return { paths: hasRoot ? [""] : [], notes };
  const left = hasRoot ? ["left out: the SKILL.md of the package itself, which has others"] : [];
  return { paths: [...paths.values()], notes: [...notes, ...left] };
}

/** `skills` of package.json: a folder or several. What names other sources is not followed. */
async function declaredFolders(
  root: string,
): Promise<{ readonly folders: readonly string[]; readonly notes: readonly string[] }> {
  const folders: string[] = [];
  const notes: string[] = [];
  for (const entry of await declaredSkills(root)) {
    const folder = typeof entry === "string" ? parseFolder(entry) : undefined;
    if (folder !== undefined && "path" in folder && (await isFolder(join(root, folder.path)))) {
      if (folder.path !== "") folders.push(folder.path);
      continue;
    }
    const shown = typeof entry === "string" ? entry : JSON.stringify(entry);
    notes.push(`not followed, being no folder of the package: ${foreignText(shown)}`);
  }
  return { folders, notes };
}

async function declaredSkills(root: string): Promise<readonly unknown[]> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !Object.hasOwn(manifest, "skills")) {
      return [];
    }
    const { skills } = manifest as { skills: unknown };
    return Array.isArray(skills) ? skills.slice(0, 1000) : [skills];
  } catch {
    return [];
  }
}

async function skillsIn(root: string, folder: string): Promise<string[]> {
  const entries: string[] = await readdir(join(root, folder)).catch(() => []);
  const found: string[] = [];
  for (const name of entries.sort()) {
    if (await hasSkill(join(root, folder, name))) found.push(`${folder}/${name}`);
  }
  return found;
}

async function hasSkill(folder: string): Promise<boolean> {
  const stats = await stat(join(folder, "SKILL.md")).catch(() => undefined);
  return stats?.isFile() === true;
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}
