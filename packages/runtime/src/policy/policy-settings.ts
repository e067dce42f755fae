import type { Configuration, ToolRule } from "@skillwright/core/internal";
import { hasHiddenCharacters } from "../hidden-characters.ts";

export type RiskClass = "low" | "medium" | "high";

interface Tool {
  readonly risk: RiskClass;
  /** Whether the tool is offered when nothing is configured. */
  readonly on: boolean;
  /** Discloses skills: their own declarations do not restrict it. */
  readonly disclosure?: boolean;
  /** What skills, configurations and models call it, in lower case. */
  readonly names: readonly string[];
  /** Tools that do the same to a file: a rule that restricts this one restricts them, too. */
  readonly related?: readonly string[];
}

/** The words of a text; for long lists of plain names. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const READS = { risk: "low", on: true } as const;
const DISCLOSES = { ...READS, disclosure: true } as const;
/** Any tool that is not ours, too, until a rule or a switch names it. */
const OFF = { risk: "high", on: false, names: [] } as const satisfies Tool;

/** Every tool that is ours. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  Object.entries<Tool>({
    read_file: {
      ...READS,
      names: wordList("read view notebookread read_text_file view_file cat_file"),
      related: ["list_directory", "search_files"],
    },
    list_directory: { ...READS, names: wordList("ls glob list_dir list_files list_folder") },
    search_files: {
      ...READS,
      names: wordList("grep search grep_search search_file_content ripgrep"),
    },
    run_script: { risk: "medium", on: true, names: ["run_skill_script", "execute_script"] },
    write_file: {
      risk: "high",
      on: true,
      names: wordList(`
        write edit multiedit notebookedit edit_file create_file str_replace replace apply_patch
      `),
      related: ["delete_file"],
    },
    delete_file: { ...OFF, names: ["delete", "remove_file"] },
    run_command: {
      ...OFF,
      names: wordList("run_shell_command shell execute_command powershell terminal bash"),
    },
    network_request: { ...OFF, names: wordList("network webfetch web_fetch fetch http_request") },
    load_skill: { ...DISCLOSES, names: ["read_skill", "skill", "activate_skill"] },
    read_skill_file: { ...DISCLOSES, names: ["load_skill_asset"] },
    list_skill_files: { ...DISCLOSES, names: ["list_skill_directory", "list_skill_assets"] },
    search_skills: { ...DISCLOSES, names: [] },
    get_skill_script_path: { ...DISCLOSES, names: [] },
  }),
);

/** Tools whose rules are about paths. */
export const FILE_TOOLS: ReadonlySet<string> = new Set(
  wordList("read_file write_file delete_file list_directory search_files"),
);

const NAMES: ReadonlyMap<string, string> = new Map(
  [...TOOLS].flatMap(([tool, { names }]) => [tool, ...names].map((name) => [name, tool])),
);

/** Our name of a tool that was called; any other name stays as it is. */
export function toolName(name: string): string {
  return NAMES.get(name.toLowerCase()) ?? name;
}

/** The tools that a rule of this name permits. A shell covers commands and scripts alike. */
export function permittedTools(name: string): readonly string[] {
  return name.toLowerCase() === "bash" ? ["run_command", "run_script"] : [toolName(name)];
}

/** The tools that a rule of this name restricts: never fewer than it permits. */
export function restrictedTools(name: string): readonly string[] {
  return permittedTools(name).flatMap((tool) => [tool, ...(TOOLS.get(tool)?.related ?? [])]);
}

/** What policy says about a call. */
export type Decision = "allow" | "ask" | "deny";

/** How `allowed-tools` of a skill is read. */
export type AllowedToolsMode =
  /**
   * What a skill does not declare cannot be done on its behalf. A call that names no skill asks when no
   * active skill covers it.
   */
  | "ask"
  /** The same, but a call that names no skill counts for every active one, and is denied. */
  | "restrict"
  /** As `ask`, but what a trusted skill declares is approved beforehand. */
  | "grant"
  | "ignore";

/** The global configuration, as policy sees it. Names of tools may be any that the tool has. */
export interface PolicySettings {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly allowedTools: AllowedToolsMode;
  /** Tools switched on or off; a tool that is not named keeps its default. */
  readonly switches: Readonly<Record<string, boolean>>;
  /** Risk classes that differ from the default. */
  readonly risks: Readonly<Record<string, RiskClass>>;
  /** Whether files that hold secrets (`SECRET_FILES`) may be read after a yes, or never. */
  readonly secretReads: "ask" | "deny";
  /** What happens to a tool that is on and that no rule names. */
  readonly decisions: Readonly<Record<RiskClass, Decision>>;
}

/** Least privilege: reading is allowed, acting asks, the rest is off. */
export const DEFAULT_POLICY: PolicySettings = {
  allow: [],
  ask: ["write_file", "run_script", "network_request"],
  deny: [],
  allowedTools: "ask",
  switches: {},
  risks: {},
  secretReads: "ask",
  decisions: { low: "allow", medium: "ask", high: "ask" },
};

type PolicyConfiguration = Pick<Configuration, "execution" | "policy" | "workspace" | "skillTools">;

/**
 * The settings that a configuration means. `more` is the host's own word: its rules come to those of
 * the configuration, and what the configuration switches off stays off.
 */
export function policySettings(
  { execution, policy, workspace, skillTools }: PolicyConfiguration,
  more: Partial<PolicySettings> = {},
): PolicySettings {
  const switches = {
    read_file: workspace.enableReadFile,
    write_file: workspace.enableWriteFile,
    list_directory: workspace.enableListDirectory,
    search_files: workspace.enableSearchFiles,
    run_command: workspace.enableRunCommand,
    delete_file: policy.enableDeleteFile,
    network_request: policy.enableNetworkRequest,
    load_skill: workspace.enableReadSkill && skillTools.enableReadSkillTool,
    read_skill_file: skillTools.enableReadFileTool,
    list_skill_files: skillTools.enableListDirectoryTool,
  };
  return {
    ...DEFAULT_POLICY,
    allowedTools: policy.allowedTools,
    ...more,
    ...(policy.denySecretReads && { secretReads: "deny" }),
    allow: [...policy.allow, ...(more.allow ?? [])],
    ask: [...execution.require_approval_for, ...policy.ask, ...(more.ask ?? [])],
    deny: [...policy.deny, ...(more.deny ?? [])],
    switches: { ...more.switches, ...switches },
    risks: { ...policy.risks, ...more.risks },
  };
}

export interface ToolSettings {
  readonly risk: RiskClass;
  readonly on: boolean;
  readonly disclosure: boolean;
  /** One of the tools that come with the runtime. */
  readonly isOurs: boolean;
}

/** The settings of one tool, under whichever of its names they are given. */
export function toolSettings(
  tool: string,
  settings: PolicySettings,
  isOffered = false,
): ToolSettings {
  const known = TOOLS.get(tool);
  const { risk, on, disclosure = false }: Tool = known ?? OFF;
  const switches = valuesOf(settings.switches, tool);
  const risks = valuesOf(settings.risks, tool);
  return {
    // Of two settings for the same tool, the stricter one counts.
    risk: (["high", "medium", "low"] as const).find((one) => risks.includes(one)) ?? risk,
    on:
      switches.length === 0 ? on || (isOffered && known === undefined) : !switches.includes(false),
    disclosure,
    isOurs: known !== undefined,
  };
}

function valuesOf<Value>(values: Readonly<Record<string, Value>>, tool: string): readonly Value[] {
  return Object.entries(values)
    .filter(([name]) => toolName(name) === tool)
    .map(([, value]) => value);
}

/** Everything that a decision depends on. Nothing else is looked at: no file, no clock, no state. */
export interface PolicyRequest {
  /** The tool as it was called, under any of its names. */
  readonly tool: string;
  /** What it was called with: an object or its JSON text, its names in any case. */
  readonly input: unknown;
  /** The skill that the call names. Without one, the active skills count. */
  readonly skill?: PolicySkill;
  readonly activeSkills: readonly PolicySkill[];
  /** A tool of the host that it offers: it is on unless it is switched off. */
  readonly offered?: boolean;
  readonly settings: PolicySettings;
  readonly runPolicy?: NarrowingRules;
  readonly places: PolicyPlaces;
  /**
   * Where the paths of the call really lead, when a symlink is on the way. A rule that allows must
   * cover these too; a rule that denies needs only one of them.
   */
  readonly realPaths?: readonly string[];
  /** The command line of a script, interpreter first. Without it, one is derived from its name. */
  readonly commandLine?: readonly string[];
}

/** What policy has to know of a skill. */
export interface PolicySkill {
  readonly name: string;
  readonly trusted: boolean;
  /** Absent when the skill declares nothing; empty when it declares that it needs no tool. */
  readonly allowedTools?: readonly ToolRule[];
}

/** What one run adds. It can only narrow. */
export interface NarrowingRules {
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  /** When given, everything that these rules do not cover is denied. */
  readonly only?: readonly string[];
}

/** Absolute folders without links in them, for rules about paths. */
export interface PolicyPlaces {
  readonly workingDirectory: string;
  /** What `/x` in a rule counts from; the working directory when absent. */
  readonly project?: string;
  /** What `~/x` counts from. */
  readonly home?: string;
}

export interface PolicyDecision {
  readonly decision: Decision;
  /** One sentence for a person or a model. */
  readonly reason: string;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  readonly risk: RiskClass;
  /** When it asks: the active skills, if none of them lists the tool. */
  readonly unlistedBy?: readonly string[];
}

/** One rule of a list. */
export interface PolicyRule extends Partial<ToolRule> {
  /** As it was written. Without `tool`, it cannot be read: it permits nothing, and asks where it should restrict. */
  readonly text: string;
}

/** Whether a rule covers a call; `unclear` when that cannot be decided. */
export type Match = "yes" | "unclear" | "no";

/** The better of any: `yes` before `unclear` before `no`. */
export function best(matches: readonly Match[]): Match {
  return (["yes", "unclear"] as const).find((match) => matches.includes(match)) ?? "no";
}

/** The worst of all, `yes` when there is none. */
export function worst(matches: readonly Match[]): Match {
  return (["no", "unclear"] as const).find((match) => matches.includes(match)) ?? "yes";
}

/** Compares with a pattern in which `*` matches any text. */
export function matchWildcard(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return pattern === text;
  const end = text.length - last.length;
  if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    at = found + part.length;
    if (found === -1 || at > end) return false;
  }
  return true;
}

/** Says whether an item may be in its place; `any` stands for any number of items. */
type ItemTest = ((item: string) => boolean) | "any";

function matchItems(tests: readonly ItemTest[], items: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  let afterAny: { readonly next: number; at: number } | undefined;
  while (at < items.length) {
    const test = tests[next];
    if (test === "any") {
      afterAny = { next: ++next, at };
    } else if (test?.(items[at] ?? "") === true) {
      next++;
      at++;
    } else if (afterAny !== undefined) {
      next = afterAny.next;
      at = ++afterAny.at;
    } else return false;
  }
  return tests.slice(next).every((test) => test === "any");
}

const TOKEN = /\[.[^\]]*\]|./gsu;

/** One part of a path as a pattern writes it: `**`, or with `*`, `?`, `[abc]`, `[!a-z]`. */
function segmentTest(pattern: string): ItemTest {
  if (pattern === "**") return "any";
  const tokens = pattern.match(TOKEN) ?? [];
  const tests = tokens.map((token) => (token === "*" ? "any" : characterTest(token)));
  return (segment) => matchItems(tests, Array.from(segment));
}

function characterTest(token: string): (character: string) => boolean {
  const [, not, list] = /^\[([!^](?=.+\]$))?(.+)\]$/su.exec(token) ?? [];
  if (list === undefined) return (character) => token === "?" || token === character;
  const ranges = [...list.matchAll(/(.)-(.)|./gsu)];
  const isListed = (character: string) =>
    ranges.some(([one, from = one, to = one]) => character >= from && character <= to);
  return not === undefined ? isListed : (character) => !isListed(character);
}

export interface ResolvedPath {
  /** Absolute, with `/`, without `.` and `..`. */
  readonly path: string;
  /** May mean something else to whoever opens it: it can be denied, but not allowed by a rule. */
  readonly unclear: boolean;
}

const MAX_PATH_LENGTH = 4096;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:/i;
/** Windows leaves these off. */
const LOOSE_END = /[. ](?:\/|$)|:[^/]*$/;

/** A path as a call gives it, as one absolute path. Links are not followed: see `realPaths`. */
export function resolvePath(path: string, { workingDirectory, home }: PolicyPlaces): ResolvedPath {
  const isWindows = DRIVE.test(workingDirectory);
  const slashed = path.replaceAll("\\", "/");
  const isHome = slashed === "~" || slashed.startsWith("~/");
  const rest = isHome ? `${slash(home ?? "/~")}/${slashed.slice(1)}` : slashed;
  const isAbsolute = rest.startsWith("/") || (isWindows && DRIVE.test(rest));
  const full = isAbsolute ? rest : `${slash(workingDirectory)}/${rest}`;
  const unclear =
    path === "" ||
    path.length > MAX_PATH_LENGTH ||
    path.startsWith("~") ||
    hasHiddenCharacters(path) ||
    SCHEME.test(isWindows && DRIVE.test(path) ? path.slice(2) : path) ||
    (isWindows ? LOOSE_END.test(pathSegments(rest).join("/")) : path.includes("\\"));
  return { path: normalizePath(full), unclear };
}

/** Says whether a path is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  const plain = normalizePath(slash(folder));
  return path === plain || path.startsWith(plain === "/" ? plain : `${plain}/`);
}

/** The parts of an absolute path without `.` and `..`. */
export function pathSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

export function slash(path: string): string {
  return path.replaceAll("\\", "/");
}

function normalizePath(path: string): string {
  return `/${pathSegments(path).join("/")}`;
}

/** `permit` takes a pattern at its narrowest, `restrict` at its widest. */
export type RuleUse = "permit" | "restrict";

const MAX_PATTERN_LENGTH = 1024;

/** Compares a path with the specifier of a rule, written as in a `.gitignore`. */
export function matchPath(
  specifier: string,
  { path, unclear }: ResolvedPath,
  places: PolicyPlaces,
  use: RuleUse,
): Match {
  if (!isReadablePattern(specifier)) return use === "permit" ? "no" : "unclear";
  const pattern = anchoredPattern(slash(specifier.trim()), places, use);
  if (pattern === undefined) return "no";
  const fold = (text: string) => (use === "permit" ? text : text.normalize("NFC").toLowerCase());
  // What lies in a folder that is named is covered; what a `*` names is only that.
  const isOpen = use === "restrict" || !/[*?[]/.test(pattern.at(-1) ?? "");
  const tests = [...pattern.map(fold), ...(isOpen ? ["**"] : [])].map(segmentTest);
  if (!matchItems(tests, pathSegments(fold(path)))) return "no";
  return use === "permit" && unclear ? "unclear" : "yes";
}

/** A pattern that takes something back, or is longer than any path, is not read. */
export function isReadablePattern(specifier: string): boolean {
  return !specifier.trim().startsWith("!") && specifier.length <= MAX_PATTERN_LENGTH;
}

/** The pattern as parts of an absolute path; undefined when it can match nothing. */
function anchoredPattern(
  pattern: string,
  { workingDirectory, project, home }: PolicyPlaces,
  use: RuleUse,
): readonly string[] | undefined {
  const below = (folder: string, rest: string) => pathSegments(`${escape(slash(folder))}/${rest}`);
  if (pattern.startsWith("//")) return pathSegments(pattern);
  if (/^[a-z]:\//i.test(pattern)) return pathSegments(pattern);
  if (pattern === "~" || pattern.startsWith("~/")) {
    if (home !== undefined) return below(home, pattern.slice(1));
    return use === "permit" ? undefined : ["**", ...pathSegments(pattern.slice(1))];
  }
  if (pattern.startsWith("/")) return below(project ?? workingDirectory, pattern);
  if (/^\.{1,2}(?:\/|$)/.test(pattern)) return below(workingDirectory, pattern);
  const segments = pathSegments(pattern);
  if (use === "restrict") return ["**", ...segments];
  return below(workingDirectory, segments.length === 1 ? `**/${pattern}` : pattern);
}

/** Folders of the request are names, not patterns. */
function escape(folder: string): string {
  return folder.replace(/[*?[\]]/g, "[$&]");
}

/** Compares a host with the specifier of a rule: `domain:example.com`, `domain:*.example.com`. */
export function matchDomain(specifier: string, host: string, use: RuleUse): Match {
  const domain = domainOf(specifier);
  if (domain === undefined) return use === "permit" ? "no" : "unclear";
  // A denied domain includes what is below it.
  const isBelow = use === "restrict" && host.endsWith(`.${domain}`);
  return domain === "*" || domain === host || isBelow || matchLabels(domain, host) ? "yes" : "no";
}

/** `*.` at the start covers any depth, a `*` elsewhere stays inside one label. */
function matchLabels(domain: string, host: string): boolean {
  const below = /^\*(\.[^*]*)$/.exec(domain)?.[1];
  if (below !== undefined) return host.length > below.length && host.endsWith(below);
  const wanted = domain.split(".");
  const labels = host.split(".");
  return (
    wanted.length === labels.length &&
    wanted.every((label, i) => matchWildcard(label, labels[i] ?? ""))
  );
}

export function isReadableDomain(specifier: string): boolean {
  return domainOf(specifier) !== undefined;
}

/** The host of an address; undefined for anything else, and for an address that names a user. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, username, password, protocol } = new URL(address);
  const isWeb = protocol === "https:" || protocol === "http:";
  if (!isWeb || username !== "" || password !== "") return undefined;
  return hostname.replace(/\.$/, "");
}

function domainOf(specifier: string): string | undefined {
  const wanted = /^domain:(.+)$/.exec(specifier.trim())?.[1];
  if (wanted === undefined) return undefined;
  const plain = wanted.trim().toLowerCase().replace(/\.$/, "");
  if (plain.includes("*")) return /^[a-z0-9*.-]+$/.test(plain) ? plain : undefined;
  return /[/?#@\s]/.test(plain) ? undefined : hostOf(`https://${plain}`);
}
