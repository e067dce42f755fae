import type { Failure } from "@skillwright/core";
import { copyFiles, errorCode, openConfinedSync, walkDirectory } from "@skillwright/core/internal";
import type { Executor } from "@skillwright/runtime";
import { closeSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { GraderRequest, GraderRun, RunGrader } from "../checks/check-verdict.ts";

type StagedGrader =
  | { readonly ok: true; /** Below the folder. */ readonly script: string }
  | Failure<"grader-missing" | "grader-too-large" | "grader-unreadable">;

const MAX_ENTRIES = 1000;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_LEVELS = 16;
/** They are no part of a grader, and large. */
const SKIPPED = new Set([".git", "node_modules", "__pycache__"]);

/**
 * Copies a grader and everything beside and below it to where scripts of a skill run. Links and
 * special files are left out: they could lead to what no grader may see.
 */
async function stageGrader(file: string, folder: string): Promise<StagedGrader> {
  const name = basename(file);
  try {
    const source = realpathSync(dirname(file));
    // First, so that a large neighbour does not hide that the grader is missing.
    const own = openConfinedSync(source, [name]);
    if (!own.ok) return own.errorCode === "EACCES" ? unreadable(file, "EACCES") : missing(file);
    closeSync(own.descriptor);
    const limits = { maxEntries: MAX_ENTRIES, maxDepth: MAX_LEVELS, skip: SKIPPED };
    const walk = await walkDirectory(source, limits);
    if (walk.unreadable.length > 0) return unreadable(file, "EACCES");
    const files = walk.entries.filter(
      ({ kind, path }) => kind === "file" && !SKIPPED.has(basename(path)),
    );
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (walk.truncated || bytes > MAX_BYTES) return tooLarge(file);
    const copied = await copyFiles(source, files, join(folder, "scripts"), {
      maxBytes: MAX_BYTES,
      mode: (mode) => (mode & 0o700) | 0o600,
    });
    if (copied.ok) return { ok: true, script: `scripts/${name}` };
    const { reason, path, errorCode: code = reason } = copied;
    return reason === "too-large" ? tooLarge(file) : unreadable(join(source, path), code);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return missing(file);
    return unreadable(file, code);
  }
}

function unreadable(file: string, code: string): StagedGrader {
  const message = `the grader ${file} cannot be copied: ${code}`;
  return { ok: false, code: "grader-unreadable", message };
}

function missing(file: string): StagedGrader {
  const message = `there is no grader ${file}, or it is no regular file`;
  return { ok: false, code: "grader-missing", message };
}

function tooLarge(file: string): StagedGrader {
  const most = `${MAX_ENTRIES} files or ${MAX_BYTES / 1024 / 1024} MiB`;
  const message = `beside the grader ${file} lie more than ${most}`;
  const hint = "give the grader a folder of its own";
  return { ok: false, code: "grader-too-large", message, hint };
}

/**
 * Graders run like scripts of a skill: from a private copy of their folder, without network, and what they
 * write into the working directory of the trial is not kept.
 */
export function createSandboxedGrader(executor: Executor): RunGrader {
  return async (request) => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-grader-"));
    try {
      const staged = await stageGrader(request.file, folder);
      return staged.ok ? await runStaged(executor, folder, staged.script, request) : staged;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function runStaged(
  executor: Executor,
  folder: string,
  script: string,
  { args, stdin, directory, timeoutMs, signal }: GraderRequest,
): Promise<GraderRun> {
  const receipt = await executor.run(
    {
      skill: { name: "grader", path: folder },
      script,
      args,
      cwd: directory,
      stdin,
      limits: { timeoutMs },
      network: "none",
      writable: [],
    },
    signal === undefined ? {} : { signal },
  );
  const { exitCode, stdout, stderr, failure, timedOut } = receipt;
  // A script that ends with another code than 0 has said something; one that never ran has not.
  if (timedOut || (failure !== undefined && failure.code !== "script-failed")) {
    const message = failure?.message ?? "the grader took longer than it may";
    return { ok: false, code: failure?.code ?? "timed-out", message };
  }
  return { ok: true, exitCode, stdout, stderr };
}
