import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface PackedPackage {
  readonly name: string;
  /** The tarball. */
  readonly file: string;
  /** What is in it. */
  readonly paths: readonly string[];
  /** The same, unpacked. */
  readonly contents: string;
}

export interface PackedProject {
  readonly folder: string;
  readonly packages: readonly PackedPackage[];
  /** Why the packages are not installed; undefined when they are. */
  readonly unreachable: string | undefined;
  remove(): void;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/skillwright/node");
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH|E5\d\d|ENOTCACHED)\b/;

/**
 * Empty projects somewhere else: `project` with all our packages installed from their tarballs, `cli` with
 * the command line alone.
 */
export async function packedProject(): Promise<PackedProject> {
  const { packPackages } = (await import(join(ROOT, "scripts/pack-packages.mjs"))) as {
    packPackages: (folder: string) => Omit<PackedPackage, "contents">[];
  };
  const folder = mkdtempSync(join(tmpdir(), "skillwright-packed-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    mkdirSync(join(folder, "home"));
    const packages = packPackages(tarballs).map(unpack);
    const project = join(folder, "project");
    const files = packages.map(({ file }) => file);
    // Nothing but the command line, and no network.
    const cli = packages.find(({ name }) => name === "skillwright")?.file ?? "";
    const refused = install(join(folder, "cli"), [cli, "--offline"], { private: true });
    if (refused !== undefined) throw new Error("the command line needs more than its tarball");
    const unreachable = install(project, files, { private: true, type: "module" });
    const types = join(project, "node_modules/@types");
    // A program for Node has its types; so do we, and they need not be fetched again.
    for (const name of ["@types/node", "undici-types"]) {
      const target = name.startsWith("@types") ? join(types, "node") : join(types, "..", name);
      cpSync(join(ROOT, "node_modules", name), target, { recursive: true });
    }
    return { folder, packages, unreachable, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function unpack(packed: Omit<PackedPackage, "contents">): PackedPackage {
  const folder = `${packed.file}.contents`;
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", packed.file, "-C", folder]);
  return { ...packed, contents: join(folder, "package") };
}

/**
 * The binary of this major version of Node: the one we run on, or that of npm's package `node`, kept for
 * the next time. A text says why there is none.
 */
export function nodeBinary(
  major: number,
): { readonly path: string } | { readonly missing: string } {
  if (process.versions.node.startsWith(`${major}.`)) return { path: process.execPath };
  const kept = join(CACHE, String(major));
  const path = join(kept, "node_modules/node/bin/node");
  if (existsSync(path)) return { path };
  const fresh = `${kept}.${process.pid}`;
  try {
    const missing = install(fresh, [`node@${major}`], { private: true });
    if (missing !== undefined) return { missing };
    if (!existsSync(kept)) renameSync(fresh, kept);
    return { path };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Gives the reason when the registry cannot be reached; throws when npm fails otherwise. */
function install(folder: string, what: readonly string[], manifest: object): string | undefined {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
  );
  const { status, stderr } = spawnSync("npm", [...args, ...what], {
    cwd: folder,
    encoding: "utf8",
    env: { ...env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
  });
  if (status === 0) return undefined;
  const [code] = UNREACHABLE.exec(stderr) ?? [];
  if (code === undefined) throw new Error(`npm could not install ${what.join(", ")}:\n${stderr}`);
  return `npm cannot reach its registry (${code})`;
}
