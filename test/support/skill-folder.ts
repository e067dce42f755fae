import { lintSkill } from "@skillwright/core";
import type { LintOptions } from "@skillwright/core/internal";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const FRONTMATTER = "---\nname: dates\ndescription: Formats dates. Use when asked.\n---\n";

/** A SKILL.md of ten lines about which there is nothing to say. */
export const VALID = `${FRONTMATTER}# Goal\n# Inputs\n# Steps\n# Failure\n# Checklist\n# Resources\n`;

/** A folder named `dates` inside of a temporary one. */
export class SkillFolder {
  readonly root: string;
  readonly path: string;

  private constructor(root: string) {
    this.root = root;
    this.path = join(root, "dates");
  }

  static async create(): Promise<SkillFolder> {
    const folder = new SkillFolder(await mkdtemp(join(tmpdir(), "skillwright-")));
    await mkdir(folder.path);
    return folder;
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  /** Path of a file of the skill. */
  file(path: string): string {
    return join(this.path, path);
  }

  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(this.file(join(path, "..")), { recursive: true });
      await writeFile(this.file(path), content);
    }
  }

  /** What the linter finds, as `severity code path:line:column`, sorted. */
  async findings(options: LintOptions = {}, directory = this.path): Promise<string[]> {
    const { diagnostics } = await lintSkill(directory, options);
    return diagnostics
      .map(({ severity, code, file, line, column }) => {
        return `${severity} ${code} ${relative(directory, file)}:${line}:${column}`;
      })
      .toSorted();
  }
}
