import { hash } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, lintSkill, SkillwrightError } from "@skillwright/core";
import type { Candidate } from "../fetched-pack.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { lockedSkill } from "../lock/locked-skill.ts";
import { type FolderFile, readFolder } from "../lock/read-folder.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { PackOrigin } from "../pack-origin.ts";
import { isRefused } from "../scan/scan-check.ts";
import { signatureId, type SignedManifest } from "../sign/signed-manifest.ts";
import { sourcePath, type Suppression } from "../scan/suppressions.ts";
import { scanContents } from "../scan/scan-contents.ts";
import type { ScanFinding, ScanResult, ScanSeverity } from "../scan/scan-finding.ts";

/** A skill that was looked at and may be put in place. */
export interface StagedSkill {
  readonly name: string;
  /** In the staging folder, and named as the skill. */
  readonly directory: string;
  readonly locked: LockedSkill;
  readonly files: readonly FolderFile[];
  readonly findings: readonly ScanFinding[];
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: ScanResult["suppressed"];
  /** Files that the scan did not look at. */
  readonly skipped: ScanResult["skipped"];
}

export interface StageOptions {
  /** On the file system of the candidates, with no folder of the skill's name yet. */
  readonly staging: string;
  readonly origin: PackOrigin;
  readonly signed?: SignedManifest | undefined;
  readonly failOn?: ScanSeverity | "never" | undefined;
  readonly suppressions?: readonly Suppression[] | undefined;
  /** What `origin` is relative to. */
  readonly base: string;
  readonly signal?: AbortSignal | undefined;
}

/** Takes a candidate out of the quarantine: hashed, linted and scanned. */
export async function stageSkill(
  { name, directory: from, path, origin: own }: Candidate,
  { staging, origin, base, signed, failOn = "high", suppressions, signal }: StageOptions,
): Promise<({ readonly ok: true } & StagedSkill) | PackFailure> {
  const directory = join(staging, name);
  try {
    takeOut(from, directory);
    const files = await readFolder(directory, { maxBytes: Number.POSITIVE_INFINITY });
    const { skill, diagnostics } = await lintSkill(directory, { files });
    if (skill === undefined) return unusable(name, diagnostics);
    signal?.throwIfAborted();
    const source = sourcePath((own ?? origin).source, base);
    const { findings, suppressed, skipped } = scanContents(files, suppressions, source);
    const refused = findings.filter((finding) => isRefused(finding, failOn));
    if (refused.length > 0) return dangerous(name, refused);
    const locked = lockedSkill({
      name,
      origin: own ?? origin,
      skillPath: path,
      files: files.map((file) => ({ path: file.path, sha256: hash("sha256", file.bytes) })),
      ...(signed && { signer: signed.signer, signature: signatureId(signed) }),
    });
    return { ok: true, name, directory, locked, files, findings, suppressed, diagnostics, skipped };
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    const message = `the skill ${JSON.stringify(name)} cannot be used: ${error.message}`;
    return { ok: false, code: "skill-invalid", message };
  }
}

/** The quarantine is for us alone; a skill has the mode that any new folder gets. */
function takeOut(from: string, directory: string): void {
  mkdirSync(directory, 0o755);
  const { mode } = statSync(directory);
  rmdirSync(directory);
  renameSync(from, directory);
  chmodSync(directory, mode & 0o777);
}

function unusable(name: string, diagnostics: readonly Diagnostic[]): PackFailure {
  const why = diagnostics.find(
    ({ effect, severity }) => effect === "skipped" || severity === "error",
  );
  const place = why === undefined ? "" : ` (SKILL.md:${why.line}:${why.column})`;
  return {
    ok: false,
    code: "skill-invalid",
    message: `the skill ${JSON.stringify(name)} cannot be used: ${why?.message ?? "its SKILL.md cannot be read"}${place}`,
    hint: why?.hint ?? "see `skillwright lint` for what is wrong with it",
  };
}

function dangerous(name: string, findings: readonly ScanFinding[]): PackFailure {
  const [first] = findings;
  const more = findings.length > 1 ? `, and ${findings.length - 1} more` : "";
  return {
    ok: false,
    code: "scan-refused",
    message: `the scan refuses ${JSON.stringify(name)}: ${first?.message} (${first?.rule}, ${first?.file}:${first?.line}, finding ${first?.fingerprint}${more})`,
    hint: "look at it with `skillwright scan`; to take it all the same, name the finding with a reason in .skillwright-scan.json, or use --fail-on never",
  };
}
