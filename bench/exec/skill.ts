import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const FILES: Readonly<Record<string, string>> = {
  "skill/SKILL.md": "---\nname: bench\ndescription: Measures runs of scripts.\n---\n# Steps\n",
  "skill/references/guide.md": "# Guide\n".repeat(200),
  "skill/scripts/pass.py": "pass\n",
  "skill/scripts/flood.py":
    'import os, sys\nblock = b"x" * 65536\nfor _ in range(int(sys.argv[1]) // len(block)): os.write(1, block)\n',
  "skill/scripts/sleep.py":
    "import sys, time\ntime.sleep(float(sys.argv[1]))\nprint(sys.argv[1])\n",
  "work/data.txt": "data\n",
};

export interface BenchSkill {
  /** Everything lies here. */
  readonly root: string;
  readonly path: string;
  readonly cwd: string;
  remove(): void;
}

/** A small skill as most are, and a working directory. */
export function makeBenchSkill(): BenchSkill {
  const root = mkdtempSync(join(tmpdir(), "skillwright-bench-exec-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    path: join(root, "skill"),
    cwd: join(root, "work"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
