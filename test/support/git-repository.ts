import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

const SETTINGS = [
  ["user.name", "Test"],
  ["user.email", "test@example.com"],
  ["init.defaultBranch", "main"],
  ["commit.gpgSign", "false"],
  ["core.hooksPath", "/dev/null"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** A repository of git with what a test puts into it; it goes with the test. */
export class GitRepository {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = temporaryFolder();
    this.git("init", "--quiet");
    if (Object.keys(files).length > 0) this.commit(files);
  }

  git(...argv: readonly string[]): string {
    const env = { PATH: process.env["PATH"], HOME: this.folder, GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", [...SETTINGS, ...argv], {
      cwd: this.folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  }

  /** Adds files and says the commit. */
  commit(files: Readonly<Record<string, string>>): string {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "change");
    return this.git("rev-parse", "HEAD");
  }

  /** A bare copy of all branches and tags. */
  bare(): string {
    const folder = join(temporaryFolder(), "skills.git");
    this.git("clone", "--quiet", "--bare", this.folder, folder);
    return folder;
  }
}
