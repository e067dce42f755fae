import { isDeepStrictEqual } from "node:util";
import { coversDomain } from "./domain-pattern.ts";
import {
  insideHeldFolder,
  insideProject,
  isBelow,
  isInside,
  keepSome,
  type LeadsOut,
  type Narrowed,
  type Narrowing,
  onlyFalse,
  onlyFewer,
  onlyMore,
  onlyMoreApprovals,
  onlySmaller,
  onlyStricterSandbox,
  onlyTrue,
  refuse,
  rootsInsideProject,
  safetyRulesOnlyStricter,
} from "./narrowing-kinds.ts";
import { type OptionPath, optionValue, type OptionValue } from "./option-path.ts";
import type { Configuration, FailOn, PackLimitOptions, RiskOptions } from "./options.ts";

type Texts = readonly string[];

/** From the least to the most. */
const RISKS: Texts = ["low", "medium", "high"];

/** From the loosest to the strictest. */
const FAIL_ON: readonly FailOn[] = ["never", "critical", "high", "medium", "low"];

const onlyDomainsCovered: Narrowing<Texts> = {
  summary: "only what the user's domains cover",
  narrow: (wanted, held) =>
    keepSome(
      wanted.filter((domain) => held.some((outer) => coversDomain(outer, domain))),
      wanted,
      "a project may only name domains that the user allows",
    ),
};

/** Links on the way are refused when a script runs. */
const onlyFoldersCovered: Narrowing<Texts> = {
  summary: "only inside the user's folders",
  narrow: (wanted, held) =>
    keepSome(
      wanted.filter(
        (path) => held.includes(path) || (isInside(path) && held.some((one) => isBelow(path, one))),
      ),
      wanted,
      "a project may only name folders inside those that the user allows",
    ),
};

/** `restrict` permits least, then `ask`; `grant` and `ignore` each permit what the other does not. */
const onlyStricterReading: Narrowing<Configuration["policy"]["allowedTools"]> = {
  summary: "only `restrict`, or `ask` for the user's `grant` or `ignore`",
  narrow: (wanted, held) =>
    wanted === "restrict" || wanted === held || (wanted === "ask" && held !== "restrict")
      ? { value: wanted }
      : { refused: 'a project may only set it to "restrict" or "ask", where that is stricter' },
};

/**
 * The usual risk of a tool is not known here, and the user may call it by another name: what is
 * not the user's own entry must be the highest.
 */
const onlyHigherRisks: Narrowing<RiskOptions> = {
  summary: "only `high`, or higher than the user's",
  narrow: (wanted, held) => {
    const least = (tool: string) => (Object.hasOwn(held, tool) ? held[tool] : undefined) ?? "high";
    const kept = Object.entries(wanted).filter(
      ([tool, risk]) => RISKS.indexOf(risk) >= RISKS.indexOf(least(tool)),
    );
    const all = kept.length === Object.keys(wanted).length;
    const refused = "a project may only raise the risk of a tool";
    return { value: Object.fromEntries(kept), ...(all ? undefined : { refused }) };
  },
};

const onlyStricterScan: Narrowing<FailOn> = {
  summary: "only stricter: `never` < `critical` < `high` < `medium` < `low`",
  narrow: (wanted, held) =>
    FAIL_ON.indexOf(wanted) >= FAIL_ON.indexOf(held)
      ? { value: wanted }
      : { refused: `a project may only make the scan stricter than "${held}"` },
};

const onlySmallerPacks: Narrowing<PackLimitOptions> = {
  summary: "only smaller",
  narrow: (wanted, held) => {
    const limits: Readonly<Record<string, number | undefined>> = { ...held };
    const kept = Object.entries(wanted).filter(
      ([name, limit]: [string, number]) => limit <= (limits[name] ?? 0),
    );
    const all = kept.length === Object.keys(wanted).length;
    const refused = "a project may only lower the limits of a pack";
    return { value: Object.fromEntries(kept), ...(all ? undefined : { refused }) };
  },
};

type Servers = Configuration["mcpServers"];
type Server = Servers[string];

/** What a call of a tool may take where the user does not say so. */
const DEFAULT_SECONDS = 120;

/** A project may use less of a server that the user named, and names none itself. */
const onlyLessOfServers: Narrowing<Servers> = {
  summary: "only less of a server that the user named: off, not trusted, fewer tools",
  narrow: (wanted, held): Narrowed<Servers> => {
    const entries = Object.entries(wanted).map(([label, server]) => {
      const own = Object.hasOwn(held, label) ? held[label] : undefined;
      return [label, own === undefined ? undefined : lessOf(server, own)] as const;
    });
    const kept = entries.flatMap(([label, less]) => (less?.server ? [[label, less.server]] : []));
    const isAll = entries.every(([, less]) => less?.isAll === true);
    const refused = "only the user decides which servers are started or asked, and for what";
    return {
      ...(kept.length > 0 && { value: Object.fromEntries(kept) as Servers }),
      ...(isAll ? undefined : { refused }),
    };
  },
};

function lessOf(
  wanted: Server,
  own: Server,
): { readonly server?: Server; readonly isAll: boolean } {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const less = given.filter(([key, value]) => isLess(key, value, own));
  if (less.length === 0) return { isAll: false };
  return { server: { ...own, ...Object.fromEntries(less) }, isAll: less.length === given.length };
}

function isLess(key: string, wanted: unknown, own: Server): boolean {
  if (isDeepStrictEqual(wanted, (own as Record<string, unknown>)[key])) return true;
  switch (key) {
    case "disabled":
      return wanted === true;
    case "trust":
    case "skills":
      return wanted === false;
    case "tools":
      return areFewer(wanted, own.tools ?? true);
    case "readOnlyTools":
      return areFewer(wanted, own.readOnlyTools ?? false);
    case "timeoutSeconds":
      return typeof wanted === "number" && wanted <= (own.timeoutSeconds ?? DEFAULT_SECONDS);
    default:
      return false;
  }
}

/** `true` is all of them, `false` none. */
function areFewer(wanted: unknown, own: boolean | readonly string[]): boolean {
  if (wanted === false || own === true) return true;
  const allowed = own === false ? [] : own;
  return Array.isArray(wanted) && wanted.every((name) => allowed.includes(name as string));
}

/**
 * What a project's own configuration may do with each option: never more than the user allows. An
 * option without a row does not compile.
 */
export const NARROWING: { readonly [P in OptionPath]: Narrowing<OptionValue<P>> } = {
  skill_roots: rootsInsideProject,
  "trust.roots": refuse("only the user decides what is trusted"),
  "skillTools.enableUserSkills": onlyFalse,
  "skillTools.enableProjectSkills": onlyFalse,
  "skillTools.userSkillsDir": refuse("only the user decides where their own skills are"),
  "skillTools.projectSkillsDir": insideProject,
  "skillTools.dataDir": insideProject,
  "skillTools.cacheSkills": onlyFalse,
  "skillTools.validateOnStartup": onlyTrue,
  "skillTools.skillsCacheDurationSeconds": onlySmaller,
  "skillTools.enableReadSkillTool": onlyFalse,
  "skillTools.enableReadFileTool": onlyFalse,
  "skillTools.enableListDirectoryTool": onlyFalse,
  "skillTools.maxOutputSizeBytes": onlySmaller,
  // Moving the folder also moves what the user's rules and writable folders count from.
  "workspace.workingDirectory": refuse("only the user decides where the tools work"),
  "workspace.skillsDirectory": insideHeldFolder,
  "workspace.skillNames": onlyFewer,
  "workspace.enableReadFile": onlyFalse,
  "workspace.enableWriteFile": onlyFalse,
  "workspace.enableListDirectory": onlyFalse,
  "workspace.enableSearchFiles": onlyFalse,
  "workspace.enableRunCommand": onlyFalse,
  "workspace.enableReadSkill": onlyFalse,
  "workspace.maxFileSizeBytes": onlySmaller,
  "workspace.commandTimeoutSeconds": onlySmaller,
  "workspace.maxOutputSizeBytes": onlySmaller,
  "model.provider": refuse("only the user decides which model is asked"),
  "model.params": refuse("only the user decides what a model's provider is given"),
  "model.prices": refuse("only the user decides what a model costs"),
  "execution.require_approval_for": onlyMoreApprovals,
  "execution.sandbox": onlyStricterSandbox,
  "execution.domains": onlyDomainsCovered,
  "execution.writable": onlyFoldersCovered,
  "execution.virtualEnvironment": refuse("only the user decides what else scripts run"),
  "execution.freshDirectory": onlyTrue,
  "execution.memoryBytes": onlySmaller,
  "execution.cpuSeconds": onlySmaller,
  "execution.processes": onlySmaller,
  "policy.allow": onlyFewer,
  "policy.ask": onlyMore,
  "policy.deny": onlyMore,
  "policy.allowedTools": onlyStricterReading,
  "policy.denySecretReads": onlyTrue,
  "policy.enableDeleteFile": onlyFalse,
  "policy.enableNetworkRequest": onlyFalse,
  "policy.risks": onlyHigherRisks,
  "approvals.terminalOnly": onlyTrue,
  "runs.keep": refuse("only the user decides which records are kept"),
  "runs.keepDays": refuse("only the user decides which records are kept"),
  "packs.trustedKeys": refuse("only the user decides whose signature counts"),
  "packs.requireSignature": onlyTrue,
  "packs.failOn": onlyStricterScan,
  "packs.limits": onlySmallerPacks,
  "security.max_skill_body_lines": onlySmaller,
  "security.block_angle_brackets_in_frontmatter": onlyTrue,
  "lint.rules": safetyRulesOnlyStricter,
  disabledSkills: onlyMore,
  mcpServers: onlyLessOfServers,
};

/** What a project gets of a valid value, held against the configuration without the project. */
export function narrowOption(
  path: OptionPath,
  wanted: unknown,
  held: Configuration,
  leadsOut: LeadsOut,
): Narrowed {
  const { narrow } = NARROWING[path] as Narrowing<unknown>;
  return narrow(wanted, optionValue(held, path), held, leadsOut);
}
