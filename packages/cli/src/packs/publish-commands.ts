import { resolve } from "node:path";
import { readFile } from "node:fs/promises";
import { type PackFormat, packSkills, signPack } from "@skillwright/packs";
import { visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { lintTargets } from "../lint/lint-targets.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { openPackSettings } from "@skillwright/app/internal";
import { shellWord } from "./shell-word.ts";
import { inPieces, usageFailure } from "./with-packs.ts";

export interface PackCommandOptions extends GlobalOptions {
  readonly output?: string;
  readonly format?: PackFormat;
  readonly strict?: boolean;
  readonly force?: boolean;
  readonly allowSecrets?: boolean;
  readonly baseUrl?: string;
  readonly layout?: "pack" | "folders" | "root";
}

const EXTENSIONS: Readonly<Record<PackFormat, string>> = {
  zip: ".zip",
  "tar.gz": ".tar.gz",
  "well-known": "",
};

/** Makes an archive of skills, or the files of a static host. */
export async function packCommand(
  paths: readonly string[],
  options: PackCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { targets } = await lintTargets(paths, options, console);
  const directories = targets.map(({ directory }) => directory);
  const output = resolve(console.cwd, options.output ?? defaultOutput(directories, options));
  const format = options.format ?? formatOf(output);
  const { strict, force, allowSecrets, baseUrl, layout } = options;
  const { limits } = await openPackSettings(options, console);
  const packed = await inPieces(console, (pieces) =>
    packSkills({
      ...pieces,
      limits,
      directories,
      output,
      format,
      ...(strict === true && { strict: true }),
      ...(force === true && { force: true }),
      ...(allowSecrets === true && { allowSecrets: true }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(layout !== undefined && { layout }),
    }),
  );
  const { skills, bytes, file, files, unchanged, leftOut, diagnostics } = packed;
  if (console.json) {
    const listed = skills.map(({ name, digest, path }) => ({
      name,
      digest,
      path,
      status: unchanged ? "unchanged" : "packed",
    }));
    console.printJson({ file, files, bytes, skills: listed, problems: diagnostics, leftOut });
    return EXIT.done;
  }
  for (const { name, digest, files: content } of skills) {
    const { dim } = console.colors;
    console.print(`  ${visibleLine(name)} ${dim(`${content.length} files ${digest}`)}`);
  }
  for (const path of leftOut) {
    console.note(visibleLine(`note: left out ${relativePath(path, console.cwd)}`));
  }
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
  if (warnings > 0) {
    console.note(`note: the linter warns of ${warnings}; skillwright lint shows what`);
  }
  const word = unchanged ? "is up to date" : "written";
  console.print(visibleLine(`${relativePath(file, console.cwd)} ${word}, ${bytes} bytes`));
  return EXIT.done;
}

function defaultOutput(
  directories: readonly string[],
  { format = "zip" }: PackCommandOptions,
): string {
  if (format === "well-known") return "public";
  const [first = ""] = directories;
  const name = directories.length === 1 ? relativePath(first, resolve(first, "..")) : "skills";
  return `${name}${EXTENSIONS[format]}`;
}

function formatOf(output: string): PackFormat {
  return /\.(?:tar\.gz|tgz)$/i.test(output) ? "tar.gz" : "zip";
}

export interface SignCommandOptions extends GlobalOptions {
  readonly key: string;
  readonly output?: string;
  readonly force?: boolean;
}

export async function signCommand(
  pack: string,
  { key: keyFile, output, force, ...options }: SignCommandOptions,
  console: Console,
): Promise<ExitCode> {
  // This is the key to sign with, not a trusted key.
  const { limits } = await openPackSettings({ ...options }, console);
  const key = await readFile(resolve(console.cwd, keyFile), "utf8").catch((cause: unknown) => {
    const message = `the key ${JSON.stringify(keyFile)} cannot be read`;
    const hint = "make one with: ssh-keygen -t ed25519 -f skill-key";
    throw new CommandFailure(EXIT.usage, message, { code: "key-unreadable", hint, cause });
  });
  const signed = await inPieces(console, ({ signal }) =>
    signPack({
      signal,
      limits,
      pack: resolve(console.cwd, pack),
      ...signer(key, console),
      ...(output !== undefined && { output: resolve(console.cwd, output) }),
      ...(force === true && { force: true }),
    }),
  );
  const { file, fingerprint, publicKey, skills } = signed;
  if (console.json) {
    console.printJson({ file, fingerprint, publicKey, skills });
    return EXIT.done;
  }
  console.print(
    visibleLine(`${relativePath(file, console.cwd)} written, signed by ${fingerprint}`),
  );
  if (console.quiet) return EXIT.done;
  const command = `skillwright verify ${shellWord(pack)} --key ${shellWord(publicKey)}`;
  console.note(visibleLine(`others verify with: ${command}`));
  return EXIT.done;
}

/** A public key means that the SSH agent holds the private one. */
function signer(key: string, { env }: Console) {
  if (!/^(?:sk-)?ssh-ed25519\S* /.test(key)) return { key };
  const socket = env["SSH_AUTH_SOCK"];
  if (socket !== undefined && socket !== "") return { agent: { publicKey: key, socket } };
  const hint = "give the private key, or start an agent that holds it";
  throw usageFailure("this is a public key, and no SSH agent is running", hint);
}
