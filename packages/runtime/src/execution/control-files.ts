import { lstatSync, mkdirSync, readlinkSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { executionFailure, type ExecutionFailure } from "./execution-receipt.ts";

/**
 * Folders that tools read without a person asking: a shell prompt runs git, an agent loads its
 * configuration. While a script runs, none may appear even for a moment.
 */
const READ_AT_ONCE = [".git", ".agent", ".agents", ".claude"];

/** Files and folders that tell other programs what to do; `HEAD` makes any folder a repository. */
const CONTROL_NAMES = [
  READ_AT_ONCE,
  [".codex", ".cursor", ".gemini", ".mcp.json", "AGENTS.md", "CLAUDE.md", "GEMINI.md"],
  [".gitconfig", ".gitmodules", ".gitattributes", ".husky", ".pre-commit-config.yaml", "HEAD"],
  [".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile", ".envrc"],
  [".vscode", ".idea", ".devcontainer", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs"],
  ["sitecustomize.py", "usercustomize.py"],
].flat();

export interface WritablePlaces {
  readonly ok: true;
  /** Real paths that may be written. */
  readonly writable: readonly string[];
  /** Existing control files in them, which stay as they are. */
  readonly protectedPaths: readonly string[];
  /** Control folders that are missing, or stand there empty for another run: to be covered. */
  readonly placeholders: readonly string[];
  /** Missing control files; if one is there afterwards, the script made it. */
  readonly absent: readonly string[];
  /** Control files that are links, which nothing can be mounted over. */
  readonly links: readonly ControlLink[];
}

interface ControlLink {
  readonly path: string;
  readonly target: string;
}

/**
 * Checks what may be written below a working directory, given by its real path. Another run's
 * placeholder has to stay for this run too.
 */
export function writablePlaces(
  cwd: string,
  given: readonly string[] = [],
  isPlaceholder: (path: string) => boolean = () => false,
): WritablePlaces | ExecutionFailure {
  const writable: string[] = [];
  for (const place of given) {
    const real = realPlace(cwd, place);
    if (typeof real !== "string") return real;
    writable.push(real);
  }
  const places = writable
    .filter((path) => lstatSync(path).isDirectory())
    .flatMap((path) => CONTROL_NAMES.map((name) => ({ name, path: join(path, name) })));
  const exists = new Set(places.filter(({ path }) => isThere(path)));
  const missing = places.filter((place) => !exists.has(place));
  const links = [...exists].filter(({ path }) => lstatSync(path).isSymbolicLink());
  const unsafe = links.find(({ name }) => READ_AT_ONCE.includes(name));
  if (unsafe !== undefined) {
    const message = `${JSON.stringify(unsafe.path)} is a link, which cannot be kept from being replaced`;
    return executionFailure("writable-refused", message, "Name only the folders that are needed.");
  }
  return {
    ok: true,
    writable,
    protectedPaths: [...exists].filter((place) => !links.includes(place)).map(({ path }) => path),
    placeholders: [
      ...missing.filter(({ name }) => READ_AT_ONCE.includes(name)),
      ...[...exists].filter(({ path }) => isPlaceholder(path)),
    ].map(({ path }) => path),
    absent: missing.filter(({ name }) => !READ_AT_ONCE.includes(name)).map(({ path }) => path),
    links: links.map(({ path }) => ({ path, target: readlinkSync(path) })),
  };
}

/** Makes the folders that cover missing control folders. They are empty and ours. */
export function makePlaceholders(paths: readonly string[]): void {
  for (const path of paths) mkdirSync(path, { recursive: true, mode: 0o755 });
}

/**
 * Looks for control files that a run made or replaced. They are renamed, so that nothing reads them
 * and nothing is lost.
 */
export function refuseNewControlFiles(
  { absent, links }: WritablePlaces,
  id: string,
): ExecutionFailure | undefined {
  const replaced = links.filter(({ path, target }) => targetOf(path) !== target);
  const made = [...absent, ...replaced.map(({ path }) => path)].filter(isThere);
  const moved = made.map((path) => {
    const aside = `${path}.refused-${process.pid}-${id}`;
    renameSync(path, aside);
    return aside;
  });
  for (const { path, target } of replaced) symlinkSync(target, path);
  if (made.length === 0 && replaced.length === 0) return undefined;
  return executionFailure(
    "control-file-written",
    `the script changed ${[...new Set([...made, ...replaced.map(({ path }) => path)])].join(", ")}, which scripts may not write`,
    `Moved aside: ${moved.join(", ") || "nothing"}. Look at the skill before you trust it again.`,
  );
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function realPlace(cwd: string, place: string): string | ExecutionFailure {
  const path = resolve(cwd, place);
  const refuse = (why: string, hint?: string) =>
    executionFailure(
      "writable-refused",
      `${JSON.stringify(place)} cannot be writable: ${why}`,
      hint,
    );
  if (place === "" || place.includes("\0") || !isBelow(cwd, path)) {
    return refuse("it is not below the working directory");
  }
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return refuse("it does not exist", "Create it first.");
  }
  if (real !== path) return refuse("it is a link or lies behind one");
  const control = relative(cwd, real)
    .split(sep)
    .find((segment) => CONTROL_NAMES.some((name) => name.toLowerCase() === segment.toLowerCase()));
  return control === undefined ? real : refuse(`${control} tells other programs what to do`);
}

export function isBelow(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
