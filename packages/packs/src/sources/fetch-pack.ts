import { homedir } from "node:os";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { FetchedPack, FetchOptions, FetchPack } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { fetchGit } from "./git/fetch-git.ts";
import { fetchArchive, fetchLocal } from "./local/fetch-local.ts";
import { fetchNpm } from "./npm/fetch-npm.ts";
import { emptyQuarantine } from "./pack-folder.ts";
import type { ParsedSource } from "./parse/parsed-source.ts";
import { parseSource } from "./parse/parse-source.ts";
import { canceled } from "./source-failure.ts";
import { fetchUrl } from "./web/fetch-url.ts";
import { fetchWellKnown } from "./well-known/fetch-well-known.ts";

const MAX_NOTES = 50;

const OPTIONS: OptionKinds<FetchOptions> = {
  quarantine: "string",
  cwd: "string",
  limits: "object",
  env: "object",
  fetch: "function",
  signal: "object",
  onProgress: "function",
};

export const fetchPack: FetchPack = async (source, options) => {
  checkOptions("fetchPack", options, OPTIONS, ["quarantine", "cwd"]);
  const home = options.env?.["HOME"] ?? homedir();
  const parsed = parseSource(source, { cwd: options.cwd, home });
  if (!parsed.ok) return parsed;
  return fetchParsed(parsed, options);
};

/** The same for a source that is already understood. */
export async function fetchParsed(
  parsed: ParsedSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  if (isCanceled(options)) return canceled();
  let isWhole = false;
  let fetched: FetchedPack | PackFailure;
  try {
    fetched = await fetchKind(parsed, options);
    isWhole = fetched.ok;
  } finally {
    if (!isWhole) await emptyQuarantine(options);
  }
  if (!fetched.ok) return isCanceled(options) ? canceled() : fetched;
  return { ...fetched, notes: readable(parsed.notes.concat(fetched.notes)) };
}

async function fetchKind(
  parsed: ParsedSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  switch (parsed.kind) {
    case "local":
      return fetchLocal(parsed, options);
    case "archive":
      return fetchArchive(parsed, options);
    case "git":
      return fetchGit(parsed, options);
    case "npm":
      return fetchNpm(parsed, options);
    case "url":
      return fetchUrl(parsed, options);
    default:
      return fetchWellKnown(parsed, options);
  }
}

/** As many as a person reads: who made the pack decides how many there could be. */
function readable(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [...notes.slice(0, MAX_NOTES), `and ${notes.length - MAX_NOTES} more of the kind`];
}

function isCanceled({ signal }: FetchOptions): boolean {
  return signal?.aborted === true;
}
