import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { FetchOptions } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { DEFAULT_LIMITS } from "../pack-limits.ts";
import type { PackOrigin } from "../pack-origin.ts";
import { openGit } from "./git/open-git.ts";
import { findWanted } from "./git/remote-refs.ts";
import { latestVersion } from "./npm/latest-version.ts";
import type { ParsedSource } from "./parse/parsed-source.ts";
import { parseSource } from "./parse/parse-source.ts";
import { sourceFailure } from "./source-failure.ts";
import { latestSourceOf } from "./source-of.ts";
import { readBody } from "./web/read-body.ts";
import { webContext } from "./web/web-context.ts";
import { findIndex } from "./well-known/find-index.ts";

export type LatestOptions = Omit<FetchOptions, "quarantine">;

/** What `update` would get. Nothing known in both this and the origin: only fetching will tell. */
export interface Latest {
  readonly ok: true;
  /** git: the commit. npm: the version. */
  readonly resolved?: string;
  /** `sha256:…` of the archive. */
  readonly integrity?: string;
}

/** Looks at what an origin leads to now. Content is not kept; for a URL it has to be read. */
export async function resolveLatest(
  origin: PackOrigin,
  options: LatestOptions,
): Promise<Latest | PackFailure> {
  const home = options.env?.["HOME"] ?? homedir();
  const parsed = parseSource(latestSourceOf(origin), { cwd: options.cwd, home });
  if (!parsed.ok) return parsed;
  const work = await mkdtemp(join(tmpdir(), "skillwright-latest-"));
  try {
    const latest = await latestOf(parsed, work, options);
    // A commit that is named by its hash stays what it is.
    const isFixed = latest.ok && parsed.kind === "git" && latest.resolved === undefined;
    const { resolved } = origin;
    return isFixed && resolved !== undefined ? { ok: true, resolved } : latest;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function latestOf(
  parsed: ParsedSource,
  work: string,
  options: LatestOptions,
): Promise<Latest | PackFailure> {
  switch (parsed.kind) {
    case "local":
    case "archive":
      return { ok: true };
    case "npm":
      return latestVersion(parsed, work, options);
    case "url":
      return latestContent(parsed.url, options);
    case "git": {
      const git = await openGit(parsed, work, options);
      const wanted = git.ok ? await findWanted(git, parsed) : git;
      if (!wanted.ok) return wanted;
      const resolved = wanted.remote?.commit;
      return { ok: true, ...(resolved !== undefined && { resolved }) };
    }
    default: {
      const index = await findIndex(webContext(parsed.url, options));
      if (!index.ok) return index;
      const entry = index.entries.find(({ name }) => name === parsed.skill);
      if (parsed.skill !== undefined && entry === undefined) {
        return sourceFailure("source-missing", `the index no longer has ${parsed.skill}`);
      }
      const integrity = entry === undefined || entry.type === "files" ? undefined : entry.digest;
      return { ok: true, ...(integrity !== undefined && { integrity }) };
    }
  }
}

async function latestContent(url: string, options: LatestOptions): Promise<Latest | PackFailure> {
  const context = webContext(url, options);
  const { archiveBytes } = { ...DEFAULT_LIMITS, ...options.limits };
  const hash = createHash("sha256");
  const read = await readBody(context.start, context, archiveBytes, (chunk) => {
    hash.update(chunk);
  });
  return read.ok ? { ok: true, integrity: `sha256:${hash.digest("hex")}` } : read;
}
