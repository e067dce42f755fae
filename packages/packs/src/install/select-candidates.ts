import { nearNames } from "@skillwright/core/internal";
import type { Candidate } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";

export interface Selection {
  /** By name or by path within the pack. */
  readonly skills?: readonly string[];
  readonly all?: boolean;
  /** Asks a person; undefined when they went away. Called only when there is a choice. */
  readonly choose?: (candidates: readonly Candidate[]) => Promise<readonly Candidate[] | undefined>;
}

/** The skills of a pack that are wanted. One that is alone needs no word. */
export async function selectCandidates(
  candidates: readonly Candidate[],
  { skills = [], all = false, choose }: Selection,
): Promise<{ readonly ok: true; readonly selected: readonly Candidate[] } | PackFailure> {
  if (skills.length > 0) return named(candidates, skills);
  if (all || candidates.length === 1) return distinct(candidates);
  if (choose === undefined) {
    return {
      ok: false,
      code: "source-invalid",
      message: `the pack holds ${candidates.length} skills, and it is not said which are wanted`,
      hint: "name them with --skill <name>, take all with --all, or look at them with --list",
      candidates: candidates.map(({ name }) => name),
    };
  }
  const chosen = await choose(candidates);
  if (chosen === undefined) {
    return { ok: false, code: "canceled", message: "nothing was chosen; nothing was changed" };
  }
  return distinct(chosen);
}

function named(candidates: readonly Candidate[], wanted: readonly string[]) {
  const selected = new Set<Candidate>();
  for (const word of wanted) {
    const found = candidates.filter(
      ({ name, path }) => path === word || name.toLowerCase() === word.toLowerCase(),
    );
    const exact = found.filter(({ path }) => path === word);
    const [first, second] = exact.length > 0 ? exact : found;
    if (first === undefined) return unknown(word, candidates);
    if (second !== undefined) {
      return {
        ok: false as const,
        code: "name-taken" as const,
        message: `the pack holds several skills named ${JSON.stringify(word)}`,
        hint: "name the one that is wanted by its path in the pack",
        candidates: found.map(({ path }) => path),
      };
    }
    selected.add(first);
  }
  return distinct([...selected]);
}

function unknown(word: string, candidates: readonly Candidate[]): PackFailure {
  const names = candidates.map(({ name }) => name);
  const near = nearNames(word, names);
  return {
    ok: false,
    code: "skill-missing",
    message: `the pack has no skill ${JSON.stringify(word)}`,
    candidates: near.length > 0 ? near : names.slice(0, 20),
  };
}

/** Each goes to a folder of its name. */
function distinct(
  selected: readonly Candidate[],
): { readonly ok: true; readonly selected: readonly Candidate[] } | PackFailure {
  const seen = new Map<string, Candidate>();
  for (const candidate of selected) {
    const folded = candidate.name.toLowerCase();
    const other = seen.get(folded);
    if (other !== undefined) {
      return {
        ok: false,
        code: "name-taken",
        message: `two skills of the pack are named ${JSON.stringify(candidate.name)}: ${other.path || "."} and ${candidate.path || "."}`,
        hint: "take one of them with --skill <path>",
      };
    }
    seen.set(folded, candidate);
  }
  return { ok: true, selected };
}
