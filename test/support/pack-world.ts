import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { InstallScope, LockFile, PackFailure, PackSession } from "@skillwright/packs";
import { skillText, writeTree } from "./skill-tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A project with things to lose around it, and a state of the user of its own. */
export class PackWorld {
  readonly folder = realpathSync(
    temporaryFolder({ "project/README.md": "mine", "outside/secret.txt": "secret" }),
  );
  readonly base = join(this.folder, "project");
  readonly scope: InstallScope = scopeAt(this.base);
  readonly stateDirectory = join(this.folder, "state");
  #ids = 0;

  /** What every command gets. */
  get session(): PackSession {
    return {
      scope: this.scope,
      cwd: this.folder,
      env: { PATH: process.env["PATH"], HOME: join(this.folder, "home") },
      stateDirectory: this.stateDirectory,
      clock: () => 1_800_000_000_000,
      ids: () => `id-${process.pid}-${this.#ids++}`,
    };
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  /** Writes skills below a folder: name → files; SKILL.md is made when it is not given. */
  skills(
    folder: string,
    skills: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ): string {
    for (const [name, files] of Object.entries(skills)) {
      writeTree(this.path(folder, name), { "SKILL.md": skillText(name), ...files });
    }
    return this.path(folder);
  }

  write(files: Readonly<Record<string, string>>): void {
    writeTree(this.folder, files);
  }

  /** Text of a file of an installed skill. */
  installed(path: string): string {
    return readFileSync(join(this.scope.root, path), "utf8");
  }

  get lock(): LockFile {
    return JSON.parse(this.lockText) as LockFile;
  }

  get lockText(): string {
    return readFileSync(this.scope.lockFile, "utf8");
  }

  get sharedLock(): { readonly skills: Readonly<Record<string, Record<string, string>>> } {
    return JSON.parse(readFileSync(this.scope.sharedLockFile!, "utf8")) as PackWorld["sharedLock"];
  }

  /** Every file and link of the project, without the state folder and without empty folders. */
  get project(): Record<string, string> {
    const all = Object.entries(treeOf(this.base, { skip: ".skillwright" }));
    return Object.fromEntries(all.filter(([, text]) => !text.startsWith("folder ")));
  }
}

export function scopeAt(base: string, root = ".agent/skills"): InstallScope {
  return {
    label: "project",
    base,
    root: join(base, root),
    lockFile: join(base, ".agent/skills.lock.json"),
    sharedLockFile: join(base, "skills-lock.json"),
  };
}

/** Every file, folder and link below a folder with its mode and content, and its times if asked. */
export function treeOf(
  folder: string,
  { skip, times = false }: { readonly skip?: string; readonly times?: boolean } = {},
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (skip !== undefined && path.split("/").includes(skip)) continue;
    const full = join(folder, path);
    const stats = lstatSync(full, { bigint: true });
    const mode = (stats.mode & 0o7777n).toString(8);
    const time = times ? ` ${stats.mtimeNs}` : "";
    if (stats.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}${time}`;
    else if (stats.isFile()) found[path] = `${mode} ${readFileSync(full, "latin1")}${time}`;
    else found[path] = `folder ${mode}${time}`;
  }
  return found;
}

/** The result, when it must be one. */
export function done<Result extends { readonly ok: true }>(result: Result | PackFailure): Result {
  if (!result.ok) throw new Error(`${result.code}: ${result.message}\n${result.hint ?? ""}`);
  return result;
}

/** The failure, when it must be one. */
export function refused(result: { readonly ok: true } | PackFailure): PackFailure {
  if (result.ok) throw new Error(`it was not refused: ${JSON.stringify(result)}`);
  return result;
}

/** Status of each skill of a report by name. */
export function statuses({
  skills,
}: {
  readonly skills: readonly { readonly name: string; readonly status: string }[];
}): Record<string, string> {
  return Object.fromEntries(skills.map(({ name, status }) => [name, status]));
}
