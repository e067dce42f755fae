import {
  defaultSources,
  directorySource,
  diskCache,
  type Logger,
  openSkills,
  type Skills,
  type SkillSource,
} from "@skillwright/core";
import {
  createTrustDecision,
  type DefaultSourceOptions,
  leadsOut,
  namedSource,
  openSwitchStore,
  type RegistryOptions,
  ROOT_FOLDERS,
  visibleLine,
} from "@skillwright/core/internal";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";
import { isTrustManaged, limitFlag, managedRefusal, NO_TRUST, type Session } from "./session.ts";

const SOURCES = ["project", "user", "builtin"] as const;

type Source = (typeof SOURCES)[number];

/** What `--source` chooses; anything else than a source there is ends the command. */
export function sourceOption({ source }: PlaceOptions): Source | undefined {
  const known = SOURCES.find((one) => one === source);
  if (source === undefined || known !== undefined) return known;
  throw new AppFailure("usage", `there is no source ${JSON.stringify(source)}`, {
    hint: `there are ${SOURCES.join(", ")}`,
  });
}

/** Only the roots of one source, so that nothing of another shadows its skills. */
function placesOfSource(places: DefaultSourceOptions, source: Source): DefaultSourceOptions {
  const { skillRoots, dataDir, builtinDirectory, ...others } = places;
  return {
    ...others,
    ...(source !== "project" && { enableProjectSkills: false }),
    ...(source !== "user" && { enableUserSkills: false }),
    ...(source !== "builtin" && skillRoots !== undefined && { skillRoots }),
    ...(source === "project" && dataDir !== undefined && { dataDir }),
    ...(source === "builtin" && builtinDirectory !== undefined && { builtinDirectory }),
  };
}

/** Roots that are configured may be of either source, and say so only with what is in them. */
function ofSource(source: SkillSource, wanted: Source): SkillSource {
  return {
    ...source,
    async scan(context) {
      const { skills, diagnostics } = await source.scan(context);
      const kept = skills.filter((skill) => skill.source === wanted);
      const isOther = kept.length === 0 && skills.length > 0;
      return { skills: kept, diagnostics: isOther ? [] : diagnostics };
    },
  };
}

/** Which skills count as trusted: by the folder, by their content, or because the user named them. */
function trustDecision(
  session: Session,
  flagRoots: readonly string[],
): Promise<NonNullable<RegistryOptions["isTrusted"]>> {
  const { projectTrusted, trust, project } = session;
  const isManaged = isTrustManaged(session);
  return createTrustDecision({
    store: isManaged ? NO_TRUST : trust,
    project,
    projectTrusted,
    trustedRoots: new Set(isManaged ? [] : [...flagRoots, ...rootsTheUserNamed(session)]),
    ...(isManaged && { trustedSources: new Set(["builtin"]) }),
    trustedFolders:
      session.configuration.values.trust.roots?.flatMap((folder) =>
        usersOwnPath(folder, session),
      ) ?? [],
  });
}

/** Roots by the user's own configuration. */
function rootsTheUserNamed(session: Session): string[] {
  const { values, origin } = session.configuration;
  const { skillTools, workspace } = values;
  const named: readonly (readonly [path: string, roots: readonly (string | undefined)[]])[] = [
    ["skill_roots", values.skill_roots ?? []],
    ["skillTools.projectSkillsDir", [skillTools.projectSkillsDir]],
    ["skillTools.dataDir", [skillTools.dataDir]],
    ["workspace.skillsDirectory", [workspace.skillsDirectory]],
  ];
  return named
    .filter(([path]) => !["project", "appsettings"].includes(origin(path).layer))
    .flatMap(([, roots]) => roots)
    .flatMap((root) => (root === undefined ? [] : usersOwnPath(root, session)));
}

/**
 * A relative path leads into whatever project is open, so it is not the user who says what is in it.
 */
function usersOwnPath(path: string, session: Session): string[] {
  return isAbsolute(path) || isInHome(path) ? [configuredPath(path, session)] : [];
}

/** Relative paths count from the project; an empty one is none. */
function configuredPath(path: string, { home, project }: Session): string {
  if (path === "") return "";
  return isInHome(path) ? join(home, path.slice(1)) : resolve(project, path);
}

function isInHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}

/** Which skills there are. */
export async function openSessionRegistry(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
): Promise<Skills> {
  return openSkills(await registryOptions(session, options, host));
}

/** Where this command line looks for skills, and what it makes of them. */
export async function registryOptions(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
): Promise<RegistryOptions> {
  const { home, configuration, cacheDirectory } = session;
  const { skillTools, workspace, lint, security, skill_roots } = configuration.values;
  const { cwd, builtinDirectory } = host;
  const flagRoots = options.root?.map((root) => flagRoot(session, root, resolve(cwd, root)));
  const source = sourceOption(options);
  const rules = security.block_angle_brackets_in_frontmatter
    ? lint.rules
    : { ...lint.rules, "angle-brackets": "off" as const };
  const named = {
    directory: configuredPath(workspace.skillsDirectory ?? "", session),
    names: workspace.skillNames ?? [],
  };
  const isNamed =
    options.root === undefined &&
    (workspace.skillsDirectory !== undefined || workspace.skillNames !== undefined);
  const places = {
    cwd,
    home,
    rules,
    ...defined("skillRoots", skill_roots),
    enableProjectSkills: skillTools.enableProjectSkills,
    enableUserSkills: skillTools.enableUserSkills,
    ...defined("projectSkillsDir", skillTools.projectSkillsDir),
    ...defined("userSkillsDir", skillTools.userSkillsDir),
    ...defined("dataDir", skillTools.dataDir),
    ...defined("builtinDirectory", builtinDirectory),
  };
  const givenSources = isNamed
    ? [namedSource({ ...named, rules })]
    : flagRoots?.map((root) =>
        directorySource(root, { label: "project", configured: true, rules }),
      );
  const roots =
    source === undefined
      ? givenSources
      : (givenSources ?? defaultSources(placesOfSource(places, source)))
          // Those that are switched off have none.
          .filter((one) => one.roots.length > 0)
          .map((one) => ofSource(one, source));
  return {
    ...places,
    ...defined("roots", roots),
    disabled: await disabledSkills(session),
    isTrusted: await trustDecision(session, flagRoots ?? []),
    cacheSeconds: skillTools.skillsCacheDurationSeconds,
    ...(skillTools.cacheSkills ? { cache: diskCache(cacheDirectory) } : undefined),
    ...startOptions(session, host),
  };
}

/** Roots by hand replace all others, and named loading too: so do managed settings of either. */
function flagRoot(session: Session, given: string, root: string): string {
  const { configuration } = session;
  if (configuration.origin("workspace.skillNames").layer === "managed") {
    throw managedRefusal("--root", "only the administrator decides which skills are used", session);
  }
  const { values } = configuration;
  const named = [...(values.skill_roots ?? []), values.workspace.skillsDirectory ?? ""].find(
    (path) => path !== "" && !leadsOut(configuredPath(path, session), root),
  );
  limitFlag(session, `--root ${given}`, "skill_roots", [named ?? root]);
  return root;
}

/** The strict validator costs time, so that it runs where its log is read: asked for, or verbose. */
function startOptions({ configuration }: Session, host: AppHost) {
  const { validateOnStartup } = configuration.values.skillTools;
  const isAsked = configuration.origin("skillTools.validateOnStartup").layer !== "default";
  if (!validateOnStartup || !(isAsked || host.verbose)) return undefined;
  return { validateOnStartup, logger: consoleLogger(host) };
}

function consoleLogger(host: AppHost): Logger {
  const note =
    (level: string): Logger["warn"] =>
    (message, { file, line } = {}) => {
      const where = typeof file === "string" ? `${file}:${String(line)}: ` : "";
      host.note(visibleLine(`${level}: ${where}${message}`));
    };
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: note("warning"), error: note("error") };
}

async function disabledSkills(session: Session): Promise<string[]> {
  const { configuration, stateDirectory, project, onDamage } = session;
  const configured = configuration.values.disabledSkills;
  try {
    const switches = await openSwitchStore(stateDirectory);
    return [...configured, ...(await switches.disabled(project))];
  } catch (error) {
    if (onDamage === undefined || !(error instanceof Error)) throw error;
    onDamage("switches", error);
    return [...configured];
  }
}

function defined<Key extends string, Value>(key: Key, value: Value | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}

/** The existing roots that `--root` and `--source` select; the project's by default. */
export async function existingRoots(
  { root, source = "project" }: PlaceOptions,
  { cwd, env }: AppHost,
): Promise<string[]> {
  if (root !== undefined) return root.map((folder) => resolve(cwd, folder));
  if (source !== "project" && source !== "user") {
    throw new AppFailure("usage", `there is no source "${source}" with skills to check`, {
      hint: "use --source project or --source user",
    });
  }
  const base = source === "user" ? (env["HOME"] ?? homedir()) : cwd;
  const candidates = ROOT_FOLDERS.map((folder) => join(base, folder));
  const existing = await filterAsync(candidates, isFolder);
  if (existing.length > 0 || source === "user") return existing;
  return filterAsync([join(cwd, "skills")], isFolder);
}

/**
 * The folder that a path given by the user must really lie in before anything is written there. A
 * path in the working directory may be a link that came with the project; any other was meant as it is.
 */
export function namedBase(path: string, { cwd }: Pick<AppHost, "cwd">): string {
  const way = relative(cwd, path);
  return isAbsolute(way) || way.startsWith("..") ? path : cwd;
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

async function filterAsync<T>(items: readonly T[], keep: (item: T) => Promise<boolean>) {
  const kept = await Promise.all(items.map(keep));
  return items.filter((_, i) => kept[i]);
}
