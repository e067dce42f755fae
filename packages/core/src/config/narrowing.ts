import { posix, win32 } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { coversDomain } from "./domain-pattern.ts";

// What a project's own configuration may do with an option: never more than the user allows.

/** What is left of a value that a project wants. Without `value`, nothing. */
export interface Narrowed<Value = unknown> {
  readonly value?: Value;
  /** Why it is not all of it. */
  readonly refused?: string;
}

export interface NarrowingContext {
  /** The configuration without the project. */
  readonly held: HeldRoots;
  /** Whether the real path of a folder, counted from the project, is outside of it. */
  readonly leadsOut: (path: string) => boolean;
}

interface HeldRoots {
  readonly skill_roots: Texts | undefined;
  readonly skillTools: {
    readonly enableUserSkills: boolean;
    readonly enableProjectSkills: boolean;
    readonly userSkillsDir: string | undefined;
    readonly projectSkillsDir: string | undefined;
  };
}

/** In words for the documentation, and as a function of what holds without the project. */
export interface Narrowing<Value, Held = Value> {
  readonly summary: string;
  readonly narrow: (wanted: Value, held: Held, context: NarrowingContext) => Narrowed<Value>;
}

type Texts = readonly string[];

export function refuse(reason: string) {
  return { summary: "refused", narrow: () => ({ refused: reason }) };
}

function only<Value, Held = Value>(
  summary: string,
  isAllowed: (wanted: Value, held: Held) => boolean,
  refused: (held: Held) => string,
): Narrowing<Value, Held> {
  const narrow = (wanted: Value, held: Held) =>
    isAllowed(wanted, held) ? { value: wanted } : { refused: refused(held) };
  return { summary, narrow };
}

export const onlyFalse = only<boolean>(
  "only `false`",
  (wanted, held) => held || !wanted,
  () => "a project may only switch it off",
);

export const onlyTrue = only<boolean>(
  "only `true`",
  (wanted, held) => wanted || !held,
  () => "a project may only switch it on",
);

export const onlySmaller = only<number>(
  "only smaller",
  (wanted, held) => wanted <= held,
  (held) => `a project may only lower it from ${held}`,
);

/** `order` is from the loosest to the strictest. */
function onlyStricter<Name extends string>(what: string, order: readonly Name[]): Narrowing<Name> {
  return only(
    `only stricter: ${order.map((name) => `\`${name}\``).join(" < ")}`,
    (wanted, held) => order.indexOf(wanted) >= order.indexOf(held),
    (held) => `a project may only make the ${what} stricter than "${held}"`,
  );
}

export const onlyStricterSandbox = onlyStricter("sandbox", [
  "none",
  "sandbox-runtime",
  "auto",
  "bubblewrap",
]);

export const onlyStricterScan = onlyStricter("scan", [
  "never",
  "critical",
  "high",
  "medium",
  "low",
]);

/** `restrict` permits least, then `ask`; `grant` and `ignore` each permit what the other does not. */
export const onlyStricterReading = only<"ask" | "restrict" | "grant" | "ignore">(
  "only `restrict`, or `ask` for the user's `grant` or `ignore`",
  (wanted, held) =>
    wanted === "restrict" || wanted === held || (wanted === "ask" && held !== "restrict"),
  () => 'a project may only set it to "restrict" or "ask", where that is stricter',
);

export const onlyMore: Narrowing<Texts> = {
  summary: "only more",
  narrow: (wanted, held) => ({ value: [...new Set([...held, ...wanted])] }),
};

/** As `onlyMore`, but reported: leaving a name out is meant to drop it. */
export const onlyMoreApprovals: Narrowing<Texts> = {
  summary: onlyMore.summary,
  narrow(wanted, held, context) {
    const missing = held.filter((name) => !wanted.includes(name));
    const refused = `a project may only add names; these still ask: ${missing.join(", ")}`;
    return { ...onlyMore.narrow(wanted, held, context), ...(missing.length > 0 && { refused }) };
  },
};

function onlySome<Held>(
  summary: string,
  isAllowed: (name: string, held: Held) => boolean,
  refused: string,
): Narrowing<Texts, Held> {
  return {
    summary,
    narrow: (wanted, held) =>
      keepSome(
        wanted.filter((name) => isAllowed(name, held)),
        wanted,
        refused,
      ),
  };
}

export const onlyFewer = onlySome<Texts | undefined>(
  "only fewer",
  (name, held) => held === undefined || held.includes(name),
  "a project may only choose among those that the user gives",
);

export const onlyDomainsCovered = onlySome<Texts>(
  "only what the user's domains cover",
  (domain, held) => held.some((outer) => coversDomain(outer, domain)),
  "a project may only name domains that the user allows",
);

/** Links on the way are refused when a script runs. */
export const onlyFoldersCovered = onlySome<Texts>(
  "only inside the user's folders",
  (path, held) =>
    held.includes(path) || (isInside(path) && held.some((folder) => isBelow(path, folder))),
  "a project may only name folders inside those that the user allows",
);

function onlyEntries<Value>(
  summary: string,
  isAllowed: (key: string, value: Value, held: Value | undefined) => boolean,
  refused: string,
): Narrowing<Readonly<Record<string, Value>>> {
  return {
    summary,
    narrow(wanted, held) {
      const all = Object.entries(wanted);
      const kept = all.filter(([key, value]) => isAllowed(key, value, own(held, key)));
      return { value: Object.fromEntries(kept), ...(kept.length < all.length && { refused }) };
    },
  };
}

const RISKS = ["low", "medium", "high"] as const;

/**
 * The usual risk of a tool is not known here, and the user may call it by another name: what is
 * not the user's own entry must be the highest.
 */
export const onlyHigherRisks = onlyEntries<(typeof RISKS)[number]>(
  "only `high`, or higher than the user's",
  (_tool, risk, held = "high") => RISKS.indexOf(risk) >= RISKS.indexOf(held),
  "a project may only raise the risk of a tool",
);

export const onlySmallerPacks = onlyEntries<number>(
  "only smaller",
  (_limit, size, held = 0) => size <= held,
  "a project may only lower the limits of a pack",
);

/** Findings under these codes keep a skill from models. */
export const SAFETY_RULES: Texts = ["angle-brackets", "control-characters", "invisible-characters"];

const SEVERITIES = ["off", "info", "warning", "error"] as const;

export const safetyRulesOnlyStricter = onlyEntries<(typeof SEVERITIES)[number]>(
  `free, but ${SAFETY_RULES.map((code) => `\`${code}\``).join(", ")} only stricter`,
  (code, severity, held = "error") =>
    !SAFETY_RULES.includes(code) || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(held),
  "a project may not lower a rule that keeps unsafe skills from models",
);

/** Over the administrator's rules, where each one that is named is meant. */
export const rulesOnlyStricter = onlyEntries<(typeof SEVERITIES)[number]>(
  "only stricter",
  (code, severity, held = SAFETY_RULES.includes(code) ? "error" : "off") =>
    SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(held),
  "a user may not lower a rule that the administrator sets",
);

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

const OUTSIDE = 'a project may only name folders inside itself, by a relative path without ".."';
const LINK_OUTSIDE =
  "a project may only name folders inside itself; a link on the way to this one leads out";

export const insideProject: Narrowing<string, string | undefined> = {
  summary: "only inside the project",
  narrow(wanted, before, { held, leadsOut }) {
    if (wanted === before || isDefaultRoot(wanted, held)) return { value: wanted };
    if (!isInside(wanted)) return { refused: OUTSIDE };
    return leadsOut(wanted) ? { refused: LINK_OUTSIDE } : { value: wanted };
  },
};

export const rootsInsideProject: Narrowing<Texts, Texts | undefined> = {
  summary: "only inside the project, or the user's own roots",
  narrow(wanted, before, { held, leadsOut }) {
    const { enableUserSkills, userSkillsDir } = held.skillTools;
    const moved = userSkillsDir === undefined ? USER_ROOTS : [userSkillsDir];
    const allowed = before ?? (enableUserSkills ? moved : []);
    const named = wanted.filter((root) => isInside(root) || allowed.includes(root));
    const kept = named.filter(
      (root) => allowed.includes(root) || isDefaultRoot(root, held) || !leadsOut(root),
    );
    return keepSome(kept, wanted, named.length === wanted.length ? LINK_OUTSIDE : OUTSIDE);
  },
};

/** For a folder that marks a limit: the user's choice of it, once made, is not left. */
export const insideHeldFolder: Narrowing<string, string | undefined> = {
  summary: "only inside the project, and inside the user's folder where there is one",
  narrow(wanted, before, { leadsOut }) {
    if (wanted === before) return { value: wanted };
    if (!isInside(wanted) || !isBelow(wanted, before)) {
      return { refused: `${OUTSIDE}, and not leave the folder that the user chose` };
    }
    return leadsOut(wanted) ? { refused: LINK_OUTSIDE } : { value: wanted };
  },
};

/** One that is read anyway, since the user left the project's roots as they are. */
function isDefaultRoot(path: string, { skill_roots, skillTools }: HeldRoots): boolean {
  const { enableProjectSkills, projectSkillsDir } = skillTools;
  return (
    skill_roots === undefined &&
    projectSkillsDir === undefined &&
    enableProjectSkills &&
    PROJECT_ROOTS.has(path.replace(/^\.\/|\/$/g, ""))
  );
}

/** Options that each name roots of skills, so that a managed limit on one is a limit on all. */
const ROOT_OPTIONS: ReadonlySet<string> = new Set([
  "skill_roots",
  "skillTools.userSkillsDir",
  "skillTools.projectSkillsDir",
  "skillTools.dataDir",
  "workspace.skillsDirectory",
]);

/** What the administrator's file sets, for the layers above it. */
export interface ManagedLimits {
  readonly held: HeldRoots;
  /** Paths of the options that the file sets. */
  readonly sets: ReadonlySet<string>;
  readonly leadsOut: NarrowingContext["leadsOut"];
  /** What the file has at the path of an option. */
  readonly valueAt: (path: string) => unknown;
}

/** Whether a limit on something else also limits this option. */
export function limitsRoots(path: string, { sets, held }: ManagedLimits): boolean {
  const { enableUserSkills, enableProjectSkills } = held.skillTools;
  const isLimited = !enableUserSkills || !enableProjectSkills;
  return (
    ROOT_OPTIONS.has(path) &&
    (isLimited ||
      sets.has("skill_roots") ||
      sets.has("workspace.skillsDirectory") ||
      sets.has(path))
  );
}

/** A user may only name the administrator's roots, or folders in them. */
export function narrowManagedRoots(
  path: string,
  wanted: Texts,
  { held, sets, leadsOut, valueAt }: ManagedLimits,
): Narrowed<Texts> {
  const limits = ["skill_roots", "workspace.skillsDirectory", path].filter((one) => sets.has(one));
  const allowed = limits.flatMap((one) => valueAt(one) as string | Texts);
  const isAllowed = (root: string) => {
    if (limits.length > 0) {
      const isBelow = allowed.some((outer) => outer !== "" && root.startsWith(`${outer}/`));
      return root === "" || allowed.includes(root) || (isBelow && !root.split("/").includes(".."));
    }
    const isProjects = !root.startsWith("~") && !leadsOut(root);
    return isProjects ? held.skillTools.enableProjectSkills : held.skillTools.enableUserSkills;
  };
  return keepSome(
    wanted.filter(isAllowed),
    wanted,
    "a user may only name folders of skills that the administrator allows",
  );
}

/** The reason for a project, in words for a user whom the administrator limits. */
export function reasonForUser(reason: string): string {
  return reason.replaceAll("the user", "the administrator").replaceAll("a project", "a user");
}

function keepSome(kept: Texts, wanted: Texts, refused: string): Narrowed<Texts> {
  if (kept.length === wanted.length) return { value: kept };
  return kept.length === 0 ? { refused } : { value: kept, refused };
}

function isBelow(path: string, folder: string | undefined): boolean {
  if (folder === undefined) return true;
  // No folder at all, as in named loading that loads nothing.
  if (folder === "") return false;
  return isInside(folder) && isInside(posix.relative(folder, path));
}

function isInside(path: string): boolean {
  return (
    !posix.isAbsolute(path) &&
    !win32.isAbsolute(path) &&
    !/^(?:~|[a-z]:)|\p{Cc}/iu.test(path) &&
    !path.split(/[\\/]/).includes("..")
  );
}

type Server = Readonly<Record<string, unknown>>;

/** What a call of a tool may take where the user sets nothing else. */
const DEFAULT_SECONDS = 120;

/** Whether a project's value of a key of a server is less than the user's. Other keys are the user's. */
const IS_LESS: Readonly<Record<string, (wanted: unknown, held: unknown) => boolean>> = {
  disabled: (wanted) => wanted === true,
  trust: (wanted) => wanted === false,
  skills: (wanted) => wanted === false,
  tools: (wanted, held = true) => areFewer(wanted, held),
  readOnlyTools: (wanted, held = false) => areFewer(wanted, held),
  timeoutSeconds: (wanted, held = DEFAULT_SECONDS) => (wanted as number) <= (held as number),
};

/** A project may use less of a server that the user named, and names none itself. */
export const onlyLessOfServers = {
  summary: "only less of a server that the user named: off, not trusted, fewer tools",
  narrow<S extends Server>(
    wanted: Readonly<Record<string, S>>,
    held: Readonly<Record<string, S>>,
  ): Narrowed<Readonly<Record<string, S>>> {
    const kept: Record<string, S> = {};
    let isAll = true;
    for (const [label, server] of Object.entries(wanted)) {
      const users = own(held, label);
      const all = Object.entries(server);
      const less = all.filter(([key, value]) => users && isLess(key, value, users[key]));
      if (less.length === 0 || less.length < all.length) isAll = false;
      if (users && less.length > 0) kept[label] = { ...users, ...Object.fromEntries(less) };
    }
    const refused = "only the user decides which servers are started or asked, and for what";
    return { ...(Object.keys(kept).length > 0 && { value: kept }), ...(!isAll && { refused }) };
  },
};

function isLess(key: string, wanted: unknown, held: unknown): boolean {
  return isDeepStrictEqual(wanted, held) || own(IS_LESS, key)?.(wanted, held) === true;
}

/** `true` is all of them, `false` none. */
function areFewer(wanted: unknown, held: unknown): boolean {
  if (wanted === false || held === true) return true;
  const allowed: unknown[] = Array.isArray(held) ? held : [];
  return Array.isArray(wanted) && wanted.every((name) => allowed.includes(name));
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
