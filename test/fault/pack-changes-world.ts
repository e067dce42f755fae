import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { type OpenRoot, openRoot } from "../../packages/packs/src/change/index.ts";
import type { InstallScope } from "../../packages/packs/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writeTree } from "../support/skill-tree.ts";
import { SOURCES } from "../../scripts/packages.mjs";

const source = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
const CHANGE = source("packs/src/change/");

/** The transaction from source as a module that a process which is killed can import. */
export async function bundleChanges(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-changes-"));
  const entry = ["open-root", "history/undo-change", "history/prune-backups"]
    .map((name) => `export * from ${JSON.stringify(join(CHANGE, `${name}.ts`))};`)
    .join("\n");
  const bundle = await rolldown({
    input: "entry",
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? id : null),
        load: (id) => (id === "entry" ? entry : null),
      },
    ],
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "changes.mjs" });
  await bundle.close();
  return join(folder, "changes.mjs");
}

/** Folder → version of its skill; undefined where there is none. */
export type Skills = Readonly<Record<string, number | undefined>>;

export interface ChangeWorld {
  readonly folder: string;
  readonly scope: InstallScope;
  readonly stateDirectory: string;
}

export function changeWorld(): ChangeWorld {
  const folder = temporaryFolder({ "project/README.md": "mine", "outside/secret": "secret" });
  const base = join(folder, "project");
  const scope = {
    label: "project",
    base,
    root: join(base, ".agent/skills"),
    lockFile: join(base, ".agent/skills.lock.json"),
    sharedLockFile: join(base, "skills-lock.json"),
  };
  return { folder, scope, stateDirectory: join(folder, "state") };
}

/** Many files, so that a skill that is neither old nor new would show. */
export function skillFiles(folder: string, version: number): Record<string, string> {
  const files = ["SKILL.md", "scripts/a.py", "scripts/deep/b.py", `only-in-${version}.md`];
  return Object.fromEntries(files.map((file) => [file, `${folder} ${version} ${file}`]));
}

/** What lock texts say in these tests: which version of each skill there is. */
export function lockText(skills: Skills): string {
  return JSON.stringify(skills, Object.keys(skills).sort());
}

let count = 0;

export async function open(
  { scope, stateDirectory }: ChangeWorld,
  options: Partial<Parameters<typeof openRoot>[1]> = {},
): Promise<OpenRoot> {
  const result = await openRoot(scope, { ...settings(), stateDirectory, ...options });
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.root;
}

export function settings() {
  return { clock: () => 1_800_000_000_000, ids: () => `id${process.pid}-${count++}` };
}

/** Stages and applies: the versions in `changes` are placed, undefined removes. */
export async function change(
  root: OpenRoot,
  title: string,
  changes: Skills,
  all: Skills,
): ReturnType<OpenRoot["apply"]> {
  const staging = root.stagingFolder();
  const moves = Object.entries(changes).map(([folder, version], index) => {
    if (version === undefined) return { folder };
    const staged = join(staging, String(index));
    writeTree(staged, skillFiles(folder, version));
    return { folder, staged };
  });
  return await root.apply({ title, moves, lock: lockText(all), sharedLock: lockText(all) });
}

/** Everything below a folder by path, links by where they lead. */
export function tree(folder: string, skip = ""): Record<string, string> {
  const all: Record<string, string> = {};
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (skip !== "" && name.split("/").includes(skip)) continue;
    if (entry.isFile()) all[name] = readFileSync(path, "utf8");
    else if (entry.isSymbolicLink()) all[name] = `link to ${readlinkSync(path)}`;
  }
  return all;
}

/** The whole tree of a root that holds exactly these skills. */
export function expectedTree(skills: Skills): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [folder, version] of Object.entries(skills)) {
    if (version === undefined) continue;
    for (const [path, text] of Object.entries(skillFiles(folder, version))) {
      all[`${folder}/${path}`] = text;
    }
  }
  return all;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Runs a body in a process of its own. It has `library`, `scope`, `options` (with an `onStep` that
 * prints each step and kills the process at the one with the number `killAt`), `write(folder, files)`.
 */
export async function runChild(
  bundle: string,
  { scope, stateDirectory }: ChangeWorld,
  body: string,
  options: { killAt?: number; wrapper?: readonly string[]; args?: object } = {},
): Promise<Ended> {
  const { killAt = -1, wrapper = [], args = {} } = options;
  const program = `import { mkdirSync, writeFileSync } from "node:fs";
    import { basename, dirname, join } from "node:path";
    import { randomUUID } from "node:crypto";
    const library = await import(${JSON.stringify(bundle)});
    const { scope, stateDirectory, killAt, args } = JSON.parse(process.argv[1]);
    let seen = 0;
    const onStep = ({ step, when, subject = "" }) => {
      const about = subject.startsWith("/") ? basename(subject) : subject;
      process.stdout.write([step, when, about].join(" ").trim() + "\\n");
      if (seen++ === killAt) process.kill(process.pid, "SIGKILL");
    };
    const options = { clock: Date.now, ids: randomUUID, stateDirectory, onStep };
    const write = (folder, files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    };
    const opened = async (more) => {
      const result = await library.openRoot(scope, { ...options, ...more });
      if (!result.ok) { console.error(JSON.stringify(result)); process.exit(9); }
      return result.root;
    };
    ${body}`;
  const argument = JSON.stringify({ scope, stateDirectory, killAt, args });
  const node = [process.execPath, "--input-type=module", "-e", program, argument];
  const [command, ...rest] = [...wrapper, ...node];
  const child = spawn(command!, rest, { stdio: ["ignore", "pipe", "pipe"], cwd: "/" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return await new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ stdout, stderr, code, signal }));
  });
}

/** The body of a child that carries out one change, given by `args`. */
export const CHANGE_BODY = `
  const root = await opened();
  if (args.isUndo) console.error(JSON.stringify(await library.undoChange(root)));
  else {
    const staging = root.stagingFolder();
    const moves = args.moves.map(({ folder, files }, index) => {
      if (files === undefined) return { folder };
      write(join(staging, String(index)), files);
      return { folder, staged: join(staging, String(index)) };
    });
    const { title, lock } = args;
    console.error(JSON.stringify(await root.apply({ title, moves, lock, sharedLock: lock })));
  }
  root.close();`;

export function changeArgs(title: string, changes: Skills, all: Skills) {
  const moves = Object.entries(changes).map(([folder, version]) => {
    return version === undefined ? { folder } : { folder, files: skillFiles(folder, version) };
  });
  return { title, moves, lock: lockText(all) };
}
