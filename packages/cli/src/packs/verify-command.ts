import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  verifyInstalled,
  type SkillStatus,
  type VerifiedFile,
  type VerifiedSkill,
} from "@skillwright/packs";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { openPackSettings } from "@skillwright/app/internal";
import { type VerifyCommandOptions, verifyPackFile } from "./verify-pack-file.ts";
import { scopeFlags, usageFailure, withPacks } from "./with-packs.ts";

/** Installed skills against the lock, or a pack against its manifest and signature. */
export async function verifyCommand(
  words: readonly string[],
  options: VerifyCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const packs = words.filter((word) => isFile(resolve(console.cwd, word)));
  const absent = words.find((word) => ARCHIVE.test(word) && !packs.includes(word));
  if (absent !== undefined) {
    const message = `there is no pack ${JSON.stringify(absent)}`;
    throw new CommandFailure(EXIT.missing, message, { code: "source-missing" });
  }
  if (packs.length === 0) return verifyRoot(words, options, console);
  if (packs.length < words.length || packs.length > 1) {
    throw usageFailure("one pack at a time, or names of installed skills");
  }
  return verifyPackFile(resolve(console.cwd, packs[0] ?? ""), options, console);
}

const ARCHIVE = /\.(?:zip|skill|tgz|tar\.gz)$/i;

const GOOD: ReadonlySet<SkillStatus> = new Set(["ok", "linked"]);

async function verifyRoot(
  names: readonly string[],
  options: VerifyCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { signature, identity, issuer, trustedRoot } = options;
  if ([signature, identity, issuer, trustedRoot].some((one) => one !== undefined)) {
    const hint = "name the file of the pack: skillwright verify skills.zip --identity …";
    throw usageFailure("--signature and --identity are for a pack", hint);
  }
  const { acceptance } = await openPackSettings(options, console);
  // Who gives a key says who must have signed.
  const requireSignature = options.key !== undefined || acceptance.requireSignature === true;
  const { trustedKeys, revokedKeys } = acceptance;
  const verified = await withPacks(options, console, (session) => {
    const { scope, signal, onProgress, stateDirectory, onWait } = session;
    return verifyInstalled(scope, {
      ...(names.length > 0 && { names }),
      signatures: { trustedKeys, revokedKeys, requireSignature },
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
      finish: { ...(stateDirectory && { stateDirectory }), ...(onWait && { onWait }) },
    });
  });
  const { skills, problems, notes } = verified;
  const isGood = problems.length === 0 && skills.every(({ status }) => GOOD.has(status));
  if (console.json) console.printJson({ skills, problems, notes });
  else {
    for (const note of notes) console.note(visibleLine(`note: ${note}`));
    for (const { name, path, status, digest, files, linked, signer } of skills) {
      const { green, red, dim } = console.colors;
      const paint = GOOD.has(status) ? green : red;
      const isLinked = linked === true && status !== "linked" ? " (linked)" : "";
      const hash = digest === "" ? "" : ` ${digest}`;
      const by = signer === undefined ? "" : ` signed by ${signer}`;
      console.print(
        `${paint(status.padEnd(8))} ${visibleLine(name)} ${dim(visibleLine(path + hash + isLinked + by))}`,
      );
      if (!console.quiet) printFiles(files, console);
    }
    for (const { path, message, hint } of problems) {
      console.note(visibleLine(message.includes(path) ? message : `${path}: ${message}`));
      if (hint !== undefined && !console.quiet) console.note(visibleLine(`  ${hint}`));
    }
    hintNext(skills, options, console);
  }
  if (skills.length === 0) return EXIT.missing;
  return isGood ? EXIT.done : EXIT.no;
}

function hintNext(
  skills: readonly VerifiedSkill[],
  options: VerifyCommandOptions,
  console: Console,
): void {
  if (console.quiet) return;
  const command = visibleLine(`skillwright install${scopeFlags(options)}`);
  if (skills.length === 0) console.note("nothing is installed here: skillwright install <source>");
  else if (skills.some(isEdited)) {
    console.note(`${command} --force goes back to the lock; what was edited is in its backup`);
  } else if (skills.some(({ status }) => status === "missing")) {
    console.note(`${command} brings back what is missing`);
  } else if (skills.some(({ status, linked }) => status === "modified" && linked === true)) {
    console.note("skillwright install <source> --link locks what a linked skill is now");
  }
}

function isEdited({ status, linked }: VerifiedSkill): boolean {
  return linked !== true && (status === "modified" || status === "extra-files");
}

function printFiles(files: readonly VerifiedFile[], console: Console): void {
  for (const { path, status } of files) {
    if (status === "ok" && !console.verbose) continue;
    console.print(`           ${console.colors.dim(status.padEnd(8))} ${visibleLine(path)}`);
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
