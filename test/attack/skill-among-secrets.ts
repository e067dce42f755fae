import { join } from "node:path";
import { listFiles, readFile } from "../../packages/core/src/files/index.ts";
import type { ReadFileOptions } from "../../packages/core/src/internal/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export const SECRET = "TOP-SECRET";

/**
 * A skill between things it must not reach. Every file outside holds the secret, so that a result
 * without it is proof that nothing outside was read.
 */
export class SkillAmongSecrets {
  readonly root = temporaryFolder({
    "skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\nBody\n",
    "skills/a/references/guide.md": "# Guide\ninside\n",
    "skills/a/scripts/run.sh": "echo inside\n",
    "skills/a-evil/references/guide.md": SECRET,
    "skills/x": SECRET,
    "skills/secret.md": SECRET,
    "outside/guide.md": SECRET,
    "outside/secret.md": SECRET,
    x: SECRET,
  });
  readonly skill = { directory: join(this.root, "skills/a") };

  file(path: string): string {
    return join(this.skill.directory, path);
  }

  /** The code of the refusal, `text:` and `binary:` otherwise; throws when the secret shows. */
  async read(path: string, options?: ReadFileOptions): Promise<string> {
    const result = await readFile(this.skill, path, options);
    const bytes = result.ok && result.kind === "binary" ? (result.bytes ?? []) : [];
    const shown = JSON.stringify(result) + Buffer.from(bytes).toString("latin1");
    if (shown.includes(SECRET)) throw new Error(`${JSON.stringify(path)} gave the secret away`);
    if (!result.ok) return result.code;
    return result.kind === "text" ? `text:${result.text}` : `binary:${result.mediaType}`;
  }

  async paths(under?: string): Promise<readonly string[] | string> {
    const result = await listFiles(this.skill, under === undefined ? {} : { under });
    return result.ok ? result.files.map(({ path }) => path) : result.code;
  }
}
