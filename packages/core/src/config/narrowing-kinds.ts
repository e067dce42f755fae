import { posix, win32 } from "node:path";
import type { Configuration, LintRuleOptions } from "./options.ts";

/** What is left of a value that a project wants. Without `value`, nothing. */
export interface Narrowed<Value = unknown> {
  readonly value?: Value;
  /** Why it is not all of it. */
  readonly refused?: string;
}

/** Whether the real path of a folder, counted from the project, is outside of it. */
export type LeadsOut = (path: string) => boolean;

/** What a project may do with an option, in words and as a function of what holds without it. */
export interface Narrowing<Value> {
  readonly summary: string;
  readonly narrow: (
    wanted: Exclude<Value, undefined>,
    held: Value,
    configuration: Configuration,
    leadsOut: LeadsOut,
  ) => Narrowed<Exclude<Value, undefined>>;
}

type Texts = readonly string[];

/** Findings under these codes keep a skill from models. */
export const SAFETY_RULES: Texts = ["angle-brackets", "control-characters", "invisible-characters"];

/** Where a user's skills are by default; a project that names one of them adds nothing. */
const USER_ROOTS: Texts = [
  "~/.agent/skills",
  "~/.agents/skills",
  "~/.claude/skills",
  "~/.botsharp/skills",
];

/** Read without being named, even where an installer made them links. */
const PROJECT_ROOTS: ReadonlySet<string> = new Set([
  ".agent/skills",
  ".agents/skills",
  ".claude/skills",
  ".botsharp/skills",
  "skills",
]);

type Sandbox = Configuration["execution"]["sandbox"];

/** From the loosest to the strictest. */
const SANDBOXES: readonly Sandbox[] = ["none", "sandbox-runtime", "auto", "bubblewrap"];
const SEVERITIES: Texts = ["off", "info", "warning", "error"];

export function refuse<Value>(reason: string): Narrowing<Value> {
  return { summary: "refused", narrow: () => ({ refused: reason }) };
}

export const onlyFalse: Narrowing<boolean> = {
  summary: "only `false`",
  narrow: (wanted, held) =>
    wanted && !held ? { refused: "a project may only switch it off" } : { value: wanted },
};

export const onlyTrue: Narrowing<boolean> = {
  summary: "only `true`",
  narrow: (wanted, held) =>
    held && !wanted ? { refused: "a project may only switch it on" } : { value: wanted },
};

export const onlySmaller: Narrowing<number> = {
  summary: "only smaller",
  narrow: (wanted, held) =>
    wanted > held ? { refused: `a project may only lower it from ${held}` } : { value: wanted },
};

export const onlyMore: Narrowing<Texts> = {
  summary: "only more",
  narrow: (wanted, held) => ({ value: [...new Set([...held, ...wanted])] }),
};

/** As `onlyMore`, and says so: who leaves a name out means to drop it. */
export const onlyMoreApprovals: Narrowing<Texts> = {
  summary: onlyMore.summary,
  narrow: (wanted, held, configuration, leadsOut) => {
    const missing = held.filter((name) => !wanted.includes(name));
    const refused = `a project may only add names; these still ask: ${missing.join(", ")}`;
    return {
      ...onlyMore.narrow(wanted, held, configuration, leadsOut),
      ...(missing.length === 0 ? undefined : { refused }),
    };
  },
};

export const onlyFewer = {
  summary: "only fewer",
  narrow: (wanted: Texts, held: Texts | undefined): Narrowed<Texts> => {
    const kept = wanted.filter((name) => held === undefined || held.includes(name));
    const refused = "a project may only choose among those that the user gives";
    return keepSome(kept, wanted, refused);
  },
};

export const insideProject: Narrowing<string | undefined> = {
  summary: "only inside the project",
  narrow: (wanted, held, configuration, leadsOut) => {
    if (wanted === held || isDefaultRoot(wanted, configuration)) return { value: wanted };
    if (!isInside(wanted)) return { refused: OUTSIDE };
    return leadsOut(wanted) ? { refused: LINK_OUTSIDE } : { value: wanted };
  },
};

export const rootsInsideProject: Narrowing<Texts | undefined> = {
  summary: "only inside the project, or the user's own roots",
  narrow: (wanted, held, configuration, leadsOut) => {
    const { enableUserSkills, userSkillsDir } = configuration.skillTools;
    const moved = userSkillsDir === undefined ? USER_ROOTS : [userSkillsDir];
    const allowed = held ?? (enableUserSkills ? moved : []);
    const named = wanted.filter((root) => isInside(root) || allowed.includes(root));
    const kept = named.filter(
      (root) => allowed.includes(root) || isDefaultRoot(root, configuration) || !leadsOut(root),
    );
    return keepSome(kept, wanted, named.length === wanted.length ? LINK_OUTSIDE : OUTSIDE);
  },
};

/** For a folder that marks a limit: the user's choice of it, once made, is not left. */
export const insideHeldFolder = {
  summary: "only inside the project, and inside the user's folder where there is one",
  narrow: (
    wanted: string,
    held: string | undefined,
    _configuration: Configuration,
    leadsOut: LeadsOut,
  ): Narrowed<string> => {
    if (wanted === held) return { value: wanted };
    if (!isInside(wanted) || !isBelow(wanted, held)) {
      return { refused: `${OUTSIDE}, and not leave the folder that the user chose` };
    }
    return leadsOut(wanted) ? { refused: LINK_OUTSIDE } : { value: wanted };
  },
};

export const onlyStricterSandbox: Narrowing<Sandbox> = {
  summary: "only stricter: `none` < `sandbox-runtime` < `auto` < `bubblewrap`",
  narrow: (wanted, held) =>
    SANDBOXES.indexOf(wanted) >= SANDBOXES.indexOf(held)
      ? { value: wanted }
      : { refused: `a project may only make the sandbox stricter than "${held}"` },
};

export const safetyRulesOnlyStricter: Narrowing<LintRuleOptions["rules"]> = {
  summary: `free, but ${SAFETY_RULES.map((code) => `\`${code}\``).join(", ")} only stricter`,
  narrow: (wanted, held) => {
    const kept = Object.entries(wanted).filter(
      ([code, severity]) =>
        !SAFETY_RULES.includes(code) ||
        SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(held[code] ?? "error"),
    );
    const all = kept.length === Object.keys(wanted).length;
    const refused = "a project may not lower a rule that keeps unsafe skills from models";
    return { value: Object.fromEntries(kept), ...(all ? undefined : { refused }) };
  },
};

const OUTSIDE = 'a project may only name folders inside itself, by a relative path without ".."';

const LINK_OUTSIDE =
  "a project may only name folders inside itself; a link on the way to this one leads out";

/** One that is read anyway, since the user left the project's roots as they are. */
function isDefaultRoot(path: string, { skill_roots, skillTools }: Configuration): boolean {
  const { enableProjectSkills, projectSkillsDir } = skillTools;
  return (
    skill_roots === undefined &&
    projectSkillsDir === undefined &&
    enableProjectSkills &&
    PROJECT_ROOTS.has(path.replace(/^\.\/|\/$/g, ""))
  );
}

export function keepSome(kept: Texts, wanted: Texts, refused: string): Narrowed<Texts> {
  if (kept.length === wanted.length) return { value: kept };
  return kept.length === 0 ? { refused } : { value: kept, refused };
}

export function isBelow(path: string, folder: string | undefined): boolean {
  if (folder === undefined) return true;
  // No folder at all, as in named loading that loads nothing.
  if (folder === "") return false;
  return isInside(folder) && isInside(posix.relative(folder, path));
}

export function isInside(path: string): boolean {
  return (
    !posix.isAbsolute(path) &&
    !win32.isAbsolute(path) &&
    !/^(?:~|[a-z]:)|\p{Cc}/iu.test(path) &&
    !path.split(/[\\/]/).includes("..")
  );
}
