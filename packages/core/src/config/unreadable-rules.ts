import { parseToolRules } from "../format/tool-rules/parse-tool-rules.ts";
import type { OptionPath } from "./option-path.ts";

/** Something about a value that is used all the same. */
export interface Doubt {
  /** Leads into the option's value. */
  readonly path: string;
  readonly reason: string;
}

const PERMITTING: ReadonlySet<OptionPath> = new Set(["policy.allow"]);
const RESTRICTING: ReadonlySet<OptionPath> = new Set([
  "policy.ask",
  "policy.deny",
  "execution.require_approval_for",
]);

/** Where a rule restricts, a `*` may stand anywhere in a tool's name. */
const NAME_PATTERN = /^(?=[^*]*\*)[\w*.-]+$/;

/**
 * Texts that are no rules. They stay where they are: a list without the rule that someone mistyped
 * would deny less than was meant.
 */
export function unreadableRules(path: OptionPath, value: unknown): readonly Doubt[] {
  const permits = PERMITTING.has(path);
  if (!Array.isArray(value) || !(permits || RESTRICTING.has(path))) return [];
  const effect = permits ? "it allows nothing" : "what it may mean asks";
  return (value as readonly string[]).flatMap((text, i) =>
    isReadable(text, permits)
      ? []
      : [{ path: `${path}.${i}`, reason: `cannot be read as a rule; ${effect}` }],
  );
}

function isReadable(text: string, permits: boolean): boolean {
  const { rules, unreadable } = parseToolRules(text);
  const strange = permits ? unreadable : unreadable.filter((one) => !NAME_PATTERN.test(one));
  return strange.length === 0 && rules.length + unreadable.length > 0;
}
