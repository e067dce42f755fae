import { plural } from "@skillwright/core/internal";
import { textOf } from "./record-fields.ts";
import type { ViewLine } from "./view-state.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_NAMES = 6;

/** What became of the changes of a script or command, from `changes-end`. */
export interface ChangesOutcome {
  readonly kept: readonly string[];
  readonly held: readonly string[];
  readonly discarded: readonly string[];
  readonly refused: readonly string[];
  readonly conflicts: readonly string[];
  /** Why some were discarded. */
  readonly why: string;
  /** How many there are of those that the record does not name one by one. */
  readonly counts: { readonly kept: number; readonly held: number; readonly discarded: number };
}

/** Undefined where a tool wrote a file that a script had changed: that has a line of its own. */
export function changesOutcome(fields: Fields): ChangesOutcome | undefined {
  if (!Array.isArray(fields["kept"])) return undefined;
  const named = (name: string): readonly string[] => {
    const list = fields[name];
    return Array.isArray(list)
      ? list.map((one) => textOf(typeof one === "string" ? one : (one as Fields)["path"]))
      : [];
  };
  const [kept, held, discarded] = [named("kept"), named("held"), named("discarded")];
  const counts = { kept: kept.length, held: held.length, discarded: discarded.length };
  return {
    kept,
    held,
    discarded,
    refused: named("refused"),
    conflicts: named("conflicts"),
    why: textOf(fields["why"]),
    counts: { ...counts, ...(fields["counts"] as Partial<typeof counts> | undefined) },
  };
}

/** What a person sees of it, in place of what the model reads. */
export function changeLines(fields: Fields): readonly ViewLine[] {
  const outcome = changesOutcome(fields);
  if (outcome === undefined) return [];
  const { kept, held, discarded, refused, conflicts, why, counts } = outcome;
  return [
    ...lineOf("changed", kept, { count: counts.kept }),
    ...lineOf("held", held, { count: counts.held, what: "until you decide" }),
    ...lineOf("not kept", discarded, { count: counts.discarded, what: why, isBad: true }),
    ...lineOf("not kept", refused, { what: "scripts may not change it", isBad: true }),
    ...lineOf("not kept", conflicts, { what: "the file changed meanwhile", isBad: true }),
  ];
}

interface LineOptions {
  readonly count?: number;
  readonly what?: string;
  readonly isBad?: boolean;
}

function lineOf(
  label: string,
  names: readonly string[],
  { count = names.length, what = "", isBad = false }: LineOptions,
): readonly ViewLine[] {
  if (count === 0) return [];
  const shown = names.slice(0, MAX_NAMES);
  const left = count - shown.length;
  const more = left > 0 ? ` and ${plural(left, "more change")}` : "";
  const text = `${shown.join(", ")}${more}${what === "" ? "" : ` (${what})`}`;
  return [{ label, text, ...(isBad && { tone: "bad" as const }) }];
}

const TEXT_FOR_MODELS =
  /(?:^|\n+)(?:For the user, who finds it there|Changed in the working directory|Held until a person approves|Kept, discarded or changed again|Not kept)[^\n]*:\n- [^]*$/;

/** The output of a script or command, without the list of changes for the model. */
export function withoutChanges(observation: string): string {
  return observation.replace(TEXT_FOR_MODELS, "");
}
