import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./documented-block.ts";

const PROJECTS = join(ROOT, "test/support/docs/projects");

/** A home with a project in it, as the reader of a page has one. Gone when it is disposed of. */
export class DocumentedHome {
  readonly path = mkdtempSync(join(tmpdir(), "skillwright-docs-"));

  /** A new project with the files of this name; `first-run` are those of the tour. */
  project(name: string): string {
    const folder = join(this.path, name);
    const files = name === "first-run" ? join(ROOT, "examples/first-run") : join(PROJECTS, name);
    if (name !== "empty" && !existsSync(files)) throw new Error(`there is no project "${name}"`);
    mkdirSync(folder);
    if (name === "empty") return folder;
    cpSync(files, folder, { recursive: true });
    // A project of its own: roots and configuration are not looked for further up.
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git/HEAD"), "");
    return folder;
  }

  get environment(): Readonly<Record<string, string>> {
    const { PATH = "" } = process.env;
    return { PATH, HOME: this.path, TERM: "dumb", LANG: "C.UTF-8", NO_COLOR: "1" };
  }

  /** As a page names it. */
  named(text: string): string {
    return text.replaceAll(this.path, "/home/you");
  }

  dispose(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
